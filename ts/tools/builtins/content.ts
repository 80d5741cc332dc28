// What is at a place, and what is in a file: in pieces, with the hash of all of it.
import type { RunContext } from "../context.ts";
import { Expected } from "../expected.ts";
import { type Action, failed, isMissing, moved, stoppedError } from "./failures.ts";
import { ContentHash } from "./hash.ts";
import { located, type Place } from "./paths.ts";
import type { FileStat, Host } from "./types.ts";

type Where = Pick<Place, "path" | "real">;
type Stopping = Pick<RunContext, "abort">;

/** The largest file that is held as a whole. */
const LARGEST = 32 * 1024 * 1024;

/** What is there, links followed; undefined if nothing is. */
export async function statOf({ fs }: Host, { path, real }: Where): Promise<FileStat | undefined> {
  try {
    return await fs.stat(real);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw failed(error, path, "read");
  }
}

/** Rejects if a place is not where it was when permission was asked. */
export async function assertUnmoved(host: Host, place: Where, action: Action): Promise<void> {
  const now = await located(host, place.path);
  if (now.real !== place.real) throw moved(place.path, action);
}

/** How an operation is told which file is meant; not every host tells which file a file is. */
export const sameAs = (stat: FileStat | undefined): { id: string } | undefined =>
  stat?.id === undefined ? undefined : { id: stat.id };

/** The pieces of the file at a place, of which `stat` tells which one it is. */
export async function* piecesOf(
  { fs }: Host,
  { path, real }: Where,
  stat: FileStat | undefined,
  { abort }: Stopping,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of fs.read(real, sameAs(stat))) {
      if (abort.aborted) throw stoppedError();
      yield piece;
    }
  } catch (error) {
    throw failed(error, path, "read");
  }
}

/** The hash of the file at a place. */
export async function hashAt(
  host: Host,
  place: Where,
  stat: FileStat | undefined,
  context: Stopping,
): Promise<string> {
  const hash = new ContentHash();
  for await (const piece of piecesOf(host, place, stat, context)) hash.push(piece);
  return hash.value;
}

/** Pieces as one. */
export function joined(pieces: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** What is in a file. */
export interface Content {
  hash: string;
  size: number;
  /** Undefined if there are too many. */
  bytes: Uint8Array | undefined;
}

/** What is in the file at a place. */
export async function contentAt(
  host: Host,
  place: Where,
  stat: FileStat | undefined,
  context: Stopping,
): Promise<Content> {
  const hash = new ContentHash();
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of piecesOf(host, place, stat, context)) {
    hash.push(piece);
    size += piece.length;
    if (size > LARGEST) pieces = [];
    else pieces.push(piece);
  }
  const isWhole = size <= LARGEST;
  return { hash: hash.value, size, bytes: isWhole ? joined(pieces) : undefined };
}

/** The error for a file that is too large to be held as a whole. */
export const tooLarge = ({ path }: Where, size: number): Expected =>
  new Expected(
    `${path} is larger than ${LARGEST / 1024 / 1024} MiB (${size} bytes): too large for this tool. Use bash.`,
  );
