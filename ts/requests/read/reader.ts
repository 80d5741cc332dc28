// What the reader of a format gets and what several of them share.
import { type Fields, isObject, kindOf } from "../../tools/boundary.ts";
import { fieldsOf, given, jsonText, others, stringOf } from "../fields.ts";
import type { RequestTool } from "../types.ts";
import type { MessageBuilder, NewFile, NewPart } from "./builder.ts";

/** What is read: the array, where it stands, and the body around it, which is empty if there is none. */
export interface MessagesBody {
  list: unknown;
  path: string;
  fields: Fields;
}

/** Reads a history into a builder. */
export type MessagesReader = (body: MessagesBody, builder: MessageBuilder) => void;

/** Takes a part, which stands at the path. */
export type TakePart = (part: NewPart, path: string) => void;

/** The texts of a content: a string, or blocks with a text. Other blocks are left out, as problems. */
export function readTexts(content: unknown, path: string, builder: MessageBuilder): string[] {
  if (content === undefined || content === null || content === "") return [];
  if (typeof content === "string") return [content];
  const texts: string[] = [];
  builder.each(content, path, (block, at) => {
    const text = typeof block === "string" ? block : fieldsOf(block)?.text;
    if (typeof text === "string") texts.push(text);
    else builder.warn("schema", at, "only text can stand here: it is left out");
  });
  return texts;
}

/** Adds instructions to the system's; blocks of one message are lines. */
export function addSystem(texts: string[], builder: MessageBuilder): void {
  const text = texts.join("\n");
  if (text !== "") builder.system.push(text);
}

/** Says that a message is left out for its role. */
export function refuseRole(
  role: unknown,
  path: string,
  roles: string,
  builder: MessageBuilder,
): void {
  const got = typeof role === "string" ? JSON.stringify(role.slice(0, 60)) : kindOf(role);
  const message = `a role must be ${roles}, not ${got}`;
  builder.error(`${path}/role`, `${message}; the message is left out`);
}

/** The fields of a message; undefined, and a problem, if it is not an object. */
export function messageFields(
  value: unknown,
  path: string,
  builder: MessageBuilder,
): Fields | undefined {
  const fields = fieldsOf(value);
  if (fields === undefined)
    builder.error(
      path,
      `expected a message, which is an object, got ${kindOf(value)}; it is left out`,
    );
  return fields;
}

/** The fields of a part, with its type; undefined, and a problem, if it has none. */
export function typedFields(
  value: unknown,
  path: string,
  builder: MessageBuilder,
  what: "part" | "block" = "part",
): (Fields & { type: string }) | undefined {
  const fields = fieldsOf(value);
  // A cast: its type is a string.
  if (stringOf(fields?.type) !== undefined) return fields as Fields & { type: string };
  builder.error(path, `expected a ${what} with a \`type\`, got ${kindOf(value)}; it is left out`);
  return undefined;
}

/** The output of a call that is a list: texts and files, as `read` tells them; of everything else the JSON. */
export function readOutput(
  list: unknown,
  path: string,
  builder: MessageBuilder,
  read: (fields: Fields) => string | NewFile | undefined,
): { text: string; files: NewFile[] } {
  const texts: string[] = [];
  const files: NewFile[] = [];
  builder.each(list, path, (value, at) => {
    const said = read(fieldsOf(value) ?? {});
    if (typeof said === "string") texts.push(said);
    else if (said !== undefined) files.push(said);
    else {
      builder.warn("schema", at, "an output has no place for it: its JSON is in the output");
      texts.push(jsonText(value));
    }
  });
  return { text: texts.join("\n"), files };
}

/** A tool of a body; undefined, and a problem, if it has no name or another type than a function. */
export function readTool(
  { name, description, schema, strict }: Fields,
  rest: Fields,
  path: string,
  builder: MessageBuilder,
): void {
  if (stringOf(name) === undefined) {
    const message = "only tools with a name and a schema have a place: it is left out";
    builder.warn("schema", path, message);
    return;
  }
  builder.leaveOut(others(rest, []), path);
  const tool = given({
    name,
    description: typeof description === "string" ? description : undefined,
    inputSchema: isObject(schema) ? schema : undefined,
    strict: typeof strict === "boolean" ? strict : undefined,
  });
  // A cast: the fields are checked above; of a schema nothing is known but that it is an object.
  builder.tools.push(tool as unknown as RequestTool);
}

/** Whether it is an object whose content is in its fields: not a `Map`, a `Date` or the like. */
const hasFields = (value: unknown): value is Fields =>
  isObject(value) && Object.prototype.toString.call(value) === "[object Object]";

/** The input of a call: an object as it is; anything else becomes `{value: …}`, with a problem. */
export function readInput(input: unknown, path: string, builder: MessageBuilder): Fields {
  if (input === undefined || input === null || input === "") return {};
  if (hasFields(input)) return input;
  builder.warn(
    "RP-8",
    path,
    `arguments must be an object, not ${kindOf(input)}: they become {"value": …}`,
  );
  return { value: input };
}

/** The input of a call whose arguments are a string; the string is kept in `state` unless `JSON.stringify` writes it so. */
export function readArguments(
  text: unknown,
  path: string,
  state: Fields,
  builder: MessageBuilder,
): Fields {
  if (typeof text !== "string") {
    if (text === undefined || text === null || hasFields(text))
      return readInput(text, path, builder);
    builder.warn(
      "RP-8",
      path,
      `arguments must be a string, not ${kindOf(text)}: they become {"value": …}`,
    );
    return { value: text };
  }
  if (text === "") return {};
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch {
    const message = "these arguments are not JSON: the input is {}, the text is in the metadata";
    builder.warn("RP-1", path, message);
    state.arguments = text;
    return {};
  }
  if (JSON.stringify(input) !== text) state.arguments = text;
  return isObject(input) ? input : readInput(input ?? [input], path, builder);
}
