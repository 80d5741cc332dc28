// `npm test`: sets everything up and runs every test. `npm test -- NAME…` runs only these stages.
import { build, compile } from "./build.mjs";
import { MODULES } from "./entries.mjs";
import { lastRun } from "./environments.mjs";
import { at, main, run, say } from "./lib.mjs";
import { nodeTests, slowest, takeFlaky } from "./node-tests.mjs";
import { findBrowser, findDriver, setup } from "./setup.mjs";

const tsc = at("node_modules", "typescript7", "bin", "tsc");

const clippy = (...args) =>
  run("cargo", ["clippy", "--locked", "--quiet", ...args, "--", "-D", "warnings"]);

/**
 * The server of wasm-bindgen's test runner starts with four threads, each bound to one connection. The
 * browser opens more: in about every third run one is never served, and the page does not load. This is
 * distinguished from a failing test, and the browser is started again.
 */
async function wasmInChromium() {
  const driver = ["--chromedriver", findDriver()];
  const test = () =>
    run("wasm-pack", ["test", "--headless", "--chrome", ...driver], { quiet: true });
  for (let left = 7; ; left--) {
    try {
      console.log(await test());
      return;
    } catch (error) {
      if (left === 0 || !error.message.includes("Failed to detect test as having been run")) {
        throw error;
      }
      say("the page did not load: once more");
    }
  }
}

const STAGES = {
  "format and lint": async () => {
    await run("cargo", ["fmt", "--check"]);
    await clippy("--all-targets");
    const wasm = ["--target", "wasm32-unknown-unknown"];
    await clippy("--all-targets", ...wasm);
    for (const { features } of MODULES) {
      if (features.length > 0) await clippy("--lib", ...wasm, ...features);
    }
    await run("cargo", ["doc", "--no-deps", "--locked", "--quiet"], {
      env: { RUSTDOCFLAGS: "-D warnings" },
    });
    await run("biome", ["check", "--error-on-warnings"]);
    await run(process.execPath, [tsc, "-p", "www"]);
  },
  native: () => run("cargo", ["test", "--locked"]),
  "wasm in Node": () => run("wasm-pack", ["test", "--node"]),
  "wasm in Chromium": wasmInChromium,
  package: () => nodeTests("package"),
  environments: async () => {
    try {
      await nodeTests("environments", { env: { CHROMIUM_PATH: findBrowser() } });
    } finally {
      console.log(`\n${lastRun()}`);
    }
  },
  "built-in tools": () => nodeTests("package/builtins"),
  skills: () => nodeTests("package/skills"),
  "MCP servers": () => nodeTests("package/mcp"),
  compaction: () => nodeTests("package/compaction"),
  OpenCode: () => nodeTests("package/opencode"),
  "run store": () => nodeTests("store", { retry: true }),
  command: () => nodeTests("command"),
  "viewer in Node": () => nodeTests("viewer/unit"),
  // A browser on a busy machine can fail a correct test: what fails is run once more, alone.
  viewer: () => nodeTests("viewer", { env: { CHROMIUM_PATH: findBrowser() }, retry: true }),
};

main(async () => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !(name in STAGES));
  if (unknown.length > 0) {
    const names = Object.keys(STAGES).join(", ");
    throw new Error(`no stage ${unknown.join(", ")}; there are: ${names}`);
  }
  await setup({ tests: true, meanwhile: compile });
  await build();
  const times = [];
  for (const [name, stage] of Object.entries(STAGES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    say(name);
    const start = Date.now();
    await stage();
    times.push(`${name} ${((Date.now() - start) / 1000).toFixed(0)} s`);
  }
  const slow = slowest(10);
  if (slow.length > 0) say(`the slowest tests:\n${slow.join("\n")}`);
  say(`every test passed (${times.join(", ")})`);
  const { now, before } = takeFlaky();
  for (const name of before) console.log(`flaky in the run before: ${name}`);
  for (const name of now) console.log(`flaky: ${name}`);
});
