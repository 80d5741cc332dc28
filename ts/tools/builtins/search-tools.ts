// web-search and code-search over the search provider of the host.
import type { JSONSchema, Tool } from "apex-parts:glue";
import type { RunContext } from "../context.ts";
import { isPermissionError, messageOf } from "../errors.ts";
import { Expected } from "../expected.ts";
import { define } from "./define.ts";
import type { Host, SearchProvider } from "./types.ts";

const RESULTS = 8;
const MOST_RESULTS = 20;
/** About as many characters make a token. */
const CHARACTERS = 4;
const LEAST_TOKENS = 100;
const MOST_TOKENS = 50_000;

const textOf = (value: unknown) => (typeof value === "string" ? value.trim() : "");

/** The lines of a result: title, URL, text. */
type Result = string[];

/** What a provider found, at most `limit`; what has neither title, URL nor text is nothing. */
async function resultsOf(
  provider: SearchProvider,
  query: string,
  limit: number,
  abort: Tool.Abort,
): Promise<Result[]> {
  // Whatever a provider gives.
  let given: unknown;
  try {
    given = await provider.search(query, { limit, abort });
  } catch (error) {
    if (abort?.aborted || isPermissionError(error)) throw error;
    throw new Expected(`The search failed: ${messageOf(error) || "without saying why"}`);
  }
  if (!Array.isArray(given))
    throw new Expected("The search failed: it did not return a list of results.");
  return given
    .map((entry: Record<string, unknown> | null | undefined) =>
      ["title", "url", "text"].map((name) => textOf(entry?.[name])),
    )
    .filter((lines) => lines.some((line) => line !== ""))
    .slice(0, limit);
}

/** The results as numbered entries. */
function entriesOf(results: Result[]) {
  return results.map((lines, i) => {
    const [head, ...rest] = lines.filter((line) => line !== "");
    return [`${i + 1}. ${head}`, ...rest].join("\n");
  });
}

/** As many whole entries as fit, and the beginning of the first if it alone does not. */
function fitting(entries: string[], characters: number) {
  let left = characters;
  const kept = entries.filter((entry) => {
    left -= entry.length;
    return left >= 0;
  });
  const [first] = entries;
  if (kept.length > 0 || first === undefined) return kept;
  // Not in the middle of a surrogate pair.
  return [first.slice(0, characters).replace(/[\ud800-\udbff]$/, "")];
}

/** A search, and how it is shown. */
interface Request {
  permission: string;
  title: string;
  query: string;
  limit: number;
  /** About how many the results may have together. */
  tokens?: number | undefined;
  /** What a permission is asked with beside the query. */
  about: Tool.Metadata;
}

async function search(
  provider: SearchProvider,
  context: RunContext,
  { permission, title, query: given, limit, tokens, about }: Request,
): Promise<Tool.Result> {
  const query = given.trim();
  if (query === "") throw new Expected("The query is empty. Say what to search for.");
  const metadata = { query, ...about };
  await context.ask({ permission, patterns: [query], always: ["*"], metadata });
  const entries = entriesOf(await resultsOf(provider, query, limit, context.abort));
  const kept = tokens === undefined ? entries : fitting(entries, tokens * CHARACTERS);
  const omitted = entries.length - kept.length;
  const note = omitted === 0 ? [] : [`(${omitted} more left out: give a larger tokensNum.)`];
  return {
    title: `${title}: ${query}`,
    output: entries.length === 0 ? "Nothing found." : [...kept, ...note].join("\n\n"),
    metadata: { query, results: entries.length },
  };
}

const QUERY: JSONSchema = { type: "string", description: "What to search for" };

/** For a host that has `search`. */
export const webSearchTool = (host: Host): Tool.Info =>
  define<{ query: string; numResults?: number }>("web-search", {
    description: "Searches the web. Returns title, URL and text of each result.",
    parameters: {
      type: "object",
      properties: {
        query: QUERY,
        numResults: {
          type: "integer",
          minimum: 1,
          maximum: MOST_RESULTS,
          default: RESULTS,
          description: `The most results: ${RESULTS} unless given, at most ${MOST_RESULTS}`,
        },
      },
      required: ["query"],
    },
    execute: ({ query, numResults: limit = RESULTS }, context) =>
      // A cast: only such a host has the tool.
      search(host.search as SearchProvider, context, {
        permission: "websearch",
        title: "Web search",
        query,
        limit,
        about: { numResults: limit },
      }),
  });

/** For a host that has `codeSearch`. */
export const codeSearchTool = (host: Host): Tool.Info =>
  define<{ query: string; tokensNum?: number }>("code-search", {
    description:
      "Searches documentation and examples of libraries, interfaces and tools. Returns title, URL and text of each result.",
    parameters: {
      type: "object",
      properties: {
        query: QUERY,
        tokensNum: {
          type: "integer",
          minimum: LEAST_TOKENS,
          maximum: MOST_TOKENS,
          description: "About how many tokens the results may have together",
        },
      },
      required: ["query"],
    },
    execute: ({ query, tokensNum: tokens }, context) =>
      // A cast: only such a host has the tool.
      search(host.codeSearch as SearchProvider, context, {
        permission: "codesearch",
        title: "Code search",
        query,
        limit: RESULTS,
        tokens,
        about: tokens === undefined ? {} : { tokensNum: tokens },
      }),
  });
