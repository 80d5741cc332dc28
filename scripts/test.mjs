// `npm test`: sets everything up and runs every test. `npm test -- NAME…` runs only these stages.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { build, compile } from "./build.mjs";
import { lastRun } from "./environments.mjs";
import { at, files, main, run, say } from "./lib.mjs";
import { MODULES } from "./modules.mjs";
import { nodeTests, slowest, takeFlaky } from "./node-tests.mjs";
import { startOneConnection } from "./one-connection.mjs";
import { findBrowser, findDriver, setup } from "./setup.mjs";
import { wasmPackTest } from "./wasm-pack.mjs";

const tsc = at("node_modules", "typescript7", "bin", "tsc");
const tsc5 = at("node_modules", "typescript", "bin", "tsc");

const clippy = (...args) =>
  run("cargo", ["clippy", "--locked", "--quiet", ...args, "--", "-D", "warnings"]);

/** Runs the wasm suite in Chromium, which reaches the server of the test runner through our proxy. */
async function wasmInChromium() {
  const proxy = await startOneConnection();
  const folder = mkdtempSync(join(tmpdir(), "apex-parts-"));
  try {
    const capabilities = JSON.parse(readFileSync(at("webdriver.json"), "utf8"));
    const { args } = capabilities["goog:chromeOptions"];
    // Without the second argument, addresses of this machine go past a proxy.
    args.push(`--proxy-server=http://127.0.0.1:${proxy.port}`, "--proxy-bypass-list=<-loopback>");
    const file = join(folder, "webdriver.json");
    writeFileSync(file, JSON.stringify(capabilities));
    await wasmPackTest(["--headless", "--chrome", "--chromedriver", findDriver()], {
      WASM_BINDGEN_TEST_WEBDRIVER_JSON: file,
      WASM_BINDGEN_TEST_TIMEOUT: "120",
    });
  } finally {
    rmSync(folder, { recursive: true });
    proxy.end();
  }
}

/** A stage that runs the test files of a folder of tests/. */
const tests = (folder, options = () => ({})) => ({
  folder,
  run: () => nodeTests(folder, options()),
});

const inBrowser = () => ({ env: { CHROMIUM_PATH: findBrowser() } });

const STAGES = {
  "format and lint": async () => {
    await run("cargo", ["fmt", "--all", "--check"]);
    await clippy("--workspace", "--all-targets");
    const wasm = ["--target", "wasm32-unknown-unknown"];
    await clippy("--all-targets", ...wasm);
    for (const { features } of MODULES) {
      if (features.length > 0) await clippy("--lib", ...wasm, ...features);
    }
    await run("cargo", ["doc", "--workspace", "--no-deps", "--locked", "--quiet"], {
      env: { RUSTDOCFLAGS: "-D warnings" },
    });
    await run("biome", ["check", "--error-on-warnings"]);
    await run(process.execPath, [tsc, "-p", "www"]);
    // Both compilers that programs have: what one accepts, the other may not.
    for (const compiler of [tsc, tsc5]) await run(process.execPath, [compiler, "-p", "ts"]);
  },
  native: async () => {
    await run("cargo", ["test", "--workspace", "--locked"]);
    // That each crate can be published; compiling the packages once more is left to the workflow.
    const all = ["--workspace", "--exclude", "apex-parts-fixtures", "--no-verify", "--allow-dirty"];
    await run("cargo", ["package", "--locked", "--quiet", ...all]);
  },
  "wasm in Node": () => wasmPackTest(["--node"]),
  "wasm in Chromium": wasmInChromium,
  package: tests("package"),
  environments: {
    ...tests("environments", inBrowser),
    end: () => console.log(`\n${lastRun()}`),
  },
  "built-in tools": tests("package/builtins"),
  skills: tests("package/skills"),
  "MCP servers": tests("package/mcp"),
  compaction: tests("package/compaction"),
  requests: tests("package/requests"),
  OpenCode: tests("package/opencode"),
  "run store": tests("store", () => ({ retry: true })),
  command: tests("command"),
  "viewer in Node": tests("viewer/unit"),
  // A browser on a busy machine can fail a correct test: what fails is run once more, alone.
  viewer: tests("viewer", () => ({ ...inBrowser(), retry: true })),
};

/** Folders with test files that no stage runs. */
function forgotten() {
  const known = new Set(Object.values(STAGES).map(({ folder }) => folder));
  const found = files(at("tests")).filter((path) => path.endsWith(".test.mjs"));
  const folders = found.map((path) => relative(at("tests"), dirname(path)).replaceAll("\\", "/"));
  return [...new Set(folders)].filter((folder) => !known.has(folder));
}

main(async () => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !(name in STAGES));
  if (unknown.length > 0) {
    const names = Object.keys(STAGES).join(", ");
    throw new Error(`no stage ${unknown.join(", ")}; there are: ${names}`);
  }
  const left = forgotten();
  if (left.length > 0) throw new Error(`no stage runs the tests in tests/${left.join(", tests/")}`);
  await setup({ tests: true, meanwhile: compile });
  await build();
  const times = [];
  for (const [name, stage] of Object.entries(STAGES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    say(name);
    const start = Date.now();
    try {
      await (stage.run ?? stage)();
    } finally {
      stage.end?.();
    }
    times.push(`${name} ${((Date.now() - start) / 1000).toFixed(0)} s`);
  }
  const slow = slowest(10);
  if (slow.length > 0) say(`the slowest tests:\n${slow.join("\n")}`);
  say(`every test passed (${times.join(", ")})`);
  const { now, before } = takeFlaky();
  for (const name of before) console.log(`flaky in the run before: ${name}`);
  for (const name of now) console.log(`flaky: ${name}`);
});
