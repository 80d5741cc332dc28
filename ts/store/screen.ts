// The message of a run as a reader has it, and what changes of it.
import { DeltaAssembler } from "apex-parts:glue";
import { isSound } from "./shared.ts";
import type { Piece, Place, Step } from "./steps.ts";
import type { Position } from "./types.ts";

/** A place, and whether all before it is to be thrown away. */
export interface PlaceChange extends Place {
  isReset?: true;
}

const newAssembler = () =>
  new DeltaAssembler({ format: "delta", onDuplicate: "ignore", onProblem: "collect" });

/** The assembler of a snapshot, or of the deltas that a log begins with. */
function assemblerOf({ bytes }: Piece) {
  try {
    return DeltaAssembler.restore(bytes, { onDuplicate: "ignore", onProblem: "collect" });
  } catch {
    const assembler = newAssembler();
    assembler.pushBytes(bytes);
    return assembler;
  }
}

export class Screen {
  assembler: DeltaAssembler = newAssembler();
  /** The place that whoever asks for changes already has; without an epoch, whichever it is. */
  #from: { position: Position; epoch?: number } | undefined;

  /** `from`: the place {position, epoch?} that whoever asks for changes already has. */
  constructor(from?: { position: Position; epoch?: number }) {
    this.#from = from;
  }

  /** Takes a step; for each change of place {position, epoch}, whether all before it is to be thrown away. */
  *take(step: Step): Generator<PlaceChange, void, undefined> {
    const { position, epoch } = step;
    if (step.reset) {
      this.assembler.free();
      this.assembler = newAssembler();
      const from = this.#from;
      if (from?.epoch !== undefined && !isSound(step.state, from.position, from.epoch))
        this.#from = undefined;
      yield* this.#begin(step.reset, position, epoch);
    } else if (step.batch) {
      this.assembler.pushBytes(step.batch.bytes);
      if (this.#from === undefined) yield { position, epoch };
      else yield* this.#reach(this.#from, position, epoch);
    }
  }

  *#begin(
    pieces: Piece[],
    position: Position,
    epoch: number,
  ): Generator<PlaceChange, void, undefined> {
    const from = this.#from?.position;
    let isFound = from === 0;
    for (const piece of pieces) {
      if (piece.isSnapshot) {
        this.assembler.free();
        this.assembler = assemblerOf(piece);
        isFound = false;
      } else this.assembler.pushBytes(piece.bytes);
      if (piece.position === from) {
        this.assembler.takeChanges();
        isFound = true;
      } else if (isFound) yield { position: piece.position, epoch: piece.epoch };
    }
    if (isFound) this.#from = undefined;
    // Ahead of the log: what it has is written again.
    else if (from !== undefined && from > position) return;
    else yield this.#anew(position, epoch);
  }

  *#reach(from: { position: Position; epoch?: number }, position: Position, epoch: number) {
    const { epoch: known = epoch } = from;
    if (position < from.position) return;
    if (position > from.position || epoch !== known) yield this.#anew(position, epoch);
    else this.assembler.takeChanges();
    this.#from = undefined;
  }

  #anew(position: Position, epoch: number): PlaceChange {
    this.#from = undefined;
    return { position, epoch, isReset: true };
  }

  free(): void {
    this.assembler.free();
  }
}
