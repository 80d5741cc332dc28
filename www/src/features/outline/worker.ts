import type { OutlineEntry } from "../../core/model/outline";
import type { RowMap } from "../../core/model/row_map";
import type { CardReader } from "../../core/worker/cards";
import type { Calls, Desk } from "../../core/worker/desk";
import { type Fields, fields, label } from "../../core/worker/fields";
import { saidIn } from "../../core/worker/first_words";
import type { OpenTranscript } from "../../core/worker/open_transcript";
import { failure } from "../../core/worker/values";

function outlineOf(
  open: OpenTranscript,
  map: RowMap,
  cards: CardReader,
  start: number,
  end: number,
): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  for (let message = Math.max(0, start); message < Math.min(end, map.messages); message++) {
    entries.push(outlineEntry(open, cards, message));
  }
  return entries;
}

function outlineEntry(open: OpenTranscript, cards: CardReader, message: number): OutlineEntry {
  const calls: string[] = [];
  for (const value of open.parts(message)) {
    const part = fields(value);
    const title = saidIn(part);
    if (title) return { title, tools: false };
    if (part?.type === "tool" && calls.length < 20) calls.push(callTitle(part, cards));
  }
  if (calls.length > 0) return { title: counted(calls), tools: true };
  const error = open.info(message).error;
  if (error) return { title: failure(error).message, tools: false };
  const first = fields(open.parts(message)[0]);
  return { title: unsaid(first) || label(first?.type, 40) || "empty message", tools: true };
}

/** A text that nobody wrote is called by what the chips of its card say. */
function unsaid(part: Fields | undefined): string {
  if (part?.type !== "text") return "";
  if (part.synthetic === true) return "synthetic text";
  return part.ignored === true ? "ignored text" : "";
}

/** `bash cargo check` */
function callTitle(part: Fields, cards: CardReader): string {
  const tool = label(part.tool, 40) || "tool";
  return label(`${tool} ${cards.object(part)}`.trim(), 120);
}

/** `bash cargo check ×2, read main.rs` */
function counted(names: string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => (n > 1 ? `${name} ×${n}` : name)).join(", ");
}

export const outline = (desk: Desk): Calls<"outline"> => ({
  outline: (start, end) =>
    desk.open ? outlineOf(desk.open, desk.rows.map, desk.cards, start, end) : [],
});
