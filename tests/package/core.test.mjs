// `apex-parts/core`: the small module on every host, together with the full one, and with equal results.
// Needs: browser, optimised.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { everyModuleSize } from "../../scripts/sizes.mjs";
import {
  at,
  browser,
  consumer,
  LISTS_MODULES,
  node,
  run,
  serveFolder,
  tool,
  visit,
  write,
} from "./helper.mjs";

const { version } = JSON.parse(readFileSync(at("package.json"), "utf8"));
const WASM = "apex_parts_core_bg.wasm";

/** Uses some of everything that the small module has. */
const WORKS = `
function works(parts) {
  const id = parts.generateMessageId();
  const part = parts.PartFactory.createTextPart(id, id, "h\\u00e9llo");
  const assembler = new parts.DeltaAssembler();
  const timestamp = "2025-02-17T08:30:00Z";
  assembler.push({ runId: "r", seq: 1, timestamp, kind: "start", payload: { modelId: "m", requestId: "q" } });
  assembler.push({ runId: "r", seq: 2, timestamp, kind: "text", payload: { textDelta: "Hi" } });
  assembler.push({ runId: "r", seq: 3, timestamp, kind: "text", payload: { textDelta: "!" } });
  const { text } = assembler.preview().parts[0].payload;
  const detector = new parts.DoomLoopDetector();
  const call = { toolName: "read", parameters: { path: "a" } };
  const verdicts = [1, 2, 3].map(() => detector.check(call).suggestedAction);
  const recorder = new parts.ReActRecorder({ sessionID: id, messageID: id });
  recorder.startStep();
  const found = {
    version: parts.version(),
    valid: parts.PartValidator.validatePart(part).valid,
    text,
    verdict: verdicts[2],
    events: recorder.takeEvents().length > 0,
  };
  for (const object of [assembler, detector, recorder]) object.free();
  return found;
}
`;
const WORKING = { version, valid: true, text: "Hi!", verdict: "interrupt", events: true };
const PAGE = `<!doctype html><link rel="icon" href="data:,"><script type="module" src="main.js"></script>`;

let folder;
let chromium;
before(async () => {
  folder = await consumer("core");
  chromium = await browser();
});
after(() => chromium?.close());

/** The output of a file with this text in the project. */
async function script(name, text) {
  write(folder, { [name]: text });
  return node(folder, name);
}

const print = "console.log(JSON.stringify(works(parts)));\n";

test("it is ready on import and require, which share one instance", async () => {
  const esm = `import * as parts from "apex-parts/core";\n${WORKS}${print}`;
  assert.deepEqual(await script("ready.mjs", esm), WORKING);
  const cjs = `const parts = require("apex-parts/core");\n${WORKS}${print}`;
  assert.deepEqual(await script("ready.cjs", cjs), WORKING);
  const both = `import init, * as esm from "apex-parts/core";
import { createRequire } from "node:module";
const cjs = createRequire(import.meta.url)("apex-parts/core");
await init();
console.log(JSON.stringify(Object.keys(cjs).filter((n) => n !== "default" && cjs[n] !== esm[n])));`;
  assert.deepEqual(await script("both.mjs", both), []);
});

test("a worker thread has an instance of its own", async () => {
  const text = `import { Worker, isMainThread, parentPort } from "node:worker_threads";
import * as parts from "apex-parts/core";
${WORKS}if (isMainThread) {
  new Worker(new URL(import.meta.url)).once("message", (made) => console.log(JSON.stringify(made)));
} else parentPort.postMessage(works(parts));`;
  assert.deepEqual(await script("worker.mjs", text), WORKING);
});

test("its first call loads only the small module", async () => {
  const text = `${LISTS_MODULES}require("apex-parts/core").generatePartId();
console.log(JSON.stringify(read));`;
  assert.deepEqual(await script("reads.cjs", text), [WASM]);
});

for (const [kind, head] of [
  ["cjs", `const parts = require("apex-parts/core/slim");\nconst fs = require("node:fs");\n`],
  ["mjs", `import * as parts from "apex-parts/core/slim";\nimport fs from "node:fs";\n`],
]) {
  test(`./core/slim (${kind}) starts from the given module, and says what it needs`, async () => {
    const bytes = `fs.readFileSync("node_modules/apex-parts/pkg/${WASM}")`;
    const text = `${head}${WORKS}(async () => {
  const said = await parts.default().catch((error) => error.message);
  await parts.default(new WebAssembly.Module(${bytes}));
  parts.initSync(${bytes});
  console.log(JSON.stringify([said, works(parts)]));
})();`;
    const [said, made] = await script(`slim.${kind}`, text);
    assert.match(
      said,
      /^apex-parts: apex-parts\/core\/slim: pass the module to init\(\)|^apex-parts\/core\/slim: pass the module to init\(\)/,
    );
    assert.deepEqual(made, WORKING);
  });
}

test("both modules in one process are separate, and each recognizes the other's errors", async () => {
  const text = `import * as full from "apex-parts";
import * as parts from "apex-parts/core";
${WORKS}
const heard = [];
full.setLogger(() => heard.push("full"));
parts.setLogger(() => heard.push("core"));
parts.createTextPart({});
full.createTextPart({});
const thrown = (call) => { try { call(); } catch (error) { return error; } };
const errors = [full, parts].map((one) => thrown(() => one.PartValidator.assertPart(1)));
console.log(JSON.stringify({
  works: [works(full), works(parts)],
  heard,
  known: errors.map((error) => [full.isApexPartsError(error), parts.isApexPartsError(error)]),
  foreign: thrown(() => parts.DeltaAssembler.prototype.end.call(new full.DeltaAssembler()))?.name,
}));`;
  assert.deepEqual(await script("apart.mjs", text), {
    works: [WORKING, WORKING],
    heard: ["core", "full", "full", "core"],
    known: [
      [true, true],
      [true, true],
    ],
    foreign: "DeltaContractError",
  });
});

test("the full entry exports all of its names, and slim the same plus initSync", async () => {
  const text = `import * as full from "apex-parts";
import * as core from "apex-parts/core";
import * as slim from "apex-parts/core/slim";
const names = (module) => Object.keys(module).filter((n) => n !== "module.exports").sort();
const inside = (module) => names(module).flatMap((n) =>
  [module[n], module[n]?.prototype].filter((o) => o && typeof o !== "number").flatMap((o) => Object.getOwnPropertyNames(o).map((m) => n + "." + m))).sort();
console.log(JSON.stringify([names(full), names(core), names(slim), inside(core).filter((n) => !inside(full).includes(n))]));`;
  const [full, core, slim, own] = await script("names.mjs", text);
  assert.deepEqual(
    core.filter((name) => !full.includes(name)),
    [],
  );
  assert.deepEqual(full.filter((name) => !core.includes(name)).sort(), [
    "CLEARED_TOOL_RESULT",
    "CompactionError",
    "DoomLoopError",
    "InvalidStateTransitionError",
    "McpCallError",
    "McpToolName",
    "McpToolSet",
    "Permission",
    "PermissionCorrected",
    "PermissionDenied",
    "PermissionRejected",
    "Redactor",
    "SessionCompaction",
    "Skill",
    "SqliteFile",
    "TRANSCRIPT_FORMATS",
    "TRANSCRIPT_FORMAT_INFO",
    "TRUNCATION_NOTICE",
    "Tool",
    "ToolDefinitionError",
    "ToolRegistry",
    "ToolStatus",
    "ToolType",
    "Transcript",
    "callSubject",
    "convertMcpTool",
    "createPatchPart",
    "createSnapshotPart",
    "createWithParts",
    "errorLine",
    "formatMcpUri",
    "fromMessages",
    "htmlPage",
    "looksLike",
    "markdownHead",
    "mcpContentToParts",
    "mcpResourceToParts",
    "messageToHtml",
    "messageToMarkdown",
    "openCode2Problems",
    "openCode2Text",
    "openCodeProblems",
    "openCodeText",
    "parseMcpUri",
    "parseQuery",
    "recordedDiff",
    "renderMarkdown",
    "repair",
    "runFiles",
    "saidText",
    "secretKinds",
    "toAgUi",
    "toApexEvent",
    "toMessages",
    "toOpenCode",
    "toOpenCode2",
    "toRequest",
    "toolRegistry",
  ]);
  assert.deepEqual(slim, [...core, "initSync"].sort());
  assert.deepEqual(own, []);
});

test("it gives the same results as the full entry and the full module: loops, deltas, states, parts, messages", async () => {
  const text = `import { readFileSync } from "node:fs";
import * as entry from "apex-parts";
import * as full from "apex-parts/slim";
import * as core from "apex-parts/core";
full.initSync({ module: readFileSync("node_modules/apex-parts/pkg/apex_parts_bg.wasm") });
const { vectors } = JSON.parse(readFileSync(${JSON.stringify(at("tests", "fixtures", "loops.json"))}, "utf8"));
const exported = JSON.parse(readFileSync(${JSON.stringify(at("tests", "fixtures", "subtask.export.json"))}, "utf8"));
const thrown = (call) => { try { return call(); } catch (error) { return [error.name, error.message, error.details]; } };
function loops(parts) {
  return vectors.flatMap(({ config, calls = [] }) => {
    const detector = new parts.DoomLoopDetector(config);
    const told = calls.map((call) => {
      if (call.event) return thrown(() => detector.event(call.event));
      if (!call.toolName) return detector.detect();
      const checked = detector.check({ timestamp: 1, ...call });
      const { result, resultKey, isError } = call;
      const isKnown = result !== undefined || resultKey !== undefined;
      return [checked, isKnown && detector.record({ result, resultKey, isError })];
    });
    const answers = [told, thrown(() => detector.toErrorResponse()), detector.detect()];
    const again = parts.DoomLoopDetector.restore(detector.snapshot());
    return [...answers, detector.snapshot(), again.snapshot()];
  });
}
function deltas(parts) {
  const at = { runId: "r", timestamp: "2025-02-17T08:30:00Z" };
  const list = [
    { kind: "start", payload: { modelId: "m", requestId: "q" } },
    { kind: "thinking", payload: { textDelta: "Hm, é \\ud83d\\ude00" } },
    { kind: "text", payload: { textDelta: "Hi" } },
    { kind: "tool_call_start", payload: { toolCallId: "c", toolName: "t" } },
    { kind: "tool_call_args", payload: { toolCallId: "c", argsTextDelta: '{"a":[1,2.50,{"b":' } },
    { kind: "tool_call_args", payload: { toolCallId: "c", argsTextDelta: 'null}]}' } },
    { kind: "tool_call_end", payload: { toolCallId: "c" } },
    { kind: "tool_call_end", payload: { toolCallId: "d" } },
    { kind: "usage", payload: { inputTokens: 1, outputTokens: 2, totalTokens: 3, cost: 0.1 } },
    { kind: "text", payload: { textDelta: 1 } },
    { kind: "done", payload: { finishReason: "stop" } },
  ].map((delta, i) => ({ ...at, seq: i + 1, ...delta }));
  const assembler = new parts.DeltaAssembler({ onProblem: "collect" });
  const seen = list.map((delta) => [thrown(() => assembler.push(delta)), assembler.preview(), assembler.takeChanges()]);
  assembler.end();
  const bytes = new TextEncoder().encode(list.map((d) => JSON.stringify(d)).join("\\n"));
  const again = parts.DeltaAssembler.restore(assembler.snapshot());
  const context = { sessionID: "s", messageID: "m", parentID: "", agent: "a", providerID: "p", path: { cwd: "/", root: "/" } };
  const whole = JSON.stringify(assembler.toWithParts(context), (key, value) => /^id$|time|start|end|created|completed/i.test(key) ? undefined : value);
  return [seen, assembler.message(), assembler.problems(), again.message(), whole,
    thrown(() => parts.readDeltas("delta", bytes)), parts.readDeltas("delta", bytes, { onProblem: "collect" }),
    parts.streamFormat(bytes), parts.checkRun([assembler.message(), assembler.message()])];
}
function rules(parts) {
  const { messages } = exported;
  return [
    parts.PartValidator.validateTranscript(exported), parts.PartValidator.validateTranscript(exported, { ids: "opencode" }),
    parts.findLoops(messages, { threshold: 1 }), parts.toModelMessage(messages),
    [null, 1, "x", [], {}, { type: "tool" }, { type: "text", id: 1n }].map((part) => parts.PartValidator.validatePart(part)),
    thrown(() => parts.PartValidator.assertPart({ type: "tool" })),
    thrown(() => parts.pendingToRunning({ status: "completed" })), thrown(() => new parts.DoomLoopDetector({ threshold: "x" })),
    thrown(() => new parts.DeltaAssembler({ format: "none" })), thrown(() => parts.DeltaAssembler.restore(new Uint8Array(3))),
  ];
}
for (const parts of [full, core, entry]) parts.setLogger(undefined);
const differ = [];
for (const look of [loops, deltas, rules]) {
  const [one, ...others] = [full, core, entry].map((parts) => JSON.stringify(look(parts)));
  for (const two of others.filter((two) => one !== two)) {
    const place = [...one].findIndex((c, i) => c !== two[i]);
    differ.push([look.name, one.slice(place - 80, place + 80), two.slice(place - 80, place + 80)]);
  }
}
console.log(JSON.stringify({ cases: vectors.length > 10, differ }));`;
  assert.deepEqual(await script("same.mjs", text), { cases: true, differ: [] });
});

test("of a provider's stream an error names the format and the entry that reads it, and no format is detected", async () => {
  const text = `import { DeltaAssembler, readDeltas, streamFormat } from "apex-parts/core";
const thrown = (call) => { try { call(); } catch (error) { return [error.name, error.details.rule, error.message]; } };
const bytes = new TextEncoder().encode('data: {"type":"message_start","message":{"id":"m"}}\\n\\n');
const delta = { runId: "r", seq: 1, timestamp: "", kind: "text", payload: { textDelta: "" } };
console.log(JSON.stringify([
  [streamFormat(bytes) ?? "none", streamFormat(new TextEncoder().encode(JSON.stringify(delta)))],
  thrown(() => new DeltaAssembler().pushBytes(bytes)),
  thrown(() => new DeltaAssembler({ format: "anthropic" })),
  thrown(() => readDeltas("gemini", bytes)),
]));`;
  const [formats, [, rule, message], made, read] = await script("provider.mjs", text);
  assert.deepEqual(formats, ["none", "delta"]);
  assert.deepEqual([rule, message], ["schema", "`runId` is missing; it must be a string (schema)"]);
  for (const [[name, rule, message], format] of [
    [made, "anthropic"],
    [read, "gemini"],
  ]) {
    assert.deepEqual([name, rule], ["DeltaContractError", "schema"]);
    assert.match(message, new RegExp(`"${format}" is read by apex-parts, not by apex-parts/core`));
  }
});

/** Runs bundles from `out` in another folder, without the package. */
async function runAlone(project, names) {
  const alone = mkdtempSync(join(tmpdir(), "apex-parts-core-"));
  for (const name of names) {
    cpSync(join(project, "out", name), join(alone, name));
    assert.deepEqual(await node(alone, name), WORKING, name);
  }
  rmSync(alone, { recursive: true });
}

test("bundles for Node run without the package: esbuild, rollup, webpack", async () => {
  const project = await consumer("core-node", {
    "main.mjs": `import * as parts from "apex-parts/core";\n${WORKS}${print}`,
  });
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: project,
    entryPoints: ["main.mjs"],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: "out/esbuild.mjs",
    logLevel: "silent",
  });
  const { rollup } = await import("rollup");
  const { nodeResolve } = await import("@rollup/plugin-node-resolve");
  const { default: commonjs } = await import("@rollup/plugin-commonjs");
  const bundle = await rollup({
    input: join(project, "main.mjs"),
    plugins: [nodeResolve({ exportConditions: ["node"], preferBuiltins: true }), commonjs()],
  });
  await bundle.write({ file: join(project, "out", "rollup.mjs"), format: "es" });
  await bundle.close();
  const options = ["--mode", "production", "--target", "node", "--no-optimization-minimize"];
  const output = ["--entry", "./main.mjs", "-o", "out", "--output-filename", "webpack.cjs"];
  const args = [tool("webpack-cli"), ...options, ...output, "--no-performance", "--json"];
  const stats = JSON.parse(await run(process.execPath, args, { quiet: true, cwd: project }));
  assert.deepEqual([stats.errors, stats.warnings], [[], []]);
  await runAlone(project, ["esbuild.mjs", "rollup.mjs", "webpack.cjs"]);
});

/** Serves the output of a bundler and loads it. */
async function load(served) {
  const { url, close } = await serveFolder(served);
  try {
    return await visit(chromium, url);
  } finally {
    await close();
  }
}

const wasmFiles = (served) =>
  readdirSync(served, { recursive: true }).filter((name) => name.endsWith(".wasm"));

test("pages load only the small module: Vite, webpack, esbuild", async () => {
  const main = `import init, * as parts from "apex-parts/core";
${WORKS}await init();
globalThis.result = works(parts);\n`;
  const project = await consumer(
    "core-page",
    {
      "index.html": PAGE.replace("main.js", "/main.js"),
      "main.js": main,
      "vite.config.js": 'export default { base: "./", build: { target: "es2022" } };\n',
      "esbuild.js": main
        .replace("await init()", "await init(url)")
        .replace("", `import url from "apex-parts/${WASM}";\n`),
      "esbuild/index.html": PAGE,
      "webpack/index.html": PAGE,
    },
    { type: "module" },
  );
  const expected = { result: WORKING, complaints: [] };
  const options = { quiet: true, cwd: project };
  await run(process.execPath, [tool("vite"), "build", "--logLevel", "warn"], options);
  const webpack = ["--entry", "./main.js", "-o", "webpack", "--mode", "production"];
  await run(process.execPath, [tool("webpack-cli"), ...webpack, "--no-performance"], options);
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: project,
    entryPoints: { main: "esbuild.js" },
    bundle: true,
    format: "esm",
    loader: { ".wasm": "file" },
    outdir: "esbuild",
    logLevel: "silent",
  });
  for (const served of ["dist", "webpack", "esbuild"]) {
    assert.equal(wasmFiles(join(project, served)).length, 1, served);
    assert.deepEqual(await load(join(project, served)), expected, served);
  }
});

test("it is ready in an edge runtime, where bytes must not be compiled", async () => {
  write(folder, {
    "edge.mjs": `import * as parts from "apex-parts/core";
import init from "apex-parts/core";
${WORKS}export const result = init().then(() => works(parts));\n`,
    "run-edge.mjs": `import { readFileSync } from "node:fs";
import vm from "node:vm";
const compiled = new WebAssembly.Module(readFileSync("node_modules/apex-parts/pkg/${WASM}"));
const globals = { TextDecoder, TextEncoder, URL, atob, compiled, crypto };
const context = vm.createContext(globals, { codeGeneration: { wasm: false } });
console.log(JSON.stringify(await vm.runInContext(readFileSync("out/edge.js", "utf8"), context)));`,
  });
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: folder,
    entryPoints: ["edge.mjs"],
    bundle: true,
    format: "iife",
    globalName: "main",
    footer: { js: "main.result" },
    conditions: ["edge-light"],
    outfile: "out/edge.js",
    plugins: [
      {
        name: "compiled",
        setup({ onLoad, onResolve }) {
          onResolve({ filter: /\/apex_parts_core_bg\.wasm\?module$/ }, ({ path }) => ({
            path,
            namespace: "compiled",
          }));
          const contents = "export default compiled";
          onLoad({ filter: /./, namespace: "compiled" }, () => ({ contents }));
        },
      },
    ],
  });
  assert.deepEqual(await node(folder, "run-edge.mjs"), WORKING);
});

test("a loading error names the files and entries of the small module", async () => {
  const text = `import init from "apex-parts/core/slim";
console.log(JSON.stringify(await init(new Uint8Array(3)).catch((error) => error.message)));`;
  assert.match(await script("wrong.mjs", text), /the bytes of apex_parts_core_bg\.wasm/);
});

test("no module has more bytes as brotli than it may", () => {
  const sizes = everyModuleSize();
  assert.equal(sizes.length, 4);
  for (const { module, brotli, most } of sizes) {
    assert.ok(
      brotli <= most,
      `${module} has ${brotli} of ${most}: say where it has grown, \`npm run build\` lists it`,
    );
  }
});
