import { type BodyOf, TOOLS, type ToolBody, type ToolKind } from "../../../../core/model/tools";
import type { Fields } from "../../../../core/worker/fields";
import { edit } from "./edit";
import { json } from "./json";
import { read } from "./read";
import { search } from "./search";
import { shell } from "./shell";
import { todos } from "./todos";
import { type ToolCall, type ToolReader, toolCall } from "./tool_call";
import { web } from "./web";
import { write } from "./write";

/** One reader a card; view/registry.ts has what draws them. */
const READERS: { [K in ToolKind]: ToolReader<BodyOf<K>> } = {
  shell,
  read,
  write,
  edit,
  todos,
  search,
  web,
  json,
};

const KINDS = new Map(
  Object.entries(TOOLS).flatMap(([kind, { names }]) =>
    names.map((name) => [name, kind as ToolKind] as const),
  ),
);

/** How calls of a tool are read. */
export function readerOf(tool: string): ToolReader {
  return READERS[KINDS.get(tool.toLowerCase()) ?? "json"];
}

/** The body of a call's card; a call that its own card cannot show gets the general one. */
export function bodyOf(tool: string, call: ToolCall): ToolBody {
  return readerOf(tool).read(call) ?? json.read(call);
}

/** A long text of a call's input, under the name that a card has for it. */
export function inputText(field: "command" | "content", part: Fields): string | undefined {
  for (const { texts } of Object.values<ToolReader>(READERS)) {
    const text = texts?.[field];
    if (text) return text(toolCall(part));
  }
  return undefined;
}
