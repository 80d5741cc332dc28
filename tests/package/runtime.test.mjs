// The packed package in Node: all entries work and share one instance.
// Needs: viewer.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { at, consumer, fixture, node, requireFrom, write } from "./helper.mjs";

const { version } = JSON.parse(readFileSync(at("package.json"), "utf8"));
const bridge = JSON.parse(readFileSync(fixture("apex-bridge.json"), "utf8")).exports;
const functions = bridge.filter(({ kind }) => kind === "function").map(({ name }) => name);

/** Creates a part and validates it, which shows that the module works. */
const WORKS = `function works(parts) {
  const id = parts.generateMessageId();
  const part = parts.PartFactory.createTextPart(id, id, "hello");
  const { valid, problems } = parts.PartValidator.validatePart(part);
  return { version: parts.version(), text: part.text, valid, problems: problems.length };
}
`;
const WORKING = { version, text: "hello", valid: true, problems: 0 };

let folder;
let require;
before(async () => {
  folder = await consumer("runtime");
  require = requireFrom(folder);
});

/** Runs a file with this text in the project. */
async function script(name, text, ...args) {
  write(folder, { [name]: text });
  return node(folder, ...args, name);
}

test("an ES module imports it by name and it is ready", async () => {
  const text = `import * as parts from "apex-parts";
${WORKS}console.log(JSON.stringify(works(parts)));`;
  assert.deepEqual(await script("ready.mjs", text), WORKING);
});

test("a CommonJS file requires it and it is ready", async () => {
  const text = `const parts = require("apex-parts");
${WORKS}console.log(JSON.stringify(works(parts)));`;
  assert.deepEqual(await script("ready.cjs", text), WORKING);
});

test("named imports work in an ES module, as do the default export and the namespace", async () => {
  const text = `import init, { PartFactory, ToolStateTransition, createTextPart, version } from "apex-parts";
import * as all from "apex-parts";
console.log(JSON.stringify({
  init: typeof init, ready: (await init()) === undefined, version: version(),
  same: all.createTextPart === createTextPart && all.PartFactory === PartFactory && all.default === init,
  frozen: typeof ToolStateTransition.createPending,
}));`;
  const expected = { init: "function", ready: true, version, same: true, frozen: "function" };
  assert.deepEqual(await script("named.mjs", text), expected);
});

test("Node finds every name of the CommonJS entry without running it, because exports are literal", async () => {
  const text = `import * as esm from "./node_modules/apex-parts/pkg/node.cjs";
import { createRequire } from "node:module";
const cjs = createRequire(import.meta.url)("apex-parts");
console.log(JSON.stringify(Object.keys(cjs).filter((name) => !(name in esm))));`;
  assert.deepEqual(await script("literal.mjs", text), []);
});

test("import and require in one process give one instance", async () => {
  const text = `import * as esm from "apex-parts";
import * as bridge from "apex-parts/apex-bridge";
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const cjs = require("apex-parts");
const names = Object.keys(cjs);
console.log(JSON.stringify({
  names: names.length > 30,
  missing: names.filter((name) => !(name in esm)),
  more: Object.keys(esm).filter((name) => !(name in cjs) && name !== "module.exports"),
  different: names.filter((name) => name !== "default" && esm[name] !== cjs[name]),
  bridge: bridge.createTextPart === cjs.createTextPart
    && require("apex-parts/apex-bridge").createTextPart === cjs.createTextPart,
}));`;
  assert.deepEqual(await script("both.mjs", text), {
    names: true,
    missing: [],
    more: [],
    different: [],
    bridge: true,
  });
});

test("a logger set through require gets the log entries of imported functions", async () => {
  const text = `import { createTextPart } from "apex-parts";
import { createRequire } from "node:module";
const heard = [];
createRequire(import.meta.url)("apex-parts").setLogger((level, message) => heard.push([level, message]));
createTextPart({});
console.log(JSON.stringify(heard.map(([level]) => level)));`;
  assert.deepEqual(await script("logger.mjs", text), ["warn"]);
});

test("a worker thread that imports it has its own instance, which is ready", async () => {
  const text = `import { Worker, isMainThread, parentPort } from "node:worker_threads";
import * as parts from "apex-parts";
${WORKS}if (isMainThread) {
  const answers = await Promise.all([1, 2].map(() => new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url));
    worker.once("message", resolve).once("error", reject);
  })));
  console.log(JSON.stringify([...answers, works(parts)]));
} else parentPort.postMessage(works(parts));`;
  assert.deepEqual(await script("worker.mjs", text), [WORKING, WORKING, WORKING]);
});

for (const [kind, head] of [
  [
    "cjs",
    `const parts = require("apex-parts/slim");\nconst fs = require("node:fs");\nconst resolve = require.resolve;\n`,
  ],
  [
    "mjs",
    `import * as parts from "apex-parts/slim";\nimport fs from "node:fs";\nimport { createRequire } from "node:module";\nconst { resolve } = createRequire(import.meta.url);\n`,
  ],
]) {
  const bytes = `const bytes = fs.readFileSync(resolve("apex-parts/apex_parts_bg.wasm"));\n`;
  const way = kind === "cjs" ? "require" : "import";

  test(`./slim by ${way} starts from bytes with initSync`, async () => {
    const text = `${head}${bytes}${WORKS}parts.initSync(bytes);
console.log(JSON.stringify(works(parts)));`;
    assert.deepEqual(await script(`slim-sync.${kind}`, text), WORKING);
  });

  for (const [what, source] of [
    ["bytes", "bytes"],
    ["an ArrayBuffer", "new Uint8Array(bytes).buffer"],
    ["a compiled module", "new WebAssembly.Module(bytes)"],
    ["a promise of bytes", "Promise.resolve(bytes)"],
    ["a Response", `new Response(bytes, { headers: { "content-type": "application/wasm" } })`],
    ["a Response of another type", "new Response(bytes)"],
  ]) {
    test(`./slim by ${way} starts from ${what} with await init`, async () => {
      const text = `${head}${bytes}${WORKS}(async () => {
  const complaints = [];
  console.warn = (...words) => complaints.push(words.join(" "));
  await parts.default(${source});
  console.log(JSON.stringify({ ...works(parts), complaints: complaints.filter((c) => /deprecated/.test(c)) }));
})();`;
      const name = `slim-${what.replaceAll(" ", "-")}.${kind}`;
      assert.deepEqual(await script(name, text), { ...WORKING, complaints: [] });
    });
  }

  test(`./slim by ${way} starts in workers from one compiled module`, async () => {
    const threads =
      kind === "cjs"
        ? `const { Worker, isMainThread, parentPort, workerData } = require("node:worker_threads");\n`
        : `import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";\n`;
    const here = kind === "cjs" ? "__filename" : "new URL(import.meta.url)";
    const text = `${threads}${head}${WORKS}if (isMainThread) {
  const module = new WebAssembly.Module(fs.readFileSync(resolve("apex-parts/apex_parts_bg.wasm")));
  Promise.all(["sync", "async"].map((how) => new Promise((resolve, reject) => {
    const worker = new Worker(${here}, { workerData: { module, how } });
    worker.once("message", resolve).once("error", reject);
  }))).then((answers) => console.log(JSON.stringify(answers)));
} else if (workerData.how === "sync") {
  parts.initSync(workerData.module);
  parentPort.postMessage(works(parts));
} else parts.default(workerData.module).then(() => parentPort.postMessage(works(parts)));`;
    assert.deepEqual(await script(`slim-worker.${kind}`, text), [WORKING, WORKING]);
  });
}

test("./slim exports the names of the main entry plus initSync", async () => {
  const text = `import * as main from "apex-parts";
import * as slim from "apex-parts/slim";
import { createRequire } from "node:module";
const cjs = createRequire(import.meta.url)("apex-parts/slim");
const names = (module) => Object.keys(module).filter((n) => n !== "module.exports").sort();
console.log(JSON.stringify([names(main), names(slim), names(cjs)]));`;
  const [main, slim, cjs] = await script("slim-names.mjs", text);
  assert.deepEqual(slim, [...main, "initSync"].sort());
  assert.deepEqual(cjs, slim);
});

test("./slim without a module throws an error that says what it needs", async () => {
  const text = `import init from "apex-parts/slim";
init().catch((error) => console.log(JSON.stringify(error.message)));`;
  assert.match(await script("slim-nothing.mjs", text), /pass the module to init\(\)/);
});

test("./apex-bridge exports the 29 functions of apex-bridge's two files and nothing else", async () => {
  assert.equal(functions.length, 29);
  const text = `import * as esm from "apex-parts/apex-bridge";
import { createRequire } from "node:module";
const cjs = createRequire(import.meta.url)("apex-parts/apex-bridge");
const look = (module) => Object.keys(module).filter((n) => typeof module[n] === "function").sort();
console.log(JSON.stringify({
  esm: look(esm), cjs: look(cjs), default: "default" in esm || "default" in cjs,
  count: Object.keys(cjs).length,
}));`;
  const sorted = [...functions].sort();
  const expected = { esm: sorted, cjs: sorted, default: false, count: 29 };
  assert.deepEqual(await script("bridge.mjs", text), expected);
});

test("the file of the browser's ./apex-bridge has the same 29 functions", async () => {
  const file = join(folder, "node_modules", "apex-parts", "pkg", "apex-bridge.web.mjs");
  const web = await import(pathToFileURL(file).href);
  assert.deepEqual(Object.keys(web).sort(), [...functions].sort());
});

test("the module's file and package.json are found by require and by import", async () => {
  const wasm = require.resolve("apex-parts/apex_parts_bg.wasm");
  assert.deepEqual([...readFileSync(wasm).subarray(0, 4)], [0, 0x61, 0x73, 0x6d]);
  assert.equal(require("apex-parts/package.json").version, version);
  const text = `import manifest from "apex-parts/package.json" with { type: "json" };
console.log(JSON.stringify([manifest.version, import.meta.resolve("apex-parts/apex_parts_bg.wasm")]));`;
  const [found, url] = await script("resolve.mjs", text, "--no-warnings");
  assert.equal(found, version);
  assert.match(url, /\/pkg\/apex_parts_bg\.wasm$/);
});

test("internal files of the package cannot be imported", () => {
  for (const inside of ["pkg/glue.cjs", "pkg/node.cjs", "glue", "web", "viewer-worker"]) {
    assert.throws(() => require(`apex-parts/${inside}`), { code: "ERR_PACKAGE_PATH_NOT_EXPORTED" });
  }
});

test("a server that imports ./viewer to render HTML gets a class, no error, and unchanged globals", async () => {
  const text = `import { createRequire } from "node:module";
const before = new Set(Reflect.ownKeys(globalThis));
const { ApexTranscript, ...others } = await import("apex-parts/viewer");
const again = await import("apex-parts/viewer");
console.log(JSON.stringify({
  element: typeof ApexTranscript,
  same: again.ApexTranscript === ApexTranscript,
  others: Object.keys(others),
  globals: Reflect.ownKeys(globalThis).filter((name) => !before.has(name)).map(String),
  required: process.features.require_module // Node 20.19 and later
    ? createRequire(import.meta.url)("apex-parts/viewer").ApexTranscript === ApexTranscript
    : true,
}));`;
  assert.deepEqual(await script("server.mjs", text), {
    element: "function",
    same: true,
    others: [],
    globals: [],
    required: true,
  });
});

test("the version is that of package.json", () => {
  assert.equal(require("apex-parts").version(), version);
});

test("in the browser's entry, the error of a call before init says what to do, and init then works", async () => {
  const text = `import { readFileSync } from "node:fs";
import * as web from "./node_modules/apex-parts/pkg/web.mjs";
${WORKS}const said = {};
const id = "00000000-0000-7000-8000-000000000000";
const calls = {
  version: () => web.version(),
  createTextPart: () => web.createTextPart({ sessionID: id, messageID: id, text: "x" }),
  PartFactory: () => web.PartFactory.createTextPart(id, id, "x"),
  validatePart: () => web.PartValidator.validatePart({}),
  toModelMessage: () => web.toModelMessage([]),
  DeltaAssembler: () => new web.DeltaAssembler(),
  restore: () => web.DeltaAssembler.restore(new Uint8Array(3)),
  readDeltas: () => web.readDeltas("delta", new Uint8Array(3)),
  streamFormat: () => web.streamFormat(new Uint8Array(3)),
  looksLike: () => web.looksLike(new Uint8Array(3)),
  checkRun: () => web.checkRun([]),
  Transcript: () => new web.Transcript(),
  open: () => web.Transcript.open(new Uint8Array(3)),
  openFiles: () => web.Transcript.openFiles([]),
  runFiles: () => web.runFiles([]),
  parseQuery: () => web.parseQuery("tool:bash /a/"),
  isApexPartsError: () => web.isApexPartsError(new Error()),
  setLogger: () => web.setLogger(undefined),
  renderMarkdown: () => web.renderMarkdown("x"),
  toMessages: () => web.toMessages([]),
  messageToMarkdown: () => web.messageToMarkdown({ info: {}, parts: [] }),
  messageToHtml: () => web.messageToHtml({ info: {}, parts: [] }),
  markdownHead: () => web.markdownHead({ title: "x" }),
  htmlPage: () => web.htmlPage({ title: "x" }),
};
for (const [name, call] of Object.entries(calls)) {
  for (let i = 0; i < 300; i++) {
    try {
      call();
      said[name] = "nothing";
    } catch (error) {
      said[name] = error.constructor.name + ": " + error.message;
    }
  }
}
const file = new URL("./node_modules/apex-parts/pkg/apex_parts_bg.wasm", import.meta.url);
await web.default(readFileSync(file));
const first = works(web);
await web.default(); // a second time does nothing
console.log(JSON.stringify({ said, first, second: works(web) }));`;
  const { said, first, second } = await script("early.mjs", text);
  const sentence =
    "Error: apex-parts is not ready: `await init()` once before anything else; a bundle for Node needs " +
    'none with the condition `node` (rollup: exportConditions: ["node"])';
  const wrong = Object.entries(said).filter(([, what]) => what !== sentence);
  assert.deepEqual(wrong, []);
  assert.deepEqual([first, second], [WORKING, WORKING]);
});

test("init can be repeated after a failure", async () => {
  const text = `import { readFileSync } from "node:fs";
import * as parts from "apex-parts/slim";
${WORKS}const outcome = [];
for (const source of [
  () => new Uint8Array([1, 2, 3]),
  () => "not a url",
  () => ({}),
  () => Promise.reject(new Error("no network")),
]) {
  outcome.push(await parts.default(source()).then(() => "loaded", (error) => error instanceof Error));
}
await parts.default(readFileSync("node_modules/apex-parts/pkg/apex_parts_bg.wasm"));
console.log(JSON.stringify([outcome, works(parts)]));`;
  assert.deepEqual(await script("again.mjs", text), [[true, true, true, true], WORKING]);
});

test("twenty inits at once give one working module", async () => {
  const text = `import { readFileSync } from "node:fs";
import * as parts from "apex-parts/slim";
${WORKS}const bytes = readFileSync("node_modules/apex-parts/pkg/apex_parts_bg.wasm");
await Promise.all(Array.from({ length: 20 }, () => parts.default(bytes)));
console.log(JSON.stringify(works(parts)));`;
  assert.deepEqual(await script("twenty.mjs", text), WORKING);
});

test("an init during which initSync is called does not replace the running module", async () => {
  const text = `import { readFileSync } from "node:fs";
import * as parts from "apex-parts/slim";
const bytes = readFileSync("node_modules/apex-parts/pkg/apex_parts_bg.wasm");
const slow = parts.default(bytes);
parts.initSync(bytes);
const transcript = new parts.Transcript();
transcript.push(new TextEncoder().encode('{"info":{"id":"ses_1"},"messages":['));
await slow;
transcript.push(new TextEncoder().encode("]}"));
transcript.end();
console.log(JSON.stringify([transcript.format, transcript.messageCount]));`;
  assert.deepEqual(await script("overtaken.mjs", text), ["opencode-export", 0]);
});

test("a CommonJS file that re-exports ./apex-bridge together with its own names has both", async () => {
  // The output of TypeScript for `export * from "apex-parts/apex-bridge"`.
  const text = `const star = (from) => {
  for (const name in from) if (name !== "default" && !Object.hasOwn(exports, name)) {
    Object.defineProperty(exports, name, { enumerable: true, get: () => from[name] });
  }
};
exports.own = 1;
star(require("apex-parts/apex-bridge"));
console.log(JSON.stringify([Object.keys(exports).length, typeof exports.createTextPart]));`;
  assert.deepEqual(await script("star.cjs", text), [30, "function"]);
});
