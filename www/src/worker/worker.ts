/**
 * The worker owns the module and the transcript. The page asks for rows by range and never holds
 * more than it shows.
 */

import init, { type Problem, setLogger, TRANSCRIPT_FORMATS, Transcript } from "apex-parts";
import type { LiveBegun } from "../core/model/live";
import type { LoopView } from "../core/model/loops";
import type { Growth, Overview } from "../core/model/overview";
import type { RowMap } from "../core/model/row_map";
import type { Row } from "../core/model/rows";
import type { Reply, Request, Source, Start, WorkerCalls } from "../core/rpc";
import { type CurrentTranscript, growth } from "../core/worker/current";
import { HEAD, unheldFile } from "../core/worker/file_bytes";
import { messageOf } from "../core/worker/message_of";
import { NO_TIME } from "../core/worker/no_time";
import { OpenTranscript } from "../core/worker/open_transcript";
import { readSource } from "../core/worker/read";
import { SourceBytes } from "../core/worker/source_bytes";
import { Superseded } from "../core/worker/superseded";
import { breakdown, rangeSums } from "../features/breakdown/worker/breakdown";
import type { Digests } from "../features/compare/model/digests";
import type { ComparableFields } from "../features/compare/model/fields";
import { aligned } from "../features/compare/model/fork";
import { changes, comparableFields } from "../features/compare/worker/comparable_fields";
import { DigestMaker } from "../features/compare/worker/digests";
import { exportPiece } from "../features/export/worker/document";
import { secretsFrom } from "../features/export/worker/secrets";
import { detail } from "../features/inspector/worker";
import { LiveStream } from "../features/live/worker/stream";
import { findLoops } from "../features/loops/worker";
import { outline } from "../features/outline/worker";
import { findPlaces } from "../features/problems/worker/places";
import type { Recording } from "../features/replay/model";
import { isReplayable } from "../features/replay/model";
import { EventPlayer } from "../features/replay/worker/event_player";
import { runFacts, runHits } from "../features/runs/worker";
import { hits, marks, search } from "../features/search/worker/search";
import { sessionsOf, TaskSession } from "../features/sessions/worker";
import { summaryOf, summedUp } from "../features/summary/worker";
import { tracks } from "../features/timeline/worker";
import { overview, soFar } from "../features/transcript/worker/overview";
import { RowMaker } from "../features/transcript/worker/row_maker";
import { rowOfId } from "../features/transcript/worker/row_of_id";
import { warmUp } from "./warm";

let start: (given: Start) => void = () => {};
const started = new Promise<Start>((resolve) => {
  start = resolve;
});
const ready = started
  .then(({ wasm }) => init(wasm))
  // The page shows errors as a sentence; the console need not have them too.
  .then(() => setLogger(undefined));
// Not at once: a file that is opened first should have the whole processor.
ready
  .then(() => started)
  .then(({ warm }) => {
    if (warm) setTimeout(() => warmUp(() => readings === 0), 500);
  })
  .catch(() => {});
let active: OpenTranscript | undefined;
let maker: RowMaker | undefined;
let opening = 0;
/** Resolves when the open transcript is read to its end. */
let reading: Promise<unknown> = Promise.resolve();
let readings = 0;
/** What the open transcript was read from. */
let origin: { name: string; bytes: SourceBytes } | undefined;
let live: LiveStream | undefined;
let replay: EventPlayer | undefined;
/** The session of a task, while it is shown. */
let task: TaskSession | undefined;
let streams = 0;

const current: CurrentTranscript = {
  get open() {
    return active;
  },
  get maker() {
    return maker;
  },
  show(next) {
    active = next;
    maker = new RowMaker(next);
    return maker;
  },
};

const calls: { [C in keyof WorkerCalls]: (...args: Parameters<WorkerCalls[C]>) => unknown } = {
  open,
  close: () => {
    opening++;
    leave();
  },
  runFacts: (source) => ofRun(source, async (mine, name) => runFacts(mine, name, await loops())),
  runHits: (source, query) => ofRun(source, () => hitsOf(query)),
  formats: () => [...TRANSCRIPT_FORMATS],
  liveBegin: (name) => beginLive(name),
  liveFollow: (url, name) => beginLive(name, url),
  livePush: (bytes) => ready.then(() => live?.push(bytes)),
  liveEnd: () => ready.then(() => live?.end()),
  liveReconnect: () => live?.reconnect() ?? false,
  replayBegin,
  replayTo: (events) => replay?.to(events),
  replayProblem: (from, to) => replay?.problemBetween(from, to),
  replayWords: (start, end) => replay?.words(start, end) ?? [],
  replayEvent: (event) => replay?.detail(event),
  replayText: (event, start, end) => replay?.text(event, start, end) ?? "",
  replayEnd,
  rows: (start, end) => rowMaker().rows(start, end),
  outline: (start, end) => (active ? outline(active, rowMaker().map, start, end) : []),
  loops,
  summary: () => inSteps((mine, isWanted) => summaryOf(mine, rowMaker().map, isWanted)),
  breakdown: (by) => ofSummedUp((mine, map) => breakdown(mine, map, by)),
  rangeSums: (start, end) => ofSummedUp((mine) => rangeSums(mine, start, end)),
  sessions: () => (active ? sessionsOf(active) : []),
  showSession,
  tracks: () => (active ? tracks(active, rowMaker().map) : []),
  detail: (row) => detail(openTranscript(), rowMaker().map, row),
  text: (row, field, start, end) => rowMaker().text(row, field, start, end),
  markdown: (row, limit) => rowMaker().markdown(row, limit),
  digests,
  align: async (first) => aligned(first, await digests()),
  comparableFields: (row) => fieldsOf(row),
  changes: (row, before) => changes(before, fieldsOf(row)),
  export: async (format, name, from, options) => {
    await reading;
    return exportPiece(openTranscript(), name, format, from, options);
  },
  secrets: async (name, first, from, end) => {
    await reading;
    return secretsFrom(openTranscript(), name, first, from, end);
  },
  search: (query) => search(current, query),
  hits,
  marks,
  rowOfId: async (id) => {
    await reading;
    const mine = openTranscript();
    return rowOfId(mine, rowMaker().map, id, () => active === mine);
  },
};

self.onmessage = async (event: MessageEvent<Start | Request>) => {
  if ("start" in event.data) return start(event.data);
  const { id, call, args } = event.data;
  try {
    const run = calls[call] as (...args: unknown[]) => unknown;
    reply({ id, value: await run(...args) });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    reply({ id, error: { name, message } });
  }
};

/** What there is to say of a file that is read whole for that, and left again. */
async function ofRun<T>(
  source: Source,
  look: (mine: OpenTranscript, name: string) => Promise<T>,
): Promise<T> {
  const { name } = await open(source);
  await reading;
  const found = await look(openTranscript(), name);
  leave();
  return found;
}

/** Answers as soon as there is something to show; what is read after that follows as messages. */
function open(source: Source): Promise<Overview> {
  return new Promise((resolve, reject) => {
    let isShown = false;
    const first = (facts: Overview) => {
      isShown = true;
      resolve(facts);
    };
    const read = readWhole(source, first).then(
      (growth) => {
        if (isShown) {
          reply({ opened: { growth, last: true } });
          if (active?.file) active.lighten();
        } else resolve({ ...(growth.facts as Overview), top: top(rowMaker()) });
      },
      (error: unknown) => {
        // A newer file has replaced it: nobody waits for this one.
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
  readings++;
  try {
    return await readAll(source, first);
  } finally {
    readings--;
  }
}

async function readAll(source: Source, first: (facts: Overview) => void): Promise<Growth> {
  const turn = ++opening;
  await ready;
  const file = unheldFile(source);
  const transcript = new Transcript({ now: NO_TIME, ...(file ? { read: file.read } : {}) });
  const read = new SourceBytes(source);
  const name = source.kind === "file" ? source.file.name : source.name;
  let bytes = 0;
  let reported = 0;
  let early = EARLY;
  let lastLine = 0;
  let shown = 0;
  let problems: Problem[];
  let whole: OpenTranscript;
  try {
    for await (const chunk of readSource(source)) {
      if (turn !== opening) throw new Superseded();
      transcript.push(chunk.bytes);
      read.add(chunk.bytes);
      file?.note(chunk.bytes);
      const newline = chunk.bytes.lastIndexOf(NEWLINE);
      if (newline >= 0) lastLine = bytes + newline + 1;
      bytes += chunk.bytes.length;
      if (bytes - reported > PROGRESS_STEP) {
        reply({ progress: { read: bytes, total: chunk.total } });
        reported = bytes;
      }
      const more = chunk.total === 0 || bytes < chunk.total;
      if (!more || bytes < early) continue;
      // Once only: a format that must be assembled costs all of what was read each time.
      if (shown === 0) {
        transcript.refresh();
        early = 2 * bytes;
      }
      if (transcript.messageCount < Math.max(1, shown * TIMES)) continue;
      const next = new OpenTranscript(transcript, source, file);
      const facts = soFar(next, name, bytes);
      if (shown === 0) {
        leave();
        first({ ...facts, problems: [], top: top(current.show(next)) });
        early = 0;
      } else {
        const before = maker;
        reply({ opened: { growth: growth(before, current.show(next), facts), last: false } });
      }
      shown = transcript.messageCount;
    }
    if (bytes === 0) throw new Error("The file is empty.");
    transcript.end();
    problems = transcript.problems();
    whole = new OpenTranscript(transcript, source, file);
    whole.places = await findPlaces(whole, problems, read);
    if (turn !== opening) throw new Superseded();
  } catch (error) {
    // A transcript that is shown is freed when the next one replaces it.
    if (shown === 0) transcript.free();
    throw error;
  }
  const before = shown > 0 ? maker : undefined;
  if (shown === 0) leave();
  const after = current.show(whole);
  const facts = { ...overview(whole, after.map, name, bytes, lastLine, problems), reading: false };
  if (!isReplayable(facts.format)) read.clear();
  origin = { name, bytes: read };
  // Messages of these two formats are ranges of the file, and do not change any more.
  const all = facts.format !== "opencode-export" && facts.format !== "with-parts";
  return { ...growth(before, after, facts), all };
}

/** The rows that are seen first, which are sent with the facts. */
function top(maker: RowMaker): Row[] {
  return maker.rows(0, TOP);
}

/** Frees what is shown: a file, a live stream, a replay or the session of a task. */
function leave(): void {
  live?.stop();
  live?.drop();
  (replay ?? task ?? active)?.free();
  live = replay = task = active = maker = undefined;
}

async function beginLive(name: string, url?: string): Promise<LiveBegun> {
  const turn = ++opening;
  await ready;
  const stream = ++streams;
  const next = new LiveStream(name, current, (news) => reply({ live: news, stream }));
  if (url !== undefined) await next.follow(url);
  if (turn !== opening) {
    next.stop();
    throw new Superseded();
  }
  leave();
  live = next;
  origin = { name, bytes: next.sourceBytes };
  return { stream, facts: next.begin(), trouble: next.trouble };
}

function showSession(id: string): Overview | undefined {
  if (readings > 0 || replay || !origin) throw new Superseded();
  const before = task;
  const root = before?.root ?? openTranscript();
  task = id === "" ? undefined : TaskSession.show(root, id, origin.name, current);
  if (!task) before?.end(current);
  else before?.open.free();
  return task?.facts;
}

async function replayBegin(): Promise<Recording> {
  await reading;
  const mine = active;
  if (!mine || !origin) throw new Error("No transcript is open.");
  if (task) throw new Error("It is the session of a task.");
  const next = await EventPlayer.of(mine, origin.name, origin.bytes, current);
  if (active !== mine) throw new Superseded();
  replay = next;
  const recording = await next.recording();
  if (!recording) throw new Superseded();
  return recording;
}

function replayEnd(): Growth | undefined {
  const growth = replay?.end();
  replay = undefined;
  return growth;
}

/** The page gets the progress each time this many more bytes were read. */
const PROGRESS_STEP = 4 << 20;
/** Rows that mostly fill a screen. */
const TOP = 32;
/** A file is shown before all of it is read, once this many bytes were read … */
const EARLY = HEAD;
/** … and again when there are this many times as many messages. */
const TIMES = 16;

const NEWLINE = 10;

/** Computed in batches, as the loops are. */
async function digests(): Promise<Digests> {
  await reading;
  const mine = openTranscript();
  const digestMaker = new DigestMaker(mine);
  while (digestMaker.look()) {
    await new Promise((resolve) => setTimeout(resolve));
    if (active !== mine) throw new Superseded();
  }
  return digestMaker.done();
}

function fieldsOf(row: number): ComparableFields {
  const { message, part } = rowMaker().map.place(row);
  return comparableFields(openTranscript(), message, part);
}

function loops(): Promise<LoopView[]> {
  return inSteps((mine, isWanted) => findLoops(mine, rowMaker().map, isWanted));
}

function hitsOf(query: Parameters<WorkerCalls["runHits"]>[1]) {
  return inSteps((mine, isWanted) => runHits(mine, rowMaker().map, query, isWanted));
}

/** What can be asked once the module has summed up the transcript. */
function ofSummedUp<T>(ask: (mine: OpenTranscript, map: RowMap) => T): Promise<T> {
  return inSteps(async (mine, isWanted) => {
    const { map } = rowMaker();
    return (await summedUp(mine, map, isWanted)) ? ask(mine, map) : undefined;
  });
}

/** Searched in batches, so that rows which are asked for meanwhile need not wait. */
async function inSteps<T>(
  look: (mine: OpenTranscript, isWanted: () => boolean) => Promise<T | undefined>,
): Promise<T> {
  await reading;
  const mine = openTranscript();
  const found = await look(mine, () => active === mine);
  if (!found) throw new Superseded();
  return found;
}

function openTranscript(): OpenTranscript {
  if (!active) throw new Error("No transcript is open.");
  return active;
}

function rowMaker(): RowMaker {
  if (!maker) throw new Error("No transcript is open.");
  return maker;
}

function reply(message: Reply): void {
  self.postMessage(message);
}
