import { type Problem, Transcript } from "apex-parts";
import { isReplayable } from "../../../core/model/formats";
import type { Growth, Overview } from "../../../core/model/overview";
import type { Row } from "../../../core/model/rows";
import type { Source, SourceFile } from "../../../core/rpc";
import { growth, type Rows } from "../../../core/worker/current";
import type { Desk } from "../../../core/worker/desk";
import { HEAD, unheldFile } from "../../../core/worker/file_bytes";
import { messageOf } from "../../../core/worker/message_of";
import { NO_TIME } from "../../../core/worker/no_time";
import { OpenTranscript } from "../../../core/worker/open_transcript";
import { overview, soFar } from "../../../core/worker/overview";
import { findPlaces } from "../../../core/worker/problems/places";
import { joined, readSource } from "../../../core/worker/read";
import { SourceBytes } from "../../../core/worker/source_bytes";
import { Superseded } from "../../../core/worker/superseded";

/** The page gets the progress each time this many more bytes were read. */
const PROGRESS_STEP = 4 << 20;
/** Rows that mostly fill a screen. */
const TOP = 32;
/** A file is shown before all of it is read, once this many bytes were read … */
const EARLY = HEAD;
/** … and again when there are this many times as many messages. */
const TIMES = 16;

const NEWLINE = 10;
/** Whose ids a file has is no question of who looks at it: none is refused. */
const READING = { now: NO_TIME, ids: "opencode" } as const;

/** Answers as soon as there is something to show; what is read after that follows as messages. */
export function open(desk: Desk, source: Source): Promise<Overview> {
  return new Promise((resolve, reject) => {
    let isShown = false;
    const first = (facts: Overview) => {
      isShown = true;
      resolve(facts);
    };
    const read = readWhole(desk, source, first).then(
      (growth) => {
        if (isShown) {
          desk.reply({ opened: { growth, last: true } });
          if (desk.open?.file) desk.open.lighten();
        } else resolve({ ...(growth.facts as Overview), top: top(desk.rows) });
      },
      (error: unknown) => {
        // A newer file has replaced it: nobody waits for this one.
        if (isShown && error instanceof Superseded) return;
        if (isShown) desk.reply({ opened: { error: messageOf(error), last: true } });
        else reject(error);
      },
    );
    desk.reading = read;
  });
}

/** The transcript that was open is replaced once there is something to show of the new one. */
async function readWhole(
  desk: Desk,
  source: Source,
  first: (facts: Overview) => void,
): Promise<Growth> {
  desk.readings++;
  try {
    return await readAll(desk, source, first);
  } finally {
    desk.readings--;
  }
}

async function readAll(
  desk: Desk,
  source: Source,
  first: (facts: Overview) => void,
): Promise<Growth> {
  const turn = ++desk.turn;
  await desk.ready;
  if (source.kind !== "text" && source.run) return readRun(desk, turn, source, source.run);
  const file = unheldFile(source);
  const transcript = new Transcript({ ...READING, ...(file ? { read: file.read } : {}) });
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
      if (turn !== desk.turn) throw new Superseded();
      transcript.push(chunk.bytes);
      read.add(chunk.bytes);
      file?.note(chunk.bytes);
      const newline = chunk.bytes.lastIndexOf(NEWLINE);
      if (newline >= 0) lastLine = bytes + newline + 1;
      bytes += chunk.bytes.length;
      if (bytes - reported > PROGRESS_STEP) {
        desk.reply({ progress: { read: bytes, total: chunk.total } });
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
        desk.leave();
        first({ ...facts, problems: [], top: top(desk.show(next)) });
        early = 0;
      } else {
        const before = desk.maker;
        desk.reply({ opened: { growth: growth(before, desk.show(next), facts), last: false } });
      }
      shown = transcript.messageCount;
    }
    if (bytes === 0) throw new Error("The file is empty.");
    transcript.end();
    problems = transcript.problems();
    whole = new OpenTranscript(transcript, source, file);
    whole.places = await findPlaces(whole, problems, read);
    if (turn !== desk.turn) throw new Superseded();
  } catch (error) {
    // A transcript that is shown is freed when the next one replaces it.
    if (shown === 0) transcript.free();
    throw error;
  }
  const before = shown > 0 ? desk.maker : undefined;
  if (shown === 0) desk.leave();
  const after = desk.show(whole);
  const facts = { ...overview(whole, after.map, name, bytes, lastLine, problems), reading: false };
  if (!isReplayable(facts.format)) read.clear();
  desk.origin = { name, bytes: read };
  // Messages of these two formats are ranges of the file, and do not change any more.
  const all = facts.format !== "opencode-export" && facts.format !== "with-parts";
  return { ...growth(before, after, facts), all };
}

/** The files of a run as one transcript. They are held, so the largest are opened alone. */
async function readRun(
  desk: Desk,
  turn: number,
  source: Exclude<Source, { kind: "text" }>,
  run: readonly SourceFile[],
): Promise<Growth> {
  const files: { path: string; bytes: Uint8Array }[] = [];
  let bytes = 0;
  for (const { path, source: one } of run) {
    const pieces: Uint8Array[] = [];
    for await (const chunk of readSource(one)) {
      if (turn !== desk.turn) throw new Superseded();
      // A piece is valid until the next.
      pieces.push(chunk.bytes.slice());
      bytes += chunk.bytes.length;
      desk.reply({ progress: { read: bytes, total: 0 } });
    }
    files.push({ path, bytes: joined(pieces) });
  }
  const transcript = Transcript.openFiles(files, READING);
  let whole: OpenTranscript;
  let problems: Problem[];
  const read = new SourceBytes();
  try {
    // An offset in another file is no place in what is shown.
    const others = run.slice(1).map(({ path }) => `${path}: `);
    const elsewhere = new Set(transcript.sessions.map(({ file }) => file));
    problems = transcript.problems().map((problem) => {
      const other = others.find((path) => problem.message.startsWith(path));
      if (other === undefined) return problem;
      elsewhere.add(other.slice(0, -2));
      const { offset: _, ...placeless } = problem;
      return placeless;
    });
    // What the session itself goes on in is behind it.
    for (const { path, bytes: own } of files) if (!elsewhere.has(path)) read.add(own);
    whole = new OpenTranscript(transcript, source);
    whole.places = await findPlaces(whole, problems, read);
    if (turn !== desk.turn) throw new Superseded();
  } catch (error) {
    transcript.free();
    throw error;
  }
  desk.leave();
  const { map } = desk.show(whole);
  const name = source.kind === "file" ? source.file.name : source.name;
  const lastLine = (files[0]?.bytes.lastIndexOf(NEWLINE) ?? -1) + 1;
  const facts = { ...overview(whole, map, name, bytes, lastLine, problems), reading: false };
  desk.origin = { name, bytes: read };
  return { ...growth(undefined, desk.rows, facts), all: true };
}

/** The rows that are seen first, which are sent with the facts. */
function top(maker: Rows): Row[] {
  return maker.rows(0, TOP);
}
