import type { Layout } from "../model/layout";
import type { OpenTranscript } from "./open_transcript";
import { pause } from "./pause";

/** Bytes of a file in one read-ahead, for the first block and for the others … */
const FIRST = 4 << 20;
const BLOCK = 4 << 20;
/** … and how many such reads are in progress at once. */
const AT_ONCE = 3;
/** A longer message is not read ahead but when it is its turn: it would be held twice. */
const LONGEST = 64 << 20;

/** Other calls are answered once batches have taken this long, in ms. */
const SLICE = 15;
/** The same for a file that is read ahead: its reads complete between the batches. */
const READING_SLICE = 2;
/** Bytes of the first batch, and of the shortest. */
const FIRST_BATCH = 4 << 20;
const LEAST = 64 << 10;
/** A batch is at most this many times as long as the one before it. */
const GROWTH = 4;
/** An estimate of a message's size without its parts, in bytes. */
const INFO = 512;

/** Messages from one index to before another. */
interface MessageRange {
  from: number;
  to: number;
}

/**
 * Calls `look` with the messages from `first` to before `count` in batches, so that other calls are
 * answered in between. The bytes of a file that is not held are read ahead. Returns true once all were
 * looked at or `look` has returned false, and false if `isWanted` returned false before that.
 */
export async function inBatches(
  open: OpenTranscript,
  count: number,
  isWanted: () => boolean,
  look: (from: number, to: number) => boolean,
  first = 0,
): Promise<boolean> {
  const slice = open.file ? READING_SLICE : SLICE;
  let bytes = FIRST_BATCH;
  let answered = performance.now();
  for await (const range of blocks(open, first, count)) {
    if (!isWanted()) return false;
    for (let from = range.from; from < range.to; ) {
      const [to, length] = batchFrom(open.layout, from, range.to, bytes);
      const before = performance.now();
      if (!look(from, to)) return true;
      from = to;
      const now = performance.now();
      const rate = length / Math.max(now - before, 0.1);
      bytes = Math.max(LEAST, Math.min(rate * slice, length * GROWTH));
      if (now - answered < slice) continue;
      await pause();
      if (!isWanted()) return false;
      answered = performance.now();
    }
  }
  return true;
}

/** Where a batch of this many bytes ends, after one message at least; and the bytes that it has. */
function batchFrom(layout: Layout, from: number, end: number, bytes: number): [number, number] {
  const { firstPart, sizes } = layout;
  let length = 0;
  let to = from;
  while (to < end && (length === 0 || length < bytes)) {
    length += INFO;
    for (let i = firstPart[to] ?? 0; i < (firstPart[to + 1] ?? 0); i++) length += sizes[i] ?? 0;
    to++;
  }
  return [to, length];
}

/** All messages in order, in the blocks in which they are read ahead, each once its bytes are there. */
async function* blocks(
  open: OpenTranscript,
  first: number,
  count: number,
): AsyncGenerator<MessageRange> {
  const { file } = open;
  if (!file) {
    yield { from: first, to: count };
    return;
  }
  // Before anything is awaited: the transcript may be freed meanwhile.
  const all = blocksOf(open, first, count);
  const coming: Promise<() => void>[] = [];
  const ask = () => {
    const next = all[asked++];
    if (!next) return;
    const isShort = next.end - next.start <= LONGEST;
    coming.push(isShort ? file.ahead(next.start, next.end) : Promise.resolve(() => {}));
  };
  let asked = 0;
  try {
    for (let i = 0; i < AT_ONCE; i++) ask();
    for (const { from, to } of all) {
      const release = await coming.shift();
      ask();
      try {
        yield { from, to };
      } finally {
        release?.();
      }
    }
  } finally {
    for (const piece of coming) void piece.then((release) => release());
  }
}

/** The messages in blocks, with the byte range of each in the file. */
function blocksOf({ layout, transcript }: OpenTranscript, first: number, count: number) {
  const all: (MessageRange & { start: number; end: number })[] = [];
  for (let from = first; from < count; ) {
    const wanted = from === first ? FIRST : BLOCK;
    let [to] = batchFrom(layout, from, count, wanted);
    let place = transcript.byteRange(from, to);
    // The range has more bytes than the parts: in the messages, or between them.
    while (place && place.end - place.start > 2 * wanted && to - from > 1) {
      to = from + ((to - from) >> 1);
      place = transcript.byteRange(from, to);
    }
    all.push({ from, to, start: place?.start ?? 0, end: place?.end ?? 0 });
    from = to;
  }
  return all;
}
