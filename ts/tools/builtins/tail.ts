// What a command prints: the end of it is kept, however much it is; the rest is counted, and kept aside for a
// store.

import { toolsLineFeeds, toolsNote, toolsTruncate } from "apex-parts:glue";
import { log } from "apex-parts:shared";
import { MAX_BYTES, MAX_LINES, MAX_SAVED, type TruncatedOutput } from "../output.ts";

/** Puts a text away, and gives its path. */
type Save = (text: string) => Promise<string>;

/** How much of the end is kept, in UTF-16 units: more than what is shown to a model. */
const KEPT = 64 * 1024;
/** How much of the end is shown while the command runs, in UTF-16 units. */
const SHOWN = 30_000;

const encoder = /* @__PURE__ */ new TextEncoder();
const decoderOf = () => new TextDecoder("utf-8", { ignoreBOM: true });

/** The end of a text that begins at this place, or behind the character that it is in the middle of. */
function from(text: string, at: number) {
  const unit = text.charCodeAt(at);
  return text.slice(unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at);
}

export class Tail {
  /** One decoder a stream: a character may come in two pieces, and the other stream between them. */
  #decoders = new Map<string | undefined, TextDecoder>();
  #text = "";
  #omitted = { lines: 0, bytes: 0 };
  /** What was before the text, as UTF-8; undefined if nobody wants it. */
  #aside: Uint8Array[] | undefined;
  #asideBytes = 0;
  #isAsideCut = false;

  /** `isWholeWanted`: the whole output will be saved, if it is too long. */
  constructor({ isWholeWanted = false }: { isWholeWanted?: boolean } = {}) {
    if (isWholeWanted) this.#aside = [];
  }

  get isEmpty(): boolean {
    return this.#text === "";
  }

  /** Adds bytes of a stream. */
  push(bytes: Uint8Array, stream: string | undefined): void {
    let decoder = this.#decoders.get(stream);
    if (!decoder) {
      decoder = decoderOf();
      this.#decoders.set(stream, decoder);
    }
    this.#append(decoder.decode(bytes, { stream: true }));
  }

  /** Nothing comes after this: half a character at the end is shown as one that is not valid. */
  finish(): void {
    for (const decoder of this.#decoders.values()) this.#append(decoder.decode());
    this.#decoders.clear();
  }

  #append(text: string) {
    this.#text += text;
    // Not at each piece, so that every character is copied a fixed number of times.
    if (this.#text.length < 2 * KEPT) return;
    const kept = from(this.#text, this.#text.length - KEPT);
    const dropped = this.#text.slice(0, this.#text.length - kept.length);
    const bytes = encoder.encode(dropped);
    this.#omitted.lines += toolsLineFeeds(bytes);
    this.#omitted.bytes += bytes.length;
    this.#putAside(bytes);
    this.#text = kept;
  }

  #putAside(bytes: Uint8Array) {
    if (this.#aside === undefined || this.#isAsideCut) return;
    let end = Math.min(bytes.length, MAX_SAVED - this.#asideBytes);
    this.#isAsideCut = end < bytes.length;
    // At the beginning of a character.
    while (this.#isAsideCut && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
    this.#aside.push(bytes.subarray(0, end));
    this.#asideBytes += end;
  }

  /** The last 30,000 characters. */
  shown(): string {
    const { length } = this.#text;
    if (length <= SHOWN) return copied(this.#text);
    return copied(from(this.#text, length - SHOWN));
  }

  /**
   * The text for the model, at most 2,000 lines and 51,200 bytes, and the metadata that says what is left out.
   * `save(text)` puts the whole of it away and gives its path; it is not waited for longer than for `late`.
   */
  async cut(save: Save, late: Promise<void>): Promise<TruncatedOutput> {
    const cut = toolsTruncate(this.#text, MAX_LINES, MAX_BYTES, true);
    if (cut === undefined) return { output: this.#text, metadata: { truncated: false } };
    const [kept, cutLines, cutBytes] = cut;
    const omitted = {
      lines: this.#omitted.lines + cutLines,
      bytes: this.#omitted.bytes + cutBytes,
    };
    const path = (await this.#save(save, late)) ?? "";
    const note = toolsNote(omitted.lines, omitted.bytes, path, this.#isAsideCut);
    const metadata: Record<string, unknown> = { truncated: true, omitted };
    if (path !== "") metadata.outputPath = path;
    return { output: `${note}\n\n${kept}`, metadata };
  }

  async #save(save: Save, late: Promise<void>) {
    if (this.#aside === undefined) return undefined;
    this.#putAside(encoder.encode(this.#text));
    const decoder = decoderOf();
    const pieces = this.#aside.map((bytes) => decoder.decode(bytes, { stream: true }));
    this.#aside = undefined;
    try {
      const path = await Promise.race([save(pieces.join("")), late]);
      return path === undefined ? undefined : String(path);
    } catch (error) {
      log("error", "the output of bash could not be saved", error);
      return undefined;
    }
  }
}

/** The same text on its own: a piece of a text keeps all of it in memory. */
const copied = (text: string) => decoderOf().decode(encoder.encode(text));
