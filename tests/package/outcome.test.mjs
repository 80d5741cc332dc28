// How a tool call ended, in the packed package: the same in both modules.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { consumer, requireFrom } from "./helper.mjs";

let full;
let core;
before(async () => {
  const required = requireFrom(await consumer("outcome"));
  full = required("apex-parts");
  core = required("apex-parts/core");
});

const part = (state, tool = "bash") => ({
  ...{ id: "p", sessionID: "s", messageID: "m", type: "tool", callID: "c", tool },
  state: { input: { command: "cargo check" }, ...state },
});
const completed = (metadata, output = "", tool = "bash") =>
  part({ status: "completed", title: "", output, metadata }, tool);

/** What both modules say. */
function says(value) {
  const [of, small] = [full, core].map(({ outcome, exitCode }) => [
    outcome(value),
    exitCode(value),
  ]);
  assert.deepEqual(of, small);
  return of;
}

describe("outcome and exitCode", () => {
  test("take the state's word where it has not completed", () => {
    assert.deepEqual(says(part({ status: "pending", raw: "" })), ["running", undefined]);
    assert.deepEqual(says(part({ status: "running", metadata: { exit: 1 } })), [
      "running",
      undefined,
    ]);
    const text = "Exit code 101\nerror[E0425]: no";
    assert.deepEqual(says(part({ status: "error", error: text })), ["error", 101]);
    assert.deepEqual(says(part({ status: "gone" })), [undefined, undefined]);
  });

  test("take the tool's word where it has", () => {
    assert.deepEqual(says(completed({})), ["completed", undefined]);
    assert.deepEqual(says(completed({ exit: 0 })), ["completed", 0]);
    assert.deepEqual(says(completed({ exit: 101 })), ["failed", 101]);
    assert.deepEqual(says(completed({ exit: 3221225786 })), ["failed", 3221225786]);
    assert.deepEqual(says(completed({ exitCode: -1 }, "", "run")), ["failed", -1]);
    assert.deepEqual(says(completed({ isError: true }, "", "mcp_x")), ["failed", undefined]);
    assert.deepEqual(says(completed({ status: 404 }, "", "webfetch")), ["failed", undefined]);
    assert.deepEqual(says(completed({ status: 204 }, "", "webfetch")), ["completed", undefined]);
    assert.deepEqual(says(completed({ timeout: 5000 })), ["completed", undefined]);
    assert.deepEqual(says(completed({ exit: null }, "a\n\n(exit code 3)")), ["failed", 3]);
    assert.deepEqual(says(completed({ exit: 0 }, "a\n\n(exit code 3)")), ["completed", 0]);
    const opencode = "x\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>";
    assert.deepEqual(says(completed({ exit: null }, opencode)), ["failed", undefined]);
  });

  test("are undefined for what is no call, whatever it is", () => {
    const thrown = new Proxy(
      {},
      {
        get() {
          throw new Error("no");
        },
      },
    );
    const odd = [undefined, null, 0, "tool", [], () => {}, Symbol("x"), 1n, new Date(), thrown];
    for (const value of [...odd, { type: "text", text: "x" }, { type: "tool" }]) {
      assert.deepEqual(says(value), [undefined, undefined]);
    }
    for (const value of odd) {
      assert.equal(says(part({ status: "completed", metadata: value }))[0], "completed");
      assert.equal(
        says(completed({ exit: value || null, toolUseResult: value }, "x", "y"))[0],
        "completed",
      );
    }
  });

  test("of a very long output cost no more than of a short one", () => {
    const long = `${"line\n".repeat(2_000_000)}\n(exit code 7)`;
    assert.deepEqual(says(completed({ exit: null }, long)), ["failed", 7]);
  });
});

const OUTPUTS = {
  "   Compiling thiserror v2\nwarning: unused\nerror[E0425]: cannot find value `x`\nerror: two": 3,
  "src/a.ts(3,4): error TS2304: Cannot find name 'x'.": 1,
  "running 3 tests\ntest a ... ok\ntest b ... FAILED\n\nthread 'b' panicked at src/b.rs:1:1": 3,
  "collected 2 items\nTraceback (most recent call last):\n  File x\nValueError: no": 2,
  "hint: x\nfatal: not a git repository": 2,
  "npm ERR! code ENOENT": 1,
  "cc -c a.c\nmake[1]: *** No rule to make target 'x'.  Stop.": 2,
  "/bin/bash: line 1: x: command not found": 1,
  "ls: cannot access 'x': No such file or directory": 1,
  "\u001b[31m\u001b[1merror\u001b[0m: could not compile": 1,
  "0 errors\nno errors found\nTypeError: x is not a function\n    at y": 3,
  "--- FAIL: TestX (0.00s)": 1,
  "line\nit failed somehow": 2,
};

describe("errorLine", () => {
  for (const [output, line] of Object.entries(OUTPUTS)) {
    test(JSON.stringify(output.slice(0, 60)), () => {
      const found = full.errorLine(output);
      assert.equal(found?.line, line);
      const words = output.split("\n")[line - 1];
      assert.equal(output.slice(found.offset, found.offset + words.length), words);
      assert.ok(words.includes(found.text.slice(-4)), found.text);
    });
  }

  test("is none where nothing is said", () => {
    for (const output of [
      "",
      "ok\n",
      "0 errors, 0 failed",
      "test result: ok. 3 passed; 0 failed",
    ]) {
      assert.equal(full.errorLine(output), undefined, output);
    }
  });

  test("is looked for in a bounded part", () => {
    assert.equal(full.errorLine(`${"x".repeat(3_000_000)}\nerror: late`), undefined);
    assert.equal(full.errorLine(`${"e".repeat(399_000)}\nerror: in time`)?.line, 2);
  });

  test("tells its place in UTF-16 units", () => {
    const output = "é😀\n\u001b[31merror\u001b[0m: no\n";
    assert.deepEqual(full.errorLine(output), { line: 2, offset: 4, text: "error: no" });
  });
});

const callOf = (tool, input, metadata) => ({ type: "tool", tool, state: { input, metadata } });

describe("callSubject", () => {
  for (const [tool, input, kind, text] of [
    ["shell", { command: ["bash", "-lc", "rg x"] }, "command", "rg x"],
    ["bash", { command: "ls -la" }, "command", "ls -la"],
    ["Write", { file_path: "/a", content: "x".repeat(5_000_000) }, "change", "/a"],
    ["MultiEdit", { file_path: "/a", edits: [{ old_string: "a" }] }, "change", "/a"],
    ["read", { filePath: "/a" }, "path", "/a"],
    ["grep", { pattern: "fn", path: "src" }, "other", "fn"],
    ["question", { questions: [] }, "question", ""],
    ["x", { deep: { er: 1 }, command: 7 }, "other", ""],
    ["x", "no object", "other", ""],
    ["x", undefined, "other", ""],
    ["bash", { command: "x".repeat(9000) }, "command", "x".repeat(4096)],
    ["edit", { path: "/a", cmd: "view" }, "path", "/a"],
  ]) {
    test(`${tool} ${JSON.stringify(input)?.slice(0, 60)}`, () => {
      assert.deepEqual(full.callSubject(callOf(tool, input)), { kind, text });
    });
  }

  test("reads as much of an argument as is asked for", () => {
    const long = callOf("bash", { command: ["bash", "-lc", "é".repeat(5000)] });
    assert.equal(full.callSubject(long, 20_000).text, "é".repeat(5000));
    assert.equal(full.callSubject(long, 3).text, "é");
    for (const odd of [undefined, null, -1, Number.NaN, "9", {}, 9n]) {
      assert.equal(full.callSubject(long, odd).text, "é".repeat(2048));
    }
  });

  const patch = "*** Begin Patch\n*** Add File: a/b.rs\n+x\n*** Update File: c\n*** End Patch";
  test("has the files of a patch, however long what it writes is", () => {
    const files = ["a/b.rs", "c"];
    const change = { kind: "change", text: "a/b.rs", files };
    assert.deepEqual(full.callSubject(callOf("apply_patch", { patchText: patch })), change);
    const long = patch.replace("+x", "+x\n".repeat(20_000));
    assert.deepEqual(full.callSubject(callOf("apply_patch", { input: long })), change);
    const { kind, ...rest } = full.callSubject(callOf("sh", { cmd: ["apply_patch", patch] }));
    assert.deepEqual([kind, rest.files], ["command", files]);
    assert.equal(full.callSubject(callOf("bash", { command: "ls" })).files, undefined);
  });

  test("of what is no call is undefined", () => {
    for (const value of [{ type: "text", text: "x" }, null, undefined, 7, "tool"]) {
      assert.equal(full.callSubject(value), undefined);
      assert.equal(full.recordedDiff(value), undefined);
    }
  });
});

describe("saidText", () => {
  const said = (part, ...longest) => full.saidText({ type: "text", ...part }, ...longest);

  test("is what a person or the model wrote", () => {
    assert.equal(said({ text: "Hällo" }), "Hällo");
    assert.equal(said({ text: "Hällo" }, 2), "H");
    for (const odd of [undefined, null, -1, Number.NaN, "2", {}, 2n]) {
      assert.equal(said({ text: "Hällo" }, odd), "Hällo");
    }
  });

  test("is none of what a program put there, nor of other parts", () => {
    for (const part of [
      { text: "x", synthetic: true },
      { text: "x", ignored: true },
      { text: " \n" },
      { text: 7 },
      { type: "reasoning", text: "x" },
    ]) {
      assert.equal(said(part), undefined);
    }
    for (const value of [null, undefined, 7, "text", [], { text: "x" }]) {
      assert.equal(full.saidText(value), undefined);
    }
  });

  test("is what was asked, not what is open in the editor, however much that is", () => {
    const context = "# Context from my IDE setup:\n\n## Open tabs:\n- go.mod: go.mod\n\n";
    const heading = "## My request for Codex:\n";
    const asked = "Which version is it?";
    assert.equal(said({ text: `${context}${heading}${asked}` }), asked);
    const long = `${context}${"- a\n".repeat(50_000)}\n${heading}${asked}`;
    assert.equal(said({ text: long }, 5), "Which");
    assert.equal(said({ text: context }), context);
    assert.equal(said({ text: `${heading}${asked}` }), `${heading}${asked}`);
  });
});

describe("recordedDiff", () => {
  const diff = "@@ -1,1 +1,1 @@\n-x\n+y\n";
  test("is found where agents keep it, before a patch in the arguments", () => {
    const lines = ["-x", "+y"];
    const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines };
    for (const metadata of [
      { diff },
      { filediff: { patch: diff } },
      { details: { diff } },
      { toolUseResult: { structuredPatch: [hunk] } },
    ]) {
      assert.equal(full.recordedDiff(callOf("edit", { patch: "other" }, metadata)), diff);
    }
    assert.equal(full.recordedDiff(callOf("apply_patch", { patchText: "…" }, {})), "…");
    assert.equal(full.recordedDiff(callOf("edit", {}, { diff: 7 })), undefined);
  });

  test("is all that is read: what stands beside it may be anything", () => {
    const beside = (metadata) => {
      const odd = () => {
        throw new Error("it was read");
      };
      Object.defineProperty(metadata, "toJSON", { get: odd });
      for (const name of ["before", "after"]) {
        metadata[name] = { toJSON: odd };
      }
      metadata.self = metadata;
      return metadata;
    };
    assert.equal(full.recordedDiff(callOf("edit", {}, beside({ diff }))), diff);
    const filediff = beside({ patch: diff });
    assert.equal(full.recordedDiff(callOf("edit", {}, { filediff })), diff);
    const circle = [];
    circle.push({ lines: circle });
    const toolUseResult = { structuredPatch: circle };
    assert.equal(full.recordedDiff(callOf("edit", {}, { toolUseResult })), undefined);
  });
});

describe("a transcript", () => {
  test("counts and marks calls that failed, and finds loops of them", () => {
    const info = { id: "m", sessionID: "s", role: "assistant" };
    const parts = Array.from({ length: 6 }, (_, i) => {
      const time = { start: i, end: i };
      const { state, ...rest } = completed({ exit: 101 }, "error: no");
      return { ...rest, id: `p${i}`, callID: `c${i}`, state: { ...state, time } };
    });
    const messages = parts.map((each, i) => ({ info: { ...info, id: `m${i}` }, parts: [each] }));
    const transcript = full.Transcript.open(new TextEncoder().encode(JSON.stringify(messages)));
    const { statuses, exits } = transcript.layout();
    assert.deepEqual([...statuses], [5, 5, 5, 5, 5, 5]);
    assert.deepEqual([...exits], [101, 101, 101, 101, 101, 101]);
    const { calls, errors, failed } = transcript.stats().tools.bash;
    assert.deepEqual([calls, errors, failed], [6, 0, 6]);
    for (const loops of [transcript.loops(), full.findLoops(messages), core.findLoops(messages)]) {
      assert.deepEqual(
        loops.map(({ kind, repeats, partIDs, places }) => ({ kind, repeats, partIDs, places })),
        [
          {
            ...{ kind: "exact_error", repeats: 6, partIDs: parts.map(({ id }) => id) },
            places: parts.map((_, i) => [i, 0]),
          },
        ],
      );
    }
    transcript.free();
  });
});
