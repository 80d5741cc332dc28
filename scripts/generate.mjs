// Generates transcripts of a given size for benchmarks and tests: deterministic for a seed, with the mixture
// of recorded sessions, of any length in constant memory.
//
//   node scripts/generate.mjs --format opencode-export --size 100MB [--seed 1] [-o FILE]
//                             [--from SESSION.export.json]
import { once } from "node:events";
import { createWriteStream, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { FORMATS } from "./generate/formats.mjs";
import { idSource } from "./generate/ids.mjs";
import { Session } from "./generate/session.mjs";
import { random, words } from "./generate/words.mjs";
import { isMain, main } from "./lib.mjs";

/** The start of the sessions; the seed shifts it. */
const EPOCH = Date.UTC(2026, 0, 12, 9, 30);
/** The smallest size: smaller sessions cannot have all parts. */
const LEAST = 16_000;
/** The size to which pieces are collected. */
const PIECE = 1 << 18;

export const FORMAT_NAMES = Object.keys(FORMATS);

/** The messages of a recorded session, repeated with new ids and times. */
function* repeated({ messages }, session, newId) {
  const first = messages[0]?.info.time.created ?? 0;
  let shift = session.now - first;
  for (;;) {
    const ids = new Map([[messages[0]?.info.sessionID, session.id]]);
    let latest = 0;
    const again = (value, key) => {
      if (typeof value === "string" && /^(ses|msg|prt|call)_\w+$/.test(value)) {
        if (!ids.has(value)) ids.set(value, newId(value.slice(0, value.indexOf("_")), latest));
        return ids.get(value);
      }
      if (typeof value === "number" && value >= first && value < first + 1e11) {
        latest = Math.max(latest, value + shift);
        return value + shift;
      }
      if (Array.isArray(value)) return value.map((element) => again(element));
      if (value === null || typeof value !== "object") return value;
      const fields = Object.entries(value);
      // Times first: ids contain them.
      if (key === undefined) again(value.info?.time ?? {}, "time");
      return Object.fromEntries(fields.map(([name, field]) => [name, again(field, name)]));
    };
    for (const message of messages) yield again(message);
    shift = latest + 60_000 - first;
  }
}

/**
 * A transcript of this many bytes (within 1 %), as a sequence of Buffers.
 * @param {{ format: string, bytes: number, seed?: number, from?: object }} options `from`: an export
 *   whose messages are repeated, instead of generated ones.
 */
export function* generate({ format, bytes, seed = 1, from }) {
  const way = FORMATS[format];
  if (!way) throw new Error(`no format ${format}; there are ${FORMAT_NAMES.join(", ")}`);
  if (!(bytes >= LEAST)) throw new Error(`at least ${LEAST} bytes, not ${bytes}`);
  const rng = random(seed);
  const own = words(rng);
  const newId = idSource(rng, way.ids);
  const session = new Session(rng, own, newId, EPOCH + (seed % 1e6) * 60_000);
  const state = { count: 0, events: 0, last: null };
  const foot = Buffer.byteLength(way.foot(session, { ...state }));

  let gathered = [];
  let length = 0;
  let written = 0;
  const take = (text) => {
    const piece = Buffer.from(text);
    gathered.push(piece);
    length += piece.length;
    written += piece.length;
  };
  const flush = () => {
    const whole = Buffer.concat(gathered);
    gathered = [];
    length = 0;
    return whole;
  };
  let asked;
  const room = () => bytes - foot - written;
  /** Adds a message if there is room for it and the last one. */
  const add = (message) => {
    const next = { ...state };
    const text = way.message(message, next);
    if (Buffer.byteLength(text) > room() - last) return false;
    Object.assign(state, next);
    if (message.info.role === "user") asked = message.info.id;
    take(text);
    return true;
  };
  const sizeOf = (text) => Buffer.byteLength(way.message(session.answer(text), { ...state }));
  const filler = (n) =>
    own
      .prose(n + 100)
      .replace(/[^ -~]/g, "-")
      .replace(/`/g, "'")
      .slice(0, n);
  const [small, large] = [sizeOf(filler(100)), sizeOf(filler(1100))];
  const last = small + 100;

  take(way.head(session, state));
  for (const message of from ? repeated(from, session, newId) : session.messages()) {
    if (!add(message)) break;
    if (length >= PIECE) yield flush();
  }
  session.parent = asked;
  // Messages that do not fit are replaced by short answers, and a last one of the right size.
  while (add(session.answer(filler(1500))));
  const perCharacter = (large - small) / 1000;
  take(way.message(session.answer(filler(100 + (room() - small) / perCharacter)), state));
  take(way.foot(session, state));
  yield flush();
}

/** `100MB`, `1.5 GB`, `64k`, `1000`: bytes. */
export function parseSize(text) {
  const match = /^([\d.]+)\s*([kmg]?)b?$/i.exec(text);
  const bytes = match
    ? Number(match[1]) * 1000 ** " kmg".indexOf(match[2].toLowerCase() || " ")
    : 0;
  if (!(bytes > 0)) throw new Error(`--size is a number of bytes such as 100MB, not ${text}`);
  return Math.round(bytes);
}

if (isMain(import.meta)) {
  main(async () => {
    const { values } = parseArgs({
      options: {
        format: { type: "string", default: "opencode-export" },
        size: { type: "string", default: "1MB" },
        seed: { type: "string", default: "1" },
        from: { type: "string" },
        out: { type: "string", short: "o" },
      },
    });
    const { format, size, seed, from, out } = values;
    if (!/^\d+$/.test(seed)) throw new Error(`--seed is a whole number, not ${seed}`);
    const options = { format, bytes: parseSize(size), seed: Number(seed) };
    if (from) options.from = JSON.parse(readFileSync(from, "utf8"));
    const stream = out ? createWriteStream(out) : process.stdout;
    for (const piece of generate(options)) {
      if (!stream.write(piece)) await once(stream, "drain");
    }
    if (out) {
      stream.end();
      await once(stream, "finish");
    }
  });
}
