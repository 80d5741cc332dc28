// Unknown options, and loggers of every kind.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, beforeEach, describe, test } from "node:test";
import { at, consumer, requireFrom } from "./helper.mjs";

let parts;
let lines;
before(async () => {
  parts = requireFrom(await consumer("options"))("apex-parts");
});
beforeEach(() => {
  lines = [];
  parts.setLogger((level, message) => lines.push(`${level} ${message}`));
});

const IDS = { sessionID: "s", messageID: "m" };
const DATABASE = readFileSync(at("tests", "fixtures", "sqlite", "schema.db"));
const FILE = Buffer.from('[{"info":{"id":"m","sessionID":"s","role":"user"},"parts":[]}]');

describe("an option that throws when it is read", () => {
  const throwing = (name) => ({
    get [name]() {
      throw new Error("not now");
    },
  });
  for (const [of, given, names] of [
    ["DeltaAssembler", (o) => new parts.DeltaAssembler(o), ["format", "runId", "maxBytes"]],
    ["Transcript", (o) => parts.Transcript.open(FILE, o), ["format", "ids", "now", "read"]],
    ["search", (o) => parts.Transcript.open(FILE).search("a", o), ["query", "regex", "limit"]],
    ["parseQuery", (o) => parts.parseQuery("a", o), ["regex", "caseSensitive"]],
    ["DoomLoopDetector", (o) => new parts.DoomLoopDetector(o), ["threshold", "ignoredTools"]],
    ["ReActRecorder", (o) => new parts.ReActRecorder(o), ["sessionID", "messageID"]],
    ["Redactor", (o) => new parts.Redactor(o), ["keep", "mask", "places"]],
    ["SqliteFile", (o) => parts.SqliteFile.open(DATABASE, o), ["wal"]],
    ["the head of a page", (o) => parts.markdownHead(o), ["title", "facts"]],
    ["OpenCode", (o) => parts.toOpenCode([], o), ["title", "newIds"]],
    ["Skill.listing", (o) => parts.Skill.listing([], o), ["maxChars", "style"]],
  ]) {
    test(`of ${of} is an error, and not absent`, () => {
      for (const name of names) {
        assert.throws(() => given(throwing(name)), parts.isApexPartsError, name);
      }
    });
  }

  test("of the recorder's detector and of the validator too", () => {
    const options = Object.defineProperties(
      { ...IDS },
      Object.getOwnPropertyDescriptors(throwing("doomLoop")),
    );
    assert.throws(() => new parts.ReActRecorder(options), parts.isApexPartsError);
    const { valid, problems } = parts.PartValidator.validatePart({}, throwing("ids"));
    assert.equal(valid, false);
    assert.match(problems[0].message, /`ids` throws when it is read/);
  });
});

describe("an unknown option", () => {
  for (const [of, given, name, nearest] of [
    ["DeltaAssembler", (o) => new parts.DeltaAssembler(o), "maxByte", "maxBytes"],
    ["DeltaAssembler", (o) => parts.DeltaAssembler.restore(new Uint8Array(0), o), "runID", "runId"],
    ["DeltaAssembler", (o) => parts.readDeltas("delta", new Uint8Array(0), o), "depth", undefined],
    ["Transcript", (o) => parts.Transcript.open(FILE, o), "formt", "format"],
    ["Transcript", (o) => new parts.Transcript(o), "reader", "read"],
    ["search", (o) => parts.Transcript.open(FILE).search("a", o), "casesensitive", "caseSensitive"],
    ["parseQuery", (o) => parts.parseQuery("a", o), "regexp", "regex"],
    ["DoomLoopDetector", (o) => new parts.DoomLoopDetector(o), "treshold", "threshold"],
    ["DoomLoopDetector", (o) => parts.findLoops([], o), "maxIteration", "maxIterations"],
    ["ReActRecorder", (o) => new parts.ReActRecorder({ ...IDS, ...o }), "doomloop", "doomLoop"],
    ["finishStep", (o) => new parts.ReActRecorder(IDS).finishStep("stop", o), "token", "tokens"],
    ["PartValidator", (o) => parts.PartValidator.validatePart({}, o), "id", "ids"],
    ["Redactor", (o) => new parts.Redactor(o), "kept", "keep"],
    ["SqliteFile", (o) => parts.SqliteFile.open(DATABASE, o), "WAL", "wal"],
    ["the head of a page", (o) => parts.markdownHead(o), "titel", "title"],
  ]) {
    test(`${name} of ${of} is logged, with the most similar known one`, () => {
      given({ [name]: undefined });
      const told = lines.filter((line) => line.includes("which is ignored"));
      const end = nearest ? `: did you mean "${nearest}"?` : ": the options are format, runId, ";
      assert.equal(told.length, 1, lines.join("\n"));
      assert.ok(
        told[0].startsWith(`warn ${of} has no option "${name}", which is ignored${end}`),
        told[0],
      );
    });
  }

  test("is logged once, and ignored", () => {
    for (let i = 0; i < 3; i++) new parts.DeltaAssembler({ onproblems: "collect" }).free();
    assert.equal(lines.length, 1);
  });

  test("is not reported if all are known", () => {
    new parts.DeltaAssembler({ format: "delta", maxBytes: 1e6, maxDepth: 9, runId: "r" }).free();
    new parts.Transcript({ format: undefined, ids: "apex", read: undefined }).free();
    new parts.DoomLoopDetector({ ...parts.DEFAULT_DOOM_LOOP_CONFIG, disabled: [] }).free();
    parts.Transcript.open(FILE).search("a", { regex: false, limit: 1, from: 0, to: 1 });
    assert.deepEqual(lines, []);
  });
});

describe("a logger", () => {
  const complain = () => parts.createTextPart({});

  test("may be an object of functions, which are called as its methods", () => {
    const logger = {
      lines: [],
      warn(message, details) {
        this.lines.push([message, details]);
      },
    };
    parts.setLogger(logger);
    complain();
    assert.equal(logger.lines.length, 1);
    const [[message, details]] = logger.lines;
    assert.match(message, /is required/);
    assert.equal(details.name, "MissingRequiredField");
    // A level without a function is dropped.
    assert.throws(() => parts.PartValidator.assertPart({}));
    assert.equal(logger.lines.length, 1);
    logger.error = (message) => logger.lines.push([message]);
    assert.throws(() => parts.PartValidator.assertPart({}));
    assert.equal(logger.lines.length, 2);
  });

  test("may be the console, or may throw", () => {
    parts.setLogger(console);
    const bad = () => {
      throw new Error("no disk");
    };
    parts.setLogger({ warn: bad, error: bad });
    assert.equal(complain(), undefined);
  });

  test("that is invalid is refused, and the previous one remains", () => {
    for (const none of [null, 5, "warn", {}, [], { warn: true }, { info() {} }, Symbol("s")]) {
      assert.throws(
        () => parts.setLogger(none),
        (error) => {
          assert.equal(error.name, "PartValidationError");
          assert.match(error.message, /a logger must be a function .* an object .* undefined/);
          return true;
        },
      );
    }
    lines = [];
    complain();
    assert.equal(lines.length, 1);
  });
});

test("negative token counts are logged at the end of a step, and kept", () => {
  const run = new parts.ReActRecorder(IDS);
  run.startStep();
  const tokens = { input: -5, output: 1, reasoning: 0, cache: { read: 0, write: -1 } };
  assert.deepEqual(run.finishStep("stop", { tokens }).tokens, tokens);
  assert.equal(lines.length, 2);
  assert.match(lines[0], /^warn .*-5 tokens \(`tokens.input`\)/);
  assert.match(lines[1], /-1 tokens \(`tokens.cache.write`\)/);
  const [step] = run.parts().slice(-1);
  const told = parts.PartValidator.validatePart(step, { ids: "opencode" }).problems;
  assert.deepEqual(
    told.filter(({ rule }) => rule === "BR-13").map(({ severity, path }) => [severity, path]),
    [
      ["warning", "/tokens/input"],
      ["warning", "/tokens/cache/write"],
    ],
  );
});

test("a negative total of usage is one warning; a corrected one is none", () => {
  const usage = (seq, inputTokens) => ({
    runId: "r",
    seq,
    kind: "usage",
    payload: { inputTokens, outputTokens: 1, totalTokens: 2 },
    timestamp: "2025-02-17T08:30:00.000Z",
  });
  const start = { ...usage(1), kind: "start", payload: { modelId: "m", requestId: "q" } };
  const problems = (...deltas) => {
    const assembler = new parts.DeltaAssembler();
    for (const delta of [start, ...deltas]) assembler.push(delta);
    return assembler.problems().map(({ severity, rule }) => [severity, rule]);
  };
  assert.deepEqual(problems(usage(2, 10), usage(3, -4)), []);
  assert.deepEqual(problems(usage(2, -4), usage(3, -4)), [["warning", "DC-11"]]);
});
