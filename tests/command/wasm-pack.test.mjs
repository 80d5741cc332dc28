// `wasm-pack build` creates working packages for each of its targets.
// Needs: wasm-pack.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import webpack from "webpack";
import { at, cache, environment } from "../../scripts/lib.mjs";
import { QUICKLY } from "../../scripts/wasm-pack.mjs";

const part = { sessionID: "s", messageID: "m", text: "t" };

function build(target) {
  const folder = join(cache, `wasm-pack-${target}`);
  // With what the wasm suite has compiled. How small and fast a module is, other tests say.
  execFileSync("wasm-pack", ["build", "--dev", "--target", target, "--out-dir", folder], {
    cwd: at(),
    env: environment(QUICKLY),
    stdio: "pipe",
  });
  return folder;
}

test("--target nodejs is ready on require", () => {
  const apex = createRequire(import.meta.url)(join(build("nodejs"), "apex_parts.js"));
  assert.equal(apex.createTextPart(part).text, "t");
  assert.equal(apex.PartValidator.isTextPart({ type: "text" }), true);
});

test("--target web is ready after init", async () => {
  const folder = build("web");
  const apex = await import(pathToFileURL(join(folder, "apex_parts.js")));
  await apex.default({ module_or_path: readFileSync(join(folder, "apex_parts_bg.wasm")) });
  assert.equal(apex.createTextPart(part).text, "t");
});

test("--target bundler works in a bundler that supports WebAssembly modules", async () => {
  const folder = build("bundler");
  const out = join(cache, "wasm-pack-bundled");
  const config = {
    mode: "development",
    target: "node",
    devtool: false,
    entry: join(folder, "apex_parts.js"),
    output: { path: out, filename: "bundle.cjs", library: { type: "commonjs2" } },
    experiments: { asyncWebAssembly: true },
  };
  const stats = await new Promise((resolve, reject) => {
    webpack(config, (error, result) => (error ? reject(error) : resolve(result)));
  });
  assert.equal(stats.hasErrors(), false, stats.toString({ all: false, errors: true }));
  const apex = await createRequire(import.meta.url)(join(out, "bundle.cjs"));
  assert.equal(apex.createTextPart(part).text, "t");
});
