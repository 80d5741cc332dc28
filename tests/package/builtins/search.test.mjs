// web-search and code-search.
import assert from "node:assert/strict";
import { test } from "node:test";
import { outcome, registryOver } from "./one-call.mjs";

const entry = (n) => ({ title: `T${n}`, url: `https://example.com/${n}`, text: `Text ${n}` });
const many = Array.from({ length: 30 }, (_, i) => entry(i + 1));

/** A provider that gives this, and what it was asked. */
function provider(given) {
  const seen = [];
  const search = async (query, options) => {
    seen.push({ query, ...options });
    return typeof given === "function" ? given() : given;
  };
  return { search, seen };
}

test("without a provider there is no such tool", () => {
  const { registry } = registryOver({});
  assert.equal(registry.has("web-search") || registry.has("code-search"), false);
  const { registry: both } = registryOver({ search: provider([]), codeSearch: provider([]) });
  assert.ok(both.has("web-search") && both.has("code-search"));
});

test("results are numbered entries of title, URL and text", async () => {
  const search = provider([entry(1), { title: "", url: "https://example.com/2", text: " x \n" }]);
  const { state, asks } = await outcome({ search }, "web-search", { query: " cats " });
  assert.equal(state.output, "1. T1\nhttps://example.com/1\nText 1\n\n2. https://example.com/2\nx");
  assert.equal(state.title, "Web search: cats");
  assert.deepEqual(state.metadata, { query: "cats", results: 2 });
  const [{ query, limit, abort }] = search.seen;
  assert.deepEqual([query, limit], ["cats", 8]);
  assert.ok(abort instanceof AbortSignal);
  assert.deepEqual([asks[0].permission, asks[0].patterns], ["websearch", ["cats"]]);
});

test("no more results are shown than wanted; numResults is at most 20", async () => {
  const search = provider(many);
  const shown = async (input) => {
    const { state } = await outcome({ search }, "web-search", { query: "q", ...input });
    return state.status === "completed" ? state.metadata.results : state.metadata.kind;
  };
  assert.equal(await shown({}), 8);
  assert.equal(await shown({ numResults: 20 }), 20);
  assert.deepEqual(
    search.seen.map(({ limit }) => limit),
    [8, 20],
  );
  for (const numResults of [0, 21, 1.5]) assert.equal(await shown({ numResults }), "arguments");
});

test("code-search keeps to tokensNum", async () => {
  const codeSearch = provider(many.map((own) => ({ ...own, text: "y".repeat(1000) })));
  const asked = (input) => outcome({ codeSearch }, "code-search", { query: "q", ...input });
  const { state: all, asks } = await asked({});
  assert.deepEqual([asks[0].permission, asks[0].patterns], ["codesearch", ["q"]]);
  assert.equal(all.metadata.results, 8);
  const { state: some } = await asked({ tokensNum: 600 });
  assert.match(some.output, /^1\. T1\n.*\n\n2\. T2\n.*\n\n\(6 more left out: give a larger/s);
  const { state: one } = await asked({ tokensNum: 100 });
  assert.equal(one.output.split("\n\n")[0].length, 400);
});

test("nothing, and what is no result", async () => {
  const hostile = [null, 1, "x", {}, { title: 5, url: {}, text: [] }, { title: " " }];
  for (const given of [[], hostile]) {
    const { state } = await outcome({ search: provider(given) }, "web-search", { query: "q" });
    assert.deepEqual([state.status, state.output], ["completed", "Nothing found."]);
  }
});

test("a provider that fails is no fault of the tool", async () => {
  const failing = [
    [
      () => {
        throw new Error("quota exceeded");
      },
      /^The search failed: quota exceeded$/,
    ],
    [() => undefined, /did not return a list/],
    [() => Promise.reject(""), /failed/],
  ];
  for (const [given, message] of failing) {
    const { state } = await outcome({ search: provider(given) }, "web-search", { query: "q" });
    assert.deepEqual([state.status, state.metadata.kind], ["error", "expected"]);
    assert.match(state.error, message);
  }
});

test("an empty query and a call that is turned down ask the provider nothing", async () => {
  const search = provider(many);
  const empty = await outcome({ search }, "web-search", { query: " \n" });
  assert.equal(empty.state.metadata.kind, "expected");
  assert.equal(empty.asks.length, 0);
  const refused = await outcome(
    { search },
    "web-search",
    { query: "q" },
    { reply: () => "reject" },
  );
  assert.equal(refused.state.metadata.kind, "permission");
  assert.equal(search.seen.length, 0);
});
