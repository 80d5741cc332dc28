// Opens the file of a command in chunks, so that it may be larger than the memory.
import {
  closeSync,
  createReadStream,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from "node:fs";
import type { TranscriptFormat, TranscriptOptions } from "apex-parts";
import { isApexPartsError, Transcript } from "apex-parts";
import type { Values } from "./options.ts";
import { CliError, faultOf, nameOf, outgrown, unreadable } from "./output.ts";
import { progress } from "./progress.ts";
import { subAgentFiles } from "./sub-agent-files.ts";

/** Whether this is the path of a folder. */
export function isFolder(file: string): boolean {
  if (file === "-") return false;
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The size of a chunk in bytes. */
const CHUNK = 2 << 20;

/** The other name of standard input. */
const STDIN = "/dev/stdin";

/** The chunks of a stream: standard input, a pipe, a device. */
export async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  try {
    yield* file === "-" || file === STDIN ? process.stdin : createReadStream(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** A file of a run: its path, and its name in the run. */
export interface NamedFile {
  path: string;
  name: string;
}

/** An error of the file system during reading. */
class ReadError extends Error {}

/** Reads `length` bytes at `position`, or fewer at the end of the file. */
function readAt(fd: number, buffer: Buffer, length: number, position: number): Buffer {
  let read = 0;
  while (read < length) {
    let count: number;
    try {
      count = readSync(fd, buffer, read, length - read, position + read);
    } catch (error) {
      throw new ReadError(faultOf(error).message, { cause: error });
    }
    if (count === 0) break;
    read += count;
  }
  return buffer.subarray(0, read);
}

/** A file that is open. `failed` is the error that reading it again ended in. */
interface OpenFile {
  fd: number;
  /** Left out for a pipe. */
  plain?: { size: number; mtime: number };
  failed?: unknown;
}

/** Opens a file; the result is undefined for what must be opened as a stream. */
function openFile(file: string): OpenFile | undefined {
  if (file === "-") return undefined;
  let fd: number | undefined;
  try {
    fd = openSync(file, "r");
    const stat = fstatSync(fd);
    if (stat.isFile()) return { fd, plain: { size: stat.size, mtime: Math.floor(stat.mtimeMs) } };
    if (stat.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    // A pipe can be opened only once: closing it ends it.
    return { fd };
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    // Standard input that is a socket cannot be opened by its name.
    if (faultOf(error).code === "ENXIO" && file === STDIN) return undefined;
    throw unreadable(file, error);
  }
}

/**
 * A transcript whose bytes stay in the file and are read again when needed. What has no time has the file's own, so
 * that each run gives the same.
 */
function fromFile(
  file: string,
  open: OpenFile,
  { size, mtime }: { size: number; mtime: number },
  options: TranscriptOptions,
): Transcript {
  const { fd } = open;
  const read = (start: number, end: number) => {
    try {
      return readAt(fd, Buffer.allocUnsafe(end - start), end - start, start);
    } catch (error) {
      // The module reports it as its own error; only here it is known to be an error of the file.
      open.failed = error;
      throw error;
    }
  };
  const transcript = new Transcript({ ...options, read, now: mtime });
  const line = progress(nameOf(file), size);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK);
    for (let at = 0; ; ) {
      const chunk = readAt(fd, buffer, CHUNK, at);
      if (chunk.length === 0) break;
      transcript.push(chunk);
      at += chunk.length;
      line.at(at);
    }
    transcript.end();
    return transcript;
  } catch (error) {
    transcript.free();
    throw error;
  } finally {
    line.end();
  }
}

/** A transcript of the files of a run. */
function fromFiles(
  files: readonly NamedFile[],
  plain: { mtime: number } | undefined,
  options: TranscriptOptions,
): Transcript {
  const parts = files.map(({ name, path }) => {
    try {
      return { path: name, bytes: readFileSync(path) };
    } catch (error) {
      throw unreadable(path, error);
    }
  });
  return Transcript.openFiles(parts, { ...options, now: plain?.mtime ?? 0 });
}

/** A transcript of a stream, whose bytes are kept in memory. */
async function fromStream(
  file: string,
  chunks: AsyncIterable<Buffer>,
  options: TranscriptOptions,
  kept: Buffer[] | undefined,
): Promise<Transcript> {
  const transcript = new Transcript(options);
  try {
    for await (const chunk of chunks) {
      transcript.push(chunk);
      kept?.push(chunk);
    }
    transcript.end();
    return transcript;
  } catch (error) {
    transcript.free();
    throw outgrown(file, error);
  }
}

/** The chunks of an open pipe. */
async function* chunksOfPipe(file: string, fd: number): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream("", { fd, autoClose: false });
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Whether the file has a message, in any session. */
const hasMessages = (transcript: Transcript) =>
  transcript.messageCount > 0 || transcript.stats().messages > 0;

/** Why a file has no message: what it looks like, or what is wrong with it; undefined if it has one. */
function emptiness(transcript: Transcript, file: string): string | undefined {
  if (hasMessages(transcript)) return undefined;
  const problems = transcript.problems();
  const problem = problems.find(({ severity }) => severity === "error") ?? problems[0];
  const why = problem?.message ?? "no message was read: this file contains none";
  return `${nameOf(file)}: ${why}`;
}

/** The tool with which Codex starts a sub-agent. */
const SPAWN = "spawn_agent";

/** What a session of Codex says of other files of its run; undefined if there are none. */
function othersOf(transcript: Transcript): string | undefined {
  const { session } = transcript;
  if (session?.beginsAfter !== undefined) return "it goes on from another file";
  const isAgent = session?.parentID !== undefined && session.forkOf === undefined;
  if (isAgent) return "this is a sub-agent's file";
  return SPAWN in transcript.stats().tools ? "it started sub-agents" : undefined;
}

/** Says that there are other files of the run: a file alone is not all of it. */
function tellBeside(file: string, transcript: Transcript): void {
  const { format } = transcript;
  const others = format === "codex" ? othersOf(transcript) : undefined;
  if (others) {
    process.stderr.write(
      `${others}: there may be other files of its run, give the folder for all\n`,
    );
  }
  if (format !== "claude-code" || file === "-") return;
  const { folder, count } = subAgentFiles(file);
  if (count === 0) return;
  const lie = count === 1 ? "1 sub-agent file lies" : `${count} sub-agent files lie`;
  process.stderr.write(`${lie} beside it (${folder}): give the folder for all\n`);
}

/** The options with these names; a wrong format is reported by the module, in its own words. */
function optionsOf({ ids, format }: Values): TranscriptOptions {
  if (ids !== undefined && ids !== "apex" && ids !== "opencode") {
    throw new CliError(`--ids must be apex or opencode, not ${ids}`, 2);
  }
  // `deltas` is the format of a file, `delta` that of a stream: both are accepted here.
  const name = format === "delta" ? "deltas" : format;
  // Whatever was given: the module checks it.
  const options: TranscriptOptions = { ids, format: name as TranscriptFormat | undefined };
  try {
    new Transcript(options).free();
  } catch (error) {
    throw new CliError(faultOf(error).message, 2);
  }
  return options;
}

/**
 * Opens a transcript, passes it to `look`, and closes it. A file without a message, as one that is recognised but not
 * read, is refused, unless `unread`: then it is a transcript without messages whose problem says what it is.
 * `files` are those of the run, where there are others than this one; `inFolder`: it is known that there are none. The
 * bytes of a stream, which can be read only once, are added to `kept`.
 */
export async function withTranscript<Result>(
  file: string,
  values: Values,
  look: (transcript: Transcript) => Result | Promise<Result>,
  options: {
    unread?: boolean;
    inFolder?: boolean;
    files?: readonly NamedFile[];
    kept?: Buffer[];
  } = {},
): Promise<Result> {
  const { unread = false, inFolder = false, files = [], kept } = options;
  const reading = optionsOf(values);
  const open = openFile(file);
  let transcript: Transcript | undefined;
  try {
    if (files.length > 1) transcript = fromFiles(files, open?.plain, reading);
    else if (open?.plain) transcript = fromFile(file, open, open.plain, reading);
    else {
      const chunks = open ? chunksOfPipe(file, open.fd) : chunksOf(file);
      transcript = await fromStream(file, chunks, reading, kept);
    }
    const why = emptiness(transcript, file);
    if (why !== undefined && !unread) throw new CliError(why, 1);
    if (why !== undefined) process.stderr.write(`${why}\n`);
    if (!inFolder) tellBeside(file, transcript);
    return await look(transcript);
  } catch (error) {
    if (error instanceof ReadError) throw unreadable(file, error);
    if (open?.failed) throw unreadable(file, open.failed);
    if (isApexPartsError(error)) throw new CliError(`${nameOf(file)}: ${error.message}`, 1);
    throw error;
  } finally {
    transcript?.free();
    if (open) closeSync(open.fd);
  }
}
