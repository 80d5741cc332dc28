// Which files of a folder are of one run. The module says it; here their beginnings are read.
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { basename, relative, sep } from "node:path";
import type { RunFile } from "apex-parts";
import { runFiles } from "apex-parts";
import type { NamedFile } from "./file.ts";
import { isSubAgentFile } from "./transcript-files.ts";

/** The longest beginning of a file that is read: a first line may hold the instructions of a model. */
const LONGEST = 1 << 20;
const CHUNK = 16 << 10;
const LINE_FEED = 10;

/** The first line of a file, or as much of it as is looked at; nothing of one that cannot be read. */
function firstLine(path: string): Buffer {
  let fd: number | undefined;
  try {
    fd = openSync(path, "r");
    const pieces: Buffer[] = [];
    for (let at = 0; at < LONGEST; ) {
      const piece = Buffer.allocUnsafe(CHUNK);
      const read = readSync(fd, piece, 0, CHUNK, at);
      pieces.push(piece.subarray(0, read));
      if (read === 0 || piece.subarray(0, read).includes(LINE_FEED)) break;
      at += read;
    }
    return Buffer.concat(pieces);
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** The bytes of a file; undefined if it cannot be read. */
function bytesOf(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** The file that describes a sub-agent, beside the one with what it did. */
const describing = (path: string) => path.replace(/\.jsonl$/u, ".meta.json");

/** The runs of the files at these paths in a folder: of each its files, first those of the session itself. */
export function runsOfFiles(folder: string, paths: readonly string[]): NamedFile[][] {
  const byName = new Map<string, string>();
  const heads: RunFile[] = [];
  const add = (path: string, bytes: Uint8Array) => {
    const name = relative(folder, path).split(sep).join("/");
    byName.set(name, path);
    heads.push({ path: name, bytes });
  };
  for (const path of paths) {
    add(path, /\.jsonl$/iu.test(path) ? firstLine(path) : Buffer.alloc(0));
    const about = isSubAgentFile(basename(path)) ? bytesOf(describing(path)) : undefined;
    if (about) add(describing(path), about);
  }
  return runFiles(heads).map((names) =>
    names.map((name) => ({ name, path: byName.get(name) ?? name })),
  );
}
