import type { CallEnd, Status, ToolView } from "../../../../core/model/tools";
import { type Fields, fields, label, list, number, text } from "../../../../core/worker/fields";
import { sessionOfTask } from "../../../../core/worker/sessions";
import {
  fileView,
  long,
  longWithEnd,
  node,
  parsedJson,
  spanOf,
} from "../../../../core/worker/values";
import { callNotes } from "./call_notes";
import { objectOf } from "./object";
import { bodyOf, inputText, readerOf } from "./registry";
import { known, toolCall } from "./tool_call";

/**
 * What the card of a tool call shows. `placeholder` is what the model gets of a cleared output, `end` how
 * the call stands.
 */
export function toolView(part: Fields, placeholder = "", end: CallEnd = {}): ToolView {
  const state = fields(part.state) ?? {};
  const tool = label(part.tool, 100) || "tool";
  const { status = statusOf(state.status), exit, firstError } = end;
  const failed = status === "failed";
  const call = toolCall(part);
  const object = objectOf(call);
  const output = toolText(part, "output");
  const error = toolText(part, "error");
  const streamed = status === "pending" ? toolText(part, "input") : undefined;
  const body = bodyOf(tool, call);
  // The cards that draw the input as JSON draw such an output so too.
  const json = "input" in body && output !== undefined ? parsedJson(output) : undefined;
  const session = sessionOfTask(state);
  const id = text(part.callID);
  // The results of other calls are never cleared.
  const clearedAt =
    state.status === "completed" ? number(fields(state.time)?.compacted) : undefined;
  return {
    type: "tool",
    tool,
    status,
    ...(exit === undefined ? {} : { exit }),
    title: label(state.title),
    ...(object ? { object } : {}),
    body,
    notes: callNotes(state),
    ...(output === undefined ? {} : { output: (failed ? longWithEnd : long)("output", output) }),
    ...known({ firstError }),
    ...(json === undefined ? {} : { outputJson: node(json) }),
    ...(error === undefined ? {} : { error: long("error", error) }),
    ...(streamed ? { streamed: long("input", streamed) } : {}),
    ...(session === undefined ? {} : { session }),
    ...(id ? { call: id } : {}),
    time: spanOf(state.time),
    ...(clearedAt === undefined ? {} : { cleared: { time: clearedAt, placeholder } }),
    attachments: list(state.attachments)
      .slice(0, 50)
      .map((file) => fileView(fields(file) ?? {})),
  };
}

/** One of a tool part's long strings, whole. */
export function toolText(part: Fields, field: string): string | undefined {
  const state = fields(part.state) ?? {};
  switch (field) {
    case "output": {
      const reader = readerOf(label(part.tool));
      const output = text(state.output);
      if (output === undefined) return reader.printed?.(fields(state.metadata) ?? {});
      return reader.output?.(state, output) ?? output;
    }
    case "error":
      return text(state.error);
    case "input":
      return text(state.raw);
    case "command":
    case "content":
      return inputText(field, part);
    default:
      return undefined;
  }
}

function statusOf(value: unknown): Status {
  return value === "running" || value === "completed" || value === "error" ? value : "pending";
}
