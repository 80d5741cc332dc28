import { type Fields, label, number, text } from "../../../worker/fields";
import { long } from "../../../worker/values";
import type { BodyOf } from "../model";
import type { ToolReader } from "./tool_call";

export const shell: ToolReader<BodyOf<"shell">> = {
  read({ input, metadata }) {
    const command = commandOf(input);
    if (command === undefined) return undefined;
    const description = label(input.description);
    const exit = number(metadata.exit ?? metadata.exitCode ?? metadata.exit_code);
    return {
      kind: "shell",
      command: long("command", command),
      ...(description ? { description } : {}),
      ...(exit === undefined ? {} : { exit }),
    };
  },
  texts: { command: commandOf },
};

function commandOf(input: Fields): string | undefined {
  const command = input.command ?? input.cmd ?? input.script;
  return Array.isArray(command) ? command.map(String).join(" ") : text(command);
}
