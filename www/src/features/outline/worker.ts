import { type Fields, fields, firstLine, label, text } from "../../worker/fields";
import type { OpenTranscript } from "../../worker/open_transcript";
import { failure } from "../../worker/values";
import { objectOf } from "../tools/worker/object";
import type { RowMap } from "../transcript/model/row_map";
import type { OutlineEntry } from "./model";

export function outline(
  open: OpenTranscript,
  map: RowMap,
  start: number,
  end: number,
): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  for (let message = Math.max(0, start); message < Math.min(end, map.messages); message++) {
    entries.push(outlineEntry(open, message));
  }
  return entries;
}

export function outlineEntry(open: OpenTranscript, message: number): OutlineEntry {
  const calls: string[] = [];
  for (const value of open.parts(message)) {
    const part = fields(value);
    if (part?.type === "text") {
      const title = firstLine(text(part.text) ?? "", 120);
      if (title) return { title, tools: false };
    }
    if (part?.type === "tool" && calls.length < 20) calls.push(callTitle(part));
  }
  if (calls.length > 0) return { title: counted(calls), tools: true };
  const error = open.info(message).error;
  if (error) return { title: failure(error).message, tools: false };
  const first = fields(open.parts(message)[0]);
  return { title: label(first?.type, 40) || "empty message", tools: true };
}

/** `bash cargo check` */
function callTitle(part: Fields): string {
  const tool = label(part.tool, 40) || "tool";
  return label(`${tool} ${objectOf(part)}`.trim(), 120);
}

/** `bash cargo check ×2, read main.rs` */
function counted(names: string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => (n > 1 ? `${name} ×${n}` : name)).join(", ");
}
