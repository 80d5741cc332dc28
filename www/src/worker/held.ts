import type { Transcript } from "apex-parts";
import type { Layout } from "../model/types";
import { type Fields, fields, list } from "./json";
import type { Source } from "./protocol";

const KEPT = 16;

/**
 * An open transcript. The bytes and their index stay inside the module; a few messages last asked
 * for are kept as objects, because rows of one message are asked for together.
 */
export class Held {
  readonly layout: Layout;
  private readonly recent = new Map<number, { info: Fields; parts: unknown[] }>();

  /** `source` is where the bytes can be had once more. */
  constructor(
    readonly transcript: Transcript,
    readonly source?: Source,
  ) {
    this.layout = transcript.layout() as Layout;
  }

  info(message: number): Fields {
    return this.message(message).info;
  }

  parts(message: number): unknown[] {
    return this.message(message).parts;
  }

  part(message: number, part: number): Fields {
    return fields(this.parts(message)[part]) ?? {};
  }

  free(): void {
    this.recent.clear();
    this.transcript.free();
  }

  private message(index: number): { info: Fields; parts: unknown[] } {
    let kept = this.recent.get(index);
    if (kept) {
      this.recent.delete(index);
    } else {
      const message = fields(this.transcript.message(index));
      kept = { info: fields(message?.info) ?? {}, parts: list(message?.parts) };
      const oldest = this.recent.keys().next();
      if (this.recent.size >= KEPT && !oldest.done) this.recent.delete(oldest.value);
    }
    this.recent.set(index, kept);
    return kept;
  }
}
