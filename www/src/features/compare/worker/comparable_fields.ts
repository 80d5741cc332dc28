import { statusWords } from "../../../core/model/layout";
import { diffTexts } from "../../../core/worker/diff";
import { type Fields, fields, label, text } from "../../../core/worker/fields";
import type { OpenTranscript } from "../../../core/worker/open_transcript";
import { prettyHead } from "../../../core/worker/pretty";
import type { Diff, DiffLine } from "../../../ui/values";
import type { ComparableFields, FieldChange } from "../model/fields";
import { markChangedWords } from "./changed_words";

/** Longer texts are not compared inside. */
const LONGEST = 200_000;
/** Lines that stay around a change. */
const AROUND = 2;
/** A part has hardly more, and one that has is not compared inside further. */
const MOST = 20;

export function comparableFields(
  open: OpenTranscript,
  message: number,
  part: number,
): ComparableFields {
  if (part < 0) return [["error", writtenOut(open.info(message).error)]];
  const value = open.part(message, part);
  const { layout } = open;
  const end = statusWords(layout, (layout.firstPart[message] ?? 0) + part);
  const said = value.type === "tool" ? ofTool(value, end) : ofPart(value);
  return said
    .filter(([, words]) => words !== "")
    .map(([name, words]) => [name, words.slice(0, LONGEST + 1)]);
}

function ofTool(part: Fields, end: string): ComparableFields {
  const state = fields(part.state) ?? {};
  const input = fields(state.input) ?? {};
  const inputs = Object.keys(input)
    .slice(0, MOST)
    .map((key): [string, string] => [`input ${label(key, 60)}`, writtenOut(input[key])]);
  return [
    ["tool", label(part.tool)],
    ["state", end || label(state.status)],
    ...inputs,
    ["arguments", state.status === "pending" ? writtenOut(state.raw) : ""],
    ["output", writtenOut(state.output)],
    ["error", writtenOut(state.error)],
  ];
}

function ofPart(part: Fields): ComparableFields {
  if (typeof part.text === "string") return [["text", part.text]];
  const { id: _, messageID: __, sessionID: ___, time: ____, type: _____, ...rest } = part;
  if (part.type === "step-finish") return [["reason", writtenOut(part.reason)]];
  return Object.entries(rest)
    .slice(0, MOST)
    .map(([name, value]) => [label(name, 60), writtenOut(value)]);
}

function writtenOut(value: unknown): string {
  if (value === undefined || value === null) return "";
  // One unit more than what is compared says that it is too long.
  return text(value) ?? prettyHead(value, LONGEST + 1);
}

/** What differs between what two rows say. */
export function changes(before: ComparableFields, after: ComparableFields): FieldChange[] {
  const old = new Map(before);
  const next = new Map(after);
  // Of calls of two tools no field means the same.
  if (old.get("tool") !== next.get("tool")) return [];
  const found: FieldChange[] = [];
  for (const name of new Set([...old.keys(), ...next.keys()])) {
    const a = old.get(name) ?? "";
    const b = next.get(name) ?? "";
    if (a === b) continue;
    if (a.length > LONGEST || b.length > LONGEST) found.push({ name });
    else found.push({ name, diff: shortened(markChangedWords(diffTexts(a, b))) });
  }
  return found;
}

/** A diff without the lines that are the same and far from any change. */
function shortened(diff: Diff): Diff {
  const { lines } = diff;
  const kept = new Uint8Array(lines.length);
  lines.forEach((line, i) => {
    if (line.kind !== "same") kept.fill(1, Math.max(0, i - AROUND), i + AROUND + 1);
  });
  const out: DiffLine[] = [];
  for (let i = 0; i < lines.length; ) {
    const line = lines[i];
    const start = i;
    while (i < lines.length && !kept[i]) i++;
    if (i > start) out.push({ kind: "hunk", text: `… ${i - start} the same` });
    else if (line) out.push(lines[i++] ?? line);
  }
  return { ...diff, lines: out, total: diff.total - lines.length + out.length };
}
