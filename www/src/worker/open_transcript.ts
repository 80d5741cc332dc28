import type { Transcript } from "apex-parts";
import type { Layout } from "../features/transcript/model/layout";
import type { Place } from "../features/transcript/model/row_map";
import { discard } from "./discard";
import { type Fields, fields, list } from "./fields";
import type { FileBytes } from "./file_bytes";
import type { Source } from "./rpc";

const KEPT = 16;

/**
 * An open transcript. The bytes and their index stay inside the module; a few messages last asked
 * for are kept as objects, because rows of one message are asked for together.
 */
export class OpenTranscript {
  /** Of a transcript that was lightened without the columns that are seldom asked for. */
  layout: Layout;
  /** The end of its file is missing. */
  isCut = false;
  /** Where damage is, once that was looked for. */
  places: ReadonlyMap<number, Place> | undefined;
  private isLight = false;
  private readonly recent = new Map<number, { info: Fields; parts: unknown[] }>();

  /** `source` is where the bytes can be had once more; `file` has them where they are not held. */
  constructor(
    readonly transcript: Transcript,
    readonly source?: Source,
    readonly file?: FileBytes,
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

  /** The layout with all its columns. */
  whole(): Layout {
    return this.isLight ? (this.transcript.layout() as Layout) : this.layout;
  }

  /** Lets go of the columns that only the page and filters need: of 1 GB they are 19 MB. */
  lighten(): void {
    const none = new Float64Array(0);
    const { starts, ends, costs, tokens, created, completed } = this.layout;
    const less = { starts: none, ends: none, created: none, completed: none };
    this.layout = {
      ...{ ...this.layout, ...less },
      ...{ costs: new Float32Array(0), tokens: new Uint32Array(0) },
    };
    this.isLight = true;
    for (const { buffer } of [starts, ends, costs, tokens, created, completed]) {
      discard(buffer as ArrayBuffer);
    }
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
