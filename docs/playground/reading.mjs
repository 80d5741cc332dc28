// What the package makes of the first bytes of a stream. Nothing is kept between two questions: an assembler
// gives the same message however its bytes are cut, so every state is read from the first byte again.
import { DeltaAssembler, readDeltas } from "../package/web.mjs";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Where records end: after an empty line, or after each line in a stream without empty lines. */
function recordEnds(bytes) {
  const lines = [];
  const blanks = [];
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    const last = bytes[at - 1] === CARRIAGE_RETURN ? at - 2 : at - 1;
    if (bytes[last] === LINE_FEED) blanks.push(at + 1);
    lines.push(at + 1);
  }
  const ends = blanks.length > 0 ? blanks : lines;
  if (bytes.length > 0 && ends.at(-1) !== bytes.length) ends.push(bytes.length);
  return ends;
}

/**
 * The pieces in which a stream is fed: their number, and where each of them ends.
 *
 * @param {Uint8Array} bytes
 * @param {string} size "whole", "record", or a number of bytes
 */
export function piecesOf(bytes, size) {
  if (size === "record") {
    const ends = recordEnds(bytes);
    return { count: ends.length, endOf: (step) => (step === 0 ? 0 : ends[step - 1]) };
  }
  const step = size === "whole" ? Math.max(bytes.length, 1) : Number(size);
  return {
    count: Math.ceil(bytes.length / step),
    endOf: (index) => Math.min(index * step, bytes.length),
  };
}

/** All deltas of the stream; an error where the package refuses it. */
export function deltasOf(bytes, format) {
  try {
    return { deltas: readDeltas(format, bytes, { onProblem: "collect" }) };
  } catch (failure) {
    return { deltas: [], failure };
  }
}

const wordsOf = ({ kind, payload }) => kind + JSON.stringify(payload);

/**
 * How many of `all` have come with these bytes. The end of the bytes is the end of a stream to
 * `readDeltas`, and closes what is open: what it adds for that differs from what really comes.
 */
export function arrived(all, bytes, format) {
  const { deltas } = deltasOf(bytes, format);
  const different = deltas.findIndex(
    (delta, index) => all[index] === undefined || wordsOf(delta) !== wordsOf(all[index]),
  );
  return different < 0 ? deltas.length : different;
}

/** The message at a step: what it is, what the step changed, and what is wrong so far. */
export function stateAt(bytes, { format, from, to, ended }) {
  let assembler;
  let failure;
  const attempt = (run) => {
    try {
      return run();
    } catch (error) {
      failure ??= error;
    }
  };
  try {
    assembler = attempt(() => new DeltaAssembler({ format, onProblem: "collect" }));
    if (!assembler) return { changes: [], problems: [], status: "empty", failure };
    attempt(() => assembler.pushBytes(bytes.subarray(0, from)));
    attempt(() => assembler.takeChanges());
    attempt(() => assembler.pushBytes(bytes.subarray(from, to)));
    if (ended) assembler.end();
    return {
      changes: attempt(() => assembler.takeChanges()) ?? [],
      message: attempt(() => assembler.preview()),
      problems: assembler.problems(),
      status: assembler.status,
      failure,
    };
  } finally {
    assembler?.free();
  }
}
