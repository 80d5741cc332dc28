import type { Diff, DiffLine } from "../../ui/values";
import { align } from "./alignment";
import { head } from "./fields";

const MAX_LINES = 5000;
const MAX_LINE = 2000;
/** Above this many cells a table of common lines costs too much; the two sides are shown whole. */
const MAX_CELLS = 1_000_000;

/** Reads a unified diff, as `edit` tools write it, and the `*** Begin Patch` form as far as it is one. */
export function parseDiff(patch: string): Diff {
  const out = new Collector();
  let before = 0;
  let after = 0;
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@(?: -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@)?/.exec(line);
    if (hunk) {
      before = Number(hunk[1] ?? 0);
      after = Number(hunk[2] ?? 0);
      out.add({ kind: "hunk", text: line });
    } else if (/^(?:\*\*\* |Index: |diff )/.test(line)) {
      before = after = 0;
      if (!line.startsWith("*** Begin Patch") && !line.startsWith("*** End Patch")) {
        out.add({ kind: "file", text: line.replace(/^\*\*\* /, "").replace(/^Index: /, "") });
      }
    } else if (/^(?:={20,}|--- |\+\+\+ |index [0-9a-f]|\\ No newline)/.test(line) && before === 0) {
      // The head of a file in a unified diff: its name is already shown.
    } else if (line.startsWith("+")) {
      out.add({ kind: "add", ...(after ? { new: after++ } : {}), text: line.slice(1) });
    } else if (line.startsWith("-")) {
      out.add({ kind: "del", ...(before ? { old: before++ } : {}), text: line.slice(1) });
    } else if (!line.startsWith("\\ No newline")) {
      const numbers = before ? { old: before++, new: after++ } : {};
      // A line without a sign is not a line of a diff.
      out.add({ kind: "same", ...numbers, text: line.replace(/^ /, "") });
    }
  }
  return out.diff;
}

/** `-  1 import`, `+ 12 const`, `   2 export`, and where lines are left out `     ...`. */
const NUMBERED = /^([+\- ])\s*(?:(\d{1,9}) ?|\.{3}$)/;

/** Reads a diff whose lines have their numbers and no hunks, as pi writes it; undefined where it is another. */
export function parseNumberedDiff(patch: string): Diff | undefined {
  const lines = patch.replace(/\n$/, "").split("\n");
  if (!lines.every((line) => NUMBERED.test(line))) return undefined;
  const out = new Collector();
  // Lines that are the same have the number that they had; by how much it is another now is counted.
  let moved = 0;
  for (const line of lines) {
    const [head, sign, digits] = NUMBERED.exec(line) ?? [""];
    const number = Number(digits);
    if (digits === undefined) {
      out.add({ kind: "hunk", text: "…" });
    } else if (sign === "+") {
      out.add({ kind: "add", new: number, text: line.slice(head.length) });
      moved++;
    } else if (sign === "-") {
      out.add({ kind: "del", old: number, text: line.slice(head.length) });
      moved--;
    } else {
      out.add({ kind: "same", old: number, new: number + moved, text: line.slice(head.length) });
    }
  }
  return out.diff;
}

/** The difference of two texts, for an edit that recorded no diff of its own. */
export function diffTexts(before: string, after: string): Diff {
  const old = before === "" ? [] : before.split("\n");
  const next = after === "" ? [] : after.split("\n");
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < next.length - start &&
    old[old.length - 1 - end] === next[next.length - 1 - end]
  ) {
    end++;
  }
  const out = new Collector();
  for (const line of old.slice(0, start)) out.add({ kind: "same", text: line });
  const a = old.slice(start, old.length - end);
  const b = next.slice(start, next.length - end);
  if (a.length * b.length > MAX_CELLS) {
    for (const line of a) out.add({ kind: "del", text: line });
    for (const line of b) out.add({ kind: "add", text: line });
  } else {
    align(a, b, (kind, i, j) => out.add({ kind, text: (kind === "add" ? b[j] : a[i]) ?? "" }));
  }
  for (const line of old.slice(old.length - end)) out.add({ kind: "same", text: line });
  return out.diff;
}

class Collector {
  readonly diff: Diff = { lines: [], total: 0, added: 0, removed: 0 };

  add(line: DiffLine): void {
    this.diff.total++;
    if (line.kind === "add") this.diff.added++;
    if (line.kind === "del") this.diff.removed++;
    if (this.diff.lines.length < MAX_LINES) {
      this.diff.lines.push({ ...line, text: head(line.text, MAX_LINE) });
    }
  }
}
