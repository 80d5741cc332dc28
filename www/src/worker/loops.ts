import type { RowMap } from "../model/rowmap";
import type { LoopView } from "../model/types";
import type { Held } from "./held";
import { type Fields, fields, label, list, number, text } from "./json";

/** A session that has ended is no loop for the number of its calls. */
const FINISHED = { maxIterations: Number.MAX_SAFE_INTEGER };
/** The page shows this many loops. */
const SHOWN = 1000;
/** Messages that are looked through at a time. */
const BATCH = 200;

/** The loops of a transcript, and the rows of their parts, which are looked for message by message. */
export class Loops {
  private readonly found: Fields[];
  private readonly wanted = new Set<string>();
  private readonly rows = new Map<string, number>();
  private next = 0;

  constructor(
    private readonly held: Held,
    private readonly map: RowMap,
  ) {
    const found = held.transcript.loops(FINISHED).slice(0, SHOWN);
    this.found = found.map((loop) => fields(loop) ?? {});
    for (const loop of this.found) for (const id of idsOf(loop)) this.wanted.add(id);
  }

  /** Looks through some more messages; false once nothing is left to look for. */
  look(): boolean {
    const end = Math.min(this.next + BATCH, this.map.messages);
    for (; this.next < end && this.wanted.size > 0; this.next++) {
      const message = fields(this.held.transcript.message(this.next));
      list(message?.parts).forEach((part, i) => {
        const id = text(fields(part)?.id);
        if (id !== undefined && this.wanted.delete(id)) {
          this.rows.set(id, this.map.row(this.next, i));
        }
      });
    }
    return this.wanted.size > 0 && this.next < this.map.messages;
  }

  views(): LoopView[] {
    return this.found.map((loop) => ({
      kind: label(loop.kind, 40),
      action: loop.suggestedAction === "interrupt" ? "interrupt" : "warning",
      repeats: number(loop.repeats) ?? 0,
      message: label(loop.message, 1000),
      rows: idsOf(loop)
        .map((id) => this.rows.get(id) ?? -1)
        .filter((row) => row >= 0)
        .sort((a, b) => a - b),
    }));
  }
}

function idsOf(loop: Fields): string[] {
  return list(loop.partIDs).filter((id) => typeof id === "string");
}
