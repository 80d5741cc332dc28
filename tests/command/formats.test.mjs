// The registries of the crate have the names of formats; everything else derives them from there.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { builtinTools } from "../../pkg/host.mjs";
import * as parts from "../../pkg/node.mjs";
import { FORMATS } from "../../scripts/generate/formats.mjs";
import { at, file, run } from "./command.mjs";

parts.setLogger(undefined);
const { STREAM_FORMATS, TRANSCRIPT_FORMATS } = parts;

/** The message of the error. */
function said(work) {
  try {
    work().free();
  } catch (error) {
    return error.message;
  }
  return assert.fail("nothing was thrown");
}

test("the constants list every format and cannot be changed", () => {
  assert.ok(Object.isFrozen(STREAM_FORMATS) && Object.isFrozen(TRANSCRIPT_FORMATS));
  assert.equal(STREAM_FORMATS[0], "delta");
  for (const format of STREAM_FORMATS) new parts.DeltaAssembler({ format }).free();
  for (const format of TRANSCRIPT_FORMATS) new parts.Transcript({ format }).free();
  // The format of a stream is also one of transcripts; only deltas have another name.
  const providers = STREAM_FORMATS.slice(1);
  assert.deepEqual(TRANSCRIPT_FORMATS.slice(-providers.length - 1), ["deltas", ...providers]);
});

test("the types are unions of the same names", () => {
  const types = readFileSync(at("pkg/index.d.ts"), "utf8");
  const union = (names) => names.map((name) => JSON.stringify(name)).join(" | ");
  assert.ok(types.includes(`export type WireFormat = ${union(STREAM_FORMATS)};`));
  assert.ok(types.includes(`export type TranscriptFormat = ${union(TRANSCRIPT_FORMATS)};`));
});

test("errors and the command list them all", () => {
  const stream = said(() => new parts.DeltaAssembler({ format: "nope" }));
  assert.ok(stream.includes(`one of ${STREAM_FORMATS.join(", ")}, not "nope"`), stream);
  const transcript = said(() => new parts.Transcript({ format: "nope" }));
  assert.ok(transcript.includes(`one of ${TRANSCRIPT_FORMATS.join(", ")}`), transcript);
  const nothing = file("nothing.txt", "");
  const { status, stderr } = run(["assemble", nothing, "--format", "nope"]);
  assert.equal(status, 2);
  assert.ok(stderr.includes(STREAM_FORMATS.join(", ")), stderr);
  const words = run(["--help"]).stdout.split(/[\s,]+/);
  for (const format of TRANSCRIPT_FORMATS) assert.ok(words.includes(format), format);
});

/** The page, and the names in the first column of its tables. */
const page = (name) => readFileSync(at(`docs/${name}`), "utf8");
const firstColumn = (text) =>
  new Set(
    [...text.matchAll(/^\| (`[^|]*?) *\|/gm)].flatMap(([, cell]) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    ),
  );

test("every fuzz target has a body, and a test runs it", () => {
  const names = readdirSync(at("fuzz/fuzz_targets")).map((name) => name.replace(/\.rs$/, ""));
  assert.ok(names.includes("provider") && names.includes("delta"));
  const manifest = readFileSync(at("fuzz/Cargo.toml"), "utf8");
  const declared = [...manifest.matchAll(/^path = "fuzz_targets\/(\w+)\.rs"$/gm)];
  assert.deepEqual(declared.map(([, name]) => name).sort(), [...names].sort());
  const harness = readFileSync(at("tests/contract/fuzz/main.rs"), "utf8");
  for (const name of names) {
    const target = readFileSync(at(`fuzz/fuzz_targets/${name}.rs`), "utf8");
    assert.ok(target.includes(`bodies::${name}(data)`), `${name}.rs does not call its body`);
    const isRun = new RegExp(`\\bbodies::${name}\\b`).test(harness);
    assert.ok(isRun, `tests/contract/fuzz/main.rs does not run ${name}`);
  }
});

test("every transcript format has a file, a generator and a row in the docs", () => {
  const rows = firstColumn(page("transcripts.md"));
  const files = readdirSync(at("tests/fixtures/formats"));
  for (const format of TRANSCRIPT_FORMATS) {
    assert.ok(rows.has(format), `docs/transcripts.md has no row for ${format}`);
    // Streams are written by hand.
    if (STREAM_FORMATS.includes(format)) continue;
    const file = `${format}.txt`;
    assert.ok(files.includes(file), `there is no tests/fixtures/formats/${file}`);
    assert.ok(
      format in FORMATS,
      `there is no generator of ${format}: of an agent in scripts/generate/agents/, else in scripts/generate/formats.mjs`,
    );
  }
});

test("every provider has a stream and a section in the docs", () => {
  const streams = readdirSync(at("tests/fixtures/streams"));
  const sections = new Set(page("provider-fields.md").match(/(?<=^## ).+$/gm));
  for (const format of STREAM_FORMATS) {
    if (format === "delta") continue;
    const stream = streams.some((file) => file.endsWith(`.${format}.sse`));
    assert.ok(stream, `there is no tests/fixtures/streams/NAME.${format}.sse`);
    assert.ok(sections.has(format), `docs/provider-fields.md has no section for ${format}`);
  }
});

test("every kind of loop and built-in tool has a row in the docs", () => {
  const loops = firstColumn(page("loops.md"));
  const types = readFileSync(at("pkg/index.d.ts"), "utf8");
  const [, kinds] = /^export type LoopKind =([^;]+);/m.exec(types);
  for (const [, kind] of kinds.matchAll(/"(\w+)"/g)) {
    assert.ok(loops.has(kind), `docs/loops.md has no row for ${kind}`);
  }
  const tools = firstColumn(page("tools.md"));
  const folder = at("tests/package/builtins");
  // That of the entries lists all of them.
  const tests = readdirSync(folder).filter(
    (name) => name.endsWith(".test.mjs") && name !== "entries.test.mjs",
  );
  const tested = tests.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  const every = { fs: {}, shell: {}, fetch() {}, runTask() {}, search: {}, codeSearch: {} };
  const all = builtinTools({ directory: tmpdir(), worktree: tmpdir(), ...every });
  for (const { id } of all) {
    assert.ok(tools.has(id), `docs/tools.md has no row for ${id}`);
    assert.ok(tested.includes(`"${id}"`), `no test in tests/package/builtins calls ${id}`);
  }
});

test("the numbers in the README are those of the registries", () => {
  const readme = readFileSync(at("README.md"), "utf8");
  const types = readFileSync(at("pkg/index.d.ts"), "utf8");
  const [, kinds] = /^export type LoopKind =([^;]+);/m.exec(types);
  const every = { fs: {}, shell: {}, fetch() {}, runTask() {}, search: {}, codeSearch: {} };
  const all = builtinTools({ directory: tmpdir(), worktree: tmpdir(), ...every }).length;
  // In Node, without what a host may have besides.
  const own = builtinTools({ directory: tmpdir() }).length;
  for (const text of [
    `${STREAM_FORMATS.length - 1} providers' formats`,
    `${TRANSCRIPT_FORMATS.length} formats`,
    `${kinds.match(/"\w+"/g).length} kinds`,
    `${own} built-in tools, ${all - own} more`,
  ]) {
    assert.ok(readme.includes(text), `README.md does not say ${text}`);
  }
});

test("what is known of a format is that of its registry", () => {
  const { TRANSCRIPT_FORMAT_INFO } = parts;
  assert.deepEqual(Object.keys(TRANSCRIPT_FORMAT_INFO), [...TRANSCRIPT_FORMATS]);
  const claude = TRANSCRIPT_FORMAT_INFO["claude-code"];
  const agent = { id: "claude-code", title: "Claude Code" };
  assert.deepEqual(claude, { title: "Claude Code", agent, endings: [".jsonl"] });
  assert.ok(Object.isFrozen(TRANSCRIPT_FORMAT_INFO) && Object.isFrozen(claude.endings));
  for (const { title, endings } of Object.values(TRANSCRIPT_FORMAT_INFO)) {
    assert.ok(title && endings.every((ending) => ending.startsWith(".")), title);
  }
});
