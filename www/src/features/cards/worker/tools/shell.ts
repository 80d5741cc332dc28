import { callSubject, type Part } from "apex-parts";
import type { BodyOf, ShellEnd } from "../../../../core/model/tools";
import { type Fields, label, number, text } from "../../../../core/worker/fields";
import { long } from "../../../../core/worker/values";
import { known, type ToolCall, type ToolReader } from "./tool_call";

export const shell: ToolReader<BodyOf<"shell">> = {
  read(call) {
    const { input, metadata, state } = call;
    const command = commandOf(call);
    if (command === undefined) return undefined;
    const description = label(input.description);
    return {
      kind: "shell",
      command: long("command", command),
      ...(description ? { description } : {}),
      end: endOf(metadata, state.status === "completed"),
    };
  },
  texts: { command: commandOf },
  printed: (metadata) => text(metadata.output),
};

/** A call that failed says itself, as every tool's does, whether it was aborted. */
function endOf(metadata: Fields, isCompleted: boolean): ShellEnd {
  const exit = number(metadata.exit ?? metadata.exitCode ?? metadata.exit_code);
  return known<ShellEnd>({
    exit,
    signal: label(metadata.signal, 20) || undefined,
    timedOut: isCompleted && metadata.timedOut === true ? true : undefined,
    aborted: isCompleted && metadata.aborted === true ? true : undefined,
    detached: metadata.detached === true ? true : undefined,
  });
}

/** The card shows it whole. */
function commandOf({ part, subject }: ToolCall): string | undefined {
  if (subject?.kind !== "command") return undefined;
  return callSubject(part as unknown as Part, Number.MAX_SAFE_INTEGER)?.text;
}
