import { MOST_FILES } from "../../../../../ts/cli/transcript-files.ts";
import { sourceFromAddress } from "../../../core/page/address";
import type { FoundRun } from "../model/runs";

interface ServedList {
  name: string;
  files: FoundRun[];
  /** There are more than are listed. */
  more: boolean;
  /** How many there are, where that is known. */
  total?: number | undefined;
  /** The folder that they are in, as its server names it. */
  folder?: string | undefined;
}

/** The list of runs at an address of this origin, as `apex-parts view FOLDER` serves one. */
export async function fetchList(url: string): Promise<ServedList> {
  // A redirect must not lead elsewhere.
  const answer = await fetch(url, { mode: "same-origin", redirect: "error" });
  if (!answer.ok) throw new Error(`It could not be fetched: ${answer.status}.`);
  const said: unknown = await answer.json();
  if (!isObject(said) || !Array.isArray(said.files))
    throw new Error("The answer is not a list of files.");
  const files = said.files.slice(0, MOST_FILES).flatMap((file) => runAt(file, url) ?? []);
  const name = typeof said.name === "string" ? said.name : "Runs";
  return {
    name,
    files,
    more: said.more === true || said.files.length > MOST_FILES,
    total: typeof said.total === "number" ? said.total : undefined,
    folder: typeof said.folder === "string" ? said.folder : undefined,
  };
}

/** What the list says of a file; undefined where that is not whole, or leads to another origin. */
function runAt(file: unknown, url: string): FoundRun | undefined {
  if (!isObject(file) || typeof file.path !== "string" || typeof file.address !== "string") {
    return undefined;
  }
  const found = sourceFromAddress(file.address, url);
  if (!found || "error" in found) return undefined;
  const { path, size, modified } = file;
  return { path, size: count(size), modified: count(modified), source: found.source };
}

function count(value: unknown): number {
  return typeof value === "number" && value >= 0 ? value : 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
