// glob: the files whose paths match a pattern, newest first.
import type { JSONSchema, Tool } from "apex-parts:glue";
import type { RunContext } from "../context.ts";
import { Expected } from "../expected.ts";
import { truncated } from "../output.ts";
import { define } from "./define.ts";
import { readableBelow, withheldNote } from "./denials.ts";
import { failed } from "./failures.ts";
import { below, type Place, titleOf } from "./paths.ts";
import { logUnusable, Ripgrep, UnusableError } from "./ripgrep.ts";
import { askToSearch, assertSearched, FileGlob, missing, type SearchPlace } from "./search-path.ts";
import type { FileStat, Host } from "./types.ts";
import { Walk } from "./walk.ts";

const MOST = 100;
const TIMEOUT = 120_000;
/** The files that are looked at at once. */
const AT_ONCE = 32;

const DESCRIPTION = `Finds files by a pattern of their paths, newest first, at most ${MOST}.
- The pattern is that of a line of .gitignore: *.ts (at any depth), src/**/*.{ts,tsx}, /*.md (only in path), [a-z], ?, !x.
- Ignored files and .git are left out, hidden directories are not entered; to search in one, give it as path.
- Use grep to find files by what is in them.`;

const PARAMETERS: JSONSchema = {
  type: "object",
  properties: {
    pattern: { type: "string", description: "The pattern of the paths, as **/*.ts." },
    path: {
      type: "string",
      description: "The directory to search; the working directory unless given.",
    },
  },
  required: ["pattern"],
  additionalProperties: false,
};

interface GlobArgs {
  pattern: string;
  path?: string;
}

/** The directory that is searched, by its real path. */
interface Root {
  root: string;
  id: string | undefined;
}

/** A file that is listed. */
interface ListedFile {
  path: string;
  mtimeMs: number;
}

/** What is listed. */
interface Listing {
  /** The newest first. */
  files: ListedFile[];
  total: number;
  /** Whether all directories could be read. */
  isComplete: boolean;
  /** How many files are not listed because they may not be read. */
  withheld: number;
}

/** Calls `onPath` with each file below a directory. */
async function eachFile(
  host: Host,
  { root, id }: Root,
  abort: Tool.Abort,
  onPath: (path: string) => void,
) {
  const ripgrep = Ripgrep.from(host);
  if (ripgrep !== undefined) {
    try {
      return await ripgrep.files(root, { abort, onPath });
    } catch (error) {
      if (!(error instanceof UnusableError)) throw error;
      logUnusable(error);
    }
  }
  const walk = new Walk(host.fs, root, { id, entersHidden: false, abort });
  for await (const paths of walk) paths.forEach(onPath);
  return !walk.isIncomplete;
}

const byAge = (a: ListedFile, b: ListedFile) =>
  b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

/** The newest files of a list, and how many are there. */
async function newest(host: Host, root: string, paths: string[], abort: Tool.Abort) {
  let files: ListedFile[] = [];
  let total = 0;
  let next = 0;
  const look = async () => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      abort?.throwIfAborted?.();
      let stat: FileStat;
      try {
        stat = await host.fs.lstat(below(root, path));
      } catch {
        // It is gone.
        continue;
      }
      total++;
      files.push({ path, mtimeMs: stat.mtimeMs });
      if (files.length >= MOST * 100) files = files.sort(byAge).slice(0, MOST);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, look));
  return { files: files.sort(byAge).slice(0, MOST), total };
}

async function find(
  host: Host,
  glob: FileGlob,
  { root, id }: Root,
  isReadable: ((path: string) => boolean) | undefined,
  abort: Tool.Abort,
): Promise<Listing> {
  const paths = new Set<string>();
  const literal = new Set<string>();
  const isComplete = await eachFile(host, { root, id }, abort, (path) => {
    if (glob.lists(path)) paths.add(path);
    else if (glob.hasLiteral && glob.listsLiterally(path)) literal.add(path);
  });
  const all = [...(paths.size > 0 ? paths : literal)];
  if (all.length === 0) glob.checkNothingFound();
  const list = isReadable ? all.filter(isReadable) : all;
  const withheld = all.length - list.length;
  return { ...(await newest(host, root, list, abort)), isComplete, withheld };
}

function outputOf(place: Place, { files, total, isComplete, withheld }: Listing) {
  const lines = files.map(({ path }) => below(place.path, path));
  if (files.length === 0) lines.push("No files match.");
  if (total > files.length) {
    lines.push("", `(First ${files.length} of ${total}. Narrow the pattern or path.)`);
  }
  if (!isComplete) lines.push("", "(Some directories could not be read.)");
  if (withheld > 0) lines.push("", withheldNote(withheld));
  return lines.join("\n");
}

export const globTool = (host: Host): Tool.Info =>
  define<GlobArgs>("glob", {
    description: DESCRIPTION,
    parameters: PARAMETERS,
    timeoutMs: TIMEOUT,
    async execute(args, context) {
      const target = await askToSearch(host, context, "glob", args);
      const listing = await searchFor(host, context, args.pattern, target);
      return resultOf(host, context, target.place, listing);
    },
  });

async function searchFor(host: Host, context: RunContext, pattern: string, target: SearchPlace) {
  const { place, kind, id } = target;
  if (kind === undefined) throw await missing(host, place, "directory");
  if (kind !== "directory") {
    throw new Expected(
      `${place.path} is a file, not a directory. Give its directory as path, or read it.`,
    );
  }
  const glob = new FileGlob(pattern, { place, name: "pattern" });
  try {
    const isReadable = readableBelow(context, place);
    const listing = await find(host, glob, { root: place.real, id }, isReadable, context.abort);
    await assertSearched(host, target);
    return listing;
  } catch (error) {
    throw failed(error, place.path, "read");
  } finally {
    glob.free();
  }
}

async function resultOf(
  host: Host,
  { sessionID, callID, store }: RunContext,
  place: Place,
  listing: Listing,
): Promise<Tool.Result> {
  const output = outputOf(place, listing);
  const about = { sessionID, callID, tool: "glob" };
  const cut = await truncated(output, undefined, host.store ?? store, about);
  const { files, total, withheld } = listing;
  const metadata: Tool.Metadata = {
    count: files.length,
    total,
    truncated: total > files.length,
  };
  if (withheld > 0) metadata.withheld = withheld;
  return {
    title: titleOf(host, place.path),
    output: cut?.output ?? output,
    metadata: { ...metadata, ...cut?.metadata },
  };
}
