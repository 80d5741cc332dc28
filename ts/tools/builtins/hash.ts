// The hash of a file's content, for the write guard: its rule is in crates/tools/src/content_hash.rs.
import { ToolsHash } from "apex-parts:glue";

/** The hash of bytes that come in pieces; used up once its `value` was read. */
export class ContentHash {
  #hash = new ToolsHash();
  #value: string | undefined;

  push(bytes: Uint8Array): void {
    this.#hash.push(bytes);
  }

  /** The hash of all that was pushed, as text. */
  get value(): string {
    if (this.#value === undefined) {
      this.#value = this.#hash.value();
      this.#hash.free();
    }
    return this.#value;
  }
}

/** The hash of bytes that are all there. */
export function hashOf(bytes: Uint8Array): string {
  const hash = new ContentHash();
  hash.push(bytes);
  return hash.value;
}
