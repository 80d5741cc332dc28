// Any value passed to any function gives a result, `undefined`, or an ApexPartsError: never a trap, a
// TypeError or a RangeError; and the module continues to work.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { promisify } from "node:util";
import fc from "fast-check";
import { inputs } from "../inputs.mjs";
import { workOf } from "../work.mjs";
import {
  CONTEXT,
  DELTAS,
  delta,
  dispose,
  known,
  liked,
  MESSAGES,
  ndjson,
  PARTS,
  surface,
} from "./fixtures/surface.mjs";
import { deep, deepArray, HOSTILE } from "./fixtures/values.mjs";
import { at, consumer, requireFrom, run } from "./helper.mjs";

const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const of = { sessionID: ID, messageID: ID };

const STREAM = DELTAS();

const folder = await consumer("hostile");

/** A separate instance of the package, so that tests do not affect each other. */
function fresh() {
  const require = requireFrom(folder);
  for (const key of Object.keys(require.cache)) {
    if (key.includes("apex-parts")) delete require.cache[key];
  }
  const parts = require("apex-parts");
  parts.setLogger(undefined);
  return parts;
}

/** A clone that shares what cannot be cloned. */
function clone(value) {
  if (Array.isArray(value)) return value.map(clone);
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, clone(v)]));
}

/** Checks that the package still works. */
function works(parts) {
  const part = parts.createTextPart({ ...of, text: "t" });
  const assembler = new parts.DeltaAssembler();
  for (const one of STREAM) assembler.push(one);
  const { text } = assembler.message().parts[1].payload;
  assembler.free();
  const detector = new parts.DoomLoopDetector();
  for (const path of ["a", "a", "a"]) detector.check({ toolName: "read", parameters: { path } });
  const { pattern } = detector.detect();
  detector.free();
  return (
    text === "Hello, wörld 😀" &&
    pattern === 'read({"path":"a"})' &&
    part.text === "t" &&
    parts.PartValidator.validatePart(part).valid &&
    !parts.PartValidator.validatePart({}).valid &&
    parts.generatePartId().length === 36
  );
}

/** What is wrong with the result of a call; undefined if nothing is. */
function wrong(parts, call) {
  return after(parts, complaintOf(parts, call));
}

/** What is wrong with what a call returned or threw. */
function complaintOf(parts, call) {
  let complaint;
  try {
    dispose(call());
  } catch (error) {
    let ours = false;
    try {
      ours = parts.isApexPartsError(error) && error instanceof Error;
    } catch (another) {
      complaint = `isApexPartsError threw ${another}`;
    }
    if (!ours)
      complaint ??= `threw ${error?.constructor?.name}: ${error?.message ?? String(error)}`;
  }
  return complaint;
}

/** A complaint, and whether the package still works after it. */
function after(parts, complaint) {
  try {
    if (!works(parts)) return `${complaint ?? "returned"}, and then gave wrong answers`;
  } catch (error) {
    return `${complaint ?? "returned"}, and then nothing works: ${error?.message}`;
  }
  return complaint;
}

const all = surface(fresh());

test("these tests have valid arguments for every exported function", () => {
  assert.ok(all.length > 70, `${all.length} functions`);
  assert.deepEqual(
    all.filter(({ name }) => !known(name)).map(({ name }) => name),
    [],
  );
});

test("with valid arguments, every function gives a result or an ApexPartsError", () => {
  const parts = fresh();
  for (const { name, call } of surface(parts)) {
    for (const args of liked(name)) {
      assert.equal(
        wrong(parts, () => call(...clone(args))),
        undefined,
        name,
      );
    }
  }
});

describe("each hostile value in each place gives a result, undefined or an ApexPartsError", () => {
  // One instance for all functions, until something is wrong with it.
  let parts;
  before(() => {
    parts = fresh();
  });

  for (const { name } of all) {
    test(`of ${name}`, () => {
      const found = {};
      /** Calls with each hostile value in a place; `check` says what is wrong with a call. Whether something was. */
      function complains(args, place, check) {
        let call = surface(parts).find((one) => one.name === name).call;
        let any = false;
        for (const what of Object.keys(HOSTILE)) {
          const given = clone(args);
          given[place] = HOSTILE[what](parts);
          const complaint = check(parts, () => call(...given));
          if (complaint === undefined) continue;
          any = true;
          found[`argument ${place + 1}: ${complaint}`] ??= new Set();
          found[`argument ${place + 1}: ${complaint}`].add(what);
          parts = fresh();
          call = surface(parts).find((one) => one.name === name).call;
        }
        return any;
      }
      for (const args of liked(name)) {
        for (let place = 0; place < Math.max(args.length, 2); place++) {
          if (complains(args, place, complaintOf)) continue;
          // What a call breaks stays broken: one look after all values. Only if it is, each call is looked at.
          const late = after(parts, undefined);
          if (late === undefined) continue;
          parts = fresh();
          if (!complains(args, place, wrong))
            found[`argument ${place + 1}: ${late}`] = ["together"];
        }
      }
      const listed = Object.entries(found).map(
        ([how, values]) => `${how} (${[...values].join(", ")})`,
      );
      assert.deepEqual(listed, []);
    });
  }
});

/** Puts a value into a structure; the numbers choose the place. */
function plant(value, [turn, ...rest], planted) {
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  if (keys.length === 0 || ArrayBuffer.isView(value)) return planted;
  const key = keys[turn % keys.length];
  value[key] = rest.length === 0 ? planted : plant(value[key], rest, planted);
  return value;
}

const ANY = fc.anything({
  maxDepth: 3,
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withObjectString: true,
  withSparseArray: true,
  withTypedArray: true,
});

describe("properties", () => {
  test("a hostile value anywhere inside valid arguments gives a result, undefined or an ApexPartsError", () => {
    const parts = fresh();
    // Values in place of a whole argument are tested above.
    const inside = surface(parts).filter(({ name }) =>
      liked(name).some((args) =>
        args.some((arg) => typeof arg === "object" && !ArrayBuffer.isView(arg)),
      ),
    );
    const hostile = fc.oneof(
      fc
        .constantFrom(...Object.keys(HOSTILE))
        .map((name) => ({ name, make: () => HOSTILE[name](parts) })),
      ANY.map((value) => ({ name: "anything", make: () => value })),
    );
    const where = fc.array(fc.nat(40), { minLength: 2, maxLength: 7 });
    fc.assert(
      fc.property(fc.nat(), fc.nat(), where, hostile, (which, variant, path, { make }) => {
        const { name, call } = inside[which % inside.length];
        const lists = liked(name).filter((args) => args.length > 0);
        const args = plant(clone(lists[variant % lists.length]), path, make());
        const complaint = wrong(parts, () => call(...(Array.isArray(args) ? args : [args])));
        assert.equal(complaint, undefined, name);
      }),
      { seed: 20_260, numRuns: 2000 },
    );
  });

  test("validatePart, validateMessage and validateTranscript never throw and always report", () => {
    const parts = fresh();
    const hostile = fc.constantFrom(...Object.values(HOSTILE)).map((make) => () => make(parts));
    const value = fc.oneof(
      hostile,
      ANY.map((any) => () => any),
    );
    fc.assert(
      fc.property(value, value, (make, makeOptions) => {
        for (const name of ["validatePart", "validateMessage", "validateTranscript"]) {
          const { valid, problems } = parts.PartValidator[name](make(), makeOptions());
          assert.equal(typeof valid, "boolean");
          assert.ok(Array.isArray(problems));
          assert.equal(valid, !problems.some(({ severity }) => severity === "error"));
          for (const { rule, path, message } of problems) {
            assert.ok(
              rule.length > 0 && message.length > 0 && (path === "" || path.startsWith("/")),
            );
          }
        }
      }),
      { seed: 20_261, numRuns: 300 },
    );
  });

  test("assertPart returns the same value or throws PartValidationError with the problems", () => {
    const parts = fresh();
    // A value that changes with each read cannot be validated twice with the same result.
    const { "a getter that changes its mind": _, ...steady } = HOSTILE;
    const value = fc.oneof(
      fc.constantFrom(...Object.values(steady)).map((make) => () => make(parts)),
      fc.constantFrom(...PARTS),
    );
    fc.assert(
      fc.property(value, (make) => {
        const given = make();
        const { valid, problems } = parts.PartValidator.validatePart(given);
        let error;
        try {
          assert.equal(parts.PartValidator.assertPart(given), given);
        } catch (thrown) {
          error = thrown;
        }
        assert.equal(error === undefined, valid);
        if (error === undefined) return;
        assert.equal(error.name, "PartValidationError");
        assert.deepEqual(error.details.problems, problems);
      }),
      { seed: 20_262, numRuns: 300 },
    );
  });

  test("any bytes open as a transcript or throw TranscriptError", () => {
    const parts = fresh();
    const [bytes] = liked("Transcript.open")[0];
    const damage = fc.tuple(
      fc.nat(bytes.length),
      fc.nat(bytes.length),
      fc.uint8Array({ maxLength: 6 }),
    );
    const damaged = damage.map(([a, b, put]) => {
      const [from, to] = [Math.min(a, b), Math.min(Math.max(a, b), Math.min(a, b) + 40)];
      return new Uint8Array([...bytes.subarray(0, from), ...put, ...bytes.subarray(to)]);
    });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), damaged), fc.nat(), (given, cut) => {
        const complaint = wrong(parts, () => {
          const transcript = new parts.Transcript();
          const at = cut % (given.length + 1);
          try {
            transcript.push(given.subarray(0, at));
            transcript.refresh();
            assert.equal(transcript.messages().length, transcript.messageCount);
            transcript.push(given.subarray(at));
            transcript.refresh();
            transcript.end();
            assert.equal(transcript.messages().length, transcript.messageCount);
            transcript.stats();
            transcript.layout();
            assert.ok(Array.isArray(transcript.problems()));
          } finally {
            transcript.free();
          }
        });
        assert.equal(complaint, undefined);
      }),
      { seed: 20_263, numRuns: 400 },
    );
  });
});

describe("streams", () => {
  const FORMATS = [
    ...["delta", "anthropic", "openai-chat", "openai-responses", "gemini", "ai-sdk"],
    "apex-bridge",
  ];
  const own = at("tests", "fixtures", "streams");
  const recordings = inputs(own, /\.sse$/).map((name) => ({
    format: name.split(".").at(-2),
    bytes: readFileSync(join(own, name)),
  }));
  recordings.push({ format: "delta", bytes: ndjson(STREAM) });

  /** The message without times. */
  const shown = (assembler) => ({ ...assembler.preview(), timestamp: "" });

  /** Adds bytes in two chunks, and calls every method. */
  function assemble(parts, options, bytes, cut) {
    const assembler = new parts.DeltaAssembler(options);
    try {
      for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
        try {
          assembler.pushBytes(piece);
        } catch (error) {
          if (error.name !== "DeltaContractError" || options.onProblem === "collect") throw error;
        }
      }
      const again = parts.DeltaAssembler.restore(assembler.snapshot());
      assert.deepEqual(shown(again), shown(assembler));
      for (const each of [assembler, again]) {
        each.end();
        assert.match(each.status, /^(done|error)$/);
        assert.equal(each.message() === undefined, each.status !== "done");
        assert.ok(Array.isArray(each.takeChanges()));
        const { valid, problems } = parts.PartValidator.validateMessage(
          each.toWithParts(CONTEXT()),
        );
        assert.ok(valid, JSON.stringify(problems));
        for (const { rule, message, severity } of each.problems()) {
          assert.ok(rule && message && /^(error|warning)$/.test(severity));
        }
      }
      assert.deepEqual(shown(again), shown(assembler));
      again.free();
    } finally {
      assembler.free();
    }
  }

  const damaged = fc
    .record({
      recording: fc.constantFrom(...recordings),
      from: fc.nat(),
      length: fc.nat(60),
      put: fc.oneof(
        fc.uint8Array({ maxLength: 6 }),
        fc
          .constantFrom(
            "{",
            "}",
            '"',
            "[",
            "null",
            "1e999",
            "\\ud800",
            "\n\n",
            "data: ",
            "-1",
            '""',
          )
          .map((text) => new TextEncoder().encode(text)),
      ),
    })
    .map(({ recording: { format, bytes }, from, length, put }) => {
      const at = from % (bytes.length + 1);
      const cut = [bytes.subarray(0, at), put, bytes.subarray(at + length)];
      return { format, bytes: new Uint8Array(Buffer.concat(cut)) };
    });
  const rubbish = fc.record({
    format: fc.constantFrom(...FORMATS),
    bytes: fc.uint8Array({ maxLength: 200 }),
  });

  test("any bytes, in any chunks, give a valid message or a DeltaContractError", () => {
    const parts = fresh();
    const given = fc.oneof({ arbitrary: damaged, weight: 4 }, { arbitrary: rubbish, weight: 1 });
    const onProblem = fc.constantFrom("throw", "collect");
    fc.assert(
      fc.property(given, onProblem, fc.nat(), ({ format, bytes }, onProblem, cut) => {
        const options = { format, onProblem };
        assemble(parts, options, bytes, cut % (bytes.length + 1));
        for (const call of [
          () => parts.readDeltas(format, bytes, { onProblem }),
          () => parts.streamFormat(bytes),
          () => parts.looksLike(bytes),
          () => parts.DeltaAssembler.restore(bytes),
          () => parts.Transcript.open(bytes),
        ]) {
          assert.equal(wrong(parts, call), undefined);
        }
      }),
      { seed: 20_264, numRuns: 500 },
    );
  });

  test("a damaged snapshot is refused, or restores a valid state", () => {
    const parts = fresh();
    const snapshots = recordings.map(({ format, bytes }) => {
      const assembler = new parts.DeltaAssembler({ format, onProblem: "collect" });
      assembler.pushBytes(bytes.subarray(0, bytes.length * 0.6));
      const snapshot = assembler.snapshot();
      assembler.free();
      return snapshot;
    });
    const where = [
      fc.constantFrom(...snapshots),
      fc.nat(),
      fc.nat(20),
      fc.string({ maxLength: 8 }),
    ];
    fc.assert(
      fc.property(...where, (snapshot, from, length, put) => {
        const at = from % snapshot.length;
        const pieces = [snapshot.subarray(0, at), Buffer.from(put), snapshot.subarray(at + length)];
        const complaint = wrong(parts, () => {
          const assembler = parts.DeltaAssembler.restore(Buffer.concat(pieces));
          try {
            assembler.pushBytes(recordings[0].bytes);
            assembler.preview();
            assembler.snapshot();
          } finally {
            assembler.free();
          }
        });
        assert.equal(complaint, undefined);
      }),
      { seed: 20_265, numRuns: 500 },
    );
  });

  test("any sequence of deltas is accepted or refused, and nothing is lost", () => {
    const parts = fresh();
    const id = fc.constantFrom("a", "b", "__proto__", "");
    const words = fc.oneof(
      fc.string({ maxLength: 5 }),
      fc.constantFrom("\ud83d", "\ude00", "{", "}"),
    );
    const payload = fc.oneof(
      fc.record({ textDelta: words }),
      fc.record({ toolCallId: id, toolName: words }),
      fc.record({ toolCallId: id, argsTextDelta: words }),
      fc.record({ modelId: words, requestId: words }),
      fc.record({ finishReason: words }),
      ANY,
    );
    const kind = fc.constantFrom(...STREAM.map((one) => one.kind), "error", "new");
    const each = fc.record({ seq: fc.integer({ min: -1, max: 40 }), kind, payload });
    fc.assert(
      fc.property(fc.array(each, { maxLength: 25 }), (list) => {
        const assembler = new parts.DeltaAssembler();
        assembler.push(STREAM[0]);
        let text = "";
        let isOver = false;
        for (const { seq, kind, payload } of list) {
          const before = assembler.snapshot();
          try {
            assembler.push(delta(seq, kind, payload));
            assert.ok(!isOver || kind === "new", "nothing follows the end");
            isOver ||= kind === "done" || kind === "error";
            if (kind === "text") text += payload.textDelta;
          } catch (error) {
            if (error.name !== "DeltaContractError") throw error;
            assert.deepEqual(assembler.snapshot(), before);
          }
        }
        assembler.end();
        const made = assembler.preview().parts.filter((part) => part.kind === "text");
        const shown = made.map((part) => part.payload.text).join("");
        // Surrogates separated by the end of a part become U+FFFD; everything else is kept.
        const plain = (string) => string.replace(/[\ud800-\udfff\ufffd]/g, "");
        assert.equal(plain(shown), plain(text));
        assembler.free();
      }),
      { seed: 20_266, numRuns: 1000 },
    );
  });

  for (const levels of [10_000, 1_000_000]) {
    test(`arguments and records ${levels.toLocaleString("en")} levels deep exceed a limit`, () => {
      const parts = fresh();
      const start = [STREAM[0], delta(2, "tool_call_start", { toolCallId: "c", toolName: "t" })];
      for (const open of ["[", '{"a":']) {
        const assembler = new parts.DeltaAssembler();
        for (const one of start) assembler.push(one);
        const payload = { toolCallId: "c", argsTextDelta: open.repeat(levels) };
        for (const give of [
          () => assembler.push(delta(3, "tool_call_args", payload)),
          () => assembler.pushBytes(ndjson([delta(4, "tool_call_args", payload)])),
          () => assembler.pushBytes(new TextEncoder().encode(`${open.repeat(levels)}\n`)),
        ]) {
          assert.throws(give, (error) => error.details.rule === "limit");
        }
        assert.equal(assembler.preview().parts[0].payload.rawArgsText, "");
        assembler.free();
        // With a higher limit it must not crash either.
        const deep = new parts.DeltaAssembler({ maxDepth: 2 ** 31 });
        for (const one of start) deep.push(one);
        const complaint = wrong(parts, () => {
          deep.push(delta(3, "tool_call_args", payload));
          deep.snapshot();
          parts.DeltaAssembler.restore(deep.snapshot()).free();
          deep.takeChanges();
          deep.preview();
        });
        assert.equal(complaint, undefined);
        deep.free();
      }
      assert.ok(works(parts));
    });
  }

  test("100,000 calls, 100,000 parts and a run of a million numbers take reasonable time", () => {
    const parts = fresh();
    const work = workOf(() => {
      const assembler = new parts.DeltaAssembler();
      assembler.push(STREAM[0]);
      for (let i = 0; i < 100_000; i++) {
        assembler.push(delta(2 * i + 2, "tool_call_start", { toolCallId: `c${i}`, toolName: "t" }));
        assembler.push(delta(2 * i + 3, i % 2 ? "text" : "thinking", { textDelta: "x" }));
      }
      assembler.push(delta(300_000, "done", { finishReason: "stop" }));
      assert.equal(assembler.message().parts.length, 200_000);
      assert.equal(assembler.takeChanges().length, 200_001);
      assembler.free();
      assert.equal(parts.checkRun(new Array(1_000_000).fill(7)).length, 1_000_000);
    });
    assert.ok(work < 20_000, `${work} ms`);
  });
});

describe("a loop detector", () => {
  const settings = fc.record(
    {
      threshold: fc.integer({ min: -1, max: 5 }),
      maxIterations: fc.integer({ min: 1, max: 40 }),
      boundaryTools: fc.constant(["b"]),
      pollTools: fc.constant(["p"]),
    },
    { requiredKeys: [] },
  );
  // A value that changes with each read cannot be compared.
  const {
    "a getter that changes its mind": _,
    "an object that calls the package": __,
    ...steady
  } = HOSTILE;
  const some = (parts) =>
    fc.oneof(
      fc
        .constantFrom("a", "b", 1, { path: "a" }, { path: "a", n: [1] }, "x".repeat(99))
        .map((any) => () => any),
      ANY.map((any) => () => any),
      fc.constantFrom(...Object.values(steady)).map((make) => () => make(parts)),
    );
  const step = (parts) => {
    const value = some(parts);
    const id = fc.option(fc.constantFrom("c1", "c2", "c3"), { nil: undefined });
    const number = fc.option(fc.integer({ min: -1, max: 9 }), { nil: undefined });
    return fc.oneof(
      fc
        .record({
          toolName: fc.constantFrom("read", "edit", "b", "p", "todo-read"),
          parameters: value,
          callID: id,
          round: number,
        })
        .map((call) => ["check", () => ({ ...call, parameters: call.parameters() })]),
      fc
        .record({ callID: id, call: number, result: value, isError: fc.boolean() })
        .map((outcome) => ["record", () => ({ ...outcome, result: outcome.result() })]),
      fc.tuple(
        fc.constant("text"),
        fc.oneof(fc.constant("again "), fc.string({ unit: "binary", maxLength: 80 }), value),
        fc.constantFrom("text", "reasoning"),
      ),
      fc.tuple(fc.constant("event"), fc.constantFrom("user", "assistant", "retry", "compaction")),
      fc.tuple(fc.constantFrom("check", "record", "event", "text"), value),
    );
  };

  /** Checks that a verdict is complete, or that the error is an ApexPartsError. */
  function taken(parts, detector, [name, ...args]) {
    let verdict;
    try {
      const given = args.map((arg) => (typeof arg === "function" ? arg() : arg));
      verdict = detector[name](...given);
    } catch (error) {
      assert.equal(error.name, "PartValidationError", String(error?.stack));
      assert.ok(parts.isApexPartsError(error));
      return error.message;
    }
    const actions = verdict.isDetected ? ["warning", "interrupt"] : ["continue"];
    assert.ok(actions.includes(verdict.suggestedAction));
    assert.ok(Number.isInteger(verdict.stepCount));
    assert.equal(verdict.isDetected, typeof verdict.message === "string");
    const standing = detector.detect();
    if (verdict.isDetected) assert.deepEqual(standing, verdict);
    const response = detector.toErrorResponse();
    assert.equal(response !== undefined, standing.suggestedAction === "interrupt");
    return verdict;
  }

  test("accepts any calls, results, texts and events in any order, also after restore", () => {
    const parts = fresh();
    fc.assert(
      fc.property(settings, fc.array(step(parts), { maxLength: 30 }), (config, steps) => {
        const one = new parts.DoomLoopDetector(config);
        let other = new parts.DoomLoopDetector(config);
        for (const each of steps) {
          const again = parts.DoomLoopDetector.restore(other.snapshot());
          other.free();
          other = again;
          const told = taken(parts, one, each);
          assert.deepEqual(taken(parts, other, each), told);
        }
        one.free();
        other.free();
      }),
      { seed: 20_270, numRuns: 300 },
    );
    assert.ok(works(parts));
  });

  test("a damaged snapshot is refused, or restores a valid state", () => {
    const parts = fresh();
    const detector = new parts.DoomLoopDetector();
    for (let i = 0; i < 9; i++) {
      detector.check({ toolName: "read", parameters: { path: "a", i: i % 3 }, round: i >> 1 });
      detector.record({ result: `text ${i % 2}`, isError: i > 5 });
      detector.text("Again, wörld. ");
    }
    const good = detector.snapshot();
    detector.free();
    const put = fc.constantFrom(
      "",
      "0",
      "-1",
      "1e999",
      "null",
      "[]",
      "{}",
      '"x"',
      ",",
      "99999999999",
    );
    fc.assert(
      fc.property(fc.nat(good.length), fc.nat(12), put, (from, length, text) => {
        const damaged = good.slice(0, from) + text + good.slice(from + length);
        const complaint = wrong(parts, () => {
          const again = parts.DoomLoopDetector.restore(damaged);
          for (let i = 0; i < 4; i++) {
            taken(parts, again, ["check", { toolName: "read", parameters: { path: "a" } }]);
            taken(parts, again, ["record", { result: "x" }]);
            taken(parts, again, ["text", "Again, wörld. "]);
          }
          parts.DoomLoopDetector.restore(again.snapshot()).free();
          again.free();
        });
        assert.equal(complaint, undefined);
      }),
      { seed: 20_271, numRuns: 1500 },
    );
  });
});

describe("large and deep", () => {
  const MILLION = 1_000_000;
  const info = MESSAGES[0]().info;
  for (const [title, call, count] of [
    [
      "a transcript of a million numbers",
      (parts) => parts.PartValidator.validateTranscript(new Array(MILLION).fill(7)),
    ],
    [
      "a message of a million numbers",
      (parts) => parts.PartValidator.validateMessage({ info, parts: new Array(MILLION).fill(7) }),
    ],
    [
      "a patch of a million files",
      (parts) => {
        const files = new Array(MILLION).fill("a");
        return parts.PartValidator.validatePart({
          id: "p",
          ...of,
          type: "patch",
          hash: "h",
          files,
        });
      },
      0,
    ],
    [
      "a user's 200,000 tools",
      (parts) => {
        const tools = Object.fromEntries(
          Array.from({ length: 200_000 }, (_, i) => [`tool${i}`, true]),
        );
        return parts.PartValidator.validateMessage({ info: { ...info, tools }, parts: [] });
      },
      0,
    ],
  ]) {
    test(`${title} is validated, and the module continues to work`, () => {
      const parts = fresh();
      const { valid, problems } = call(parts);
      assert.equal(valid, count === 0);
      assert.equal(problems.length, count ?? MILLION);
      assert.ok(works(parts));
    });
  }

  test("a part 10,000 levels deep is valid if the depth is in fields that are not validated", () => {
    const parts = fresh();
    const part = { id: "p", ...of, type: "text", text: "t", metadata: deep(10_000) };
    assert.ok(parts.PartValidator.validatePart(part).valid);
    assert.equal(
      parts.createTextPart({ ...of, text: "t", metadata: part.metadata }).metadata,
      part.metadata,
    );
    assert.equal(parts.PartValidator.validatePart(deepArray(10_000)).valid, false);
    const running = { status: "running", input: deep(10_000), time: { start: 1 } };
    assert.equal(parts.runningToCompleted(running, "o", "t").input, running.input);
  });

  for (const levels of [10_000, 1_000_000]) {
    test(`a file ${levels.toLocaleString("en")} levels deep opens or is refused with TranscriptError`, () => {
      const parts = fresh();
      const text = (value) => new TextEncoder().encode(value);
      const nested = (open, close) => open.repeat(levels) + close.repeat(levels);
      const part = `{"id":"p","sessionID":"s","messageID":"m","type":"plan","x":${nested("[", "]")}}`;
      const user = `{"id":"m","sessionID":"s","role":"user","time":{"created":1}}`;
      for (const file of [
        nested("[", "]"),
        nested('{"messages":', "}").replace(":}", ":[]}"),
        "[".repeat(levels),
        `[{"info":${user},"parts":[${part}]}]`,
        `{"info":{"id":"s","x":${nested('{"a":', "}").replace(":}", ":1}")}},"messages":[]}`,
      ]) {
        const complaint = wrong(parts, () => {
          const transcript = parts.Transcript.open(text(file));
          try {
            transcript.problems();
            transcript.stats();
            transcript.layout();
            assert.equal(
              wrong(parts, () => transcript.session),
              undefined,
            );
            transcript.messages();
          } finally {
            transcript.free();
          }
        });
        assert.equal(complaint, undefined, `${file.slice(0, 60)}…`);
      }
    });
  }

  test("Markdown designed to be slow is converted to HTML quickly", () => {
    const parts = fresh();
    const pieces = [
      "*",
      "_",
      "[",
      "![",
      "`",
      "> ",
      "- ",
      "<",
      "&",
      "~~",
      "| ",
      "[a](",
      "**a ",
      "\\",
      "<!--",
      "1. ",
    ];
    const work = workOf(() => {
      for (const piece of pieces) {
        assert.equal(typeof parts.renderMarkdown(piece.repeat(20_000)), "string");
      }
    });
    // Less than a second; quadratic time would take minutes.
    assert.ok(work < 20_000, `${work} ms`);
    assert.ok(works(parts));
  });
});

describe("an array that lies about its length, or has holes, is processed in reasonable time", {
  concurrency: 2,
}, () => {
  for (const [title, expression] of [
    [
      "validateTranscript of 2^32-1 holes",
      "parts.PartValidator.validateTranscript(new Array(2 ** 32 - 1))",
    ],
    ["validateTranscript of a liar", "parts.PartValidator.validateTranscript(liar(2 ** 53))"],
    [
      "validateMessage with parts that lie",
      "parts.PartValidator.validateMessage({ ...MESSAGES[0]([]), parts: liar(2 ** 53) })",
    ],
    [
      "validatePart with 4 billion files",
      '{ parts.PartValidator.validatePart({ type: "patch", id: "p", hash: "h", files: new Array(4e9) }) }',
    ],
    [
      "toModelMessage of a liar",
      'parts.toModelMessage(liar(2 ** 53, { info: { role: "user" }, parts: [] }))',
    ],
    [
      "toModelMessage with parts that lie",
      'parts.toModelMessage([{ ...MESSAGES[0]([]), parts: liar(2 ** 53, { type: "text", text: "x" }) }])',
    ],
    [
      "toModelMessage with 2^32-1 holes for attachments",
      "parts.toModelMessage([{ ...MESSAGES[1]([]), parts: [{ ...PARTS[4](), state: { ...PARTS[4]().state, attachments: new Array(2 ** 32 - 1) } }] }])",
    ],
    ["toModelMessage of 2^32-1 holes", "parts.toModelMessage(new Array(2 ** 32 - 1))"],
    ["checkRun of a liar", "parts.checkRun(liar(2 ** 53, {}))"],
    ["checkRun of 2^32-1 holes", "parts.checkRun(new Array(2 ** 32 - 1))"],
    [
      "checkRun with parts that lie",
      'parts.checkRun([{ runId: "r", role: "user", parts: liar(2 ** 53, {}) }])',
    ],
  ]) {
    test(title, async () => {
      const surfaceUrl = JSON.stringify(new URL("./fixtures/surface.mjs", import.meta.url));
      const valuesUrl = JSON.stringify(new URL("./fixtures/values.mjs", import.meta.url));
      // In a separate process, which can be killed if it never ends.
      const program = `import { createRequire } from "node:module";
import { MESSAGES, PARTS } from ${surfaceUrl};
import { liar } from ${valuesUrl};
const parts = createRequire(process.cwd() + "/x.cjs")("apex-parts");
parts.setLogger(undefined);
try { ${expression}; } catch (error) { if (!parts.isApexPartsError(error)) throw error; }
if (parts.createTextPart({ sessionID: "s", messageID: "m", text: "t" }).text !== "t") throw new Error("broken");
void [MESSAGES, PARTS, liar];`;
      const args = ["--input-type=module", "-e", program];
      const limits = { cwd: folder, timeout: 12_000, killSignal: "SIGKILL" };
      await promisify(execFile)(process.execPath, args, limits);
    });
  }
});

describe("objects of the module", () => {
  test("a freed transcript throws an ApexPartsError, and can be freed again", () => {
    const parts = fresh();
    const [bytes] = liked("Transcript.open")[0];
    for (const use of [
      (t) => t.messages(),
      (t) => t.messageCount,
      (t) => t.push(bytes),
      (t) => t.end(),
      (t) => t.refresh(),
      (t) => t.stats(),
      (t) => t.problems(),
      (t) => t.free(),
    ]) {
      const transcript = parts.Transcript.open(bytes);
      transcript.free();
      assert.equal(
        wrong(parts, () => use(transcript)),
        undefined,
        String(use),
      );
    }
  });

  test("a transcript that refused invalid input still accepts valid input", () => {
    const parts = fresh();
    const [bytes] = liked("Transcript.open")[0];
    for (const what of Object.keys(HOSTILE)) {
      const transcript = new parts.Transcript();
      try {
        transcript.push(HOSTILE[what](parts));
      } catch {
        // Tested elsewhere: here only the next calls matter.
        transcript.push(bytes);
        transcript.end();
        assert.equal(transcript.messageCount, 2, what);
      }
      transcript.free();
    }
  });

  // Each leaks one of the 1,024 slots that wasm-bindgen has for arguments: see docs/limits.md.
  test("a program that overflows the stack inside our calls 500 times can continue", async () => {
    const program = `import { createRequire } from "node:module";
const parts = createRequire(process.cwd() + "/x.cjs")("apex-parts");
const options = { sessionID: "s", messageID: "m", text: "t" };
const down = () => { parts.createTextPart(options); down(); };
for (let i = 0; i < 500; i++) try { down(); } catch (error) { if (!(error instanceof RangeError)) throw error; }
if (parts.createTextPart(options).text !== "t") throw new Error("broken");`;
    const args = ["--stack-size=100", "--input-type=module", "-e", program];
    await run(process.execPath, args, { quiet: true, cwd: folder });
  });
});

describe("what is read from hostile objects", () => {
  test("does not change Object.prototype, and a field named __proto__ stays a field", () => {
    const parts = fresh();
    const state = JSON.parse(
      '{"status":"running","input":{},"time":{"start":1,"__proto__":{"b":1}},"__proto__":{"polluted":1},"constructor":7}',
    );
    for (const made of [
      parts.ToolStateTransition.abort(state, "why", 2),
      parts.ToolStateTransition.expire(state, 1e9, 1),
      parts.runningToCompleted(state, "o", "t"),
      parts.runningToError(state, "no"),
    ]) {
      assert.equal(Object.getPrototypeOf(made), Object.prototype);
      assert.equal(made.polluted, undefined);
      if (Object.hasOwn(made, "__proto__")) {
        assert.deepEqual(Object.getOwnPropertyDescriptor(made, "__proto__").value, { polluted: 1 });
      }
    }
    const options = JSON.parse(
      `{"sessionID":"s","messageID":"m","text":"t","__proto__":{"polluted":1}}`,
    );
    assert.equal(parts.createTextPart(options).polluted, undefined);
    assert.equal({}.polluted, undefined);
  });

  test("an object that calls the package while it is read gets correct results", () => {
    const parts = fresh();
    const inner = [];
    const part = {
      id: "p",
      ...of,
      type: "text",
      get text() {
        inner.push(parts.PartValidator.validatePart({ type: "text" }).problems.length);
        inner.push(parts.toModelMessage([MESSAGES[0]()]).length);
        inner.push(parts.createTextPart({ ...of, text: "inner" }).text);
        return "outer";
      },
    };
    const { valid } = parts.PartValidator.validatePart(part);
    assert.equal(valid, true);
    const [message] = parts.toModelMessage([{ info: MESSAGES[0]().info, parts: [part, part] }]);
    assert.deepEqual(
      message.parts.map(({ text }) => text),
      ["outer", "outer"],
    );
    assert.deepEqual(inner.slice(0, 3), [
      parts.PartValidator.validatePart({ type: "text" }).problems.length,
      1,
      "inner",
    ]);
  });

  test("an object whose getter calls the package endlessly gives a result", () => {
    const parts = fresh();
    const endless = {
      get id() {
        return parts.PartValidator.validatePart(endless).valid;
      },
    };
    for (let i = 0; i < 20; i++) {
      const complaint = wrong(parts, () => parts.PartValidator.validatePart(endless));
      assert.equal(complaint, undefined);
    }
  });
});

describe("setLogger", () => {
  /** One call for each kind of log entry. */
  const TROUBLE = {
    PartValidationError: (parts) => parts.PartValidator.assertPart({ type: "text" }),
    InvalidStateTransition: (parts) => {
      const state = parts.createToolStatePending({ input: {}, raw: "" });
      parts.ToolStateTransition.runningToCompleted(state, "o", 1);
    },
    MissingRequiredField: (parts) => parts.createTextPart({ ...of }),
  };
  const LEVELS = {
    PartValidationError: "error",
    InvalidStateTransition: "error",
    MissingRequiredField: "warn",
  };

  for (const [name, trouble] of Object.entries(TROUBLE)) {
    test(`a logger gets ${name}: level, message, details`, () => {
      const parts = fresh();
      const heard = [];
      parts.setLogger((...words) => heard.push(words));
      let thrown;
      try {
        assert.equal(trouble(parts), undefined);
      } catch (error) {
        thrown = error;
      }
      assert.equal(heard.length, 1);
      const [level, message, details] = heard[0];
      assert.equal(level, LEVELS[name]);
      assert.equal(typeof message, "string");
      assert.ok(message.length > 10);
      assert.equal(details.name, name);
      if (name !== "MissingRequiredField") assert.equal(thrown.name, name);
    });
  }

  for (const [title, logger] of [
    [
      "that throws",
      () => {
        throw new TypeError("no");
      },
    ],
    [
      "that throws undefined",
      () => {
        throw undefined;
      },
    ],
    ["that returns a promise that rejects", () => Promise.reject(new Error("no"))],
    [
      "that is async and throws",
      async () => {
        throw new Error("no");
      },
    ],
    [
      "that returns a thenable whose then throws",
      () => ({
        // biome-ignore lint/suspicious/noThenProperty: this is what is tested here
        then() {
          throw new Error("no");
        },
      }),
    ],
    [
      "that returns a thenable whose then cannot be read",
      () => ({
        // biome-ignore lint/suspicious/noThenProperty: this is what is tested here
        get then() {
          throw new Error("no");
        },
      }),
    ],
    [
      "that is a revoked proxy",
      (() => {
        const p = Proxy.revocable(() => {}, {});
        p.revoke();
        return p.proxy;
      })(),
    ],
  ]) {
    test(`a logger ${title} does not break the call`, async () => {
      const parts = fresh();
      const unhandled = [];
      const listen = (reason) => unhandled.push(reason);
      process.on("unhandledRejection", listen);
      try {
        parts.setLogger(logger);
        for (let i = 0; i < 20; i++) {
          for (const trouble of Object.values(TROUBLE)) {
            const complaint = wrong(parts, () => trouble(parts));
            assert.equal(complaint, undefined);
          }
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
        assert.deepEqual(unhandled, []);
      } finally {
        process.removeListener("unhandledRejection", listen);
      }
    });
  }

  test("a logger that calls the package, which logs again, does not break the call", () => {
    const parts = fresh();
    let heard = 0;
    parts.setLogger(() => {
      heard++;
      parts.createTextPart({});
    });
    assert.equal(parts.createTextPart({}), undefined);
    assert.ok(heard > 1);
    parts.setLogger(undefined);
    assert.ok(works(parts));
  });

  test("a logger may replace itself during a call", () => {
    const parts = fresh();
    const heard = [];
    parts.setLogger(() => {
      heard.push(1);
      parts.setLogger(() => heard.push(2));
    });
    parts.createTextPart({});
    parts.createTextPart({});
    assert.deepEqual(heard, [1, 2]);
  });

  test("undefined turns logging off; the default is the console", () => {
    const require = requireFrom(folder);
    fresh();
    for (const key of Object.keys(require.cache))
      if (key.includes("apex-parts")) delete require.cache[key];
    const parts = require("apex-parts"); // with its default logger
    const said = [];
    const { error, warn } = console;
    console.error = (...words) => said.push(["error", words[0]]);
    console.warn = (...words) => said.push(["warn", words[0]]);
    try {
      for (const trouble of Object.values(TROUBLE)) wrongless(() => trouble(parts));
      assert.deepEqual(said.map(([level]) => level).sort(), ["error", "error", "warn"]);
      for (const [, message] of said) assert.match(message, /^apex-parts: /);
      parts.setLogger(undefined);
      for (const trouble of Object.values(TROUBLE)) wrongless(() => trouble(parts));
      assert.equal(said.length, 3);
    } finally {
      Object.assign(console, { error, warn });
    }
  });

  test("a value that is not a logger is refused or has no effect", () => {
    const parts = fresh();
    for (const [what, make] of Object.entries(HOSTILE)) {
      if (what === "an object that calls the package") continue;
      assert.equal(
        wrong(parts, () => parts.setLogger(make(parts))),
        undefined,
        what,
      );
      assert.equal(
        wrong(parts, () => parts.createTextPart({})),
        undefined,
        what,
      );
      parts.setLogger(undefined);
    }
  });
});

/** Runs a call and ignores its exceptions. */
function wrongless(call) {
  try {
    call();
  } catch {
    // Only the log matters here.
  }
}
