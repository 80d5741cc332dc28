import type { Layout } from "../features/transcript/model/layout";
import type { OpenTranscript } from "./open_transcript";
import { pause } from "./pause";

/** So many bytes of a file are read ahead at once, the first time and then … */
const FIRST = 4 << 20;
const BLOCK = 4 << 20;
/** … and this many such reads are under way. */
const AT_ONCE = 3;
/** A message that is longer than this is read when it is its turn: it would be held twice. */
const LONGEST = 64 << 20;

/** Other calls are answered when a step, or several, have taken this long, in ms. */
const SLICE = 15;
/** The same where a file is read meanwhile: what comes of it comes in between the steps. */
const READING_SLICE = 2;
/** Bytes of the first step, and of the shortest. */
const FIRST_STEP = 4 << 20;
const LEAST = 64 << 10;
/** A step is at most this many times as long as the one before it. */
const GROWTH = 4;
/** What a message has besides its parts, in bytes: about. */
const INFO = 512;

/** Messages from one index to before another. */
interface MessageRange {
  from: number;
  to: number;
}

/**
 * Looks at the messages of a transcript before `count`, some of them at a time, so that other calls are
 * answered meanwhile. What is not held is read ahead. It is over when all were looked at or `look` says
 * `false`; where `isWanted` says so before that, it ends and comes back with `false`.
 */
export async function inSteps(
  open: OpenTranscript,
  count: number,
  isWanted: () => boolean,
  look: (from: number, to: number) => boolean,
  first = 0,
): Promise<boolean> {
  const slice = open.file ? READING_SLICE : SLICE;
  let bytes = FIRST_STEP;
  let answered = performance.now();
  for await (const range of blocks(open, first, count)) {
    if (!isWanted()) return false;
    for (let from = range.from; from < range.to; ) {
      const [to, length] = stepFrom(open.layout, from, range.to, bytes);
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

/** Where a step of this many bytes ends, after one message at least; and the bytes that it has. */
function stepFrom(layout: Layout, from: number, end: number, bytes: number): [number, number] {
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

/** All messages, in order: as many at a time as are read ahead, when their bytes are there. */
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
  // Told before anything is waited for: meanwhile the transcript may be gone.
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
      const letGo = await coming.shift();
      ask();
      try {
        yield { from, to };
      } finally {
        letGo?.();
      }
    }
  } finally {
    for (const piece of coming) void piece.then((letGo) => letGo());
  }
}

/** The messages in blocks, and where those stand in the file. */
function blocksOf({ layout, transcript }: OpenTranscript, first: number, count: number) {
  const all: (MessageRange & { start: number; end: number })[] = [];
  for (let from = first; from < count; ) {
    const wanted = from === first ? FIRST : BLOCK;
    let [to] = stepFrom(layout, from, count, wanted);
    let place = transcript.byteRange(from, to);
    // More stands there than the parts come to: in the messages, or between them.
    while (place && place.end - place.start > 2 * wanted && to - from > 1) {
      to = from + ((to - from) >> 1);
      place = transcript.byteRange(from, to);
    }
    all.push({ from, to, start: place?.start ?? 0, end: place?.end ?? 0 });
    from = to;
  }
  return all;
}
