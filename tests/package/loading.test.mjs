// How the module is found and started in bundled programs and in environments that lack something, and what
// the errors say if that fails.
// Needs: browser.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { browser, consumer, node, run, serveFolder, tool, visit, write } from "./helper.mjs";

const USE = `console.log(JSON.stringify(createTextPart({ sessionID: "s", messageID: "m", text: "works" }).text));\n`;

/** A project whose main.mjs and main.cjs use the package in Node. */
const project = (name) =>
  consumer(name, {
    "main.mjs": `import { createTextPart } from "apex-parts";\n${USE}`,
    "main.cjs": `const { createTextPart } = require("apex-parts");\n${USE}`,
  });

/** Runs bundles from `out` in another folder, without the package. */
async function runAlone(folder, names) {
  const alone = mkdtempSync(join(tmpdir(), "apex-parts-alone-"));
  for (const name of names) {
    const text = readFileSync(join(folder, "out", name), "utf8");
    assert.ok(!text.includes(folder), `${name} has no path of the machine that made it`);
    cpSync(join(folder, "out", name), join(alone, name));
    assert.equal(await node(alone, name), "works", name);
  }
  rmSync(alone, { recursive: true });
}

test("a process that loads the package unbundled does not read the bytes meant for bundles", async () => {
  const folder = await project("unbundled");
  write(folder, {
    "look.cjs": `require("apex-parts");
console.log(JSON.stringify(Object.keys(require.cache).filter((name) => name.includes("inline"))));`,
  });
  assert.deepEqual(await node(folder, "look.cjs"), []);
});

test("esbuild: one file for Node runs without the package, as ES module and as CommonJS", async () => {
  const folder = await project("esbuild-node");
  const { build } = await import("esbuild");
  const names = [];
  for (const [format, ending] of [
    ["esm", "mjs"],
    ["cjs", "cjs"],
  ]) {
    for (const entry of ["mjs", "cjs"]) {
      names.push(`esbuild-${entry}.${ending}`);
      await build({
        absWorkingDir: folder,
        entryPoints: [`main.${entry}`],
        bundle: true,
        platform: "node",
        format,
        outfile: `out/${names.at(-1)}`,
        logLevel: "silent",
      });
    }
  }
  await runAlone(folder, names);
});

test("webpack: one file for Node runs without the package", async () => {
  const folder = await project("webpack-node");
  const options = ["--mode", "production", "--target", "node", "--no-optimization-minimize"];
  const output = ["--entry", "./main.mjs", "-o", "out", "--output-filename", "webpack.cjs"];
  const args = [tool("webpack-cli"), ...options, ...output, "--no-performance", "--json"];
  const stats = JSON.parse(await run(process.execPath, args, { quiet: true, cwd: folder }));
  assert.deepEqual([stats.errors, stats.warnings], [[], []]);
  await runAlone(folder, ["webpack.cjs"]);
});

test("Vite: a server bundle that contains the package runs without it", async () => {
  const folder = await project("vite-node");
  const { build } = await import("vite");
  await build({
    root: folder,
    configFile: false,
    logLevel: "silent",
    ssr: { noExternal: true },
    build: {
      ssr: "main.mjs",
      outDir: "out",
      rolldownOptions: { output: { entryFileNames: "vite.mjs", codeSplitting: false } },
    },
  });
  await runAlone(folder, ["vite.mjs"]);
});

test("rollup: one file for Node runs without the package, as ES module and as CommonJS", async () => {
  const folder = await project("rollup-node");
  const { rollup } = await import("rollup");
  const { nodeResolve } = await import("@rollup/plugin-node-resolve");
  const { default: commonjs } = await import("@rollup/plugin-commonjs");
  const names = [];
  for (const entry of ["mjs", "cjs"]) {
    const bundle = await rollup({
      input: join(folder, `main.${entry}`),
      plugins: [nodeResolve({ exportConditions: ["node"], preferBuiltins: true }), commonjs()],
    });
    for (const [format, ending] of [
      ["es", "mjs"],
      ["cjs", "cjs"],
    ]) {
      names.push(`rollup-${entry}.${ending}`);
      await bundle.write({ file: join(folder, "out", names.at(-1)), format });
    }
    await bundle.close();
  }
  await runAlone(folder, names);
});

test("rollup with node-resolve: the error says what was received and what to do; the file beside the bundle works", async () => {
  const folder = await consumer("rollup", {
    "main.js": `import init, { createTextPart } from "apex-parts";
try {
  await init();
  globalThis.result = createTextPart({ sessionID: "s", messageID: "m", text: "works" }).text;
} catch (error) {
  globalThis.result = error.message;
}
`,
    "dist/index.html": `<!doctype html><link rel="icon" href="data:,"><script type="module" src="main.js"></script>`,
  });
  const { rollup } = await import("rollup");
  const { nodeResolve } = await import("@rollup/plugin-node-resolve");
  const plugins = [nodeResolve({ browser: true })];
  const bundle = await rollup({ input: join(folder, "main.js"), plugins });
  await bundle.write({ dir: join(folder, "dist"), format: "es" });
  await bundle.close();
  const { url, close } = await serveFolder(join(folder, "dist"));
  const chromium = await browser();
  try {
    const { result } = await visit(chromium, url);
    assert.match(result, /\/apex_parts_bg\.wasm is not the module, it came with status 404/);
    assert.match(result, /import-meta-assets.*await init\(url\)/);
    const file = "node_modules/apex-parts/pkg/apex_parts_bg.wasm";
    cpSync(join(folder, file), join(folder, "dist", "apex_parts_bg.wasm"));
    assert.deepEqual(await visit(chromium, url), { result: "works", complaints: [] });
  } finally {
    await chromium.close();
    await close();
  }
});

test("the error for an HTML page in place of the module has its status and type", async () => {
  const folder = await consumer("html", {
    "main.mjs": `import init from "apex-parts/slim";
const page = new Response("<!doctype html>", { headers: { "content-type": "text/html" } });
console.log(JSON.stringify(await init(page).catch((error) => error.message)));`,
  });
  assert.match(await node(folder, "main.mjs"), /status 200, content type text\/html: put /);
});

test("init and initSync accept the objects from the documentation of wasm-bindgen, without warnings", async () => {
  const head = `import { readFileSync } from "node:fs";
console.warn = (...words) => console.log(JSON.stringify(words));
const bytes = readFileSync("node_modules/apex-parts/pkg/apex_parts_bg.wasm");\n`;
  const folder = await consumer("forms");
  const forms = [
    ["apex-parts/slim", "parts.initSync({ module: new WebAssembly.Module(bytes) })"],
    ["apex-parts/slim", "parts.initSync({ module: bytes })"],
    ["apex-parts/slim", "parts.initSync(bytes)"],
    ["apex-parts/slim", "await parts.default({ module_or_path: bytes })"],
    ["./node_modules/apex-parts/pkg/web.mjs", "await parts.default({ module_or_path: bytes })"],
  ];
  for (const [entry, call] of forms) {
    const text = `import * as parts from "${entry}";\n${head}${call};\nconst { createTextPart } = parts;\n${USE}`;
    write(folder, { "form.mjs": text });
    assert.equal(await node(folder, "form.mjs"), "works", call);
  }
});

test("jest's jsdom environment: everything works after init()", async () => {
  const check = `test("works", async () => {
  expect(typeof window).toBe("object");
  await init();
  expect(createTextPart({ sessionID: "s", messageID: "m", text: "é" }).text).toBe("é");
});\n`;
  const folder = await consumer("jsdom", {
    "require.test.js": `const { default: init, createTextPart } = require("apex-parts");\n${check}`,
    "bridge.test.js": `const init = require("apex-parts").default;
const { createTextPart } = require("apex-parts/apex-bridge");\n${check}`,
  });
  const environment = ["--env", "jest-environment-jsdom"];
  const out = await run(process.execPath, [tool("jest"), "--json", "--silent", ...environment], {
    quiet: true,
    cwd: folder,
  });
  const { numPassedTests, numFailedTests } = JSON.parse(out);
  assert.deepEqual({ numPassedTests, numFailedTests }, { numPassedTests: 2, numFailedTests: 0 });
});

/** Runs a module in a context that compiles no WebAssembly from bytes, with `compiled` to import. */
const EDGE = `import { readFileSync } from "node:fs";
import vm from "node:vm";
const bytes = readFileSync("node_modules/apex-parts/pkg/apex_parts_bg.wasm");
const compiled = new WebAssembly.Module(bytes);
const globals = { TextDecoder, TextEncoder, URL, atob, compiled, bytes };
const context = vm.createContext(globals, { codeGeneration: { wasm: false } });
const text = readFileSync("out/main.js", "utf8");
console.log(JSON.stringify(await vm.runInContext(text, context)));
`;

/** The output of a program built for an edge runtime, where `.wasm?module` is compiled. */
async function inEdge(name, program) {
  const folder = await consumer(name, { "main.mjs": program, "run.mjs": EDGE });
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: folder,
    entryPoints: ["main.mjs"],
    bundle: true,
    format: "iife",
    globalName: "main",
    footer: { js: "main.result" },
    conditions: ["edge-light"],
    outfile: "out/main.js",
    plugins: [
      {
        name: "compiled",
        setup({ onLoad, onResolve }) {
          onResolve({ filter: /\.wasm\?module$/ }, ({ path }) => ({ path, namespace: "compiled" }));
          const contents = "export default compiled";
          onLoad({ filter: /./, namespace: "compiled" }, () => ({ contents }));
        },
      },
    ],
  });
  return node(folder, "run.mjs");
}

test("it is ready in an edge runtime, where bytes must not be compiled", async () => {
  const program = `import { createTextPart } from "apex-parts";
import { createTextPart as same } from "apex-parts/apex-bridge";
const { text } = createTextPart({ sessionID: "s", messageID: "m", text: "works" });
export const result = [text, createTextPart === same];\n`;
  assert.deepEqual(await inEdge("edge", program), ["works", true]);
});

test("where bytes must not be compiled, the error names what works", async () => {
  const program = `import init, { createTextPart, initSync } from "apex-parts/slim";
const text = () => createTextPart({ sessionID: "s", messageID: "m", text: "works" }).text;
async function run() {
  const said = await init(bytes).catch((error) => error.message);
  initSync({ module: compiled });
  return [said, text()];
}
export const result = run();\n`;
  const [said, text] = await inEdge("edge-slim", program);
  assert.match(said, /compiled from bytes here.*condition edge-light.*apex_parts_bg\.wasm returns/);
  assert.equal(text, "works");
});
