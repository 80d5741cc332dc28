/**
 * The worker owns the module and the transcript. The page asks for rows by range and never holds
 * more than it shows.
 */
import init, { setLogger, Transcript, type TranscriptOptions } from "apex-parts";
import { align } from "../model/align";
import type { Digests } from "../model/digests";
import { REPLAYED } from "../model/replayed";
import type { Growth, LoopView, Overview } from "../model/types";
import { changes, type Sayings, sayings } from "./changes";
import { DigestMaker } from "./digests";
import { exportPiece } from "./export";
import { Held } from "./held";
import { rowOfId } from "./ids";
import { Kept } from "./kept";
import { LiveStream } from "./live";
import { Loops } from "./loops";
import { outline, overview, facts as overviewFacts } from "./overview";
import type { Calls, LiveBegun, Recording, Reply, Request, Source, Start } from "./protocol";
import { FIRST_SLICE, readSlice, readSource } from "./read";
import { RowMaker } from "./rows";
import { Scrub } from "./scrub";
import { hits, marks, search } from "./search";
import { growth, type Stage } from "./stage";
import { tracks } from "./tracks";

let start: (wasm: ArrayBuffer | undefined) => void = () => {};
const ready = new Promise<ArrayBuffer | undefined>((resolve) => {
  start = resolve;
})
  .then((wasm) => init(wasm))
  // What goes wrong is said on the page, in a sentence; the console need not have it too.
  .then(() => setLogger(undefined));
let held: Held | undefined;
let maker: RowMaker | undefined;
let opening = 0;
/** Over when the open transcript is whole. */
let reading: Promise<unknown> = Promise.resolve();
/** What the open transcript was read from. */
let kept: { name: string; bytes: Kept } | undefined;
let live: LiveStream | undefined;
let scrub: Scrub | undefined;
let streams = 0;

const stage: Stage = {
  get held() {
    return held;
  },
  get maker() {
    return maker;
  },
  show(next) {
    held = next;
    maker = new RowMaker(next);
    return maker;
  },
};

const calls: { [C in keyof Calls]: (...args: Parameters<Calls[C]>) => unknown } = {
  open,
  liveBegin: (name) => beginLive(name),
  liveFollow: (url, name) => beginLive(name, url),
  livePush: (bytes) => ready.then(() => live?.push(bytes)),
  liveEnd: () => ready.then(() => live?.end()),
  scrubBegin,
  scrubTo: (events) => scrub?.to(events),
  scrubEnd,
  rows: (start, end) => rowMaker().rows(start, end),
  outline: (start, end) => (held ? outline(held, rowMaker().map, start, end) : []),
  loops,
  tracks: () => (held ? tracks(held, rowMaker().map) : []),
  detail: (row) => rowMaker().detail(row),
  text: (row, field, start, end) => rowMaker().text(row, field, start, end),
  markdown: (row, limit) => rowMaker().markdown(row, limit),
  digests,
  align: async (first) => align(first, await digests()),
  sayings: (row) => said(row),
  changes: (row, before) => changes(before, said(row)),
  export: async (format, name, from) => {
    await reading;
    return exportPiece(opened(), name, format, from);
  },
  search: (query) => search(opened(), rowMaker().map, query),
  hits,
  marks,
  rowOfId: async (id) => {
    await reading;
    const mine = opened();
    return rowOfId(mine, rowMaker().map, id, () => held === mine);
  },
};

self.onmessage = async (event: MessageEvent<Start | Request>) => {
  if ("start" in event.data) return start(event.data.wasm);
  const { id, call, args } = event.data;
  try {
    const run = calls[call] as (...args: unknown[]) => unknown;
    reply({ id, value: await run(...args) });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    reply({ id, error: { name, message } });
  }
};

/** The answer comes as soon as there is something to show; what is read after it follows. */
function open(source: Source): Promise<Overview> {
  return new Promise((resolve, reject) => {
    let isShown = false;
    const first = (facts: Overview) => {
      isShown = true;
      resolve(facts);
    };
    const read = readWhole(source, first).then(
      (growth) => {
        if (isShown) reply({ opened: { growth, last: true } });
        else resolve(growth.facts as Overview);
      },
      (error: unknown) => {
        // A newer file has taken its place: nobody waits for this one.
        if (isShown && error instanceof Superseded) return;
        if (isShown) reply({ opened: { error: messageOf(error), last: true } });
        else reject(error);
      },
    );
    reading = read;
  });
}

/** The transcript that was open is replaced once there is something to show of the new one. */
async function readWhole(source: Source, first: (facts: Overview) => void): Promise<Growth> {
  const turn = ++opening;
  await ready;
  const transcript = new Transcript(optionsOf(source));
  const origin = new Kept(source);
  const name = source.kind === "file" ? source.file.name : source.name;
  let bytes = 0;
  let lastLine = 0;
  let shown = 0;
  try {
    for await (const chunk of readSource(source)) {
      if (turn !== opening) throw new Superseded();
      transcript.push(chunk.bytes);
      origin.add(chunk.bytes);
      const newline = chunk.bytes.lastIndexOf(NEWLINE);
      if (newline >= 0) lastLine = bytes + newline + 1;
      bytes += chunk.bytes.length;
      reply({ progress: { read: bytes, total: chunk.total } });
      const more = chunk.total === 0 || bytes < chunk.total;
      if (!more || bytes < EARLY) continue;
      // Once is enough for what has to be put together: each time costs all of it.
      if (shown === 0) transcript.refresh();
      if (transcript.messageCount < Math.max(1, shown * TIMES)) continue;
      const next = new Held(transcript, source);
      const facts = { ...soFar(next, name, bytes), status: READING };
      if (shown === 0) {
        leave();
        stage.show(next);
        first({ ...facts, problems: [] });
      } else {
        const before = maker;
        reply({ opened: { growth: growth(before, stage.show(next), facts), last: false } });
      }
      shown = transcript.messageCount;
    }
    if (bytes === 0) throw new Error("The file is empty.");
    transcript.end();
  } catch (error) {
    // What is shown is let go of by what is shown next.
    if (shown === 0) transcript.free();
    throw error;
  }
  const next = new Held(transcript, source);
  const before = shown > 0 ? maker : undefined;
  if (shown === 0) leave();
  const after = stage.show(next);
  const facts = { ...overview(next, after.map, name, bytes, lastLine), reading: false };
  if (!REPLAYED.has(facts.format)) origin.clear();
  kept = { name, bytes: origin };
  // Messages that stand in the file as they are do not change any more.
  const all = facts.format !== "opencode-export" && facts.format !== "with-parts";
  return { ...growth(before, after, facts), all };
}

/** A transcript of which problems were not looked for yet. */
function soFar(next: Held, name: string, bytes: number): Growth["facts"] {
  return { ...overviewFacts(next, name, bytes), errors: 0, warnings: 0, reading: true };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Lets go of what is shown, however it came to be. */
function leave(): void {
  live?.stop();
  if (scrub) scrub.free();
  else held?.free();
  live = scrub = held = maker = undefined;
}

async function beginLive(name: string, url?: string): Promise<LiveBegun> {
  const turn = ++opening;
  await ready;
  const stream = ++streams;
  const next = new LiveStream(name, stage, (news) => reply({ live: news, stream }));
  if (url !== undefined) await next.follow(url);
  if (turn !== opening) {
    next.stop();
    throw new Superseded();
  }
  leave();
  live = next;
  kept = { name, bytes: next.kept };
  return { stream, facts: next.begin() };
}

async function scrubBegin(): Promise<Recording> {
  await reading;
  const mine = held;
  if (!mine || !kept) throw new Error("No transcript is open.");
  const next = await Scrub.of(mine, kept.name, kept.bytes, stage);
  if (held !== mine) throw new Superseded();
  scrub = next;
  return next.recording();
}

function scrubEnd(): Growth | undefined {
  const growth = scrub?.end();
  scrub = undefined;
  return growth;
}

/** A file is shown before all of it is read, once there are so many bytes of it … */
const EARLY = FIRST_SLICE;
/** … and again when there are so many times the messages. */
const TIMES = 4;
const READING: Overview["status"] = { word: "reading", tone: "busy" };

/** A file of more bytes stays where it is, and of it only the index is held. */
const MOST_HELD = 128 << 20;
const NEWLINE = 10;

function optionsOf(source: Source): TranscriptOptions {
  if (source.kind !== "file" || source.file.size <= MOST_HELD) return {};
  return { read: readSlice(source.file) };
}

/** Made bit by bit, as the loops are. */
async function digests(): Promise<Digests> {
  await reading;
  const mine = opened();
  const made = new DigestMaker(mine);
  while (made.look()) {
    await new Promise((resolve) => setTimeout(resolve));
    if (held !== mine) throw new Superseded();
  }
  return made.done();
}

function said(row: number): Sayings {
  const { message, part } = rowMaker().map.place(row);
  return sayings(opened(), message, part);
}

/** Told bit by bit, so that rows which are asked for meanwhile need not wait. */
async function loops(): Promise<LoopView[]> {
  await reading;
  const mine = held;
  if (!mine) return [];
  const found = new Loops(mine, rowMaker().map);
  while (found.look()) {
    await new Promise((resolve) => setTimeout(resolve));
    if (held !== mine) throw new Superseded();
  }
  return found.views();
}

function opened(): Held {
  if (!held) throw new Error("No transcript is open.");
  return held;
}

function rowMaker(): RowMaker {
  if (!maker) throw new Error("No transcript is open.");
  return maker;
}

function reply(message: Reply): void {
  self.postMessage(message);
}

/** Another file was opened meanwhile; the page takes no notice of this one's end. */
class Superseded extends Error {
  override name = "Superseded";
}
