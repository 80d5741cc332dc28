// grep: the lines of files that match an expression.
import type { JSONSchema, Tool } from "apex-parts:glue";
import type { RunContext } from "../context.ts";
import { messageOf } from "../errors.ts";
import { Expected } from "../expected.ts";
import { ExpressionError } from "../pattern/nodes.ts";
import { define } from "./define.ts";
import { readableBelow, withheldNote } from "./denials.ts";
import { LineEndError } from "./expression.ts";
import { codeOf, failed } from "./failures.ts";
import { FoundLines } from "./found-lines.ts";
import { resultOf } from "./found-text.ts";
import { type Line, LineSearch } from "./line-search.ts";
import { Matcher } from "./matcher.ts";
import { searchFiles } from "./own-search.ts";
import { nameOf, type Place, parentOf } from "./paths.ts";
import { type LineOptions, logUnusable, RefusedError, Ripgrep, UnusableError } from "./ripgrep.ts";
import {
  askToSearch,
  assertSearched,
  FileGlob,
  missing,
  nameGlob,
  type SearchPlace,
} from "./search-path.ts";
import type { Host } from "./types.ts";
import { Walk } from "./walk.ts";

const LIMIT = 100;
const MOST_LINES = 10_000;
const TIMEOUT = 120_000;
/** The paths for one more round, where files turn out to have nothing to show. */
const BATCH = 50;
/** The files that come first. */
const FIRST = 300;

const DESCRIPTION = `Searches the text of files for lines that match a regular expression, sorted by path.
- The syntax is that of Rust (ripgrep): log.*Error, fn\\s+\\w+, (?i)todo. Write \\( \\{ \\[ for the characters themselves. No look-around, no backreferences; a match is within one line.
- Hidden files are searched; ignored and binary ones and .git are not.
- Use include to search only some files, as *.ts or src/**/*.{js,ts}, and context for the lines around a match.`;

const PARAMETERS: JSONSchema = {
  type: "object",
  properties: {
    pattern: { type: "string", description: "The regular expression to find in lines." },
    path: {
      type: "string",
      description: "The directory or file to search; the working directory unless given.",
    },
    include: { type: "string", description: "Search only files that this pattern matches: *.ts." },
    ignoreCase: { type: "boolean", description: "Whether upper and lower case are the same." },
    context: {
      type: "integer",
      minimum: 0,
      maximum: 10,
      description: "How many lines to show before and after each match.",
    },
    limit: {
      type: "integer",
      minimum: 1,
      description: `The most matches to show, ${LIMIT} unless given.`,
    },
  },
  required: ["pattern"],
  additionalProperties: false,
};

interface GrepArgs {
  pattern: string;
  path?: string;
  include?: string;
  ignoreCase?: boolean;
  context?: number;
  limit?: number;
}

/** Whether a search goes over a file, by its path below the directory. */
type Keeps = (path: string) => boolean;

/** What was found, and by which engine. */
interface Outcome {
  engine: "rg" | "js";
  result: FoundLines;
}

/** What ripgrep is called with. */
interface RipgrepOptions extends LineOptions {
  keeps: Keeps;
  onFile: (path: string, lines: Line[]) => boolean;
}

const AROUND =
  "Look-around, as (?=…) or (?<!…), is not supported. Search for the text itself, and look at the lines around it with context.";

/** What the model is told of a pattern that is refused. */
function refusal(pattern: string, message: string) {
  const reason = message.replace(/^rg: /, "").replace(/\n\nConsider [\s\S]*$/, "");
  if (/look-around/.test(reason)) return new Expected(AROUND);
  const isEscapable = /(?<!\\)(?:\\\\)*[({]/.test(pattern);
  const hint = isEscapable ? "\nTo find ( or { itself, escape it: \\( or \\{." : "";
  return new Expected(`${reason}${hint}`);
}

/** The same for an expression that the search without ripgrep cannot read; as ripgrep writes it. */
function refusalOf(pattern: string, { message, at, end }: ExpressionError) {
  const marks = " ".repeat([...pattern.slice(0, at)].length) + "^".repeat(Math.max(1, end - at));
  return refusal(pattern, `regex parse error:\n    ${pattern}\n    ${marks}\nerror: ${message}`);
}

/** What the model is told of a pattern that an engine does not take; undefined for another error. */
function refusedBy(error: unknown, pattern: string) {
  if (error instanceof ExpressionError) return refusalOf(pattern, error);
  if (!(error instanceof RefusedError) || isAcross(error)) return undefined;
  return refusal(pattern, error.message);
}

/** Whether an expression is refused because it matches line ends: then nothing matches. */
const isAcross = (error: unknown) => /is not allowed in a regex/.test(messageOf(error));

/** Rejects for a pattern that no line can match, before anybody is asked. */
function assertPattern(pattern: string) {
  if (pattern === "") throw new Expected("The pattern is empty. Give what to search for.");
  if (pattern.includes("\0"))
    throw new Expected("The pattern has a NUL character, which no text has.");
}

/** One call: what is searched, how, and what was found. */
class Search {
  #host: Host;
  #args: GrepArgs;
  #place: Place;
  #isFile: boolean;
  #id: string | undefined;
  #glob: FileGlob | undefined;
  #abort: Tool.Abort;
  #context: number;
  #limit: number;
  /** Whether a file may be read; undefined if all may. */
  #isReadable: Keeps | undefined;
  /** How many files were not searched because they may not be read. */
  withheld = 0;
  /** A single file that was not searched. */
  isBinary = false;

  constructor(host: Host, args: GrepArgs, { place, kind, id }: SearchPlace, context: RunContext) {
    const { abort } = context;
    this.#host = host;
    this.#args = args;
    this.#place = place;
    this.#isFile = kind === "file";
    this.#id = id;
    this.#abort = abort;
    this.#context = args.context ?? 0;
    this.#limit = Math.min(args.limit ?? LIMIT, MOST_LINES);
    // A file that is named is searched, whatever else is said.
    const { include } = args;
    if (include && !this.#isFile) this.#glob = new FileGlob(include, { place, name: "include" });
    // A single file that may not be read was refused.
    if (!this.#isFile) this.#isReadable = readableBelow(context, place);
  }

  get limit(): number {
    return this.#limit;
  }

  /** The directory to search in. */
  get #root() {
    return this.#isFile ? parentOf(this.#place.real) : this.#place.real;
  }

  /** What was found, and by which engine. */
  async run(): Promise<Outcome> {
    const ripgrep = Ripgrep.from(this.#host);
    if (ripgrep !== undefined) {
      try {
        const result = await this.#filtered((keeps) => this.#with(ripgrep, keeps));
        return { engine: "rg", result };
      } catch (error) {
        if (!(error instanceof UnusableError)) throw error;
        logUnusable(error);
      }
    }
    const matcher = new Matcher(this.#args.pattern, this.#args);
    const result = await this.#filtered((keeps) => this.#without(matcher, keeps));
    return { engine: "js", result };
  }

  free(): void {
    this.#glob?.free();
  }

  /** A search in the files that `include` takes; if it finds nothing, in those that it names literally. */
  async #filtered(search: (keeps: Keeps) => Promise<FoundLines>) {
    const glob = this.#glob;
    if (glob === undefined) return this.#readable(search, () => true);
    const result = await this.#readable(search, (path) => glob.takes(path));
    if (result.matches > 0 || !glob.hasLiteral) return result;
    const literal = await this.#readable(search, (path) => glob.takesLiterally(path));
    if (literal.matches === 0) glob.checkNothingFound();
    return literal;
  }

  /** A search in those of the files that may be read. */
  async #readable(search: (keeps: Keeps) => Promise<FoundLines>, takes: Keeps) {
    const isReadable = this.#isReadable;
    if (isReadable === undefined) return search(takes);
    // All of them count, whether they have a match or not: that would tell what is in them.
    this.withheld = 0;
    await this.#eachFile((path) => {
      if (takes(path) && !isReadable(path)) this.withheld++;
    });
    return search((path) => takes(path) && isReadable(path));
  }

  async #eachFile(onPath: (path: string) => void) {
    const ripgrep = Ripgrep.from(this.#host);
    try {
      if (ripgrep !== undefined) {
        await ripgrep.files(this.#root, { entersHidden: true, abort: this.#abort, onPath });
        return;
      }
    } catch (error) {
      if (!(error instanceof UnusableError)) throw error;
      this.withheld = 0;
    }
    for await (const paths of this.#walk(this.#abort)) paths.forEach(onPath);
  }

  #newResult() {
    return new FoundLines(this.#limit, this.#context);
  }

  async #with(ripgrep: Ripgrep, keeps: Keeps) {
    const { pattern, ignoreCase, include } = this.#args;
    const result = this.#newResult();
    const options: RipgrepOptions = {
      pattern,
      ignoreCase,
      type: include && !this.#isFile ? nameGlob(include) : undefined,
      keeps,
      context: this.#context,
      most: result.most,
      abort: this.#abort,
      onFile: (path, lines) => result.add(path, lines),
    };
    if (!this.#isFile) return this.#below(ripgrep, result, options);
    const name = nameOf(this.#place.real);
    result.isIncomplete = !(await ripgrep.lines(this.#root, [name], options));
    if (result.matches === 0) await this.#lookWhetherBinary();
    return result;
  }

  /** The search of a directory. */
  async #below(ripgrep: Ripgrep, result: FoundLines, options: RipgrepOptions) {
    const few = await ripgrep.few(this.#root, options);
    if (few !== undefined) {
      for (const { path, lines } of few.files) result.add(path, lines);
      result.isIncomplete = !few.isComplete;
      return result;
    }
    // Its threads give files in any order. Where there is so much, those that come first are soon found by hand;
    // if they have not enough, all that match are listed first.
    const first = await this.#inFirstFiles(ripgrep, options);
    if (first.isTruncated) return first;
    const { paths, isComplete } = await ripgrep.filesWithMatches(this.#root, options);
    while (paths.length > 0 && !result.isTruncated) {
      const some = paths.splice(0, this.#limit - result.matches + 1 + BATCH);
      const isWhole = await ripgrep.lines(this.#root, some, { ...options, type: undefined });
      if (!isWhole) result.isIncomplete = true;
    }
    if (!isComplete) result.isIncomplete = true;
    return result;
  }

  /** The search of the files that come first. */
  async #inFirstFiles(ripgrep: Ripgrep, options: RipgrepOptions) {
    const result = this.#newResult();
    const paths: string[] = [];
    const { keeps, abort } = options;
    for await (const list of this.#walk(abort)) {
      paths.push(...list.filter(keeps).slice(0, FIRST - paths.length));
      if (paths.length >= FIRST) break;
    }
    const onFile = (path: string, lines: Line[]) => result.add(path, lines);
    await ripgrep.lines(this.#root, paths, { ...options, type: undefined, onFile });
    return result;
  }

  #walk(abort: Tool.Abort) {
    return new Walk(this.#host.fs, this.#root, { id: this.#id, entersHidden: true, abort });
  }

  async #without(matcher: Matcher, keeps: Keeps) {
    const result = this.#newResult();
    const root = this.#root;
    const { fs } = this.#host;
    const abort = this.#abort;
    const walk = this.#isFile ? undefined : this.#walk(abort);
    const all = walk ?? [[nameOf(this.#place.real)]];
    const lists = (async function* () {
      for await (const paths of all) yield paths.filter(keeps);
    })();
    const fullPath = (path: string) => (root === "/" ? `/${path}` : `${root}/${path}`);
    const context = this.#context;
    const id = this.#isFile ? this.#id : undefined;
    const options = { fullPath, isSingle: this.#isFile, id, matcher, result, context, abort };
    const isBinary = await searchFiles(fs, lists, options);
    if (this.#isFile) this.isBinary = isBinary;
    if (walk?.isIncomplete) result.isIncomplete = true;
    return result;
  }

  /** ripgrep does not tell of a binary file in which it found nothing. */
  async #lookWhetherBinary() {
    const search = new LineSearch(new Matcher("x"), { most: 1 });
    try {
      for await (const bytes of this.#host.fs.read(this.#place.real)) {
        search.push(bytes);
        search.finish();
        break;
      }
    } catch {
      // That it could not be read is known.
    }
    this.isBinary = search.isBinary;
  }
}

/** What finds a match in a line that is cut; undefined for an expression that only ripgrep reads. */
function locator({ pattern, ignoreCase }: GrepArgs) {
  try {
    return new Matcher(pattern, { ignoreCase });
  } catch {
    return undefined;
  }
}

export const grepTool = (host: Host): Tool.Info =>
  define<GrepArgs>("grep", {
    description: DESCRIPTION,
    parameters: PARAMETERS,
    timeoutMs: TIMEOUT,
    async execute(args, context) {
      const { pattern } = args;
      assertPattern(pattern);
      const target = await askToSearch(host, context, "grep", args);
      const { place, kind } = target;
      if (kind === undefined) throw await missing(host, place, "file or directory");
      if (kind !== "file" && kind !== "directory") {
        throw new Expected(`${place.path} is neither a file nor a directory.`);
      }
      const search = new Search(host, args, target, context);
      const notes: string[] = [];
      let outcome: Outcome;
      try {
        outcome = await search.run();
        await assertSearched(host, target);
      } catch (error) {
        const refused = refusedBy(error, pattern);
        if (refused !== undefined) throw refused;
        if (codeOf(error) !== undefined) throw failed(error, place.path, "read");
        if (!isAcross(error) && !(error instanceof LineEndError)) throw error;
        const engine = error instanceof RefusedError ? "rg" : "js";
        outcome = { engine, result: new FoundLines(search.limit, 0) };
        notes.push(
          "(A match is within one line: no line has the line end that the pattern names.)",
        );
      } finally {
        search.free();
      }
      if (search.isBinary && outcome.result.matches === 0)
        notes.push(`(${place.path} is binary; it was not searched.)`);
      const { withheld } = search;
      if (withheld > 0) notes.push(withheldNote(withheld));
      const root = kind === "file" ? parentOf(place.path) : place.path;
      const { sessionID, callID } = context;
      return resultOf(outcome.result, outcome.engine, {
        pattern,
        notes,
        limit: search.limit,
        withheld,
        absolute: (path) => (kind === "file" ? place.path : `${root === "/" ? "" : root}/${path}`),
        matcher: locator(args),
        store: host.store ?? context.store,
        about: { sessionID, callID, tool: "grep" },
      });
    },
  });
