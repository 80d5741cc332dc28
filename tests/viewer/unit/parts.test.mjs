/** What the worker reads of parts and of tool calls, without the module and without a browser. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load } from "../typescript.mjs";

const { readPart, PART_TYPES, TOOLS } = await load(
  "features/cards/worker/registry.ts",
  "core/model/parts.ts",
  "core/model/tools.ts",
);
const { partMeaning } = await load("../../ts/cli/comparison/meaning.ts");
const { fieldOf } = await load("core/model/search_fields.ts");

const read = (part) =>
  readPart(part, {
    whole: part,
    step: () => 7,
    cleared: "[cleared]",
    end: () => ({}),
    said: () => undefined,
    prose: (text) => ({ text: { head: "", length: text.length }, first: text, html: text }),
  });

/** A call for each card that has all that the card shows. */
const INPUTS = {
  shell: { command: "ls -l" },
  read: { filePath: "/a/b.ts" },
  write: { filePath: "/a/b.ts", content: "one\ntwo" },
  edit: { filePath: "/a/b.ts", oldString: "one", newString: "two" },
  todos: { todos: [{ content: "Look", status: "completed" }] },
  search: { pattern: "one" },
  web: { url: "https://example.com" },
};
const call = (tool, input, state = {}) => ({
  type: "tool",
  tool,
  state: { status: "completed", input, output: "done", ...state },
});

describe("parts", () => {
  test("a custom part shows what it says, without its ids and its type", () => {
    const ids = { id: "p", messageID: "m", sessionID: "s" };
    const { name, value } = read({ ...ids, type: "notice", text: "Stopped." });
    assert.equal(name, "notice");
    assert.deepEqual(value.entries, [["text", "Stopped."]]);
  });

  for (const type of PART_TYPES) {
    test(`${type}: an empty one is one of its type`, () => {
      assert.equal(read({ type }).type, type);
      assert.equal(partMeaning({ type })[0], type);
    });
  }

  test("of a type that nobody knows, or of none, are shown as they are", () => {
    for (const type of ["from-the-future", "constructor", "", undefined, 7]) {
      const view = read({ type, anything: 1 });
      assert.equal(view.type, "custom");
      assert.equal(view.name, typeof type === "string" && type ? type : "no type");
    }
  });

  test("know their step", () => {
    assert.equal(read({ type: "step-finish", cost: 0.5 }).step, 7);
  });
});

describe("tools", () => {
  for (const [kind, { names }] of Object.entries(TOOLS)) {
    for (const name of names) {
      test(`${name} has the card ${kind}, however it is written`, () => {
        for (const tool of [name, name.toUpperCase()]) {
          assert.equal(read(call(tool, INPUTS[kind])).body.kind, kind);
        }
      });
    }
    test(`${kind}: a call without what the card shows gets the general one`, () => {
      assert.equal(read(call(names[0] ?? "other", { other: 1 })).body.kind, "json");
    });
  }

  test("no two cards share a name", () => {
    const names = Object.values(TOOLS).flatMap((tool) => tool.names);
    assert.equal(new Set(names).size, names.length);
  });

  test("what a read gave back is shown without line numbers", () => {
    const output = "<file>\n00001| one\n00002| two\n</file>";
    const view = read(call("read", INPUTS.read, { output }));
    assert.equal(view.output.head, "one\ntwo");
    assert.equal(view.body.firstLine, 1);
  });

  test("search finds the block that draws an input", () => {
    assert.equal(fieldOf("/state/input/command"), "command");
    assert.equal(fieldOf("/state/input/file_text"), "content");
    assert.equal(fieldOf("/state/input/edits/3/old_str"), "diff");
    assert.equal(fieldOf("/state/input/edits/3/path"), undefined);
    assert.equal(fieldOf("/state/output"), "output");
    assert.equal(fieldOf("/prompt"), "text");
  });
});
