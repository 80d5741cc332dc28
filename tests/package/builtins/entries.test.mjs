// `apex-parts/tools` and `apex-parts/node` on every host, and what loads them.
// Needs: browser.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { browser, consumer, fixture, node, serveFolder, visit, write } from "../helper.mjs";

const IDS = "bash read glob grep edit write web-fetch todo-write todo-read".split(" ");

let folder;
let chromium;
before(async () => {
  folder = await consumer("builtins-entries");
  cpSync(fixture("memory-files.mjs"), join(folder, "memory-files.mjs"));
  chromium = await browser();
});
after(() => chromium?.close());

/** The output of a file with this text in the project. */
async function script(name, text) {
  write(folder, { [name]: text });
  return node(folder, name);
}

/** Calls tools over a host in memory. */
const WORKS = `
async function works({ ToolRegistry }, { builtinTools }, memoryHost) {
  const host = memoryHost({ "/work/src/app.ts": "let one = 1;\\n  two();\\n", "/work/a.txt": "x\\n" });
  const registry = new ToolRegistry({ rules: [[{ permission: "*", pattern: "*", action: "allow" }]] });
  for (const tool of builtinTools(host)) registry.register(tool);
  const ended = [];
  for (const [tool, input] of [
    ["read", { filePath: "src/app.ts" }],
    ["edit", { filePath: "src/app.ts", oldString: "two();", newString: "2();" }],
    ["glob", { pattern: "**/*.ts" }],
    ["grep", { pattern: "on[e]", include: "*.ts" }],
    ["bash", { command: "ls" }],
    ["web-fetch", { url: "https://93.184.216.34/" }],
    ["todo-write", { todos: [{ content: "x", status: "pending" }] }],
  ]) {
    const call = { callID: "c", sessionID: "s", messageID: "m", tool, input };
    const { state } = await registry.execute(call);
    ended.push(state.status === "completed" ? state.output : state.error);
  }
  return { ids: registry.ids(), ended };
}
`;

function check({ ids, ended }) {
  assert.deepEqual(ids, IDS);
  const [read, edit, glob, grep, bash, fetched, todos] = ended;
  assert.match(read, /1: let one = 1;\n2: {3}two\(\);/);
  assert.equal(edit, "Edited /work/src/app.ts: lines 2-2 (+1 -1).");
  assert.equal(glob, "/work/src/app.ts");
  assert.match(grep, /^Found 1 match(es)?\n\/work\/src\/app\.ts:\n {2}Line 1: let one = 1;$/);
  assert.equal(bash, "would run ls\n");
  assert.match(fetched, /# A page/);
  assert.match(todos, /"content": "x"/);
}

const print = "console.log(JSON.stringify(await works(parts, tools, memoryHost)));\n";
const MEMORY = 'import { memoryHost } from "./memory-files.mjs";\n';

describe("the built-in tools", () => {
  test("are ready on import", async () => {
    const imports =
      'import * as parts from "apex-parts";\nimport * as tools from "apex-parts/tools";\n';
    check(await script("ready.mjs", imports + MEMORY + WORKS + print));
  });

  test("are ready on require, and one instance with import", async () => {
    const text = `const parts = require("apex-parts");
const tools = require("apex-parts/tools");
${WORKS}
(async () => {
  const { memoryHost } = await import("./memory-files.mjs");
  const same = Object.keys(tools).every((name) => name === "default" || tools[name] === imported[name]);
  if (!same) throw new Error("two instances");
  console.log(JSON.stringify(await works(parts, tools, memoryHost)));
})();`.replace(
      "(async () => {",
      '(async () => {\n  const imported = await import("apex-parts/tools");',
    );
    check(await script("ready.cjs", text));
  });

  test("are known by OpenCode's names as well, or by these and the others as well", async () => {
    const text = `import { ToolRegistry } from "apex-parts";
import { builtinTools } from "apex-parts/node";
const called = async (names, tool) => {
  const registry = new ToolRegistry();
  for (const info of builtinTools({ names })) registry.register(info);
  const { tool: id, state } = await registry.execute({ callID: "c", sessionID: "s", messageID: "m", tool });
  return [id, state.status];
};
console.log(JSON.stringify([await called(undefined, "todoread"), await called("opencode", "todo-read")]));`;
    assert.deepEqual(await script("names.mjs", text), [
      ["todo-read", "completed"],
      ["todoread", "completed"],
    ]);
  });

  test("work in a page after init", async () => {
    const pkg = "/node_modules/apex-parts/pkg";
    const entries = { "apex-parts": `${pkg}/web.mjs`, "apex-parts/tools": `${pkg}/tools.web.mjs` };
    const page = `<!doctype html><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports: entries })}</script>
<script type="module">
import init, * as parts from "apex-parts";
import initTools, * as tools from "apex-parts/tools";
import { memoryHost } from "/memory-files.mjs";
${WORKS}
await Promise.all([init(), initTools()]);
globalThis.result = await works(parts, tools, memoryHost);
</script>`;
    write(folder, { "index.html": page });
    const { url, close } = await serveFolder(folder);
    try {
      const { result, complaints } = await visit(chromium, url);
      assert.deepEqual(complaints, []);
      check(result);
    } finally {
      await close();
    }
  });

  test("need a host; the one of Node takes a relative directory", async () => {
    const text = `import { builtinTools, isApexPartsError } from "apex-parts/tools";
import { nodeHost } from "apex-parts/node";
const host = nodeHost({ directory: ".", worktree: ".." });
const wrong = [undefined, null, {}, { ...host, directory: "x" }];
const few = builtinTools({ directory: "/" }).map(({ id }) => id);
const errors = wrong.map((given) => {
  try {
    return builtinTools(given).length;
  } catch (error) {
    return isApexPartsError(error);
  }
});
const { sep } = await import("node:path");
console.log(JSON.stringify([errors, few, host.directory === process.cwd(), process.cwd().startsWith(host.worktree + sep)]));`;
    assert.deepEqual(await script("host.mjs", text), [
      [true, true, true, true],
      ["todo-write", "todo-read"],
      true,
      true,
    ]);
  });

  test("are not loaded by the parts alone", async () => {
    const text = `require("apex-parts");
const loaded = Object.keys(require.cache).map((path) => path.replace(/.*\\/pkg\\//, ""));
console.log(JSON.stringify(loaded.filter((path) => /tools|host/.test(path))));`;
    assert.deepEqual(await script("alone.cjs", text), []);
  });

  test("of Node share their module on import and require", async () => {
    const text = `import { createRequire } from "node:module";
import * as esm from "apex-parts/node";
const require = createRequire(import.meta.url);
const cjs = require("apex-parts/node");
const loaded = Object.keys(require.cache).filter((path) => path.includes("tools.glue"));
const tools = esm.builtinTools({ directory: "/" });
const opencode = cjs.builtinTools({ names: "opencode", search: { search: async () => [] } });
console.log(JSON.stringify({
  names: [Object.keys(esm).sort(), Object.keys(cjs).sort()],
  loaded: loaded.length,
  ids: tools.map(({ id }) => id),
  opencode: opencode.map(({ id }) => id),
  aliases: tools.flatMap(({ aliases = [] }) => aliases),
}));`;
    const names = ["builtinTools", "defaultSkillRoots", "nodeHost", "scanSkills", "skillTool"];
    assert.deepEqual(await script("node.mjs", text), {
      names: [names, names],
      loaded: 1,
      ids: IDS,
      opencode: "bash read glob grep edit write webfetch todowrite todoread websearch".split(" "),
      // `shell` is a name for rules alone.
      aliases: ["webfetch", "todowrite", "todoread"],
    });
  });

  for (const format of ["esm", "cjs"]) {
    test(`of Node work in a bundle, ${format}`, async () => {
      const text = `import { ToolRegistry } from "apex-parts";
import { builtinTools } from "apex-parts/node";
const registry = new ToolRegistry({ rules: [[{ permission: "*", pattern: "*", action: "allow" }]] });
for (const tool of builtinTools({ directory: "/" })) registry.register(tool);
const call = { callID: "c", sessionID: "s", messageID: "m", tool: "bash", input: { command: "echo hi; exit 4" } };
registry.execute(call).then(({ state }) => console.log(JSON.stringify(state.output)));`;
      write(folder, { "bundled.mjs": text });
      const output = join(folder, "bundle", format === "esm" ? "main.mjs" : "main.cjs");
      const { build } = await import("esbuild");
      await build({
        entryPoints: [join(folder, "bundled.mjs")],
        bundle: true,
        platform: "node",
        format,
        outfile: output,
        logLevel: "error",
      });
      assert.equal(await node(join(folder, "bundle"), output), "hi\n\n(exit code 4)");
    });
  }
});
