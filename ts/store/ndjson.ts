// Deltas as NDJSON lines: their numbers, and batches of them that are not too large.
import type { MessageDelta } from "apex-parts:glue";
import { MOST_BATCH, RunStoreError } from "./shared.ts";
import type { Position } from "./types.ts";

const NEWLINE = 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The beginning of a line that the module writes: all before `seq`, `seq`, `kind`. */
const HEAD = /^(\{"runId":"(?:[^"\\]|\\.)*","seq":)(-?\d+),"kind":"(\w+)"/;

/** So many UTF-16 units are at most 1 MB as JSON, six bytes each. */
export const PIECE: number = 1 << 17;
/** Lines that go to the assembler at once: it must not join what is then too large. */
const GROUP = 1 << 18;

/** The field whose text a delta of this kind appends. */
const TEXTS: { [kind: string]: string | undefined } = {
  text: "textDelta",
  thinking: "textDelta",
  tool_call_args: "argsTextDelta",
};

/** The `seq` of the line between two offsets. */
function seqOf(bytes: Uint8Array, from: number, to: number): number {
  const match =
    HEAD.exec(decoder.decode(bytes.subarray(from, Math.min(to, from + 256)))) ??
    HEAD.exec(decoder.decode(bytes.subarray(from, to)));
  return Number(match?.[2]);
}

export function joined(chunks: Uint8Array[]): Uint8Array {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** A piece of NDJSON, and the `seq` of its last line. */
export interface Lines {
  to: Position;
  bytes: Uint8Array;
}

/** Batches of whole lines, each with the `seq` of its last one. */
export function batches(runId: string, bytes: Uint8Array): Lines[] {
  const list: Lines[] = [];
  let start = 0;
  let line = 0;
  let last = 0;
  const add = (end: number) =>
    list.push({
      to: seqOf(bytes, last, end),
      bytes: end - start === bytes.length ? bytes : bytes.subarray(start, end),
    });
  while (line < bytes.length) {
    const end =
      bytes.length - start <= MOST_BATCH ? bytes.length : bytes.indexOf(NEWLINE, line) + 1;
    if (end - start > MOST_BATCH) {
      if (line === start) throw new RunStoreError("too_large", { runId });
      add(line);
      start = line;
      continue;
    }
    last = end === bytes.length ? bytes.lastIndexOf(NEWLINE, end - 2) + 1 : line;
    line = end;
  }
  if (start < bytes.length) add(bytes.length);
  return list;
}

/** Gives the lines of a provider's stream the numbers of the log's stream. */
export class Numbering {
  #more: number;

  /** `position`: where the log is; what comes is numbered from there. */
  constructor(position: Position) {
    this.#more = position;
  }

  /** The lines in groups, without a second `start`; what is too large is split. */
  *groups(bytes: Uint8Array, isStarted: boolean): Generator<Uint8Array, void, undefined> {
    if (this.#more === 0 && !isStarted && bytes.length < GROUP) {
      yield bytes;
      return;
    }
    let group = "";
    for (const line of decoder.decode(bytes).split("\n")) {
      const [, before, seq, kind] = HEAD.exec(line) ?? [];
      if (before === undefined || kind === undefined || (kind === "start" && isStarted)) continue;
      for (const piece of this.#numbered(line, before, Number(seq), kind)) {
        if (group !== "" && group.length + piece.length > GROUP) {
          yield encoder.encode(group);
          group = "";
        }
        group += `${piece}\n`;
      }
    }
    if (group !== "") yield encoder.encode(group);
  }

  *#numbered(line: string, before: string, seq: number, kind: string) {
    const number = `${before}${seq + this.#more}`;
    const field = TEXTS[kind];
    if (line.length <= PIECE || !field) {
      yield `${number}${line.slice(before.length + String(seq).length)}`;
      return;
    }
    const delta: MessageDelta & { payload: Record<string, string> } = JSON.parse(line);
    const text = delta.payload[field] ?? "";
    for (let from = 0, to = 0; from < text.length; from = to) {
      to = Math.min(from + PIECE, text.length);
      // Not between the halves of a pair.
      if (to < text.length && (text.charCodeAt(to - 1) & 0xfc00) === 0xd800) to--;
      if (from > 0) this.#more++;
      const payload = { ...delta.payload, [field]: text.slice(from, to) };
      yield JSON.stringify({ ...delta, seq: seq + this.#more, payload });
    }
  }
}

/** The bytes of a delta as JSON; for text, which is most, only when it is long. */
export function sizeOf(delta: MessageDelta): number {
  // A JavaScript program may give anything: the assembler says what is wrong with it.
  const payload: Record<string, unknown> | undefined = delta?.payload;
  const text = payload?.[TEXTS[delta.kind] ?? ""];
  if (typeof text === "string" && text.length < PIECE) return text.length;
  try {
    return encoder.encode(JSON.stringify({ ...delta, providerRaw: undefined })).length;
  } catch {
    return 0; // the assembler says what is wrong with it
  }
}
