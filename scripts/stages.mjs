// The stages of `npm test`: what each needs and what it runs.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { lastRun } from "./environments.mjs";
import { at, run } from "./lib.mjs";
import { MODULES } from "./modules.mjs";
import { declaredNeeds, runFiles, testFiles } from "./node-tests.mjs";
import { startOneConnection } from "./one-connection.mjs";
import { findBrowser, findDriver } from "./setup.mjs";
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
 * @param {{ needs?: string[], retry?: boolean, end?: () => void }} [options]
 */
function tests(folder, { needs = ["package"], ...options } = {}) {
  return { folder, needs, ...options, run: () => runFiles(testFiles(folder), inFolder(options)) };
}

/** How the files of a folder are run. */
export const inFolder = ({ retry = false }) => {
  const browser = findBrowser();
  return { retry, env: browser ? { CHROMIUM_PATH: browser } : {} };
};

export const STAGES = {
  "format and lint": {
    needs: ["package"],
    run: async () => {
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
      for (const compiler of [tsc, tsc5]) {
        for (const folder of ["ts", "src/wasm/types"]) {
          await run(process.execPath, [compiler, "-p", folder]);
        }
      }
    },
  },
  native: {
    needs: ["rust"],
    run: async () => {
      await run("cargo", ["test", "--workspace", "--locked"]);
      // That each crate can be published; compiling the packages once more is left to the workflow.
      const all = ["--workspace", "--exclude", "apex-parts-fixtures"];
      await run("cargo", [
        "package",
        "--locked",
        "--quiet",
        ...all,
        "--no-verify",
        "--allow-dirty",
      ]);
    },
  },
  "wasm in Node": { needs: ["wasm-pack"], run: () => wasmPackTest(["--node"]) },
  "wasm in Chromium": { needs: ["wasm-pack", "browser"], run: wasmInChromium },
  package: tests("package"),
  environments: tests("environments", {
    needs: ["package", "browser"],
    end: () => console.log(`\n${lastRun()}`),
  }),
  "built-in tools": tests("package/builtins"),
  skills: tests("package/skills"),
  "MCP servers": tests("package/mcp"),
  compaction: tests("package/compaction"),
  requests: tests("package/requests"),
  OpenCode: tests("package/opencode"),
  "run store": tests("store", { needs: ["package", "redis"], retry: true }),
  command: tests("command"),
  "viewer in Node": tests("viewer/unit"),
  // A browser on a busy machine can fail a correct test: what fails is run once more, alone.
  viewer: tests("viewer", { needs: ["viewer", "browser"], retry: true }),
};

/** The stage that runs a test file; an error if none does. */
export function stageOf(path) {
  const folder = relative(at("tests"), dirname(path)).replaceAll("\\", "/");
  const found = Object.values(STAGES).find((stage) => stage.folder === folder);
  if (!found) throw new Error(`no stage runs the tests in tests/${folder}`);
  return found;
}

/** What a stage needs with each of its files. */
export const needsOf = (stage) => [
  ...stage.needs,
  ...(stage.folder === undefined ? [] : testFiles(stage.folder).flatMap(declaredNeeds)),
];
