// Node compiles a module at the first call of a name that comes from it, not when its entry is imported or required.
import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { at, consumer, node, write } from "./helper.mjs";

/** Counts the modules that are compiled, in whatever way, and notes the sizes of those that Node compiles. */
const COUNTS = `globalThis.compiled = 0;
globalThis.sizes = [];
WebAssembly.Module = class extends WebAssembly.Module {
  constructor(...given) {
    super(...given);
    globalThis.compiled++;
    globalThis.sizes.push(given[0].length);
  }
};
for (const name of ["compile", "compileStreaming", "instantiate", "instantiateStreaming"]) {
  const own = WebAssembly[name];
  WebAssembly[name] = (...given) => {
    globalThis.compiled++;
    return own(...given);
  };
}
`;

/** The entries, and a first call of each. */
const CALLS = {
  "apex-parts": "entry.generatePartId()",
  "apex-parts/core": "entry.generatePartId()",
  "apex-parts/tools": 'entry.Skill.parse("---\\nname: a\\n---\\n")',
  "apex-parts/node": "entry.builtinTools()",
  "apex-parts/store": "new entry.RunWriter(entry.memoryRunLog(), { runId: 'r' }).push",
  "apex-parts/apex-bridge": 'entry.createToolStatePending({ input: {}, raw: "" })',
};

/** For each module, names of the main entry that Node loads from it, with a first call of each. */
const AREAS = {
  "apex_parts_agent_bg.wasm": {
    DeltaAssembler: 'new entry.DeltaAssembler({ format: "anthropic" })',
    DoomLoopDetector: "new entry.DoomLoopDetector()",
    createPatchPart: "entry.createPatchPart({})",
    PartFactory: 'entry.PartFactory.createTextPart("s", "m", "t")',
    PartValidator: "entry.PartValidator.validatePart({})",
    Permission: 'entry.Permission.evaluate("bash", "ls", [])',
    ReActRecorder: 'new entry.ReActRecorder({ sessionID: "s", messageID: "m" })',
    ToolStateTransition: 'entry.ToolStateTransition.createPending({}, "")',
    findLoops: "entry.findLoops([])",
    readDeltas: 'entry.readDeltas("openai-chat", new Uint8Array())',
    streamFormat: "entry.streamFormat(new Uint8Array())",
    toModelMessage: "entry.toModelMessage([])",
    version: "entry.version()",
  },
  "apex_parts_tools_bg.wasm": {
    McpToolName: 'entry.McpToolName.encode("a", "b")',
    Skill: 'entry.Skill.parse("---\\nname: a\\n---\\n")',
    parseMcpUri: 'entry.parseMcpUri("mcp://a/b")',
  },
  "apex_parts_bg.wasm": {
    Redactor: "new entry.Redactor()",
    SessionCompaction: "entry.SessionCompaction.plan([], { contextLimit: 1000 })",
    Transcript: "new entry.Transcript()",
    renderMarkdown: 'entry.renderMarkdown("a")',
  },
};

let folder;
before(async () => {
  folder = await consumer("first-call", { "counts.mjs": COUNTS });
});

/** What a program prints that has the entry as `entry`. */
function program(kind, entry, text) {
  const head =
    kind === "mjs"
      ? `import "./counts.mjs";\nimport * as entry from "${entry}";\n`
      : `${COUNTS}const entry = require("${entry}");\n`;
  const name = `${entry.replaceAll("/", "-")}.${kind}`;
  write(folder, { [name]: `${head}${text}` });
  return node(folder, name);
}

for (const kind of ["mjs", "cjs"]) {
  for (const [entry, call] of Object.entries(CALLS)) {
    test(`${entry} (${kind}): nothing is compiled before the first call`, async () => {
      const isStore = entry === "apex-parts/store";
      const text = `const before = compiled;
${isStore ? "" : `${call};`}
const after = compiled;
${isStore ? "" : `${call};`}
console.log(JSON.stringify([before, after, compiled]));`;
      assert.deepEqual(await program(kind, entry, text), isStore ? [0, 0, 0] : [0, 1, 1]);
    });
  }

  test(`apex-parts (${kind}): classes, constants and functions can be used before`, async () => {
    const text = `const { DeltaAssembler, DoomLoopDetector, PartValidationError, createTextPart, toRequest } = entry;
const own = DeltaAssembler.prototype.push;
let pushed = 0;
DeltaAssembler.prototype.push = function push(delta) {
  pushed++;
  return own.call(this, delta);
};
class Mine extends DoomLoopDetector {}
const made = new PartValidationError("wrong", { problems: [] });
const unread = [
  ({}) instanceof DeltaAssembler,
  made instanceof PartValidationError,
  entry.STREAM_FORMATS.includes("anthropic"),
  Object.keys(entry.DEFAULT_DOOM_LOOP_CONFIG).length > 0,
  Object.getOwnPropertyNames(DeltaAssembler.prototype).filter((name) => name.startsWith("fast")),
  [createTextPart.name, toRequest.name],
  compiled,
];
const read = ["works"].map((text) => createTextPart({ sessionID: "s", messageID: "m", text }).text);
const assembler = new DeltaAssembler();
const at = { runId: "r", timestamp: "2026-01-01T00:00:00.000Z" };
assembler.push({ ...at, seq: 0, kind: "start", payload: { modelId: "m", requestId: "q" } });
for (let seq = 1; seq < 3; seq++) {
  assembler.push({ ...at, seq, kind: "text", payload: { textDelta: "ab" } });
}
const detector = new Mine();
const verdict = detector.text("once", "text").isDetected;
console.log(JSON.stringify([unread, read, pushed, verdict, detector instanceof DoomLoopDetector, compiled]));`;
    const [unread, ...rest] = await program(kind, "apex-parts", text);
    const names = ["createTextPart", "toRequest"];
    assert.deepEqual(unread, [false, true, true, true, [], names, 0]);
    assert.deepEqual(rest, [["works"], 3, false, true, 1]);
  });

  for (const [file, calls] of Object.entries(AREAS)) {
    test(`apex-parts (${kind}): ${Object.keys(calls).join(", ")} load ${file} alone`, async () => {
      const { length } = readFileSync(at("pkg", file));
      for (const [name, call] of Object.entries(calls)) {
        const text = `entry.setLogger(() => {});
entry.isApexPartsError(1);
const before = sizes.length;
try {
  ${call};
} catch (error) {
  if (!("details" in error)) throw error;
}
console.log(JSON.stringify([before, sizes]));`;
        assert.deepEqual(await program(kind, "apex-parts", text), [0, [length]], name);
      }
    });
  }

  test(`apex-parts (${kind}): its names, their fields and their methods are those of the full module`, async () => {
    const text = `(async () => {
  const slim = ${kind === "mjs" ? "await import" : "require"}("apex-parts/slim");
  const inside = (value, depth) =>
    (typeof value !== "object" && typeof value !== "function") || value === null || depth > 3
      ? typeof value
      : Reflect.ownKeys(value)
          .filter((key) => !["caller", "arguments", "constructor", "name"].includes(key))
          .map((key) => [String(key), inside(Object.getOwnPropertyDescriptor(value, key).value, depth + 1)])
          .sort(([a], [b]) => (a < b ? -1 : 1));
  const names = Object.keys(slim).filter((name) => !["default", "initSync", "module.exports"].includes(name));
  const differ = names.filter((name) => JSON.stringify(inside(entry[name], 0)) !== JSON.stringify(inside(slim[name], 0)));
  console.log(JSON.stringify([names.length > 100, differ, compiled]));
})();`;
    assert.deepEqual(await program(kind, "apex-parts", text), [true, [], 0]);
  });

  test(`apex-parts (${kind}): modules have one logger, one order of ids and one class of each error`, async () => {
    const text = `const { DeltaAssembler, McpToolName, PartValidator, Transcript } = entry;
const thrown = (call) => { try { call(); } catch (error) { return error; } };
const heard = [];
entry.setLogger((level, message, error) => heard.push(error.name));
const errors = [
  thrown(() => PartValidator.assertPart({})),
  thrown(() => McpToolName.encode("a", "")),
  thrown(() => Transcript.open(1)),
  thrown(() => new DeltaAssembler({ format: "none" })),
];
const classes = errors.map((error) => error instanceof entry[error.name] && entry.isApexPartsError(error));
Date.now = () => 1_700_000_000_000;
const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };
const place = { sessionID: "s", messageID: "m" };
const ids = [];
for (let i = 0; i < 20; i++) {
  ids.push(entry.generatePartId());
  ids.push(...entry.mcpContentToParts({ content: [image] }, place).attachments.map(({ id }) => id));
}
const isSorted = JSON.stringify(ids) === JSON.stringify(ids.toSorted());
console.log(JSON.stringify([heard, classes, ids.length, new Set(ids).size, isSorted, compiled]));`;
    const [heard, classes, count, different, isSorted, modules] = await program(
      kind,
      "apex-parts",
      text,
    );
    assert.deepEqual(heard, ["PartValidationError", "TranscriptError"]);
    assert.deepEqual([isSorted, modules], [true, 3]);
    assert.deepEqual(classes, [true, true, true, true]);
    assert.deepEqual([count, different], [40, 40]);
  });

  test(`apex-parts (${kind}): init() compiles each module, once`, async () => {
    const text = `(async () => {
  const init = entry.default;
  await init();
  const first = compiled;
  await init();
  entry.generatePartId();
  console.log(JSON.stringify([first, compiled]));
})();`;
    assert.deepEqual(await program(kind, "apex-parts", text), [3, 3]);
  });

  test(`apex-parts (${kind}): a first call that fails for want of stack does not prevent the next`, async () => {
    const text = `function deep() {
  try {
    return deep();
  } catch {
    return entry.generatePartId();
  }
}
try {
  deep();
} catch {}
console.log(JSON.stringify(entry.createTextPart({ sessionID: "s", messageID: "m", text: "works" }).text));`;
    assert.equal(await program(kind, "apex-parts", text), "works");
  });
}

describe("a package whose files are not what they were", () => {
  const FILES = ["apex_parts_bg.wasm", "apex_parts_agent_bg.wasm", "apex_parts_tools_bg.wasm"];
  const SAYS = `const says = (call) => {
  try {
    return call();
  } catch (error) {
    return error.message;
  }
};
`;

  /** What two calls say with the files of a package that was changed. */
  async function changed(name, change) {
    const pkg = join(folder, name);
    cpSync(join(folder, "node_modules", "apex-parts", "pkg"), pkg, { recursive: true });
    change((file) => join(pkg, file));
    write(folder, {
      [`${name}.cjs`]: `${SAYS}const entry = require("./${name}/node.cjs");
const full = says(() => entry.renderMarkdown("none"));
const first = says(() => entry.createTextPart({ sessionID: "s", messageID: "m", text: "works" }).text);
const tools = says(() => entry.McpToolName.encode("a", "b"));
entry.default().then(() => "ready", (error) => error.message).then((ready) => {
  console.log(JSON.stringify([full, first, tools, ready]));
});`,
    });
    return node(folder, `${name}.cjs`);
  }

  test("without the file of a module the full one gives everything, from its file or the bytes for bundles", async () => {
    for (const [at, name] of FILES.entries()) {
      const texts = await changed(`missing-${at}`, (file) => rmSync(file(name)));
      assert.deepEqual(texts, ["<p>none</p>\n", "works", "a_b", "ready"], name);
    }
  });

  test("without any, each call says which file is missing", async () => {
    const texts = await changed("neither", (file) => {
      for (const name of [...FILES, "inline.cjs"]) rmSync(file(name));
    });
    for (const text of texts) assert.match(text, /Cannot find module '\.\/inline\.cjs'/);
  });

  test("with a damaged file each call that needs it says so, and names it; the others work", async () => {
    const works = ["<p>none</p>\n", "works", "a_b"];
    for (const [at, name] of FILES.entries()) {
      const texts = await changed(`damaged-${at}`, (file) => {
        writeFileSync(file(name), readFileSync(file(name)).subarray(0, 100_000));
      });
      for (const text of [texts[at], texts[3]]) {
        assert.match(text, /apex-parts: .*damaged.*: install the package again/);
        assert.ok(text.includes(name), text);
      }
      assert.deepEqual(texts.toSpliced(at, 1).slice(0, 2), works.toSpliced(at, 1));
    }
  });
});
