// Node compiles a module at the first call of the entry that has it, not when the entry is imported or required.
import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { consumer, node, write } from "./helper.mjs";

/** Counts the modules that are compiled, in whatever way. */
const COUNTS = `globalThis.compiled = 0;
WebAssembly.Module = class extends WebAssembly.Module {
  constructor(...given) {
    super(...given);
    globalThis.compiled++;
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

  test(`apex-parts (${kind}): init() compiles the module, once`, async () => {
    const text = `(async () => {
  const init = entry.default;
  await init();
  const first = compiled;
  await init();
  entry.generatePartId();
  console.log(JSON.stringify([first, compiled]));
})();`;
    assert.deepEqual(await program(kind, "apex-parts", text), [1, 1]);
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
  const FILE = "apex_parts_bg.wasm";
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
const first = says(() => entry.createTextPart({ sessionID: "s", messageID: "m", text: "works" }).text);
const tools = says(() => entry.Permission.evaluate("bash", "ls", []).action);
entry.default().then(() => "ready", (error) => error.message).then((ready) => {
  console.log(JSON.stringify([first, tools, ready]));
});`,
    });
    return node(folder, `${name}.cjs`);
  }

  test("without the module's file the bytes for bundles are used", async () => {
    const texts = await changed("missing", (file) => rmSync(file(FILE)));
    assert.deepEqual(texts, ["works", "ask", "ready"]);
  });

  test("without both, each call says which file is missing", async () => {
    const texts = await changed("neither", (file) => {
      rmSync(file(FILE));
      rmSync(file("inline.cjs"));
    });
    for (const text of texts) assert.match(text, /^Cannot find module '\.\/inline\.cjs'/);
  });

  test("with a damaged file each call says so, and names it", async () => {
    const texts = await changed("damaged", (file) => {
      writeFileSync(file(FILE), readFileSync(file(FILE)).subarray(0, 100_000));
    });
    for (const text of texts) {
      assert.match(
        text,
        /^apex-parts: .*damaged.apex_parts_bg\.wasm is damaged \(.*\): install the package again$/,
      );
    }
  });
});
