import type { Layout } from "../../../core/model/layout";
import { LayoutChanges } from "../../../core/model/layout_changes";
import { RowMap } from "../../../core/model/row_map";
import { type Fields, fields, label } from "../../../core/worker/fields";
import type { OpenTranscript } from "../../../core/worker/open_transcript";
import type { AppendedSpan, ChangedRow } from "../model";

/** The last messages, whose contents are compared; what changed in others shows in their sizes. */
const WATCHED = 4;
/** More rows than these are not named. */
const MOST = 100;
const MOST_SPANS = 8;
/** Of a longer text that was appended the end is kept. */
const WORDS = 2000;
/** Deeper than this, all values are taken for the same. */
const DEPTH = 100;

interface MessageState {
  info: Fields;
  parts: unknown[];
}

/** A transcript before an event: the module's own changes with the next bytes that it is given. */
export class StateBefore {
  readonly layout: Layout;
  readonly map: RowMap;
  private readonly watched = new Map<number, MessageState>();

  constructor(open: OpenTranscript) {
    this.layout = open.layout;
    this.map = new RowMap(open.layout.firstPart);
    for (const message of watchedOf(this.layout, this.map)) {
      this.watched.set(message, { info: open.info(message), parts: open.parts(message) });
    }
  }

  /** The rows that are others now. */
  changes(open: OpenTranscript): ChangedRow[] {
    const map = new RowMap(open.layout.firstPart);
    const changes = new LayoutChanges(this, { layout: open.layout, map });
    const rows: ChangedRow[] = [];
    for (let message = 0; message < map.messages && rows.length < MOST; message++) {
      const before = this.watched.get(message);
      if (before) compareMessage(open, map, message, before, rows);
      else if (message >= this.map.messages) addAll(open, map, message, rows);
      else if (changes.differs(message)) {
        rows.push(changed(open, map, message, -1, "changed"));
      }
    }
    return rows.slice(0, MOST);
  }
}

/** The last messages, and those with parts that are not over. */
function watchedOf({ statuses }: Layout, map: RowMap): Set<number> {
  const watched = new Set<number>();
  const least = Math.max(0, map.messages - WATCHED);
  for (let message = least; message < map.messages; message++) watched.add(message);
  // Not all of a long transcript is looked through for them.
  for (let message = least - 1; message >= Math.max(0, least - 64); message--) {
    const parts = statuses.subarray(map.firstPart[message], map.firstPart[message + 1]);
    if (parts.includes(1) || parts.includes(2)) watched.add(message);
  }
  return watched;
}

function compareMessage(
  open: OpenTranscript,
  map: RowMap,
  message: number,
  before: MessageState,
  rows: ChangedRow[],
): void {
  if (!isSame(before.info, open.info(message))) {
    rows.push(changed(open, map, message, -1, "changed"));
  }
  for (const [part, value] of open.parts(message).entries()) {
    if (part >= before.parts.length) rows.push(changed(open, map, message, part, "new"));
    else if (!isSame(before.parts[part], value)) {
      const spans: AppendedSpan[] = [];
      appended(before.parts[part], value, "", spans);
      const how = spans.length > 0 ? "grown" : "changed";
      rows.push({ ...changed(open, map, message, part, how), spans });
    }
  }
}

function addAll(open: OpenTranscript, map: RowMap, message: number, rows: ChangedRow[]): void {
  for (let part = -1; part < map.parts(message) && rows.length < MOST; part++) {
    rows.push(changed(open, map, message, part, "new"));
  }
}

function changed(
  open: OpenTranscript,
  map: RowMap,
  message: number,
  part: number,
  how: ChangedRow["how"],
): ChangedRow {
  const value = part < 0 ? undefined : open.part(message, part);
  const name = value
    ? label(value.tool, 40) || label(value.type, 40) || "part"
    : `${label(open.info(message).role, 40)} message`.trim();
  return { row: map.row(message, part), how, name, spans: [] };
}

/** Bounded in depth, for values come from files. */
function isSame(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b) || depth > DEPTH) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) => Object.hasOwn(b, key) && isSame((a as Fields)[key], (b as Fields)[key], depth + 1),
  );
}

/** The strings of a part to which something was appended. */
function appended(a: unknown, b: unknown, path: string, spans: AppendedSpan[]): void {
  if (spans.length >= MOST_SPANS || path.split("/").length > 8) return;
  if (typeof b === "string") {
    const start = typeof a === "string" ? a.length : 0;
    if (typeof a !== "string" || b.length <= start || !b.startsWith(a)) return;
    spans.push({
      field: path,
      start,
      end: b.length,
      words: b.slice(Math.max(start, b.length - WORDS)),
    });
    return;
  }
  const before = fields(a);
  const after = fields(b);
  if (!before || !after) return;
  for (const key of Object.keys(after).slice(0, 50)) {
    const step = key.replaceAll("~", "~0").replaceAll("/", "~1");
    appended(before[key], after[key], `${path}/${step}`, spans);
  }
}
