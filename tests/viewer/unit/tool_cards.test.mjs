/** What the cards of tool calls say of the calls' metadata, whoever wrote it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load } from "../typescript.mjs";

const { toolText, toolView } = await load("features/cards/worker/tools/tool_view.ts");
const { TOOLS } = await load("core/model/tools.ts");
const words = await load("features/cards/view/tools/facts.ts");

const INPUTS = {
  bash: { command: "make" },
  edit: { filePath: "/a.ts", oldString: "one", newString: "two" },
  read: { filePath: "/a.ts" },
  write: { filePath: "/a.ts", content: "one" },
  grep: { pattern: "one" },
  glob: { pattern: "*.ts" },
  "web-fetch": { url: "https://example.com" },
  "web-search": { query: "one" },
};
const view = (tool, metadata, state = {}) =>
  toolView({
    type: "tool",
    tool,
    state: { status: "completed", input: INPUTS[tool], output: "done", metadata, ...state },
  });

/** The facts below a card, each as its text. */
function said(tool, metadata, state) {
  const made = view(tool, metadata, state);
  const { body } = made;
  const own = {
    shell: () => words.shellFacts(body.end),
    edit: () => words.editFacts(body.match),
    read: () => words.readFacts(body.page),
    search: () => words.searchFacts(body.found),
    web: () => words.webFacts(body.answer),
  };
  const facts = own[body.kind]?.() ?? [];
  return [...facts, ...words.outputFacts(made)].map(({ text }) => text);
}

describe("the object of a call", () => {
  const objects = (tool, input, state) => view(tool, undefined, { input, ...state }).object;

  test("is the command without the shell around it, or the name of a file", () => {
    assert.equal(objects("shell", { command: ["bash", "-lc", "rg -n x\necho"] }), "rg -n x");
    assert.equal(objects("read", { filePath: "/a/b/c.ts" }), "c.ts");
    assert.equal(objects("write", { path: "/a/new.ts", content: "one" }), "new.ts");
    assert.equal(objects("webfetch", { url: "https://example.com/" }), "example.com");
    assert.equal(objects("grep", { pattern: "fn", path: "/src" }), "fn");
  });

  test("is the files of a patch, the state of a plan, or the first text", () => {
    const patch = "*** Begin Patch\n*** Add File: a/b.rs\n+x\n*** Update File: c\n*** End Patch";
    assert.equal(objects("apply_patch", { patchText: patch }), "b.rs +1");
    assert.equal(objects("shell", { command: ["apply_patch", patch] }), "b.rs +1");
    const plan = [{ status: "completed" }, { status: "pending" }];
    assert.equal(objects("update_plan", { plan, explanation: "Why" }), "1 of 2 done");
    assert.equal(objects("x", { other: "text" }), "text");
    assert.equal(objects("x", {}, { title: "A title" }), "A title");
    assert.equal(objects("x", {}), undefined);
  });
});

describe("the card of a call", () => {
  const body = (tool, input) => view(tool, undefined, { input }).body;

  test("shows the whole command, without the shell around it", () => {
    const long = `echo ${"é".repeat(5000)}`;
    for (const input of [{ command: long }, { cmd: ["bash", "-lc", long] }, { script: long }]) {
      const { kind, command } = body("shell", input);
      assert.deepEqual([kind, command.length], ["shell", long.length]);
    }
    const part = { type: "tool", tool: "shell", state: { input: { cmd: ["bash", "-lc", long] } } };
    assert.equal(toolText(part, "command"), long);
    assert.equal(body("bash", { other: 7 }).kind, "json");
  });

  test("names the file that the core does", () => {
    assert.equal(body("write", { file_path: "/a.ts", content: "x" }).path, "/a.ts");
    assert.equal(body("read", { notebook_path: "/a.ipynb" }).path, "/a.ipynb");
  });

  test("names the file of a patch, over several the diff does", () => {
    const patch = (more) => `*** Begin Patch\n*** Add File: a/b.rs\n+x\n${more}*** End Patch`;
    const files = ({ path, diff }) => [
      path,
      diff.lines.filter(({ kind }) => kind === "file").length,
    ];
    assert.deepEqual(files(body("apply_patch", { input: patch(""), patchText: patch("") })), [
      "a/b.rs",
      0,
    ]);
    const two = patch("*** Delete File: c\n");
    assert.deepEqual(files(body("apply_patch", { patchText: two })), ["", 2]);
  });
});

describe("an edit", () => {
  const match = (level, others) => ({ match: { level, line: 3, endLine: 5, count: 1, ...others } });

  test("names what was ignored from level 2 on", () => {
    assert.deepEqual(said("edit", match(1)), ["lines 3–5"]);
    const ignored = [2, 3, 4, 5, 6, 7, 8].map((level) => said("edit", match(level))[1]);
    assert.deepEqual(ignored, [
      "matched ignoring line ends",
      "matched ignoring trailing whitespace",
      "matched ignoring indentation",
      "matched ignoring runs of blanks",
      "matched ignoring typographic quotes, dashes and spaces",
      "matched with one level of escapes undone",
      "matched without the line numbers",
    ]);
  });

  test("counts its places, and has one line where it has one", () => {
    assert.deepEqual(said("edit", match(1, { count: 3 })), ["lines 3–5", "3 places"]);
    assert.deepEqual(said("edit", match(1, { endLine: 3 })), ["line 3"]);
    assert.deepEqual(said("edit", {}), []);
  });
});

describe("a shell", () => {
  const stop = (metadata, state) => words.stopOf(view("bash", metadata, state).body.end);

  test("tells how it ended", () => {
    assert.equal(view("bash", { exit: 3 }).body.end.exit, 3);
    assert.equal(stop({ exit: 0 }), undefined);
    assert.equal(stop({ exit: null, signal: "SIGKILL" }), "SIGKILL");
    assert.deepEqual(said("bash", { exit: null, signal: "SIGKILL" }), []);
    assert.equal(stop({ signal: "SIGTERM", timedOut: true }), "timed out");
    assert.deepEqual(said("bash", { signal: "SIGTERM", timedOut: true }), ["killed by SIGTERM"]);
    assert.equal(stop({ aborted: true }), "aborted");
    assert.deepEqual(said("bash", { exit: 0, detached: true }), ["left something running"]);
  });

  test("leaves an abort to the kind of the error where it failed", () => {
    const failed = { status: "error", output: undefined, error: "Aborted" };
    assert.equal(stop({ aborted: true, kind: "aborted" }, failed), undefined);
    assert.equal(words.errorWords(view("bash", { aborted: true }, failed).notes), "aborted");
  });

  test("shows what it has printed while it runs, and as a whole what it gave", () => {
    const running = { status: "running", output: undefined };
    assert.equal(view("bash", { output: "step 1" }, running).output.head, "step 1");
    assert.equal(view("bash", { output: "step 1" }).output.head, "done");
    assert.equal(view("bash", { output: 7 }, running).output, undefined);
    assert.equal(view("grep", { output: "step 1" }, running).output, undefined);
  });
});

describe("a read", () => {
  const page = (from, to, total) => ({
    display: { type: "file", lineStart: from, lineEnd: to, totalLines: total },
  });

  test("has its lines, and what is unusual of the file", () => {
    const usual = { eol: "lf", encoding: "utf-8", bom: false };
    assert.deepEqual(said("read", { ...page(20, 49, 240), ...usual }), ["lines 20–49 of 240"]);
    assert.deepEqual(said("read", page(1, 8, 8)), ["8 lines"]);
    assert.deepEqual(said("read", page(1, 0, 0)), ["0 lines"]);
    assert.deepEqual(said("read", { ...page(1, 1, 1), eol: "crlf", bom: true }), [
      ...["1 line", "line ends CRLF", "byte order mark"],
    ]);
    assert.deepEqual(said("read", { eol: "mixed", encoding: "invalid-utf8" }), [
      ...["mixed line ends", "not valid UTF-8"],
    ]);
  });

  test("has the entries of a directory", () => {
    const display = { type: "directory", entries: ["a", "b/"], offset: 3, totalEntries: 9 };
    const output =
      "<path>/d</path>\n<type>directory</type>\n<entries>\na\nb/\n\n(2 of 9 entries. Go on with offset=5.)\n</entries>";
    assert.deepEqual(said("read", { display }, { output }), ["entries 3–4 of 9"]);
    assert.equal(view("read", { display }, { output }).output.head, "a\nb/");
  });

  test("is shown without the frame, and without the note that the card makes", () => {
    const output = (note) => `<content>\n1: one\n2: </content>\n\n(${note})\n</content>`;
    const shown = (note, metadata = {}) => view("read", metadata, { output: output(note) });
    assert.equal(shown("End of file: 2 lines").output.head, "one\n</content>");
    const cut = "Lines 1-2 of 9. Go on with offset=3.";
    assert.equal(shown(cut, page(1, 2, 9)).output.head, "one\n</content>");
    // Nothing else would say it.
    assert.equal(shown(cut).output.head, `one\n</content>\n\n(${cut})`);
  });

  test("takes linear time over a text that looks like many notes", () => {
    // Quadratic time would not end here.
    const output = `<file>\n${"(End of file".repeat(1_000_000)}`;
    assert.equal(view("read", {}, { output }).output.length, output.length);
  });
});

describe("a search", () => {
  test("has its counts", () => {
    const grep = { matches: 12, files: 3, truncated: false, engine: "rg" };
    assert.deepEqual(said("grep", grep), ["12 matches in 3 files", "engine rg"]);
    assert.deepEqual(said("grep", { matches: 0, files: 0 }), ["no matches"]);
    assert.deepEqual(said("grep", { matches: 1, truncated: true }), ["1 match", "there are more"]);
    assert.deepEqual(said("glob", { count: 1, total: 1, truncated: false }), ["1 file"]);
    assert.deepEqual(said("glob", { count: 100, total: 130, truncated: true }), [
      "first 100 of 130 files",
    ]);
    assert.deepEqual(said("glob", { count: 100, truncated: true }), [
      "100 files",
      "there are more",
    ]);
  });

  test("of which only the output was cut has no more", () => {
    const omitted = { lines: 5, bytes: 2048 };
    assert.deepEqual(said("grep", { matches: 12, files: 3, truncated: true, omitted }), [
      ...["12 matches in 3 files", "5 lines (2.0 kB) left out"],
    ]);
  });
});

test("what came from the web has its status, type and size, and where redirects led", () => {
  const answer = { status: 200, type: "text/html", bytes: 26 };
  const facts = ["status 200", "text/html", "26 B"];
  assert.deepEqual(said("web-fetch", { ...answer, url: "https://example.com/" }), facts);
  assert.deepEqual(said("web-fetch", { ...answer, url: "https://example.org/" }), [
    ...facts,
    "redirected to https://example.org/",
  ]);
  assert.deepEqual(said("web-search", { results: 1 }), ["1 result"]);
});

describe("a call of any tool", () => {
  test("has the kind of its error", () => {
    const kindOf = (kind, status = "error") =>
      words.errorWords(view("x", { kind }, { status }).notes);
    const kinds = ["arguments", "permission", "aborted", "timeout", "loop", "unknown", "fault"];
    assert.deepEqual(
      kinds.map((kind) => kindOf(kind)),
      [
        ...["invalid arguments", "not permitted", "aborted", "timed out"],
        ...["loop", "unknown tool", "tool fault"],
      ],
    );
    assert.equal(kindOf("fault", "completed"), undefined);
    for (const other of ["expected", "constructor", "", 7, {}])
      assert.equal(kindOf(other), undefined);
  });

  test("has the permission that it waits for, and not after it ran", () => {
    const permission = { id: "per_1", permission: "edit", patterns: ["src/a.ts"] };
    const notes = (status) => view("edit", { permission }, { status }).notes.permission;
    const asked = { permission: "edit", patterns: ["src/a.ts"], total: 1 };
    assert.deepEqual(notes("running"), asked);
    assert.deepEqual(notes("error"), asked);
    assert.equal(notes("completed"), undefined);
  });

  test("has what was repaired, and a loop that was seen", () => {
    const repaired = Array.from({ length: 9 }, (_, i) => `a${i}: read as a number`);
    const { notes } = view("x", { repaired, loop: { pattern: "x()", message: "Stop it." } });
    assert.deepEqual(notes.repaired, { done: repaired.slice(0, 5), total: 9 });
    assert.equal(notes.loop, "Stop it.");
    assert.equal(view("x", { loop: { pattern: "x()" } }).notes.loop, "x()");
  });

  test("has what is left out of its output, and where the whole is", () => {
    const omitted = { lines: 4000, bytes: 18_894 };
    assert.deepEqual(said("bash", { truncated: true, omitted, outputPath: "/t/1" }), [
      ...["4,000 lines (18.9 kB) left out", "whole output: /t/1"],
    ]);
    assert.deepEqual(said("x", { truncated: true }), ["output truncated"]);
    assert.deepEqual(said("x", { truncated: false }), []);
  });
});

describe("the diff of an edit", () => {
  const shown = (metadata, input) => {
    const { body } = view("edit", metadata, input ? { input } : {});
    return body.diff.lines.map(({ kind, old, new: now, text }) => [kind, old, now, text]);
  };
  const changed = [
    ["del", 7, undefined, "one"],
    ["add", undefined, 7, "two"],
  ];

  test("is the one that the agent wrote down, wherever it keeps it", () => {
    const patch = "@@ -7 +7 @@\n-one\n+two\n";
    const kept = [
      { diff: patch },
      { patch },
      { filediff: { patch } },
      { details: { diff: patch } },
      { resultDisplay: { fileDiff: patch } },
    ];
    for (const metadata of kept) assert.deepEqual(shown(metadata).slice(1), changed);
    const hunk = { oldStart: 7, oldLines: 1, newStart: 7, newLines: 1, lines: ["-one", "+two"] };
    assert.deepEqual(shown({ toolUseResult: { structuredPatch: [hunk] } }).slice(1), changed);
  });

  test("has the numbers that stand in its lines, as pi writes it", () => {
    const diff = [
      ...["     ...", "   8 a", "-  9 b", "+  9 c", "+ 10 1 d", "  10 \te", "  11 ", "     ..."],
    ].join("\n");
    assert.deepEqual(shown({ details: { diff } }, { path: "/a.ts", oldText: "b", newText: "c" }), [
      ["hunk", undefined, undefined, "…"],
      ["same", 8, 8, "a"],
      ["del", 9, undefined, "b"],
      ["add", undefined, 9, "c"],
      ["add", undefined, 10, "1 d"],
      ["same", 10, 11, "\te"],
      ["same", 11, 12, ""],
      ["hunk", undefined, undefined, "…"],
    ]);
  });

  test("is made of the texts where there is none", () => {
    const lines = shown({}, { path: "/a.ts", oldText: "b", newText: "c" });
    assert.deepEqual(
      lines.map(([kind, , , text]) => kind + text),
      ["delb", "addc"],
    );
  });
});

/** Values of every type, and larger than any tool would write. */
const HOSTILE = [
  ...[undefined, null, true, 0, -1, 1.5, 1e300, Number.NaN, "", "<b>", "x".repeat(100_000)],
  ...[[], [[]], [null, 7, "x".repeat(100_000)], Array(10_000).fill("x".repeat(100)), {}],
  ...[{ length: -1 }, { toString: null }, JSON.parse('{"__proto__": {"x": 1}, "constructor": 1}')],
];
const FIELDS = [
  ...["match", "filediff", "diff", "exit", "signal", "timedOut", "aborted", "detached", "output"],
  ...["display", "eol", "encoding", "bom", "exists", "matches", "files", "count", "total"],
  ...["truncated", "engine", "status", "type", "bytes", "url", "results", "todos"],
  ...["kind", "permission", "repaired", "loop", "omitted", "outputPath"],
];
const INNER = {
  match: ["level", "line", "endLine", "count"],
  filediff: ["patch"],
  details: ["diff"],
  resultDisplay: ["fileDiff"],
  toolUseResult: ["structuredPatch"],
  display: ["type", "lineStart", "lineEnd", "totalLines", "entries", "offset", "totalEntries"],
  permission: ["permission", "patterns"],
  loop: ["message", "pattern"],
  omitted: ["lines", "bytes"],
};

describe("hostile metadata", () => {
  const tools = [
    ...Object.keys(INPUTS),
    ...Object.values(TOOLS).flatMap(({ names }) => names),
    "x",
  ];

  test("of any type makes no card throw, and no long fact", () => {
    const all = HOSTILE.flatMap((value) => [
      value,
      Object.fromEntries(FIELDS.map((field) => [field, value])),
      Object.fromEntries(
        Object.entries(INNER).map(([field, inner]) => [
          field,
          Object.fromEntries(inner.map((name) => [name, value])),
        ]),
      ),
    ]);
    for (const tool of new Set(tools)) {
      for (const metadata of all) {
        for (const status of ["completed", "running", "error"]) {
          const { notes } = view(tool, metadata, { status });
          for (const text of said(tool, metadata, { status })) {
            assert.ok(text.length < 600, `${tool}: ${text.length}`);
          }
          assert.ok(JSON.stringify(notes).length < 5000);
        }
      }
    }
  });

  test("with numbers that are none, or for a level that is none, says nothing of them", () => {
    for (const level of [0, -4, 4.5, 9, 1e300, "4", "constructor", null]) {
      assert.deepEqual(said("edit", { match: { level, count: 1 } }), []);
    }
    assert.deepEqual(said("read", { eol: "constructor", encoding: "utf-8" }), []);
    assert.deepEqual(said("x", { omitted: { lines: -1, bytes: 1 } }), []);
  });
});
