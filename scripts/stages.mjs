// The stages of `npm test`: what each tests, what it needs, and what it runs.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { lastRun } from "./environments.mjs";
import { at, run } from "./lib.mjs";
import { EVERY_MODULE } from "./modules.mjs";
import { declaredNeeds, runFiles, testFiles } from "./node-tests.mjs";
import { startOneConnection } from "./one-connection.mjs";
import { findDriver } from "./setup.mjs";
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

/**
 * A stage that runs the test files of a folder of tests/. It needs what they need: `needs`, and what a file says.
 *
 * @param {string} folder
 * @param {string} what
 * @param {{ needs?: string[], end?: () => void }} [options]
 */
function tests(folder, what, { needs = ["package"], end } = {}) {
  const run = async (pool) => {
    try {
      return await runFiles(testFiles(folder), { pool, browser: usesBrowser });
    } finally {
      end?.();
    }
  };
  return { folder, what, needs, run };
}

export const STAGES = {
  "format and lint": {
    what: "rustfmt, clippy (native and wasm), rustdoc",
    needs: ["rust"],
    run: async () => {
      await run("cargo", ["fmt", "--all", "--check"]);
      await clippy("--workspace", "--all-targets");
      const wasm = ["--target", "wasm32-unknown-unknown"];
      await clippy("--all-targets", ...wasm);
      for (const { features } of EVERY_MODULE) {
        if (features.length > 0) await clippy("--lib", ...wasm, ...features);
      }
      await run("cargo", ["doc", "--workspace", "--no-deps", "--locked", "--quiet"], {
        env: { RUSTDOCFLAGS: "-D warnings" },
      });
    },
  },
  native: {
    what: "unit tests, `tests/contract`, `tests/house`, documentation",
    needs: ["rust"],
    run: async () => {
      await run("cargo", ["test", "--workspace", "--locked"]);
      // That each crate can be published; compiling the packages once more is left to the workflow.
      const all = ["--workspace", "--exclude", "apex-parts-fixtures"];
      const flags = ["--locked", "--quiet", "--no-verify", "--allow-dirty"];
      await run("cargo", ["package", ...flags, ...all]);
    },
  },
  "biome and tsc": {
    what: "format and lint of scripts, TypeScript and Markdown; types",
    needs: ["package"],
    run: async () => {
      await run("biome", ["check", "--error-on-warnings"]);
      await run(process.execPath, [tsc, "-p", "www"]);
      // Both compilers that programs have: what one accepts, the other may not.
      for (const compiler of [tsc, tsc5]) {
        for (const folder of ["ts", "src/wasm/types"]) {
          await run(process.execPath, [compiler, "-p", folder]);
        }
      }
    },
  },
  "wasm in Node": {
    what: "`tests/wasm`",
    needs: ["wasm-pack"],
    run: () => wasmPackTest(["--node"]),
  },
  "wasm in Chromium": {
    what: "the same in a browser",
    needs: ["wasm-pack", "browser"],
    run: wasmInChromium,
  },
  package: tests("package", "the packed package, the documentation's blocks, the reference"),
  environments: tests("environments", "bundlers, frameworks and runtimes of docs/environments", {
    needs: ["package", "browser"],
    end: () => console.log(`\n${lastRun()}\n`),
  }),
  "built-in tools": tests("package/builtins", "each with real files and processes; bash"),
  skills: tests("package/skills", "each with real folders"),
  "MCP servers": tests("package/mcp", "each with servers on this machine"),
  compaction: tests("package/compaction", "invariants, recorded sessions"),
  requests: tests("package/requests", "each provider's messages, there and back"),
  OpenCode: tests("package/opencode", "the real `opencode-ai`, offline"),
  "run store": tests("store", "a real Redis", { needs: ["package", "redis"] }),
  command: tests("command", "the command and the scripts"),
  "viewer in Node": tests("viewer/unit", "the viewer's code"),
  viewer: tests("viewer", "the viewer in a browser", { needs: ["viewer", "browser"] }),
};

/** The stage that runs a test file; an error if none does. */
export function stageOf(path) {
  const folder = relative(at("tests"), dirname(path)).replaceAll("\\", "/");
  const found = Object.values(STAGES).find((stage) => stage.folder === folder);
  if (!found) throw new Error(`no stage runs the tests in tests/${folder}`);
  return found;
}

/** What a test file needs. */
export function needsOfFile(path) {
  const { only, needs } = declaredNeeds(path);
  return only ? needs : [...stageOf(path).needs, ...needs];
}

/** What a stage needs with each of its files. */
export const needsOf = ({ folder, needs }) =>
  folder === undefined ? needs : testFiles(folder).flatMap(needsOfFile);

/** Whether a test file opens pages in Chromium. */
export const usesBrowser = (path) => needsOfFile(path).includes("browser");
