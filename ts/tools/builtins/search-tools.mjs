// web-search and code-search over the search provider of the host.

import { isPermissionError, messageOf } from "../errors.ts";
import { Expected } from "../expected.ts";
import { define } from "./define.ts";

const RESULTS = 8;
const MOST_RESULTS = 20;
/** About as many characters make a token. */
const CHARACTERS = 4;
const LEAST_TOKENS = 100;
const MOST_TOKENS = 50_000;

const textOf = (value) => (typeof value === "string" ? value.trim() : "");

/** What a provider found, at most `limit`; what has neither title, URL nor text is nothing. */
async function found(provider, query, limit, abort) {
  let given;
  try {
    given = await provider.search(query, { limit, abort });
  } catch (error) {
    if (abort?.aborted || isPermissionError(error)) throw error;
    throw new Expected(`The search failed: ${messageOf(error) || "without saying why"}`);
  }
  if (!Array.isArray(given)) throw new Expected("The search failed: it gave no list of results.");
  return given
    .map((entry) => ["title", "url", "text"].map((name) => textOf(entry?.[name])))
    .filter((lines) => lines.some((line) => line !== ""))
    .slice(0, limit);
}

/** The results as numbered entries: title, URL, text. */
function listed(entries) {
  return entries.map((lines, i) => {
    const [head, ...rest] = lines.filter((line) => line !== "");
    return [`${i + 1}. ${head}`, ...rest].join("\n");
  });
}

/** As many whole entries as fit, and the beginning of the first if it alone does not. */
function fitting(entries, characters) {
  let left = characters;
  const kept = entries.filter((entry) => {
    left -= entry.length;
    return left >= 0;
  });
  if (kept.length > 0 || entries.length === 0) return kept;
  // Not in the middle of a surrogate pair.
  return [entries[0].slice(0, characters).replace(/[\ud800-\udbff]$/, "")];
}

async function search(
  provider,
  context,
  { permission, title, query: given, limit, tokens, about },
) {
  const query = given.trim();
  if (query === "") throw new Expected("The query is empty. Say what to search for.");
  const metadata = { query, ...about };
  await context.ask({ permission, patterns: [query], always: ["*"], metadata });
  const entries = listed(await found(provider, query, limit, context.abort));
  const kept = tokens === undefined ? entries : fitting(entries, tokens * CHARACTERS);
  const omitted = entries.length - kept.length;
  const note = omitted === 0 ? [] : [`(${omitted} more left out: give a larger tokensNum.)`];
  return {
    title: `${title}: ${query}`,
    output: entries.length === 0 ? "Nothing found." : [...kept, ...note].join("\n\n"),
    metadata: { query, results: entries.length },
  };
}

const QUERY = { type: "string", description: "What to search for" };

export const webSearchTool = (host) =>
  define("web-search", {
    description: "Searches the web. Gives the title, the URL and a text of each result.",
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
      search(host.search, context, {
        permission: "websearch",
        title: "Web search",
        query,
        limit,
        about: { numResults: limit },
      }),
  });

export const codeSearchTool = (host) =>
  define("code-search", {
    description:
      "Searches documentation and examples of libraries, interfaces and tools. Gives the title, the URL and a text of each result.",
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
      search(host.codeSearch, context, {
        permission: "codesearch",
        title: "Code search",
        query,
        limit: RESULTS,
        tokens,
        about: tokens === undefined ? {} : { tokensNum: tokens },
      }),
  });
