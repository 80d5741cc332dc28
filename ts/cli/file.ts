// Opens the file of a command in chunks, so that it may be larger than the memory.
import { closeSync, createReadStream, fstatSync, openSync, readSync } from "node:fs";
import { isApexPartsError, Transcript } from "apex-parts";
import { CliError, nameOf, outgrown, unreadable } from "./output.ts";
import { progress } from "./progress.ts";
import { subAgentFiles } from "./sub-agent-files.ts";

/** The size of a chunk in bytes. */
const CHUNK = 2 << 20;

/** The other name of standard input. */
const STDIN = "/dev/stdin";

/** The chunks of a stream: standard input, a pipe, a device. */
export async function* chunksOf(file) {
  try {
    yield* file === "-" || file === STDIN ? process.stdin : createReadStream(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** An error of the file system during reading. */
class ReadError extends Error {}

/** Reads `length` bytes at `position`, or fewer at the end of the file. */
function readAt(fd, buffer, length, position) {
  let read = 0;
  while (read < length) {
    let count;
    try {
      count = readSync(fd, buffer, read, length - read, position + read);
    } catch (error) {
      throw new ReadError(error.message, { cause: error });
    }
    if (count === 0) break;
    read += count;
  }
  return buffer.subarray(0, read);
}

/** Opens a file. `size` is undefined for a pipe; the result is undefined for what must be opened as a stream. */
function openFile(file) {
  if (file === "-") return undefined;
  let fd;
  try {
    fd = openSync(file, "r");
    const stat = fstatSync(fd);
    if (stat.isFile()) return { fd, size: stat.size, mtime: Math.floor(stat.mtimeMs) };
    if (stat.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    // A pipe can be opened only once: closing it ends it.
    return { fd, size: undefined };
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    // Standard input that is a socket cannot be opened by its name.
    if (error.code === "ENXIO" && file === STDIN) return undefined;
    throw unreadable(file, error);
  }
}

/**
 * A transcript whose bytes stay in the file and are read again when needed. What has no time has the file's own, so
 * that each run gives the same.
 */
function fromFile(file, open, options) {
  const { fd, size, mtime } = open;
  const read = (start, end) => {
    try {
      return readAt(fd, Buffer.allocUnsafe(end - start), end - start, start);
    } catch (error) {
      // The module reports it as its own error; only here it is known to be an error of the file.
      open.failed = error;
      throw error;
    }
  };
  const transcript = new Transcript({ ...options, read, now: mtime });
  const shown = progress(nameOf(file), size);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK);
    for (let at = 0; ; ) {
      const chunk = readAt(fd, buffer, CHUNK, at);
      if (chunk.length === 0) break;
      transcript.push(chunk);
      at += chunk.length;
      shown.at(at);
    }
    transcript.end();
    return transcript;
  } catch (error) {
    transcript.free();
    throw error;
  } finally {
    shown.end();
  }
}

/** A transcript of a stream, whose bytes are kept in memory. */
async function fromStream(file, chunks, options) {
  const transcript = new Transcript(options);
  try {
    for await (const chunk of chunks) transcript.push(chunk);
    transcript.end();
    return transcript;
  } catch (error) {
    transcript.free();
    throw outgrown(file, error);
  }
}

/** The chunks of an open pipe. */
async function* chunksOfPipe(file, fd) {
  try {
    yield* createReadStream("", { fd, autoClose: false });
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Has the file a message, in any session? */
function hasMessages(transcript) {
  if (transcript.messageCount > 0 || transcript.stats().messages > 0) return true;
  const sessions = transcript.sessions ?? [];
  return sessions.some(({ id }) => transcript.stats({ session: id }).messages > 0);
}

/** Why a file has no message: what it looks like, or what is wrong with it; undefined if it has one. */
function emptiness(transcript, file) {
  if (hasMessages(transcript)) return undefined;
  const problems = transcript.problems();
  const problem = problems.find(({ severity }) => severity === "error") ?? problems[0];
  const why = problem?.message ?? "no message was read: there is none in this file";
  return `${nameOf(file)}: ${why}`;
}

/** Says that files of sub-agents lie beside a session of Claude Code: a file alone is not all of the run. */
function tellBeside(file, format) {
  if (format !== "claude-code" || file === "-") return;
  const { folder, count } = subAgentFiles(file);
  if (count === 0) return;
  const lie = count === 1 ? "1 sub-agent file lies" : `${count} sub-agent files lie`;
  process.stderr.write(`${lie} beside it (${folder}): give the folder for all\n`);
}

/**
 * Opens a transcript, passes it to `look`, and closes it. A file without a message, as one that is recognised but not
 * read, is refused, unless `unread`: then it is a transcript without messages whose problem says what it is. `inFolder`: what lies beside it is
 * opened as well.
 */
export async function withTranscript(
  file,
  { ids, format },
  look,
  { unread = false, inFolder = false } = {},
) {
  if (ids !== undefined && ids !== "apex" && ids !== "opencode") {
    throw new CliError(`--ids is apex or opencode, not ${ids}`, 2);
  }
  // `deltas` is the format of a file, `delta` that of a stream: both are accepted here.
  const options = { ids, format: format === "delta" ? "deltas" : format };
  try {
    new Transcript(options).free();
  } catch (error) {
    throw new CliError(error.message, 2);
  }
  const open = openFile(file);
  let transcript;
  try {
    if (open?.size !== undefined) transcript = fromFile(file, open, options);
    else {
      const chunks = open ? chunksOfPipe(file, open.fd) : chunksOf(file);
      transcript = await fromStream(file, chunks, options);
    }
    const why = emptiness(transcript, file);
    if (why !== undefined && !unread) throw new CliError(why, 1);
    if (why !== undefined) process.stderr.write(`${why}\n`);
    if (!inFolder) tellBeside(file, transcript.format);
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
