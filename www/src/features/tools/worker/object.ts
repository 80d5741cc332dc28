import { callSubject, type Part } from "apex-parts";
import { type Fields, fields, label, list, text } from "../../../worker/fields";
import { toolCall } from "./tool_call";

/** Longer commands and patterns are cut: this is for one line. */
const LONGEST = 120;
const DONE = "completed";

/**
 * What a call is about, in one line: the command that it runs, the name of the file that it changes, the
 * pattern that it looks for. Empty where its input names nothing.
 */
export function objectOf(part: Fields): string {
  const { state, input, path } = toolCall(part);
  const { kind, text: about = "" } = callSubject(part as unknown as Part) ?? {};
  const isFile = kind === "change" || kind === "path";
  return (
    patched(kind === "command" ? about : patchOf(input)) ||
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

function patchOf(input: Fields): string {
  return text(input.patchText) ?? text(input.patch) ?? text(input.input) ?? "";
}

/** The first file that a patch is for, and how many more there are. */
function patched(patch: string): string {
  const files = [
    ...patch.slice(0, 100_000).matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm),
  ];
  const [first] = files;
  if (!first) return "";
  return `${nameOf((first[1] ?? "").trim())}${files.length > 1 ? ` +${files.length - 1}` : ""}`;
}

function todosOf(input: Fields): string {
  const items = list(input.todos ?? input.plan);
  if (items.length === 0) return "";
  const done = items.filter((item) => fields(item)?.status === DONE).length;
  return `${done} of ${items.length} done`;
}
