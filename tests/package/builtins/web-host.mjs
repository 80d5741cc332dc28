// A host whose web is made up, for the tests of web-fetch.
import assert from "node:assert/strict";
import { outcome } from "./one-call.mjs";

export const PUBLIC = "93.184.215.14";
export const HTML = { "content-type": "text/html; charset=utf-8" };
export const TEXT = { "content-type": "text/plain" };
export const URL_1 = "https://example.com/page";

/** A host on which every name is public; `answer(url, init)` gives responses, `pages` by URL. */
export function hostOf(answer, more = {}) {
  const requests = [];
  const give = typeof answer === "function" ? answer : (url) => answer[url];
  const fetch = async (url, init) => {
    requests.push({ url, ...init });
    return give(url, init) ?? new Response("nothing", { status: 404 });
  };
  return { fetch, resolve: async () => [PUBLIC], requests, ...more };
}

export const redirect = (location, status = 302) =>
  new Response(null, { status, headers: location === undefined ? {} : { location } });

export const get = (host, input, options) =>
  outcome(host, "web-fetch", typeof input === "string" ? { url: input } : input, options);

/** The state for an answer. */
export async function shown(response, input = {}) {
  const { state } = await get(
    hostOf(() => response),
    { url: URL_1, ...input },
  );
  return state;
}

/** What the model is told of a failure, which is never a fault of the tool. */
export async function refusal(host, input, options) {
  const { state, asks } = await get(host, input, options);
  assert.deepEqual([state.status, state.metadata?.kind], ["error", "expected"], state.output);
  return { error: state.error, asks };
}

export const bytes = (...parts) =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part)] : part)),
  );
