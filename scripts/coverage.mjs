// `npm run coverage`: the lines of Rust that the native tests execute, and those of TypeScript that the tests in Node
// do. Fails under 90 % of the first and 80 % of the second. `npm run coverage -- rust` or `typescript` is one of them.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { typescriptCoverage } from "./coverage/typescript.mjs";
import { main, run, say, tools } from "./lib.mjs";
import { provide } from "./needs.mjs";

const VERSION = "0.9.1";

async function rust() {
  if (!existsSync(join(tools, "bin", "cargo-llvm-cov"))) {
    say(`installing cargo-llvm-cov ${VERSION} into .tools (about a minute, once)`);
    const flags = ["--version", VERSION, "--root", tools, "--locked"];
    await run("cargo", ["install", "cargo-llvm-cov", ...flags]);
  }
  await run("rustup", ["component", "add", "llvm-tools"]);
  const ignore = ["--ignore-filename-regex", "tests?\\.rs$|_tests\\.rs$"];
  // Not optimised, so that lines are counted as they are written.
  const env = { CARGO_PROFILE_DEV_OPT_LEVEL: "0" };
  const flags = ["--workspace", "--summary-only", "--fail-under-lines", "90", ...ignore];
  await run("cargo", ["llvm-cov", ...flags], { env });
}

async function typescript() {
  await provide(["viewer", "browser", "redis"]);
  await typescriptCoverage(80);
}

const PARTS = { rust, typescript };

main(async () => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !Object.hasOwn(PARTS, name));
  if (unknown.length > 0) throw new Error(`no part ${unknown.join(", ")}: rust, typescript`);
  for (const [name, part] of Object.entries(PARTS))
    if (wanted.length === 0 || wanted.includes(name)) await part();
});
