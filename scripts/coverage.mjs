// `npm run coverage`: line coverage of the core by its native tests. Fails under 90%.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { main, run, say, tools } from "./lib.mjs";

const VERSION = "0.9.1";

main(async () => {
  if (!existsSync(join(tools, "bin", "cargo-llvm-cov"))) {
    say(`installing cargo-llvm-cov ${VERSION} into .tools (about a minute, once)`);
    await run("cargo", [
      "install",
      "cargo-llvm-cov",
      "--version",
      VERSION,
      "--root",
      tools,
      "--locked",
    ]);
  }
  await run("rustup", ["component", "add", "llvm-tools"]);
  const ignore = ["--ignore-filename-regex", "tests?\\.rs$|_tests\\.rs$"];
  // Not optimised, so that lines are counted as they are written.
  const env = { CARGO_PROFILE_DEV_OPT_LEVEL: "0" };
  await run(
    "cargo",
    ["llvm-cov", "--workspace", "--summary-only", "--fail-under-lines", "90", ...ignore],
    {
      env,
    },
  );
});
