import type { Transcript } from "apex-parts";
import { type Layout, withoutResults } from "../model/layout";
import type { Place } from "../model/row_map";
import type { Source } from "../rpc";
import { discard } from "./discard";
import { type Fields, fields, list } from "./fields";
import type { FileBytes } from "./file_bytes";
import { withoutNoTime } from "./no_time";

/** How many messages are kept as objects. */
const KEPT = 16;

/**
 * An open transcript in the worker (the page's end of it is `OpenDocument`). The bytes and their index
 * stay inside the module; the messages last asked for are kept as objects, because rows of one message
 * are asked for together.
 */
export class OpenTranscript {
  /** Without the columns that are seldom asked for, once `lighten` was called. */
  layout: Layout;
  /** The places of damage by byte offset, once they were looked for. */
  places: ReadonlyMap<number, Place> | undefined;
  private isLight = false;
  private readonly recent = new Map<number, { info: Fields; parts: unknown[] }>();

  /** `source` is where the bytes can be read again; `file` reads them if the module does not hold them. */
  constructor(
    readonly transcript: Transcript,
    readonly source?: Source,
    readonly file?: FileBytes,
  ) {
    this.layout = layoutOf(transcript);
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
    return this.isLight ? layoutOf(this.transcript) : this.layout;
  }

  /** Releases the columns that only the page and filters need: 19 MB for a file of 1 GB. */
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

function layoutOf(transcript: Transcript): Layout {
  const layout = transcript.layout() as Layout;
  const { created, completed, starts, ends } = layout;
  for (const column of [created, completed, starts, ends]) withoutNoTime(column);
  if (!transcript.holdsResults) layout.statuses = withoutResults(layout.statuses);
  return layout;
}
