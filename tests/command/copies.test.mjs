// The laws of copies (RF-22, RF-23), over every recorded file and every fixture: a copy tells of the run what its file does,
// and no more is wrong with it.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { describe, test } from "node:test";
import { copyText } from "../../pkg/cli/copy.mjs";
import { figuresOf } from "../../pkg/cli/session-figures.mjs";
import { FINISHED } from "../../pkg/cli/verdict.mjs";
import { Redactor, runFiles, Transcript } from "../../pkg/node.mjs";
import { FORMAT_NAMES, generate } from "../../scripts/generate.mjs";
import { at } from "./command.mjs";

const FIXTURES = at("tests/fixtures");
/** A time that no file has. */
const NOW = 1_234_567_890_123;

const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(
      (entry) => entry.isFile() && /\.(jsonl?|sse|ndjson|txt|log|md|traj|eval)$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();

/** A transcript of bytes with messages, or nothing. */
function opened(bytes) {
  let transcript;
  try {
    transcript = Transcript.open(bytes, { now: NOW });
  } catch {
    return undefined;
  }
  if (transcript.stats().messages > 0) return transcript;
  transcript.free();
  return undefined;
}

/** What is told of a run, or of a session of it: of texts, where they are. */
function facts(transcript, scope) {
  const { summary, stats } = { summary: transcript.summary(scope), stats: transcript.stats(scope) };
  const loops = transcript.loops({ ...FINISHED, ...scope });
  const session = scope === undefined ? transcript.session : undefined;
  const sessions = scope === undefined ? figuresOf(transcript) : [];
  return { summary, stats, loops, forkOf: session?.forkOf, sessions };
}

/** Fields with ids of parts. */
const LEFT_OUT = new Set(["partID", "partIDs", "callIDs"]);

/** Where two values differ, but for masked texts. */
function* differences(a, b, path = "") {
  if (typeof a === "string" && typeof b === "string") {
    if (a !== b && !b.includes("[redacted")) yield `${path}: ${a} → ${b}`;
    return;
  }
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) {
    if (!Object.is(a, b) && !(Math.abs(a - b) < 1e-9)) yield `${path}: ${a} → ${b}`;
    return;
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (!LEFT_OUT.has(key)) yield* differences(a[key], b[key], `${path}/${key}`);
  }
}

const errors = (transcript) =>
  transcript.problems().filter(({ severity }) => severity === "error").length;

/** The copy of a transcript, opened at another time. */
function copied(transcript, session, mask) {
  const text = [...copyText(transcript, session, mask)].join("");
  return Transcript.open(new TextEncoder().encode(text), { now: NOW + 1 });
}

function check(transcript, name) {
  for (const mask of [undefined, new Redactor()]) {
    const masked = mask ? (value) => mask.redact(value) : (value) => value;
    const copy = copied(transcript, undefined, masked);
    const changed = [...differences(facts(transcript), facts(copy), name)];
    assert.deepEqual(changed.slice(0, 5), []);
    assert.ok(errors(copy) <= errors(transcript), `${name}: ${copy.problems()[0]?.message}`);
    const again = copied(copy, undefined, masked);
    assert.deepEqual([...differences(facts(copy), facts(again), name)].slice(0, 5), []);
    again.free();
    copy.free();
    // Of the first sessions: a data set has one a record.
    for (const { id } of transcript.sessions.length > 1 ? transcript.sessions.slice(0, 4) : []) {
      const own = copied(transcript, id, masked);
      // It is the main session of its copy, whose places do not name it.
      const [scoped, whole] = [transcript, own].map((of) => {
        const text = JSON.stringify(facts(of, { session: id }));
        return JSON.parse(text, (key, value) => (/^session(ID)?$/.test(key) ? undefined : value));
      });
      const changed = [...differences(scoped, whole, `${name} ${id}`)];
      assert.deepEqual(changed.slice(0, 5), []);
      assert.ok(errors(own) <= errors(transcript), `${name} ${id}`);
      own.free();
    }
    mask?.free();
  }
}

const FILES = filesBelow(FIXTURES);
const FORMATS = new Set();

describe("a copy tells what its file does", () => {
  test("of every recorded file and fixture", () => {
    for (const path of FILES) {
      const transcript = opened(readFileSync(path));
      if (transcript === undefined) continue;
      FORMATS.add(transcript.format);
      check(transcript, relative(FIXTURES, path));
      transcript.free();
    }
    assert.ok(FORMATS.size >= 15, [...FORMATS].join(", "));
  });

  test("of a file that is cut off anywhere", () => {
    const some = ["ordinary", "failing"].flatMap((kind) =>
      FILES.filter((path) => path.includes(`.${kind}/`) && path.endsWith(".jsonl")),
    );
    assert.ok(some.length >= 8, `${some.length}`);
    for (const path of some) {
      const bytes = readFileSync(path);
      for (const part of [0.3, 0.61, 0.9, 0.997]) {
        const transcript = opened(bytes.subarray(0, Math.floor(bytes.length * part)));
        if (transcript === undefined) continue;
        check(transcript, `${basename(path)} ${part}`);
        transcript.free();
      }
    }
  });

  test("of the files of a run", () => {
    const root = join(FIXTURES, "recorded", "runs");
    let several = 0;
    for (const run of readdirSync(root)) {
      const files = filesBelow(join(root, run)).map((path) => ({
        path: relative(join(root, run), path),
        bytes: readFileSync(path),
      }));
      for (const names of runFiles(files).filter((names) => names.length > 1)) {
        several++;
        const own = files.filter(({ path }) => names.includes(path));
        const transcript = Transcript.openFiles(own, { now: NOW });
        check(transcript, run);
        transcript.free();
      }
    }
    assert.ok(several >= 3, `${several}`);
  });

  test("of generated sessions", () => {
    for (const format of FORMAT_NAMES) {
      const bytes = Buffer.concat([...generate({ format, bytes: 60_000 })]);
      const transcript = opened(bytes);
      assert.ok(transcript, format);
      check(transcript, format);
      transcript.free();
    }
  });
});
