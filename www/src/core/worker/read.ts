import type { Source } from "../rpc";
import { discard } from "./discard";
import { readForward } from "./forward_reader";

/** A caller that asks for this many bytes at once reads the file in order. */
const SCAN = 1 << 20;
/** The most bytes in one read of a file that is read in order. */
const AHEAD = 32 << 20;
/** The longest beginning of a file that is looked at: its first line may hold the instructions of a model. */
const LONGEST_HEAD = 1 << 20;
const NEWLINE = 10;

interface ReadChunk {
  bytes: Uint8Array;
  /** The size of the whole source in bytes, or 0 if it is not known. */
  total: number;
}

/** The bytes of a source in pieces, each valid until the next; a File is never read as a whole. */
export async function* readSource(source: Source): AsyncGenerator<ReadChunk> {
  if (source.kind === "text") {
    const bytes = new TextEncoder().encode(source.text);
    yield { bytes, total: bytes.length };
  } else if (source.kind === "file") {
    const { file } = source;
    for await (const bytes of readForward(file)) yield { bytes, total: file.size };
  } else {
    yield* readUrl(source.url, source.anywhere ?? false);
  }
}

/** The first line of a source, or as much of it as is looked at; nothing of one that cannot be read. */
export async function readHead(source: Source): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const { bytes } of readSource(source)) {
      // A piece is valid until the next.
      pieces.push(bytes.slice(0, LONGEST_HEAD - length));
      length += bytes.length;
      if (length >= LONGEST_HEAD || bytes.includes(NEWLINE)) break;
    }
  } catch {
    return new Uint8Array(0);
  }
  return joined(pieces);
}

/** Pieces as one array. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/**
 * Reads slices of a file synchronously, which only workers can. Each read costs some milliseconds whatever
 * its length, so for a caller that reads in order the reads become longer and longer. Nothing of that is
 * held after the current task; the returned bytes are valid until the next call.
 */
export function readSlice(file: File): (start: number, end: number) => Uint8Array {
  const reader = new FileReaderSync();
  const read = (start: number, end: number) =>
    new Uint8Array(reader.readAsArrayBuffer(file.slice(start, end)));
  let ahead: { start: number; bytes: Uint8Array<ArrayBuffer> } | undefined;
  const forget = () => {
    if (ahead) discard(ahead.bytes.buffer);
    ahead = undefined;
  };
  return (start, end) => {
    const here = ahead && start - ahead.start;
    if (ahead && here !== undefined && here >= 0 && end <= ahead.start + ahead.bytes.length) {
      return ahead.bytes.subarray(here, end - ahead.start);
    }
    const length = end - start;
    if (length < SCAN) return read(start, end);
    // It continues where the last read ends, or within what is left of it.
    const isNext =
      ahead && start > ahead.start && start < ahead.start + ahead.bytes.length + length;
    const wanted = isNext ? Math.min(2 * (ahead?.bytes.length ?? 0), AHEAD) : 0;
    const to = start + Math.max(length, wanted);
    const bytes = read(start, to);
    if (ahead) discard(ahead.bytes.buffer);
    else setTimeout(forget);
    ahead = { start, bytes };
    return bytes.subarray(0, length);
  };
}

async function* readUrl(url: string, anywhere: boolean): AsyncGenerator<ReadChunk> {
  // The page checked the origin; a redirect must not lead elsewhere either.
  const own: RequestInit = { mode: "same-origin", redirect: "error" };
  const response = await fetch(url, anywhere ? {} : own).catch(() => {
    throw new Error(`${new URL(url).pathname} could not be fetched.`);
  });
  if (!response.ok) {
    throw new Error(`${new URL(url).pathname} could not be fetched: ${response.status}.`);
  }
  const total = Number(response.headers.get("content-length") ?? 0);
  const reader = response.body?.getReader();
  try {
    for (;;) {
      const piece = await reader?.read();
      if (!piece || piece.done) return;
      yield { bytes: piece.value, total };
    }
  } finally {
    // Who reads only the beginning wants no more of it.
    reader?.cancel().catch(() => {});
  }
}
