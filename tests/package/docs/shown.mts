// What comments of the documentation say of a line, checked while its page runs.
import assert from "node:assert/strict";
import { format } from "node:util";

const lines: string[] = [];
const log = console.log;
console.log = (...args: unknown[]) => {
  lines.push(format(...args));
  log(...args);
};

/** The value is what the comment shows. */
export function shown(value: unknown, wanted: unknown) {
  const plain = ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : value;
  assert.deepEqual(plain, wanted);
}

/** The last line that was printed is what the comment shows. */
export function printed(wanted: string) {
  assert.equal(lines.at(-1), wanted);
}
