import type { Source } from "./protocol";

/** Small enough that progress shows and a newer file can take over, large enough to be quick. */
const SLICE = 4 << 20;

export interface Chunk {
  bytes: Uint8Array;
  /** Bytes in all, or 0 where the source does not say. */
  total: number;
}

/** The bytes of a source, piece by piece; a File is never read whole. */
export async function* readSource(source: Source): AsyncGenerator<Chunk> {
  if (source.kind === "text") {
    const bytes = new TextEncoder().encode(source.text);
    yield { bytes, total: bytes.length };
  } else if (source.kind === "file") {
    yield* readFile(source.file);
  } else {
    yield* readUrl(source.url, source.anywhere ?? false);
  }
}

async function* readFile(file: File): AsyncGenerator<Chunk> {
  for (let at = 0; at < file.size; at += SLICE) {
    const bytes = new Uint8Array(await file.slice(at, at + SLICE).arrayBuffer());
    yield { bytes, total: file.size };
  }
}

/** Reads slices of a file, as a worker may: at once. */
export function readSlice(file: File): (start: number, end: number) => Uint8Array {
  const reader = new FileReaderSync();
  return (start, end) => new Uint8Array(reader.readAsArrayBuffer(file.slice(start, end)));
}

async function* readUrl(url: string, anywhere: boolean): AsyncGenerator<Chunk> {
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
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return;
    yield { bytes: piece.value, total };
  }
}
