// The contents of the tarball that `npm pack` writes, and the results of package checkers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkManifest } from "../../scripts/entries.mjs";
import { at, consumer, run, tarball, tool } from "./helper.mjs";

const manifest = JSON.parse(readFileSync(at("package.json"), "utf8"));

/**
 * Entries for pages, where there is no `require`: ES modules only. A declaration file for `require` would
 * promise a CommonJS file that does not exist.
 */
const PAGES = ["./viewer"];

/** Every file that package.json refers to. */
function named(value) {
  if (typeof value === "string") return value.startsWith("./pkg/") ? [value.slice(2)] : [];
  return Object.values(value ?? {}).flatMap(named);
}

test("the tarball contains the package and nothing else of the repository", async () => {
  const { files } = await tarball();
  const allowed =
    /^(?:pkg\/(?:(?:cli|cli\/catalogue|viewer)\/)?[\w.-]+|package\.json|README(?:\.md)?|CHANGELOG\.md|LICEN[CS]E[\w.-]*)$/;
  assert.deepEqual(
    files.filter((file) => !allowed.test(file)),
    [],
  );
  const kinds = /\.(?:[cm]?js|d\.[cm]?ts|wasm|json|md)$|LICEN[CS]E[\w-]*$/;
  assert.deepEqual(
    files.filter((file) => !kinds.test(file)),
    [],
  );
});

test("the tarball contains three WebAssembly modules: the full one, the small one, that of the built-in tools", async () => {
  const { files } = await tarball();
  assert.deepEqual(
    files.filter((file) => file.endsWith(".wasm")),
    ["pkg/apex_parts_bg.wasm", "pkg/apex_parts_core_bg.wasm", "pkg/apex_parts_tools_bg.wasm"],
  );
});

test("the tarball contains every file that exports, typesVersions, main, types and sideEffects name", async () => {
  const { files } = await tarball();
  const { exports, typesVersions, main, types, sideEffects } = manifest;
  const wanted = named([exports, typesVersions, main, types, sideEffects]);
  assert.deepEqual(
    [...new Set(wanted)].filter((file) => !files.includes(file)),
    [],
  );
});

test("the tarball contains exactly the files that the element loads", async () => {
  const { files } = await tarball();
  const reached = new Set();
  const waiting = ["viewer.mjs"];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    if (!file.endsWith(".mjs")) continue;
    const here = new URL(file, "file:///pkg/");
    const loads = readFileSync(at("pkg", file), "utf8").matchAll(
      /(?:\bfrom|\bimport\(?|new URL\()\s*"(\.\.?\/[\w./-]+\.(?:mjs|wasm))"/g,
    );
    for (const [, path] of loads) waiting.push(new URL(path, here).pathname.slice("/pkg/".length));
  }
  for (const file of ["viewer-worker.mjs", "apex_parts_bg.wasm"]) {
    assert.ok(reached.has(file), `${file} is found by following the element`);
  }
  const own = /^pkg\/viewer[./-]/;
  assert.deepEqual(
    files.filter((file) => own.test(file) && file !== "pkg/viewer.d.ts"),
    [...reached]
      .map((file) => `pkg/${file}`)
      .filter((file) => own.test(file))
      .sort(),
  );
  // Importing it has the side effect that users want: a bundler must not remove it.
  for (const file of ["./pkg/viewer.mjs", "./pkg/viewer-worker.mjs"]) {
    assert.ok(manifest.sideEffects.includes(file), `sideEffects names ${file}`);
  }
});

test("the entries in package.json are those of scripts/entries.mjs", () => {
  checkManifest();
});

test("the tarball contains every command that bin names", async () => {
  const { files } = await tarball();
  assert.deepEqual(
    Object.values(manifest.bin ?? {}).filter((file) => !files.includes(file)),
    [],
  );
});

test("the tarball contains a README and the text of every licence that package.json names", async () => {
  const { files } = await tarball();
  const names = { MIT: "LICENSE-MIT", "Apache-2.0": "LICENSE-APACHE" };
  const licences = manifest.license.split(" OR ").map((id) => names[id] ?? "LICENSE");
  assert.deepEqual(
    ["README.md", ...licences].filter((file) => !files.includes(file)),
    [],
  );
});

test("every entry has types for import, and for require unless it is for pages, listed before the code", () => {
  for (const [name, entry] of Object.entries(manifest.exports)) {
    if (name === "./package.json") continue;
    const look = (value) => {
      if (typeof value === "string") return;
      const keys = Object.keys(value);
      if (keys.includes("types")) assert.equal(keys[0], "types", `${name}: types come first`);
      Object.values(value).forEach(look);
    };
    look(entry);
    const types = named(entry).filter((file) => /\.d\.[cm]?ts$/.test(file));
    assert.equal(
      types.some((file) => file.endsWith(".d.cts")),
      !PAGES.includes(name),
      `${name}: types for require`,
    );
    assert.ok(
      types.some((file) => file.endsWith(".d.ts")),
      `${name}: types for import`,
    );
  }
});

test("installing needs no dependencies and runs no scripts", async () => {
  assert.deepEqual(Object.keys(manifest.dependencies ?? {}), []);
  assert.deepEqual(Object.keys(manifest.peerDependencies ?? {}), []);
  const hooks = ["preinstall", "install", "postinstall", "prepare", "prepublish", "prepack"];
  assert.deepEqual(
    hooks.filter((hook) => manifest.scripts?.[hook] !== undefined),
    [],
  );
  const folder = await consumer("pack");
  assert.deepEqual(
    JSON.parse(readFileSync(join(folder, "node_modules", ".package-lock.json"), "utf8")).packages[
      "node_modules/apex-parts"
    ].version,
    manifest.version,
  );
});

test("the installed command in node_modules/.bin runs", async () => {
  const folder = await consumer("pack-command");
  for (const name of Object.keys(manifest.bin ?? {})) {
    const command = join(folder, "node_modules", ".bin", name);
    const printed = await run(command, ["--version"], { quiet: true, cwd: folder });
    assert.equal(printed.trim(), manifest.version);
    const stream = at("tests", "fixtures", "streams", "blocks.anthropic.sse");
    for (const what of ["assemble", "inspect", "validate"]) {
      assert.notEqual(await run(command, [what, stream], { quiet: true, cwd: folder }), "");
    }
  }
});

test("publint reports nothing in strict mode", async () => {
  const { path } = await tarball();
  const { publint } = await import("publint");
  const { formatMessage } = await import("publint/utils");
  const bytes = readFileSync(path);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg, { color: false })),
    [],
  );
});

test("attw finds the types of every entry under every module resolution", async () => {
  const { path } = await tarball();
  const command = tool("@arethetypeswrong/cli", "attw");
  // This rule is ignored here and checked below, so that it applies to every other entry.
  const options = ["--format", "json", "--ignore-rules", "cjs-resolves-to-esm"];
  const printed = await run(process.execPath, [command, path, ...options], { quiet: true });
  const { analysis } = JSON.parse(printed);
  const known = PAGES.map((entrypoint) => ({
    kind: "CJSResolvesToESM",
    entrypoint,
    resolutionKind: "node16-cjs",
  }));
  assert.deepEqual(analysis.problems, known);
  assert.deepEqual(
    Object.keys(analysis.entrypoints).sort(),
    Object.keys(manifest.exports).sort(),
    "every entry was looked at",
  );
});
