// The file that a command writes.
import { once } from "node:events";
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { CliError, faultOf } from "./output.ts";

/** Whether input and output are the same file, also through a link or a redirection. */
export function isSame(file: string, out: string): boolean {
  const exact = { bigint: true } as const;
  try {
    const a = file === "-" ? fstatSync(0, exact) : statSync(file, exact);
    const b = statSync(out, exact);
    return a.ino === b.ino && a.dev === b.dev && a.isFile();
  } catch {
    return false; // the output does not exist yet
  }
}

/** Small pieces of text are put together up to this length before they are written. */
const BUFFERED = 1 << 16;

/** The pieces, the small ones put together. */
export function* inBlocks(pieces: Iterable<string>): Generator<string> {
  let block = "";
  for (const piece of pieces) {
    block += piece;
    if (block.length < BUFFERED) continue;
    yield block;
    block = "";
  }
  if (block !== "") yield block;
}

const statOf = (path: string) => statSync(path, { throwIfNoEntry: false });

/** Writes pieces of text to a new file beside `path`, which then takes its place. */
function replace(path: string, pieces: Iterable<string | Uint8Array>) {
  const before = statOf(path);
  // A link stays a link: what it leads to is replaced.
  const target = before ? realpathSync(path) : path;
  if (before) accessSync(target, constants.W_OK);
  const temporary = join(dirname(target), `.${crypto.randomUUID()}.tmp`);
  const fd = openSync(temporary, "wx", 0o666);
  try {
    try {
      for (const piece of pieces) writeFileSync(fd, piece);
    } finally {
      closeSync(fd);
    }
    if (before) chmodSync(temporary, before.mode & 0o7777);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

const REASONS: Record<string, string> = {
  EISDIR: "it is a folder",
  ENOENT: "its folder does not exist",
  EACCES: "you have no permission to write it",
  EPERM: "you have no permission to write it",
};

/**
 * Writes pieces of text to a file, whole or not at all; to standard output if there is none, or to what is not a plain
 * file (a pipe, a device), as they come.
 */
export async function writeWhole(
  out: string | undefined,
  pieces: Iterable<string | Uint8Array>,
): Promise<void> {
  if (out === undefined || out === "-") {
    for (const piece of pieces) {
      if (!process.stdout.write(piece)) await once(process.stdout, "drain");
    }
    return;
  }
  try {
    const before = statOf(out);
    if (before?.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    if (before === undefined || before.isFile()) {
      replace(out, pieces);
      return;
    }
    const fd = openSync(out, "w");
    try {
      for (const piece of pieces) writeFileSync(fd, piece);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const { code, message } = faultOf(error);
    if (code === undefined) throw error;
    throw new CliError(`${out}: ${REASONS[code] ?? message}`, 2);
  }
}
