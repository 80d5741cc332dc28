import { align } from "../../../core/worker/alignment";
import type { Diff, DiffLine } from "../../../ui/values";

/** In lines with more words than this no words are marked. */
const WORDS = 400;

/** Marks the words that differ, where lines were replaced by the same number of lines. */
export function markChangedWords(diff: Diff): Diff {
  const lines: DiffLine[] = [];
  for (let i = 0; i < diff.lines.length; ) {
    const removed = run(diff.lines, i, "del");
    const added = run(diff.lines, i + removed.length, "add");
    if (removed.length > 0 && removed.length === added.length) {
      const pairs = removed.map((line, at) => markPair(line, added[at] ?? line));
      lines.push(...pairs.map(([before]) => before), ...pairs.map(([, after]) => after));
    } else {
      lines.push(...removed, ...added);
    }
    i += removed.length + added.length;
    for (let line = diff.lines[i]; line && line.kind !== "del" && line.kind !== "add"; ) {
      lines.push(line);
      line = diff.lines[++i];
    }
  }
  return { ...diff, lines };
}

function run(lines: DiffLine[], from: number, kind: DiffLine["kind"]): DiffLine[] {
  let end = from;
  while (lines[end]?.kind === kind) end++;
  return lines.slice(from, end);
}

function markPair(before: DiffLine, after: DiffLine): [DiffLine, DiffLine] {
  const a = before.text.match(/\w+|\s+|[^\w\s]/gu) ?? [];
  const b = after.text.match(/\w+|\s+|[^\w\s]/gu) ?? [];
  if (a.length > WORDS || b.length > WORDS) return [before, after];
  const old = new Marks();
  const next = new Marks();
  const common = align(a, b, (kind, i, j) => {
    if (kind !== "add") old.add(a[i] ?? "", kind === "del");
    if (kind !== "del") next.add(b[j] ?? "", kind === "add");
  });
  // Where hardly a word is shared, marks say no more than the colour of the line does.
  if (common * 4 < Math.max(a.length, b.length)) return [before, after];
  return [
    { ...before, marks: old.ranges },
    { ...after, marks: next.ranges },
  ];
}

class Marks {
  readonly ranges: [number, number][] = [];
  private length = 0;

  add(word: string, differs: boolean): void {
    const last = this.ranges.at(-1);
    const end = this.length + word.length;
    if (differs && last?.[1] === this.length) last[1] = end;
    else if (differs) this.ranges.push([this.length, end]);
    this.length = end;
  }
}
