// Conversations of ShareGPT, in which data sets for fine-tuning are written: `{from, value}`. There is no state.
import { type Fields, kindOf } from "../../tools/boundary.ts";
import { fieldsOf, jsonText, others, stringOf } from "../fields.ts";
import type { MessageBuilder, NewCall } from "./builder.ts";
import {
  addSystem,
  type MessagesReader,
  messageFields,
  readArguments,
  readTexts,
  readTool,
} from "./reader.ts";

/** Who speaks, by the names that data sets have for them. */
const SPEAKERS: { [from: string]: "user" | "assistant" | "system" | "call" | "result" } = {
  ...{ human: "user", user: "user", prompter: "user" },
  ...{ gpt: "assistant", assistant: "assistant", model: "assistant", chatgpt: "assistant" },
  ...{ bing: "assistant", bard: "assistant", system: "system", developer: "system" },
  ...{ function_call: "call", tool_call: "call" },
  ...{
    observation: "result",
    tool: "result",
    tool_response: "result",
    function_response: "result",
  },
};

/** A call that is written as JSON, `{name, arguments}`; undefined if the value is something else. */
function callOf(value: unknown, path: string, builder: MessageBuilder): NewCall | undefined {
  let call: Fields | undefined;
  try {
    call = fieldsOf(typeof value === "string" ? JSON.parse(value) : value);
  } catch {
    // It is a text.
  }
  const tool = stringOf(call?.name);
  if (call === undefined || tool === undefined) return undefined;
  const input = readArguments(call.arguments ?? call.parameters, path, {}, builder);
  return {
    type: "call",
    id: stringOf(call.id) ?? "",
    isNamed: true,
    tool,
    input,
    metadata: {},
    path,
  };
}

/** The tools of a record: a list, or its JSON. */
function readTools(given: unknown, builder: MessageBuilder) {
  if (given === undefined || given === null || given === "") return;
  let tools = given;
  if (typeof given === "string") {
    try {
      tools = JSON.parse(given);
    } catch {
      builder.error("/tools", "these tools are not JSON; they are left out");
      return;
    }
  }
  builder.each(tools, "/tools", (value, at) => {
    const fields = fieldsOf(value) ?? {};
    const { name, description, parameters, ...rest } = fieldsOf(fields.function) ?? fields;
    readTool({ name, description, schema: parameters }, rest, at, builder);
  });
}

/** Reads conversations of ShareGPT. */
export const readShareGpt: MessagesReader = ({ list, path, fields }, builder) => {
  addSystem(readTexts(fields.system, "/system", builder), builder);
  readTools(fields.tools, builder);
  /** The tools of calls without a result, oldest first; those before `next` have one. */
  const open: string[] = [];
  let next = 0;
  builder.each(list, path, (given, at) => {
    const message = messageFields(given, at, builder);
    if (message === undefined) return;
    const { from, value } = message;
    const speaker = typeof from === "string" && Object.hasOwn(SPEAKERS, from) && SPEAKERS[from];
    const place = `${at}/value`;
    if (!speaker) {
      const got = typeof from === "string" ? JSON.stringify(from.slice(0, 60)) : kindOf(from);
      const expected = `\`from\` must be one of ${Object.keys(SPEAKERS).join(", ")}, not ${got}`;
      builder.error(`${at}/from`, `${expected}; the message is left out`);
      return;
    }
    builder.leaveOut(others(message, ["from", "value"]), at);
    if (speaker === "result") {
      const tool = open[next++];
      if (tool === undefined)
        builder.warn("RP-2", place, "a result without a call before it: it is left out");
      else builder.result(tool, { text: jsonText(value ?? "") }, place, true);
      return;
    }
    const call = speaker === "call" ? callOf(value, place, builder) : undefined;
    if (call !== undefined) {
      builder.answer([call]);
      open.push(call.tool);
      return;
    }
    if (typeof value !== "string")
      builder.warn(
        "schema",
        place,
        `expected a string, got ${kindOf(value)}: its JSON is the text`,
      );
    else if (speaker === "call")
      builder.warn("schema", place, "expected the JSON of a call, {name, arguments}: it is a text");
    const text = jsonText(value ?? "");
    if (speaker === "system") addSystem([text], builder);
    else if (speaker === "user") builder.user([{ type: "text", text }]);
    else builder.answer([{ type: "text", text }]);
  });
};
