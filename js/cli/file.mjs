// Opens the file of a command: piece by piece, so that it may be larger than the memory.
import { closeSync, createReadStream, fstatSync, openSync, readSync } from "node:fs";
import { isApexPartsError, Transcript } from "../node.mjs";
import { progress } from "./progress.mjs";
import { Complaint, nameOf, outgrown, unreadable } from "./say.mjs";

/** So many bytes are read at once. */
const CHUNK = 2 << 20;

/** Standard input by its other name. */
const STDIN = "/dev/stdin";

/** The bytes of a stream, chunk by chunk: of standard input, a pipe, a device. */
export async function* chunksOf(file) {
  try {
    yield* file === "-" || file === STDIN ? process.stdin : createReadStream(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** What the file system refused while the file was read. */
class ReadError extends Error {}

/** Reads up to `length` bytes from `position` on; fewer where the file ends. */
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

/** A file, open; undefined for what is no file of this kind: it is read as a stream. */
function openFile(file) {
  if (file === "-") return undefined;
  let fd;
  try {
    fd = openSync(file, "r");
    const stat = fstatSync(fd);
    if (stat.isFile()) return { fd, size: stat.size };
    if (stat.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    // A pipe is opened once: who closes it has ended it.
    return { fd, size: undefined };
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    // A socket has a name there and cannot be opened by it.
    if (error.code === "ENXIO" && file === STDIN) return undefined;
    throw unreadable(file, error);
  }
}

/** A transcript whose bytes stay in the file, and are read again when they are asked for. */
function fromFile(file, open, options) {
  const { fd, size } = open;
  const read = (start, end) => {
    try {
      return readAt(fd, Buffer.allocUnsafe(end - start), end - start, start);
    } catch (error) {
      // The module says it in words of its own; that it is the file's fault is known here only.
      open.failed = error;
      throw error;
    }
  };
  const transcript = new Transcript({ ...options, read });
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

/** A transcript out of a stream: its bytes are held. */
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

/** The chunks of a pipe that is open. */
async function* chunksOfPipe(file, fd) {
  try {
    yield* createReadStream("", { fd, autoClose: false });
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Opens a transcript, lets `look` do its work with it, and closes it. */
export async function withTranscript(file, { ids, format }, look) {
  if (ids !== undefined && ids !== "apex" && ids !== "opencode") {
    throw new Complaint(`--ids is apex or opencode, not ${ids}`, 2);
  }
  // `delta` is what the records are, `deltas` what the file is: here, either is understood.
  const options = { ids, format: format === "delta" ? "deltas" : format };
  try {
    new Transcript(options).free();
  } catch (error) {
    throw new Complaint(error.message, 2);
  }
  const open = openFile(file);
  let transcript;
  try {
    if (open?.size !== undefined) transcript = fromFile(file, open, options);
    else {
      const chunks = open ? chunksOfPipe(file, open.fd) : chunksOf(file);
      transcript = await fromStream(file, chunks, options);
    }
    return await look(transcript);
  } catch (error) {
    if (error instanceof ReadError) throw unreadable(file, error);
    if (open?.failed) throw unreadable(file, open.failed);
    if (isApexPartsError(error)) throw new Complaint(`${nameOf(file)}: ${error.message}`, 1);
    throw error;
  } finally {
    transcript?.free();
    if (open) closeSync(open.fd);
  }
}
