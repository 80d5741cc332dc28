// The contents of the tarball that `npm pack` writes, and the results of package checkers.
// Needs: viewer, optimised.
import assert from "node:assert/strict";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { checkManifest } from "../../scripts/entries.mjs";
import { costs, namedCosts } from "../../scripts/pack-costs.mjs";
import { named as sizesNamed } from "../../scripts/sizes.mjs";
import { at, consumer, files as filesIn, npmInstall, root, run, tarball, tool } from "./helper.mjs";

/** What a named size that is too old says. */
const OLD = "npm run pack:costs -- --write writes what is built";

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
    /^(?:pkg\/(?:(?:cli|cli\/catalogue|cli\/comparison|cli\/view|viewer|viewer-page|viewer-page\/samples)\/)?[\w.-]+|package\.json|README(?:\.md)?|CHANGELOG\.md|LICEN[CS]E[\w.-]*|crates\/redact\/THIRD-PARTY\.md)$/;
  assert.deepEqual(
    files.filter((file) => !allowed.test(file)),
    [],
  );
  const kinds = /\.(?:[cm]?js|d\.[cm]?ts|wasm|json|md)$|LICEN[CS]E[\w-]*$/;
  const ofPage = /^pkg\/viewer-page\/(?:index\.html|style\.css|icon\.svg)$/;
  assert.deepEqual(
    files.filter((file) => !kinds.test(file) && !ofPage.test(file)),
    [],
  );
});

test("the tarball contains the page of the viewer, and what it shares with the element only once", async () => {
  const { files } = await tarball();
  const page = files.filter((file) => file.startsWith("pkg/viewer-page/"));
  const samples = readdirSync(at("www", "public", "samples")).map((name) => `samples/${name}`);
  assert.deepEqual(
    page,
    ["icon.svg", "index.html", "page.js", ...samples, "style.css"]
      .map((name) => `pkg/viewer-page/${name}`)
      .sort(),
  );
  const html = readFileSync(at("pkg", "viewer-page", "index.html"), "utf8");
  for (const [, name] of html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)) {
    assert.ok(page.includes(`pkg/viewer-page/${name}`), name);
  }
});

test("the tarball contains four WebAssembly modules: the full one, the small one, that of the built-in tools, that of an agent", async () => {
  const { files } = await tarball();
  assert.deepEqual(
    files.filter((file) => file.endsWith(".wasm")),
    ["agent_bg", "bg", "core_bg", "tools_bg"].map((name) => `pkg/apex_parts_${name}.wasm`),
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
  const own = /^pkg\/viewer(?:[./]|-worker)/;
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

test("the tarball contains the license of what is from others", async () => {
  const { files } = await tarball();
  const file = "crates/redact/THIRD-PARTY.md";
  assert.ok(files.includes(file));
  const text = readFileSync(at(file), "utf8");
  assert.match(text, /Copyright \(c\) 2019 Zachary Rice/);
  assert.match(text, /Permission is hereby granted, free of charge/);
});

test("packing twice gives the same bytes", async () => {
  const { path, files } = await tarball();
  const folder = mkdtempSync(join(tmpdir(), "apex-parts-pack-"));
  try {
    // Copies are younger than the files: the times of files must not matter.
    for (const file of files) {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      cpSync(at(file), join(folder, file));
    }
    const args = ["pack", "--ignore-scripts", "--silent"];
    const name = (await run("npm", args, { quiet: true, cwd: folder })).trim();
    const [once, twice] = [readFileSync(path), readFileSync(join(folder, name))];
    assert.ok(once.equals(twice), `${once.length} and ${twice.length} bytes`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the projects of the tests have what `npm install` of the tarball makes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "apex-parts-install-"));
  try {
    writeFileSync(join(folder, "package.json"), '{ "name": "consumer", "private": true }');
    await npmInstall(folder);
    const installed = (project) => {
      const modules = join(project, "node_modules");
      const own = filesIn(modules).filter((path) => !path.endsWith(".package-lock.json"));
      return own.map((path) => ({
        name: relative(modules, path),
        // Of a command, the file that its link leads to.
        to: relative(realpathSync(modules), realpathSync(path)),
        mode: (statSync(path).mode & 0o111).toString(8),
        bytes: readFileSync(path).toString("base64").slice(0, 10_000),
        size: statSync(path).size,
      }));
    };
    const ours = installed(await consumer("pack-install"));
    assert.ok(ours.length > 150, `${ours.length} files`);
    assert.deepEqual(ours, installed(folder));
    const lock = JSON.parse(
      readFileSync(join(folder, "node_modules", ".package-lock.json"), "utf8"),
    );
    assert.deepEqual(Object.keys(lock.packages), ["node_modules/apex-parts"]);
    assert.equal(lock.packages["node_modules/apex-parts"].version, manifest.version);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("no built file contains the folder that it was built in, or the day", async () => {
  const { files } = await tarball();
  const today = new Date().toISOString().slice(0, 10);
  for (const file of files.filter((name) => name.startsWith("pkg/"))) {
    const text = readFileSync(at(file), "latin1");
    for (const trace of [root, today, ".cargo/registry"]) {
      assert.ok(!text.includes(trace), `${file} contains ${trace}`);
    }
  }
});

test("every file of the tarball belongs to a group whose cost is told", async () => {
  const { files } = await tarball();
  const groups = costs(files);
  assert.equal(
    groups.reduce((sum, group) => sum + group.files, 0),
    files.length,
  );
  const publishing = readFileSync(at("docs", "publishing.md"), "utf8");
  for (const { name, files: count } of groups) {
    assert.ok(count > 0, `${name} has files`);
    assert.ok(publishing.includes(`| ${name} `), `docs/publishing.md has a row for ${name}`);
  }
});

test("the sizes of modules that README.md and docs/ name are those of the built ones, within 2 %", (t) => {
  const all = sizesNamed();
  assert.ok(all.length > 20, `${all.length}`);
  for (const { what, kilobytes, bytes } of all) {
    if (bytes === undefined) {
      t.diagnostic(`${what} is not compared: it is not built`);
      continue;
    }
    const off = Math.abs(kilobytes * 1000 - bytes) / bytes;
    // Half a KB is what rounding takes.
    assert.ok(
      off <= 0.02 || Math.abs(kilobytes * 1000 - bytes) <= 500,
      `${what} is ${kilobytes} KB, and really ${bytes} bytes: ${OLD}`,
    );
  }
});

test("the costs that docs/publishing.md names are those of the tarball, within 5 %", async () => {
  const { files } = await tarball();
  for (const { name, files: count, unpacked, packed } of namedCosts(files)) {
    assert.equal(count[0], count[1], `${name}: files. ${OLD}`);
    for (const [told, is] of [unpacked, packed]) {
      assert.ok(
        Math.abs(told - is) <= Math.max(is * 0.05, 2000),
        `${name} is told as ${told} bytes, and has ${is}: ${OLD}`,
      );
    }
  }
});

test("package.json says where the package comes from, and the workflow publishes with provenance", () => {
  const address = /^git\+(https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+)\.git$/.exec(
    manifest.repository.url,
  )?.[1];
  assert.ok(address, manifest.repository.url);
  assert.equal(manifest.homepage, `${address}#readme`);
  assert.equal(manifest.bugs.url, `${address}/issues`);
  const workflow = readFileSync(at(".github", "workflows", "publish.yml"), "utf8");
  // The tests build a clone.
  const [tested, built, published] = [
    "run: bash .ci/run\n",
    "run: npm run build\n",
    "run: npm publish --provenance",
  ].map((line) => workflow.indexOf(line));
  assert.match(workflow, /^ {2}id-token: write/m);
  assert.ok(tested > 0 && built > tested, "it is built after every test");
  assert.ok(published > built, "it is published as it was built");
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

test("installing needs no dependencies and runs no scripts", () => {
  assert.deepEqual(Object.keys(manifest.dependencies ?? {}), []);
  assert.deepEqual(Object.keys(manifest.peerDependencies ?? {}), []);
  const hooks = ["preinstall", "install", "postinstall", "prepare", "prepublish", "prepack"];
  assert.deepEqual(
    hooks.filter((hook) => manifest.scripts?.[hook] !== undefined),
    [],
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
