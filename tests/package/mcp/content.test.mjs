// Results of MCP servers as text and files: the labelled cases, own cases, and input that no server should
// send.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { at, consumer, requireFrom } from "../helper.mjs";

let mcpContentToParts;
let mcpResourceToParts;
before(async () => {
  const require = requireFrom(await consumer("mcp-content"));
  ({ mcpContentToParts, mcpResourceToParts } = require("apex-parts/tools"));
});

const context = { clientName: "demo", sessionID: "ses", messageID: "msg" };
const parts = (result, more) => mcpContentToParts(result, { ...context, ...more });
const text = (given) => ({ type: "text", text: given });
const image = (data, mimeType = "image/png") => ({ type: "image", data, mimeType });
const PNG = "iVBORw0KGgoAAAANSUhEUgAA";
const rules = ({ problems }) =>
  [...new Set(problems.map(({ rule, severity }) => `${rule} ${severity}`))].sort();

test("the labelled cases of results and of resources", () => {
  const file = at("tests", "fixtures", "vectors", "skills-mcp", "mcp-cases.json");
  const cases = JSON.parse(readFileSync(file, "utf8"));
  const calls = { "mcp-result": mcpContentToParts, "mcp-read": mcpResourceToParts };
  const own = cases.filter(({ kind }) => Object.hasOwn(calls, kind));
  assert.ok(own.length > 0);
  for (const { id, kind, input, expect } of own) {
    const given = calls[kind](input.result, input.ctx);
    const ids = new Set();
    const bare = (list) =>
      list.map(({ id: own, sessionID, messageID, ...part }) => {
        ids.add(own);
        const { ctx } = input;
        assert.deepEqual([sessionID, messageID], [ctx.sessionID, ctx.messageID], id);
        return part;
      });
    const attachments = bare(given.attachments);
    const resources = bare(given.resources);
    assert.equal(ids.size, attachments.length + resources.length, id);
    assert.deepEqual({ ...given, attachments, resources, problems: rules(given) }, expect, id);
  }
});

describe("base64", () => {
  const cases = [
    ["QQ==", "QQ==", []],
    ["QQ", "QQ==", ["MC-5 warning"]],
    [" Q\nQ=\t=", "QQ==", ["MC-5 warning"]],
    ["-_8=", "+/8=", ["MC-5 warning"]],
    ["data:audio/x;base64,QUJD", "QUJD", ["MC-5 warning"]],
    ["Q", undefined, ["MC-5 error"]],
    ["QUI==", undefined, ["MC-5 error"]],
    ["QUI=QUI=", undefined, ["MC-5 error"]],
    ["====", undefined, ["MC-5 error"]],
    ["data:audio/x,QUJD", undefined, ["MC-5 error"]],
    ["QQé=", undefined, ["MC-5 error"]],
  ];
  for (const [data, mended, wanted] of cases) {
    test(JSON.stringify(data), () => {
      const made = parts({ content: [{ type: "audio", data, mimeType: "audio/x" }] });
      const url = mended && `data:audio/x;base64,${mended}`;
      assert.equal(made.attachments[0]?.url, url);
      assert.deepEqual(rules(made), wanted);
    });
  }
});

test("structured content says base64 of an item by its file, and keeps a text that looks like the mark", () => {
  const structuredContent = { a: PNG, b: `data:image/png;base64,${PNG}`, c: "\0", d: "\0x" };
  const made = parts({ content: [image(PNG)], structuredContent });
  const see = "[see the attachments]";
  const json = JSON.stringify({ a: see, b: see, c: "\0", d: "\0x" });
  assert.equal(made.output, `[image 1: image/png, 18 bytes]\n\n${json}`);
  assert.equal(made.structured, "appended");
});

test("ids are those of the caller; its mistakes cost no result", () => {
  let n = 0;
  const result = { content: [image(PNG), image(PNG)] };
  const ids = parts(result, { newId: () => `id-${++n}` }).attachments.map(({ id }) => id);
  assert.deepEqual(ids, ["id-1", "id-2"]);
  const thrower = () => {
    throw new Error("no id");
  };
  assert.equal(new Set(parts(result, { newId: thrower }).attachments.map(({ id }) => id)).size, 2);
  for (const bad of [undefined, null, 5, [], { clientName: 5, limits: { maxOutputBytes: "x" } }]) {
    assert.equal(mcpContentToParts({ content: [text("a")] }, bad).output, "a");
  }
});

test("a text blob that is not UTF-8 is a file", () => {
  const made = mcpResourceToParts(
    { contents: [{ uri: "demo://a.txt", mimeType: "text/plain", blob: "/w==" }] },
    context,
  );
  assert.equal(made.output, "[resource 1: text/plain, 1 bytes]");
  const [{ url, filename, source }] = made.attachments;
  assert.deepEqual([url, filename], ["data:text/plain;base64,/w==", "a.txt"]);
  assert.deepEqual(source.text, { value: "", start: 0, end: 0 });
});

test("what is not seen is removed, and ranges of resources stay right", () => {
  const resource = { uri: "demo://x/1", text: "b\u0007\u{e0041}ü🎉" };
  const made = parts({ content: [text("a\u001b[31m🎉\u202e"), { type: "resource", resource }] });
  assert.deepEqual(rules(made), ["MC-8 warning", "MC-9 warning"]);
  assert.equal(made.invisible, 4);
  assert.ok(!("invisible" in parts({ content: [text("می\u200cخواهم ü🎉")] })));
  assert.match(made.output, /^a🎉\n/);
  const { value, start, end } = made.resources[0].source.text;
  assert.equal(value, "bü🎉");
  assert.equal(made.output.slice(start, end), value);
});

describe("content that is no list", () => {
  test("is read as one item where it can be", () => {
    const one = parts({ content: "hello" });
    assert.deepEqual([one.output, one.isError, rules(one)], ["hello", false, ["MC-1 warning"]]);
    const picture = parts({ content: image(PNG) });
    assert.deepEqual([picture.attachments.length, rules(picture)], [1, ["MC-1 warning"]]);
    const other = parts({ content: { foo: "bar" } });
    assert.match(other.output, /"foo":"bar"/);
    assert.equal(parts({ content: "" }).isError, false);
    const resource = { uri: "a.txt", text: "words" };
    assert.equal(mcpResourceToParts({ contents: resource }, context).output, "words");
    assert.equal(mcpResourceToParts({ contents: "words" }, context).output, "words");
  });

  test("is an error where it cannot", () => {
    for (const content of [5, true, null]) {
      const made = parts({ content });
      assert.deepEqual([made.isError, rules(made)], [true, ["MC-1 error"]], String(content));
      assert.doesNotMatch(made.output, /no output/);
      // What is structured is there all the same.
      assert.equal(parts({ content, structuredContent: { a: 1 } }).output, '{"a":1}');
    }
    assert.equal(parts({}).isError, false);
  });

  test("isError may be written otherwise", () => {
    const failed = (isError) => parts({ content: [text("words")], isError }).isError;
    for (const yes of [true, 1, "true", "True", "yes", {}]) assert.ok(failed(yes), String(yes));
    for (const no of [false, 0, "false", "0", "", null, undefined])
      assert.ok(!failed(no), String(no));
  });
});

test("what is no picture is a line, not an image", () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x"></svg>').toString(
    "base64",
  );
  for (const [data, mime] of [
    [svg, "image/png"],
    [svg, "image/svg+xml"],
    [Buffer.from("  <html>").toString("base64"), "image/webp"],
    [Buffer.from("\ufeffwörds").toString("base64"), "image/gif"],
    [PNG, "text/html"],
    ["AAECAwQFBgc=", undefined],
  ]) {
    const made = parts({ content: [{ type: "image", data, mimeType: mime }] });
    assert.equal(made.attachments.length, 0, `${data} ${mime}`);
    assert.match(made.output, /^\[image 1: .*, left out\]$/);
    assert.ok(rules(made).includes("MC-4 warning"));
  }
  const jpeg = parts({ content: [image("/9j/4AAQSkZJRg==")] });
  assert.deepEqual(
    jpeg.attachments.map(({ mime }) => mime),
    ["image/jpeg"],
  );
  const contents = [{ uri: "a.png", mimeType: "image/png", blob: svg }];
  assert.equal(mcpResourceToParts({ contents }, context).attachments.length, 0);
  const drawn = [{ uri: "a.svg", mimeType: "image/svg+xml", blob: svg }];
  assert.equal(mcpResourceToParts({ contents: drawn }, context).attachments.length, 1);
});

describe("what no server should send ends in a problem", () => {
  const thrown = () => {
    throw new Error("read");
  };
  const traps = { get: thrown, ownKeys: thrown, getPrototypeOf: thrown, has: thrown };
  const revoked = (target) => {
    const { proxy, revoke } = Proxy.revocable(target, {});
    revoke();
    return proxy;
  };
  const cyclic = { type: "x" };
  cyclic.self = cyclic;
  let deep = [];
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const endless = new Proxy([], { get: (_, name) => (name === "length" ? 1e9 : text("")) });
  const getter = (name) => Object.defineProperty({}, name, { get: thrown, enumerable: true });
  const cases = {
    nothing: undefined,
    "a function": () => {},
    "a list": [],
    "a proxy": new Proxy({}, traps),
    "a revoked proxy": revoked({}),
    "revoked items": { content: revoked([]) },
    "a revoked item": { content: [revoked({})] },
    "items that throw": getter("content"),
    "an item that throws": { content: [getter("type")] },
    "structured content that throws": { content: [], ...{ structuredContent: getter("a") } },
    "structured content that is a throwing getter": Object.assign(getter("structuredContent"), {
      content: [],
    }),
    "a cycle": { content: [cyclic] },
    "a structured cycle": { content: [], structuredContent: cyclic },
    "a deep item": { content: [deep] },
    "deep structured content": { content: [], structuredContent: { deep } },
    "endless items": { content: endless },
    holes: { content: new Array(2 ** 32 - 1) },
    "no JSON": { content: [], structuredContent: [Number.NaN, 1n, Symbol("x"), thrown] },
    toJSON: { content: [{ ...text("a"), toJSON: thrown }], toJSON: thrown },
    "half a character": { content: [text("a\ud800b")] },
  };
  for (const [name, result] of Object.entries(cases)) {
    test(name, () => {
      for (const call of [mcpContentToParts, mcpResourceToParts]) {
        const made = call(result, context);
        assert.notEqual(made.output.trim(), "");
        assert.ok(made.problems.length > 0);
        assert.ok(made.output.isWellFormed?.() ?? true);
      }
    });
  }
});
