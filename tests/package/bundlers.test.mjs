// The package in browsers, with each bundler: built, served, and loaded by Chromium.
// Needs: viewer, browser.
import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { at, browser, consumer, fixture, run, serveFolder, tool, visit, write } from "./helper.mjs";

const { version } = JSON.parse(readFileSync(at("package.json"), "utf8"));

const PAGE = (script) => `<!doctype html>
<html lang="en">
<title>apex-parts</title>
<link rel="icon" href="data:,">
<script type="module" src="${script}"></script>
</html>
`;

/** Uses some of everything: a factory, a guard, the validator, a transcript from bytes. */
const WORKS = `
function works(parts) {
  const id = parts.generateMessageId();
  const part = parts.PartFactory.createTextPart(id, id, "h\\u00e9llo");
  const info = { id, sessionID: id, role: "user", time: { created: 1 }, agent: "a", model: { providerID: "p", modelID: "m" } };
  const bytes = new TextEncoder().encode(JSON.stringify([{ info, parts: [part] }]));
  const transcript = parts.Transcript.open(bytes);
  const found = {
    version: parts.version(),
    text: transcript.message(0).parts[0].text,
    isText: parts.PartValidator.isTextPart(part),
    valid: parts.PartValidator.validatePart(part).valid,
    model: parts.toModelMessage(transcript.messages())[0].role,
  };
  transcript.free();
  return found;
}
`;
const WORKING = { version, text: "héllo", isText: true, valid: true, model: "user" };

/** Calls a function before init, then init, then uses the package. */
const MAIN = (init = "") => `import * as parts from "apex-parts";
${WORKS}
let early;
try {
  parts.version();
} catch (error) {
  early = error.message;
}
await parts.default(${init});
await parts.default(${init});
`;
const EARLY = "apex-parts is not ready: `await init()` once before anything else";

const WORKER = `import * as parts from "apex-parts";
${WORKS}
addEventListener("message", async () => {
  await parts.default();
  postMessage(works(parts));
});
`;
const SLIM_WORKER = `import * as parts from "apex-parts/slim";
${WORKS}
addEventListener("message", async ({ data }) => {
  await parts.default(data);
  postMessage(works(parts));
});
`;
const ASK = `
const ask = (worker, data) => new Promise((resolve, reject) => {
  worker.onmessage = (event) => resolve(event.data);
  worker.onerror = (event) => reject(new Error(event.message ?? "the worker failed"));
  worker.postMessage(data);
});
`;

let chromium;
before(async () => {
  chromium = await browser();
});
after(() => chromium?.close());

/** Serves the output of a bundler and loads it. */
async function load(folder, page = "") {
  const { url, close } = await serveFolder(folder);
  try {
    return await visit(chromium, url + page);
  } finally {
    await close();
  }
}

const wasmFiles = (folder) =>
  readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".wasm"));

test("without a bundler: an import map and the unchanged files", async () => {
  const map = { imports: { "apex-parts": "./node_modules/apex-parts/pkg/web.mjs" } };
  const folder = await consumer("browser", {
    "main.js": `${MAIN()}globalThis.result = { early, page: works(parts) };\n`,
    "index.html": PAGE("main.js").replace(
      "<script",
      `<script type="importmap">${JSON.stringify(map)}</script>\n<script`,
    ),
  });
  const expected = { result: { early: EARLY, page: WORKING }, complaints: [] };
  assert.deepEqual(await load(folder), expected);
});

test("Vite: `await init()` in a page, and in module workers with the main entry and with ./slim", async () => {
  const folder = await consumer(
    "vite",
    {
      "index.html": PAGE("/main.js"),
      "main.js": `${MAIN()}${ASK}
import url from "apex-parts/apex_parts_bg.wasm?url";
const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const slim = new Worker(new URL("./slim-worker.js", import.meta.url), { type: "module" });
const module = await WebAssembly.compileStreaming(fetch(url));
globalThis.result = {
  early,
  page: works(parts),
  worker: await ask(worker),
  slim: await ask(slim, module),
};
`,
      "worker.js": WORKER,
      "slim-worker.js": SLIM_WORKER,
      "vite.config.js":
        'export default { base: "./", worker: { format: "es" }, build: { target: "es2022" } };\n',
    },
    { type: "module" },
  );
  const args = [tool("vite"), "build", "--logLevel", "warn"];
  const printed = await run(process.execPath, args, { quiet: true, cwd: folder });
  assert.equal(printed.trim(), "", "no warnings");
  assert.equal(new Set(wasmFiles(join(folder, "dist"))).size, 1, "one module, shared by all three");
  assert.deepEqual(await load(join(folder, "dist")), {
    result: { early: EARLY, page: WORKING, worker: WORKING, slim: WORKING },
    complaints: [],
  });
});

test("Vite's development server: the same page, unbundled", async () => {
  const folder = await consumer(
    "vite-dev",
    {
      "index.html": PAGE("/main.js"),
      "main.js": `${MAIN()}globalThis.result = { early, page: works(parts) };\n`,
    },
    { type: "module" },
  );
  const { createServer } = await import("vite");
  // Vite's client connects to the configured port, so it must be a real one.
  const free = await serveFolder(folder);
  const port = Number(new URL(free.url).port);
  await free.close();
  const server = await createServer({
    root: folder,
    configFile: false,
    logLevel: "silent",
    server: { host: "127.0.0.1", port, strictPort: true },
  });
  await server.listen();
  try {
    const seen = await visit(chromium, server.resolvedUrls.local[0]);
    assert.deepEqual(seen, { result: { early: EARLY, page: WORKING }, complaints: [] });
  } finally {
    await server.close();
  }
});

test("webpack: `await init()` in a page, without any configuration", async () => {
  const folder = await consumer(
    "webpack",
    { "src/index.js": `${MAIN()}globalThis.result = { early, page: works(parts) };\n` },
    { type: "module" },
  );
  // The command of webpack requires webpack-cli, which is installed.
  const args = [tool("webpack-cli"), "--mode", "production", "--no-performance", "--json"];
  const stats = JSON.parse(await run(process.execPath, args, { quiet: true, cwd: folder }));
  assert.deepEqual([stats.errors, stats.warnings], [[], []]);
  write(folder, { "dist/index.html": PAGE("main.js") });
  assert.equal(wasmFiles(join(folder, "dist")).length, 1);
  const expected = { result: { early: EARLY, page: WORKING }, complaints: [] };
  assert.deepEqual(await load(join(folder, "dist")), expected);
});

test("esbuild: init accepts the URL that its file loader gives for ./apex_parts_bg.wasm", async () => {
  const folder = await consumer(
    "esbuild",
    {
      "index.js": `import wasm from "apex-parts/apex_parts_bg.wasm";
${MAIN("wasm")}globalThis.result = { early, page: works(parts), url: typeof wasm };\n`,
      "dist/index.html": PAGE("index.js"),
    },
    { type: "module" },
  );
  const { build } = await import("esbuild");
  const { warnings } = await build({
    absWorkingDir: folder,
    entryPoints: ["index.js"],
    bundle: true,
    format: "esm",
    loader: { ".wasm": "file" },
    outdir: "dist",
    logLevel: "silent",
  });
  assert.deepEqual(warnings, []);
  const expected = { result: { early: EARLY, page: WORKING, url: "string" }, complaints: [] };
  assert.deepEqual(await load(join(folder, "dist")), expected);
});

test("esbuild: the command with the same loader, minified", async () => {
  const folder = await consumer(
    "esbuild-command",
    {
      "index.js": `import wasm from "apex-parts/apex_parts_bg.wasm";
import { PartFactory, default as init } from "apex-parts/slim";
await init(fetch(wasm));
globalThis.result = PartFactory.createTextPart("s", "m", "t").text;\n`,
      "dist/index.html": PAGE("index.js"),
    },
    { type: "module" },
  );
  const flags = ["--bundle", "--format=esm", "--loader:.wasm=file", "--minify", "--outdir=dist"];
  await run(tool("esbuild"), ["index.js", ...flags, "--log-level=warning"], {
    quiet: true,
    cwd: folder,
  });
  assert.deepEqual(await load(join(folder, "dist")), { result: "t", complaints: [] });
});

test("a page that uses only ./apex-bridge shares the instance that init of the main entry created", async () => {
  const folder = await consumer(
    "bridge-page",
    {
      "index.html": PAGE("/main.js"),
      "main.js": `import init from "apex-parts";
import { createTextPart } from "apex-parts/apex-bridge";
await init();
globalThis.result = createTextPart({ sessionID: "s", messageID: "m", text: "t" }).text;
`,
    },
    { type: "module" },
  );
  const args = [tool("vite"), "build", "--logLevel", "warn"];
  await run(process.execPath, args, { quiet: true, cwd: folder });
  assert.deepEqual(await load(join(folder, "dist")), { result: "t", complaints: [] });
});

/** A page whose policy allows only what docs/viewer.md says that the element needs. */
const ELEMENT_PAGE = (script) =>
  PAGE(script).replace(
    "<title>",
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:">
<title>`,
  );
const ELEMENT_SHOWN = { result: { keyword: "const", text: "Héllo" }, complaints: [] };

/** One project for all three bundlers, with an output folder for each. */
let elements;
function elementProject(folder, contents = {}) {
  elements ??= consumer("element", {}, { type: "module" });
  return elements.then((project) => {
    const main = readFileSync(fixture("element.mjs"), "utf8");
    write(join(project, folder), { "main.js": main, ...contents });
    return join(project, folder);
  });
}

test("Vite: <apex-transcript> finds its worker, module and files without any configuration", async () => {
  const folder = await elementProject("vite", { "index.html": ELEMENT_PAGE("/main.js") });
  const args = [tool("vite"), "build", "--logLevel", "warn"];
  const printed = await run(process.execPath, args, { quiet: true, cwd: folder });
  assert.equal(printed.trim(), "", "no warnings");
  assert.equal(wasmFiles(join(folder, "dist")).length, 1);
  assert.deepEqual(await load(join(folder, "dist")), ELEMENT_SHOWN);
});

test("webpack: <apex-transcript> finds its worker, module and files without any configuration", async () => {
  const folder = await elementProject("webpack");
  // Minifying would take most of the time, and the files are minified already.
  const options = ["--mode", "production", "--no-optimization-minimize", "--no-performance"];
  const args = [tool("webpack-cli"), "--entry", "./main.js", ...options, "--json"];
  const stats = JSON.parse(await run(process.execPath, args, { quiet: true, cwd: folder }));
  assert.deepEqual([stats.errors, stats.warnings], [[], []]);
  write(folder, { "dist/index.html": ELEMENT_PAGE("main.js") });
  assert.equal(wasmFiles(join(folder, "dist")).length, 1);
  assert.deepEqual(await load(join(folder, "dist")), ELEMENT_SHOWN);
});

test("esbuild: <apex-transcript> runs with the worker and the module copied beside the output", async () => {
  const folder = await elementProject("esbuild", {
    "dist/index.html": ELEMENT_PAGE("main.js"),
  });
  const flags = ["--bundle", "--format=esm", "--splitting", "--minify", "--outdir=dist"];
  await run(tool("esbuild"), ["main.js", ...flags, "--log-level=warning"], {
    quiet: true,
    cwd: folder,
  });
  for (const name of ["viewer-worker.mjs", "apex_parts_bg.wasm"]) {
    cpSync(join(folder, "../node_modules/apex-parts/pkg", name), join(folder, "dist", name));
  }
  assert.deepEqual(await load(join(folder, "dist")), ELEMENT_SHOWN);
});
