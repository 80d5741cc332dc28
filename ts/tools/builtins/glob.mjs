// glob: the files whose paths match a pattern, newest first.
import { Expected } from "../expected.ts";
import { truncated } from "../output.ts";
import { define } from "./define.ts";
import { readableBelow, withheldNote } from "./denials.ts";
import { failed } from "./failures.ts";
import { below, titleOf } from "./paths.ts";
import { logUnusable, Ripgrep, UnusableError } from "./ripgrep.mjs";
import { askToSearch, assertSearched, FileGlob, missing } from "./search-path.mjs";
import { Walk } from "./walk.mjs";

const MOST = 100;
const TIMEOUT = 120_000;
/** The files that are looked at at once. */
const AT_ONCE = 32;

const DESCRIPTION = `Finds files by a pattern of their paths, newest first, at most ${MOST}.
- The pattern is that of a line of .gitignore: *.ts (at any depth), src/**/*.{ts,tsx}, /*.md (only in path), [a-z], ?, !x.
- Ignored files and .git are left out, hidden directories are not entered; to search in one, give it as path.
- Use grep to find files by what is in them.`;

const PARAMETERS = {
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

/** Calls `onPath` with each file below a directory. */
async function eachFile(host, { root, id }, abort, onPath) {
  const ripgrep = Ripgrep.of(host);
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

const byAge = (a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

/** The newest files of a list, and how many are there. */
async function newest(host, root, paths, abort) {
  let files = [];
  let total = 0;
  let next = 0;
  const look = async () => {
    while (next < paths.length) {
      const path = paths[next++];
      abort?.throwIfAborted?.();
      let stat;
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

async function find(host, glob, { root, id }, isReadable, abort) {
  const paths = new Set();
  const literal = new Set();
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

function outputOf(place, { files, total, isComplete, withheld }) {
  const lines = files.map(({ path }) => below(place.path, path));
  if (files.length === 0) lines.push("No files match.");
  if (total > files.length) {
    lines.push("", `(First ${files.length} of ${total}. Narrow the pattern or path.)`);
  }
  if (!isComplete) lines.push("", "(Some directories could not be read.)");
  if (withheld > 0) lines.push("", withheldNote(withheld));
  return lines.join("\n");
}

export const globTool = (host) =>
  define("glob", {
    description: DESCRIPTION,
    parameters: PARAMETERS,
    timeoutMs: TIMEOUT,
    async execute(args, context) {
      const searchedIn = await askToSearch(host, context, "glob", args);
      const found = await searchFor(host, context, args.pattern, searchedIn);
      return resultOf(host, context, searchedIn.place, found);
    },
  });

async function searchFor(host, context, pattern, searchedIn) {
  const { place, kind, id } = searchedIn;
  if (kind === undefined) throw await missing(host, place, "directory");
  if (kind !== "directory") {
    throw new Expected(
      `${place.path} is a file, not a directory. Give its directory as path, or read it.`,
    );
  }
  const glob = new FileGlob(pattern, { place, name: "pattern" });
  try {
    const isReadable = readableBelow(context, place);
    const found = await find(host, glob, { root: place.real, id }, isReadable, context.abort);
    await assertSearched(host, searchedIn);
    return found;
  } catch (error) {
    throw failed(error, place.path, "read");
  } finally {
    glob.free();
  }
}

async function resultOf(host, { sessionID, callID, ...context }, place, found) {
  const output = outputOf(place, found);
  const about = { sessionID, callID, tool: "glob" };
  const cut = await truncated(output, undefined, host.store ?? context.store, about);
  const { files, total, withheld } = found;
  const metadata = { count: files.length, total, truncated: total > files.length };
  if (withheld > 0) metadata.withheld = withheld;
  return {
    title: titleOf(host, place.path),
    output: cut?.output ?? output,
    metadata: { ...metadata, ...cut?.metadata },
  };
}
