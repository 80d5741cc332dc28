// The registries of the crate have the names of formats; everything else derives them from there.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as parts from "../../pkg/node.mjs";
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
  assert.ok(stream.includes(`one of ${STREAM_FORMATS.join(", ")}; not "nope"`), stream);
  const transcript = said(() => new parts.Transcript({ format: "nope" }));
  assert.ok(transcript.includes(`one of ${TRANSCRIPT_FORMATS.join(", ")}`), transcript);
  const nothing = file("nothing.txt", "");
  const { status, stderr } = run(["assemble", nothing, "--format", "nope"]);
  assert.equal(status, 2);
  assert.ok(stderr.includes(STREAM_FORMATS.join(", ")), stderr);
  const words = run(["--help"]).stdout.split(/[\s,]+/);
  for (const format of TRANSCRIPT_FORMATS) assert.ok(words.includes(format), format);
});

test("every provider has a fuzz target", () => {
  const manifest = readFileSync(at("fuzz/Cargo.toml"), "utf8");
  for (const format of STREAM_FORMATS) {
    const name = format.replaceAll("-", "_");
    assert.ok(manifest.includes(`path = "fuzz_targets/${name}.rs"`), format);
  }
});
