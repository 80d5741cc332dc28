// tools/list of a server: all pages, in bounded time and number.
import type { Problem } from "apex-parts:glue";
import { problem } from "../problem.ts";
import { isObject } from "../tools/boundary.ts";
import { deferred } from "../tools/deferred.ts";
import { messageOf } from "../tools/errors.ts";
import type { Server } from "./options.ts";
import type { McpClientLike } from "./types.ts";

const MOST_PAGES = 1000;
/** An array may claim any length. */
const MOST_TOOLS = 1_000_000;

/** A page, or the error of the time that is over. */
async function page(
  { client, timeout, maxTotalTimeout }: Server,
  cursor: string | undefined,
  signal: AbortSignal,
  end: number,
) {
  // A client of v2 can be asked for one page.
  const own: McpClientLike & { request?(params: object, options: object): unknown } = client;
  const { promise, resolve, reject } = deferred<unknown>();
  // One signal a request: v1 leaves its listener on it.
  const request = new AbortController();
  const stop = (error: unknown) => {
    reject(error);
    request.abort(error);
  };
  const onAbort = () => stop(signal.reason);
  const left = Math.min(timeout, Math.max(1, end - performance.now()));
  const timer = setTimeout(() => stop(new Error("it sent no list in time")), left);
  try {
    signal.addEventListener("abort", onAbort);
    const params = cursor === undefined ? {} : { cursor };
    // v2 keeps lists, and must not give an old one.
    const options = { signal: request.signal, timeout, maxTotalTimeout, cacheMode: "refresh" };
    Promise.resolve(own.listTools?.(params, options))
      .catch((error) => {
        // v2 asks for all pages at once, and of more than 64 it gives none: then each is asked for by itself.
        if (error?.code !== "LIST_PAGINATION_EXCEEDED") throw error;
        return own.request?.({ method: "tools/list", params }, options);
      })
      .then(resolve, reject);
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

/** Adds the tools of a page; gives the cursor of the next. Throws if it is no page. */
function read(answer: unknown, tools: unknown[]): { nextCursor?: string; problem?: string } {
  if (!isObject(answer) || !Array.isArray(answer.tools))
    throw new Error("it sent no list of tools");
  const { tools: list, nextCursor } = answer;
  const count = Math.min(list.length, MOST_TOOLS - tools.length);
  for (let i = 0; i < count; i++) {
    try {
      tools.push(list[i]);
    } catch {
      tools.push(undefined);
    }
  }
  if (count < list.length) return { problem: `more than ${MOST_TOOLS} tools` };
  if (nextCursor === undefined || nextCursor === null || nextCursor === "") return {};
  if (typeof nextCursor !== "string") return { problem: "a cursor that is not a string" };
  return { nextCursor };
}

/** A list of tools, as the server sent them. */
interface Listed {
  tools: unknown[];
  problems: Problem[];
  failed?: true;
}

/**
 * The tools of a server as it sent them, with problems; `failed` says why there are none. Ends at once when the
 * signal fires.
 */
export async function listTools(server: Server, signal: AbortSignal): Promise<Listed> {
  const tools: unknown[] = [];
  const cursors = new Set<string>();
  const end = performance.now() + server.maxTotalTimeout;
  const stopped = (why: string) => {
    const message = `the list of ${server.clientName} was stopped: ${why}`;
    return { tools, problems: [problem("warning", "MT-8", message)] };
  };
  let cursor: string | undefined;
  try {
    if (typeof server.client.listTools !== "function") throw new Error("it has no listTools");
    for (let pages = 1; ; pages++) {
      const answer = read(await page(server, cursor, signal, end), tools);
      if (answer.problem !== undefined) return stopped(answer.problem);
      cursor = answer.nextCursor;
      if (cursor === undefined) return { tools, problems: [] };
      if (cursors.has(cursor)) return stopped("a cursor was sent twice");
      if (pages >= MOST_PAGES) return stopped(`it has more than ${MOST_PAGES} pages`);
      cursors.add(cursor);
    }
  } catch (error) {
    const message = `the tools of ${server.clientName} could not be listed: ${messageOf(error)}`;
    return { failed: true, tools: [], problems: [problem("error", "MT-8", message)] };
  }
}
