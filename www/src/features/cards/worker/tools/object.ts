import { type Fields, fields, label, list, text } from "../../../../core/worker/fields";
import type { ToolCall } from "./tool_call";

/** Longer commands and patterns are cut: this is for one line. */
const LONGEST = 120;
const DONE = "completed";

/**
 * What a call is about, in one line: the command that it runs, the name of the file that it changes, the
 * pattern that it looks for. Empty where its input names nothing.
 */
export function objectOf({ state, input, subject, path }: ToolCall): string {
  const { kind, text: about = "", files = [] } = subject ?? {};
  const isFile = kind === "change" || kind === "path";
  return (
    patched(files) ||
    todosOf(input) ||
    (isFile ? nameOf(about) : withoutScheme(lineOf(about))) ||
    nameOf(path) ||
    lineOf(state.title) ||
    lineOf(
      Object.values(input)
        .slice(0, 20)
        .find((value) => text(value)?.trim()),
    )
  );
}

function lineOf(value: unknown): string {
  const string = text(value)?.slice(0, 4000).trimStart() ?? "";
  const end = string.search(/[\r\n]/);
  return label((end < 0 ? string : string.slice(0, end)).trim(), LONGEST);
}

/** The last part of a path. */
function nameOf(path: string): string {
  const bare = path.replace(/[/\\]+$/, "");
  return bare.slice(Math.max(bare.lastIndexOf("/"), bare.lastIndexOf("\\")) + 1) || path;
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

/** The first file of a patch, and how many more there are. */
function patched([first, ...others]: string[]): string {
  if (first === undefined) return "";
  return `${nameOf(first)}${others.length > 0 ? ` +${others.length}` : ""}`;
}

function todosOf(input: Fields): string {
  const items = list(input.todos ?? input.plan);
  if (items.length === 0) return "";
  const done = items.filter((item) => fields(item)?.status === DONE).length;
  return `${done} of ${items.length} done`;
}
