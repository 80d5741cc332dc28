// The message of a run as a reader has it, and what changes of it.
import { DeltaAssembler } from "apex-parts:glue";
import { isSound } from "./shared.ts";

const newAssembler = () =>
  new DeltaAssembler({ format: "delta", onDuplicate: "ignore", onProblem: "collect" });

/** The assembler of a snapshot, or of the deltas that a log begins with. */
function assemblerOf({ bytes }) {
  try {
    return DeltaAssembler.restore(bytes, { onDuplicate: "ignore", onProblem: "collect" });
  } catch {
    const made = newAssembler();
    made.pushBytes(bytes);
    return made;
  }
}

export class Screen {
  assembler = newAssembler();
  #from;

  /** `from`: the place {position, epoch?} that whoever asks for changes already has. */
  constructor(from) {
    this.#from = from;
  }

  /** Takes a step; for each change of place {position, epoch}, whether all before it is to be thrown away. */
  *take({ reset, state, batch, position, epoch }) {
    if (reset) {
      this.assembler.free();
      this.assembler = newAssembler();
      const { epoch: known } = this.#from ?? {};
      if (known !== undefined && !isSound(state, this.#from.position, known))
        this.#from = undefined;
      yield* this.#begin(reset, position, epoch);
    } else if (batch) {
      this.assembler.pushBytes(batch.bytes);
      if (this.#from === undefined) yield { position, epoch };
      else yield* this.#reach(position, epoch);
    }
  }

  *#begin(pieces, position, epoch) {
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
    else if (from > position) return;
    else yield this.#anew(position, epoch);
  }

  *#reach(position, epoch) {
    const { position: from, epoch: known = epoch } = this.#from;
    if (position < from) return;
    if (position > from || epoch !== known) yield this.#anew(position, epoch);
    else this.assembler.takeChanges();
    this.#from = undefined;
  }

  #anew(position, epoch) {
    this.#from = undefined;
    return { position, epoch, isReset: true };
  }

  free() {
    this.assembler.free();
  }
}
