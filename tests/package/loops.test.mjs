// The doom-loop detector in the packed package: the labelled cases, arbitrary input, and finished messages.
// (The rules themselves are tested in Rust.)
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { judged, readVectors, stepsOf, verdicts } from "./fixtures/vectors.mjs";
import { consumer, requireFrom, run } from "./helper.mjs";

let folder;
let parts;
let heard;
before(async () => {
  folder = await consumer("loops");
  parts = requireFrom(folder)("apex-parts");
});

/** A detector that is freed at the end of the test. `heard` collects its log entries. */
function made(t, config) {
  heard = [];
  parts.setLogger((level, message, details) => heard.push({ level, message, details }));
  const detector = new parts.DoomLoopDetector(config);
  t.after(() => detector.free());
  return detector;
}

/** The error of a refused call; nothing else may be thrown. */
function refused(call) {
  parts.setLogger(undefined);
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof Error && parts.isApexPartsError(error), String(error?.stack));
    assert.equal(error.name, "PartValidationError");
    const [{ severity, rule, path, message }] = error.details.problems;
    assert.deepEqual([severity, typeof rule, typeof path], ["error", "string", "string"]);
    // The place stands between what is wrong and the rule.
    const [said, code] = [message.slice(0, -` (${rule})`.length), ` (${rule})`];
    assert.ok(message.endsWith(code), message);
    assert.ok(error.message.startsWith(said) && error.message.endsWith(code), error.message);
    return error;
  }
  return assert.fail("nothing was refused");
}

/** The config in the module. */
const configOf = (detector) => JSON.parse(detector.snapshot()).detector.config;
const NOTHING = (stepCount) => ({ isDetected: false, stepCount, suggestedAction: "continue" });
const READ = { toolName: "read", parameters: { path: "a" } };
const kinds = (list) => list.map(({ kind }) => kind);

/** Checks that it is a verdict. */
function assertVerdict(verdict) {
  assert.equal(typeof verdict.isDetected, "boolean");
  assert.ok(Number.isInteger(verdict.stepCount) && verdict.stepCount >= 0);
  const actions = verdict.isDetected ? ["warning", "interrupt"] : ["continue"];
  assert.ok(actions.includes(verdict.suggestedAction), verdict.suggestedAction);
}

/** A detector restored from the snapshot of this one. */
function restored(detector) {
  const again = parts.DoomLoopDetector.restore(detector.snapshot());
  assert.equal(again.snapshot(), detector.snapshot());
  detector.free();
  return again;
}

const cyclic = () => {
  const value = { a: 1, list: [] };
  value.list.push(value);
  return value;
};

// ── During a call ───────────────────────────────────────────────────────────────────────────────
test("a call is read correctly even if a logger uses other detectors during it", (t) => {
  const detector = made(t);
  const other = made(t);
  parts.setLogger(() => {
    other.check({ toolName: "other", parameters: {} });
    other.record({ result: "other" });
  });
  detector.check({ toolName: "mine", parameters: cyclic() });
  assert.deepEqual(
    JSON.parse(detector.snapshot()).detector.calls.entries.map(({ tool }) => tool),
    ["mine"],
  );
  parts.setLogger(undefined);
});

test("arguments with very many values are equal in any order of fields, and differ if one value does", (t) => {
  const rows = (turn, last) => {
    const list = Array.from({ length: 2_000 }, (_, i) => ({ id: i, name: `row ${i}`, ok: true }));
    list.push({ id: last });
    return turn ? { rows: list, path: "a" } : { path: "a", rows: list };
  };
  const detector = made(t);
  const check = (parameters) => detector.check({ toolName: "write", parameters });
  for (const last of [1, 2, 3, 4]) assert.deepEqual(check(rows(false, last)).isDetected, false);
  check(rows(true, 4));
  const { kind, pattern } = check(JSON.parse(JSON.stringify(rows(false, 4))));
  assert.equal(kind, "exact_repeat");
  // Of such arguments the beginning is shown.
  assert.match(pattern, /^write\(\{"path":"a","rows":\[\{"id":0,"name":"row 0","ok":true\},/);
  assert.ok(pattern.length <= 160, `${pattern.length} characters`);

  // A volatile argument is ignored, however many other values there are.
  const volatile = made(t, { volatileArgKeys: { write: ["at"] } });
  const verdicts = [1, 2, 3].map((at) =>
    volatile.check({ toolName: "write", parameters: { at, ...rows(false, 0) } }),
  );
  assert.equal(verdicts.at(-1).kind, "exact_repeat");
});

test("arguments that use detectors while they are read get correct results", (t) => {
  const detector = made(t);
  const other = made(t);
  let busy;
  const call = (path) => ({
    get toolName() {
      other.check({ toolName: "other", parameters: { path } });
      return "mine";
    },
    get callID() {
      other.record({ callID: "nobody", result: "x" });
      return undefined;
    },
    parameters: {
      toJSON() {
        busy = refused(() => detector.check(READ));
        other.text("Something else.");
        return { path };
      },
    },
  });
  const found = [1, 2, 3].map(() => detector.check(call("a")));
  assert.deepEqual(kinds(found), [undefined, undefined, "exact_repeat"]);
  assert.equal(found[2].pattern, 'mine({"path":"a"})');
  assert.match(busy.message, /busy/);
});

test("a detector that is used by a logger after 20,000 calls continues", async () => {
  // In a separate process, because a failure crashes it.
  const program = `import { createRequire } from "node:module";
const { DoomLoopDetector, setLogger } = createRequire(process.cwd() + "/x.cjs")("apex-parts");
const config = { threshold: 0, maxIterations: 1e9 };
const [one, other] = [new DoomLoopDetector(config), new DoomLoopDetector(config)];
for (let i = 0; i < 20_000; i++) one.check({ toolName: "t", parameters: { i } });
setLogger(() => other.check({ toolName: "other" }));
one.check({ toolName: "t", parameters: 5n });
if (other.detect().stepCount !== 1) throw new Error("the logger was not called");`;
  await run(process.execPath, ["--input-type=module", "-e", program], { quiet: true, cwd: folder });
});

// ── The labelled cases ──────────────────────────────────────────────────────────────────────────
describe("the labelled cases", () => {
  const cases = readVectors();

  test("there are 50, of ten kinds, and 23 without a loop", () => {
    assert.equal(cases.length, 50);
    assert.equal(new Set(cases.map(({ id }) => id)).size, 50);
    assert.equal(cases.filter(({ expected }) => !expected.detected).length, 23);
  });

  test("every case has the expected verdicts", (t) => {
    parts.setLogger(undefined);
    const score = {};
    const wrong = {};
    for (const one of cases) {
      const steps = stepsOf(one);
      const found = verdicts(new parts.DoomLoopDetector(one.config), steps, restored);
      for (const verdict of found) assertVerdict(verdict);
      const complaint = judged(one, steps, found);
      const kind = one.expected.kind ?? "none";
      score[kind] ??= { met: 0, of: 0 };
      score[kind].of++;
      if (complaint === undefined) score[kind].met++;
      else wrong[one.id] = complaint;
    }
    for (const [kind, { met, of }] of Object.entries(score).sort()) {
      t.diagnostic(`${kind}: ${met} of ${of}`);
    }
    assert.deepEqual(wrong, {});
  });

  test("a snapshot at any step of any case changes no verdict", () => {
    parts.setLogger(undefined);
    for (const one of cases) {
      const steps = stepsOf(one);
      const fed = (cut) => verdicts(new parts.DoomLoopDetector(one.config), steps, restored, cut);
      const expected = fed(-1);
      for (let cut = 0; cut < steps.length; cut++) {
        assert.deepEqual(fed(cut), expected, `${one.id}, restored before step ${cut + 1}`);
      }
    }
  });
});

// ── A verdict ───────────────────────────────────────────────────────────────────────────────────
describe("a verdict", () => {
  test("has the evidence: kind, period, repeats, calls, ids, pattern, advice", (t) => {
    const detector = made(t);
    for (let i = 0; i < 2; i++) {
      assert.deepEqual(detector.check({ ...READ, callID: `c${i}` }), NOTHING(i + 1));
    }
    const { message, ...found } = detector.check({ ...READ, callID: "c2" });
    assert.deepEqual(found, {
      isDetected: true,
      kind: "exact_repeat",
      suggestedAction: "interrupt",
      stepCount: 3,
      period: 1,
      repeats: 3,
      calls: [0, 1, 2],
      callIDs: ["c0", "c1", "c2"],
      pattern: 'read({"path":"a"})',
    });
    assert.match(message, /read\(.*3 times/);
    assert.deepEqual(detector.detect(), { ...found, message });
    assert.deepEqual(detector.detect(), { ...found, message }, "asking records nothing");
    detector.reset();
    assert.deepEqual(detector.detect(), NOTHING(0));
    assert.deepEqual(kinds([READ, READ].map((call) => detector.check(call))), [
      undefined,
      undefined,
    ]);
  });

  test("is withdrawn by results that differ", (t) => {
    const detector = made(t);
    for (let i = 0; i < 12; i++) {
      assert.equal(detector.check(READ).isDetected, false, `call ${i + 1}`);
      assert.equal(detector.record({ result: { progress: i } }).isDetected, false);
    }
  });

  test("is the same for results recorded by index, by id and for the last call", (t) => {
    for (const outcome of [(i) => ({ call: i }), (i) => ({ callID: `c${i}` }), () => ({})]) {
      const detector = made(t);
      const found = [];
      for (let i = 0; i < 3; i++) {
        detector.check({ ...READ, callID: `c${i}` });
        found.push(detector.record({ ...outcome(i), result: "no", isError: true }).kind);
      }
      assert.deepEqual(found, [undefined, undefined, "exact_error"]);
      assert.deepEqual(heard, []);
    }
  });

  test("does not count calls of boundary tools, nor those undone by a retry", (t) => {
    const detector = made(t, { maxIterations: 2, boundaryTools: ["b"] });
    for (let n = 0; n < 3; n++) {
      assert.deepEqual(detector.check({ toolName: "b", parameters: { n } }), NOTHING(0));
    }
    const other = made(t, { maxIterations: 1e9 });
    for (let n = 0; n < 100; n++) other.check({ toolName: "read", parameters: { n } });
    assert.deepEqual(other.event("retry"), NOTHING(0));
  });

  test("counts a repeated callID as the same call", (t) => {
    const detector = made(t);
    for (let i = 0; i < 5; i++) {
      assert.deepEqual(detector.check({ ...READ, callID: "c" }), NOTHING(1));
    }
  });

  test("has a pattern of at most 160 characters, whatever the arguments", (t) => {
    const detector = made(t);
    const parameters = { text: "ä😀".repeat(50_000) };
    let found;
    for (let i = 0; i < 3; i++) found = detector.check({ toolName: "write", parameters });
    assert.equal(found.kind, "exact_repeat");
    assert.ok(found.pattern.length <= 160, `${found.pattern.length}`);
    assert.ok(found.pattern.isWellFormed() && found.message.isWellFormed());
  });

  for (const threshold of [0, -1, -0.5, -1e300]) {
    test(`a threshold of ${threshold} turns repeats off, and maxIterations still holds`, (t) => {
      const detector = made(t, { threshold });
      for (let i = 0; i < 50; i++) assert.deepEqual(detector.check(READ), NOTHING(i + 1));
      const { kind, suggestedAction } = detector.check(READ);
      assert.deepEqual([kind, suggestedAction], ["max_iterations", "interrupt"]);
    });
  }

  test("the outcome of an unknown call is logged and ignored", (t) => {
    const detector = made(t);
    detector.check({ ...READ, callID: "c0" });
    const before = detector.snapshot();
    for (const outcome of [
      { callID: "nobody", result: "x" },
      { call: 1, result: "x" },
      { call: -1, result: "x" },
      { call: Number.POSITIVE_INFINITY, result: "x" },
      ...["0", 0.5, Number.NaN, null, {}].map((call) => ({ call, result: "x" })),
      { callID: "nobody", call: 7 },
    ]) {
      heard = [];
      assert.deepEqual(detector.record(outcome), NOTHING(1));
      assert.equal(heard.length, 1, JSON.stringify(outcome));
      assert.equal(heard[0].level, "warn");
      assert.match(heard[0].message, /call.*ignored/);
      assert.equal(detector.snapshot(), before);
    }
  });

  test("an outcome before any call is logged and ignored", (t) => {
    assert.deepEqual(made(t).record({ result: "x" }), NOTHING(0));
    assert.equal(heard.length, 1);
  });
});

// ── Settings ────────────────────────────────────────────────────────────────────────────────────
describe("settings", () => {
  test("DEFAULT_DOOM_LOOP_CONFIG equals the defaults of the module, and is frozen", (t) => {
    const { DEFAULT_DOOM_LOOP_CONFIG: config } = parts;
    assert.deepEqual(configOf(made(t)), config);
    assert.deepEqual(configOf(made(t, config)), config);
    assert.deepEqual(config, {
      threshold: 3,
      checkInterval: 1000,
      maxIterations: 50,
      ignoredTools: ["todo-write", "todo-read"],
    });
    assert.throws(() => {
      config.threshold = 5;
    }, TypeError);
    assert.throws(() => config.ignoredTools.push("read"), TypeError);
  });

  test("all of them are accepted, and survive a snapshot", (t) => {
    const config = {
      threshold: 4,
      checkInterval: 0.5,
      maxIterations: 7,
      ignoredTools: ["a"],
      boundaryTools: ["b"],
      pollTools: ["c"],
      volatileArgKeys: { e: ["f"] },
      disabled: ["near_repeat", "monologue"],
    };
    const detector = made(t, config);
    assert.deepEqual(configOf(detector), config);
    assert.deepEqual(configOf(restored(new parts.DoomLoopDetector(config))), config);
  });

  test("that are undefined or null have their default", (t) => {
    const config = { threshold: undefined, maxIterations: null, disabled: null };
    assert.deepEqual(configOf(made(t, config)), parts.DEFAULT_DOOM_LOOP_CONFIG);
  });

  const WHOLE =
    /`threshold` must be an integer up to 1000000000 \(0 or less turns repeats off\), not/;
  const ABOVE = /`maxIterations` must be a number above 0, not/;
  const MILLIS = /`checkInterval` must be milliseconds above 0, not/;
  const STRINGS = (name) => new RegExp(`\`${name}\` must be a list of strings, not`);
  const SOFT =
    /`disabled` must be a list of soft kinds \(interleaved_repeat, .*repeated_reasoning\), not/;
  const numbers = [Number.NaN, Number.POSITIVE_INFINITY, "3", true, {}, [], 5n];
  for (const [name, message, values] of [
    ["threshold", WHOLE, [...numbers, 2.5, 1e10]],
    ["maxIterations", ABOVE, [...numbers, 0, -0, -1]],
    ["checkInterval", MILLIS, [...numbers, 0, -1]],
    ...["ignoredTools", "boundaryTools", "pollTools", "progressTools"].map((name) => [
      name,
      STRINGS(name),
      ["read", 1, {}, [1], [null], [Number.NaN], [5n], [["read"]], new Set(["read"])],
    ]),
    ["volatileArgKeys", STRINGS("volatileArgKeys"), [{ a: "b" }, { a: [1] }, { a: [5n] }]],
    ["volatileArgKeys", /must be an object of lists of strings, not/, [[], "a", 3]],
    ["disabled", SOFT, [["cycle"], ["exact_repeat"], ["max_iterations"], ["banana"]]],
    ["disabled", STRINGS("disabled"), ["monologue", [1], {}]],
  ]) {
    test(`${name} says what is allowed: ${message.source.slice(0, 50)}`, () => {
      for (const value of values) {
        for (const use of [
          () => new parts.DoomLoopDetector({ [name]: value }),
          () => parts.findLoops([], { [name]: value }),
        ]) {
          const { details } = refused(use);
          assert.equal(details.problems.length, 1);
          assert.equal(details.problems[0].path, `/${name}`);
          assert.match(details.problems[0].message, message);
        }
      }
    });
  }

  test("that are not an object, or cannot be read, are refused", () => {
    const cyclic = {};
    cyclic.cyclic = cyclic;
    const gone = Proxy.revocable({}, {});
    gone.revoke();
    const refuses = {
      get threshold() {
        throw new TypeError("no");
      },
    };
    for (const config of [null, 3, "x", [], () => {}, Symbol("s"), cyclic, gone.proxy, refuses]) {
      const { details } = refused(() => new parts.DoomLoopDetector(config));
      assert.deepEqual(details.problems, [
        {
          severity: "error",
          rule: "schema",
          path: "",
          message: "settings must be an object (schema)",
        },
      ]);
    }
  });

  test("that are invalid are all reported in one error", () => {
    const config = { threshold: Number.NaN, maxIterations: 0, disabled: ["cycle"] };
    const { details } = refused(() => new parts.DoomLoopDetector(config));
    const paths = details.problems.map(({ path }) => path).sort();
    assert.deepEqual(paths, ["/disabled", "/maxIterations", "/threshold"]);
  });
});

// ── The error for the model ─────────────────────────────────────────────────────────────────────
describe("toErrorResponse", () => {
  const keys = (object) => Object.keys(object).sort();

  test("has the shape of the design if the run is to be interrupted", (t) => {
    const detector = made(t, { threshold: 4 });
    for (let i = 0; i < 4; i++) {
      assert.equal(detector.toErrorResponse(), undefined);
      detector.check({ ...READ, timestamp: 1000 + i });
    }
    const { message } = detector.detect();
    const response = detector.toErrorResponse();
    assert.deepEqual(keys(response), ["error", "suggestion"]);
    assert.deepEqual(keys(response.error), ["details", "message", "name"]);
    assert.deepEqual(keys(response.error.details), [
      ...["attemptCount", "lastToolCalls", "pattern", "threshold"],
    ]);
    assert.equal(response.error.name, "DoomLoopDetected");
    assert.match(response.error.message, /doom loop.*read/i);
    assert.equal(response.suggestion, message);
    assert.deepEqual(response.error.details, {
      pattern: 'read({"path":"a"})',
      attemptCount: 4,
      threshold: 4,
      lastToolCalls: [0, 1, 2, 3].map((i) => ({ ...READ, timestamp: 1000 + i })),
    });
    assert.deepEqual(JSON.parse(JSON.stringify(response)), response);
    detector.event("user");
    assert.equal(detector.toErrorResponse(), undefined);
  });

  test("is undefined for a warning", (t) => {
    const detector = made(t);
    const found = [];
    for (let round = 0; round < 12 && found.length === 0; round++) {
      for (const path of ["a", `other${round}`]) {
        detector.check({ toolName: "read", parameters: { path } });
        const verdict = detector.record({ result: `text of ${path}` });
        if (verdict.isDetected) found.push(verdict);
      }
    }
    assert.equal(found[0]?.suggestedAction, "warning");
    assert.equal(detector.toErrorResponse(), undefined);
  });

  test("shows arguments that are long, cyclic or missing", (t) => {
    const cyclic = { a: 1 };
    cyclic.self = cyclic;
    for (const [parameters, check] of [
      [undefined, (shown) => assert.deepEqual(shown, {})],
      [{ n: [1, "x", null] }, (shown) => assert.deepEqual(shown, { n: [1, "x", null] })],
      [cyclic, (shown) => assert.equal(shown.a, 1)],
      [{ s: "y".repeat(1e6) }, (shown) => assert.match(JSON.stringify(shown), /yyyy/)],
    ]) {
      const detector = made(t);
      for (let i = 0; i < 3; i++) detector.check({ toolName: "t", parameters });
      const { lastToolCalls } = detector.toErrorResponse().error.details;
      assert.equal(lastToolCalls.length, 3);
      assert.ok(JSON.stringify(lastToolCalls).length < 100_000);
      for (const call of lastToolCalls) check(call.parameters);
    }
  });
});

// ── Arbitrary input ─────────────────────────────────────────────────────────────────────────────
const nested = (levels) => {
  let value = {};
  for (let i = 0; i < levels; i++) value = { a: value };
  return value;
};
/** Small in memory, huge as text: each level contains the one below four times. */
const manifold = (levels, leaf) => {
  let value = leaf;
  for (let i = 0; i < levels; i++) value = [value, value, value, value];
  return value;
};
const thrower = () => ({
  a: 1,
  get b() {
    throw new TypeError("a getter of the test");
  },
});
const trapped = () =>
  new Proxy(
    {},
    new Proxy(
      {},
      {
        get() {
          throw new TypeError("a trap of the test");
        },
      },
    ),
  );
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

/** Unusual values → whether the detector warns that they cannot be read completely. */
const ODD = {
  "a cyclic object": [cyclic, true],
  "a BigInt": [() => 5n, true],
  "a BigInt inside": [() => ({ a: [5n] }), true],
  "a getter that throws": [thrower, true],
  "a toJSON that throws": [() => ({ toJSON: () => JSON.parse("{") }), true],
  "a proxy whose traps throw": [trapped, true],
  "a revoked proxy": [revoked, true],
  "10,000 levels of objects": [() => nested(10_000), true],
  "30 levels of four, with a BigInt": [() => manifold(30, 5n), true],
  "a long text four million times, with a BigInt": [
    () => manifold(11, ["x".repeat(100_000), 5n]),
    true,
  ],
  "5 MB in one string": [() => ({ text: "x".repeat(5e6) }), false],
  "5 MB in small objects": [
    () => Array.from({ length: 200_000 }, (_, i) => ({ i, s: "xyz" })),
    false,
  ],
  "a symbol": [() => Symbol("s"), false],
  "symbols inside": [() => ({ a: Symbol("s"), [Symbol("k")]: 1 }), false],
  "a function": [() => () => 1, false],
  "a Date": [() => new Date(5), false],
  "an invalid Date": [() => new Date(Number.NaN), false],
  "a Map": [() => new Map([["a", 1]]), false],
  "NaN and Infinity": [() => [Number.NaN, Number.POSITIVE_INFINITY, -0], false],
  "lone surrogates": [() => ({ "\ud800": "\udc00" }), false],
  null: [() => null, false],
  bytes: [() => new Uint8Array([1, 2, 3]), false],
  __proto__: [() => JSON.parse('{"__proto__":{"polluted":1}}'), false],
};
const WARNED = /cannot be written as JSON.*what can be read of them is compared/;

for (const [what, [make, told]] of Object.entries(ODD)) {
  test(`${what} as arguments and as a result is compared as far as it can be read`, (t) => {
    const began = process.cpuUsage();
    const detector = made(t);
    const found = [];
    for (let i = 0; i < 3; i++) {
      found.push(detector.check({ toolName: "t", parameters: make() }).kind);
    }
    assert.deepEqual(found, [undefined, undefined, "exact_repeat"]);
    assert.deepEqual(
      heard.map(({ level }) => level),
      told ? ["warn"] : [],
      "a warning once",
    );
    if (told) assert.match(heard[0].message, WARNED);
    assert.equal(detector.toErrorResponse().error.details.lastToolCalls.length, 3);
    assert.equal({}.polluted, undefined);

    const other = made(t);
    const results = [];
    for (let i = 0; i < 3; i++) {
      other.check(READ);
      results.push(other.record({ result: make() }).kind);
    }
    assert.deepEqual(results, [undefined, undefined, "exact_repeat"]);
    assert.deepEqual(
      heard.map(({ level, message }) => [level, WARNED.test(message)]),
      told ? [["warn", true]] : [],
      "a warning once",
    );
    const { user } = process.cpuUsage(began);
    assert.ok(user < 20_000_000, `${user / 1000} ms of work`);
  });
}

test("the warning is logged once per detector, for arguments and results together", (t) => {
  const detector = made(t);
  for (let i = 0; i < 4; i++) {
    detector.check({ toolName: "t", parameters: { i, cyclic: cyclic() } });
    detector.record({ result: { i: 5n } });
  }
  assert.equal(heard.length, 1);
  const other = new parts.DoomLoopDetector();
  other.check({ toolName: "t", parameters: cyclic() });
  other.free();
  assert.equal(heard.length, 2);
});

test("calls that differ in the readable part of their arguments are different", (t) => {
  const detector = made(t, { disabled: ["near_repeat"] });
  for (let i = 0; i < 9; i++) {
    for (const value of [{ i, cyclic: cyclic() }, { at: new Date(i), big: 5n }, { i: BigInt(i) }]) {
      assert.equal(detector.check({ toolName: "t", parameters: value }).isDetected, false);
    }
  }
});

test("an invalid call or outcome still gives a verdict", (t) => {
  const detector = made(t, { threshold: 0, maxIterations: 1e9 });
  for (const junk of [
    ...[undefined, null, 0, Number.NaN, "", "read", true, 5n, Symbol("s"), [], {}, () => {}],
    ...[trapped(), revoked(), thrower(), cyclic(), new Map(), new Date(0)],
    ...[
      { toolName: 5, parameters: 1 },
      { toolName: "\ud800", callID: 5, round: "x", range: 5 },
    ],
    { toolName: "t", range: { resource: 5, start: "0", end: Number.NaN }, timestamp: {} },
    { toolName: "t", range: { resource: "r", start: 5, end: -5 }, round: Number.NaN },
    { toolName: "t", range: { start: -1e308, end: 1e308 }, timestamp: -1, round: -1.5 },
    { callID: "x".repeat(100_000), call: "0", resultKey: 5, isError: "yes" },
    { call: 1e300, resultKey: "k".repeat(100_000), result: Symbol("s"), isError: true },
  ]) {
    assertVerdict(detector.check(junk));
    assertVerdict(detector.record(junk));
    assertVerdict(detector.detect());
  }
  assertVerdict(restored(parts.DoomLoopDetector.restore(detector.snapshot())).detect());
});

describe("text", () => {
  const chant = (text, channel) => (detector) => {
    for (let i = 0; i < 12; i++) {
      const verdict = detector.text(text, channel);
      if (verdict.isDetected) return verdict.kind;
    }
    return undefined;
  };
  const SENTENCE = "I will look at it again. ";

  test("that chants is found in both channels separately", (t) => {
    for (const channel of [undefined, "text", "reasoning"]) {
      assert.equal(chant(SENTENCE, channel)(made(t)), "chanting", channel);
    }
    const both = made(t);
    for (let i = 0; i < 9; i++) {
      assert.equal(both.text(SENTENCE, "text").isDetected, false);
      assert.equal(both.text(SENTENCE, "reasoning").isDetected, false);
    }
  });

  test("in chunks of any size is the same text", (t) => {
    const text = "Für immer 😀 dasselbe. ".repeat(12);
    for (const size of [1, 2, 3, 7, 20, 64, text.length]) {
      const detector = made(t);
      const points = [...text];
      let found;
      for (let i = 0; i < points.length; i += size) {
        const verdict = detector.text(points.slice(i, i + size).join(""));
        if (verdict.isDetected) found ??= verdict.kind;
      }
      assert.equal(found, "chanting", `chunks of ${size}`);
    }
  });

  test("that chanted and continued is a chant, however it is cut", (t) => {
    const building = `${"The build is still running. ".repeat(40)}It has now finished.`;
    for (const [text, pattern, repeats] of [
      [building, "The build is still running.", 40],
      [`N${"o".repeat(300)}!`, "o", 300],
      ["x".repeat(10_000) + " and so on. ".repeat(9), "x", 10_000],
      [`${"immer 😀 ".repeat(20)}immer 😁`, "immer 😀", 20],
    ]) {
      for (const size of [1, 2, 7, 100, text.length]) {
        const detector = made(t);
        let last;
        for (let i = 0; i < text.length; i += size) {
          const verdict = detector.text(text.slice(i, i + size));
          if (verdict.isDetected) last = verdict;
        }
        assert.deepEqual(
          [last?.kind, last?.pattern, last?.repeats],
          ["chanting", pattern, repeats],
        );
        assert.deepEqual(detector.detect(), last, `chunks of ${size}`);
      }
    }
  });

  test("has the verdict of its characters one by one, whatever it is and however it is cut", (t) => {
    let state = 7;
    const random = (most) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state >>> 8) % most;
    };
    const pieces = [
      "go on. ",
      "a",
      " ",
      "\t",
      "\n",
      "| a | b |\n",
      "|--|--|\n",
      "```\n",
      "é",
      "😀 ",
    ];
    pieces.push("WORD ", "\ud83d", "\0", "- [ ] again, and again; ", "x".repeat(70));
    const generated = () =>
      Array.from({ length: 8 }, () => pieces[random(pieces.length)].repeat(1 + random(14))).join(
        "",
      );
    let chants = 0;
    for (let round = 0; round < 150; round++) {
      const text = generated();
      const [whole, single] = [made(t), made(t)];
      const channel = round % 2 === 0 ? "text" : "reasoning";
      for (let at = 0, size = 0; at < text.length; at += size) {
        size = 1 + random(round % 3 === 0 ? 300 : 40);
        const chunk = text.slice(at, at + size);
        const verdict = whole.text(chunk, channel);
        let expected = { isDetected: false, stepCount: 0, suggestedAction: "continue" };
        for (const unit of chunk.split("")) {
          const one = single.text(unit, channel);
          if (one.isDetected) expected = one;
        }
        assert.deepEqual(verdict, expected, JSON.stringify(text));
        assert.equal(whole.snapshot(), single.snapshot(), JSON.stringify(text));
        if (verdict.isDetected) chants++;
      }
      assert.deepEqual(whole.event("assistant"), single.event("assistant"));
      assert.equal(whole.snapshot(), single.snapshot());
    }
    assert.ok(chants > 50, `${chants} chants`);
  });

  test("with lone surrogates is accepted", (t) => {
    const detector = made(t);
    for (const chunk of [
      "\ud83d",
      "\ude00",
      "a\ud83d",
      "\ude00b",
      "\udc00".repeat(300),
      "\ud800",
    ]) {
      for (const channel of ["text", "reasoning"]) assertVerdict(detector.text(chunk, channel));
    }
    assert.equal(chant("again \ud83d and \ude00 again, ")(made(t)), "chanting");
    restored(restored(parts.DoomLoopDetector.restore(detector.snapshot()))).free();
  });

  test("cut within a surrogate pair is the same text", (t) => {
    const text = "😀 dasselbe 🎉".repeat(12);
    for (const size of [1, 2, 3, 5, 13, 14, 15, 40]) {
      for (const channel of ["text", "reasoning"]) {
        const [whole, cut] = [made(t), made(t)];
        const expected = whole.text(text, channel);
        let found;
        for (let i = 0; i < text.length; i += size) {
          found = cut.text(text.slice(i, i + size), channel);
          // An empty chunk, or one of the other channel, between the halves does not matter.
          cut.text("", channel);
          cut.text("x", channel === "text" ? "reasoning" : "text");
        }
        assert.deepEqual(
          [found.kind, found.pattern, found.repeats],
          [expected.kind, expected.pattern, expected.repeats],
          `chunks of ${size}`,
        );
      }
    }
  });

  test("in chunks of 70 KB is the same as in small ones, also where it needs three bytes", (t) => {
    for (const [unit, expected] of [
      ["The same words, over and over. ", "chanting"],
      ["Immer dieselben Wörter — ✓ ", "chanting"],
      ["| --- | --- |\n", undefined],
    ]) {
      const long = unit.repeat(Math.ceil(70_000 / unit.length));
      const whole = made(t).text(long);
      const small = made(t);
      let found;
      for (let i = 0; i < long.length; i += 50) {
        const verdict = small.text(long.slice(i, i + 50));
        if (verdict.isDetected) found ??= verdict.kind;
      }
      assert.equal(whole.kind, expected, unit);
      assert.equal(found, expected, unit);
    }
    const detector = made(t);
    const words = Array.from({ length: 9000 }, (_, i) => `word${i * 7919} `).join("");
    assert.ok(words.length > 70_000);
    assert.deepEqual(detector.text(words), NOTHING(0));
    assert.deepEqual(detector.text("\ud800".repeat(70_000)).isDetected, false);
  });

  test("that is not a string changes nothing", (t) => {
    const detector = made(t);
    for (let i = 0; i < 9; i++) detector.text(SENTENCE);
    const before = detector.snapshot();
    for (const junk of [undefined, null, 5, 5n, {}, [], Symbol("s"), new String("x"), trapped()]) {
      assert.deepEqual(detector.text(junk), NOTHING(0));
      assert.deepEqual(detector.text(junk, "reasoning"), NOTHING(0));
    }
    assert.deepEqual(detector.text(""), NOTHING(0));
    assert.equal(detector.snapshot(), before);
    assert.equal(detector.text(SENTENCE).kind, "chanting");
  });

  test("of an unknown channel is text", (t) => {
    for (const channel of ["banana", null, 5, {}, Symbol("s"), trapped()]) {
      assert.equal(chant(SENTENCE, channel)(made(t)), "chanting");
    }
  });

  test("is not counted as a call", (t) => {
    const detector = made(t);
    for (let i = 0; i < 3; i++) detector.check(READ);
    for (const chunk of ["a", "b".repeat(70_000), "\ud800"]) {
      assert.equal(detector.text(chunk).stepCount, 3);
    }
  });
});

describe("event", () => {
  const EVENTS = ["user", "trigger", "nudge", "retry", "compaction", "assistant"];

  test("each of the six gives a verdict", (t) => {
    const detector = made(t);
    for (const event of EVENTS) assert.deepEqual(detector.event(event), NOTHING(0));
  });

  test("user and trigger clear the verdict; compaction and a nudge do not", (t) => {
    const after = (event) => {
      const detector = made(t);
      for (let i = 0; i < 2; i++) detector.check(READ);
      detector.event(event);
      return detector.check(READ).isDetected;
    };
    assert.deepEqual(EVENTS.slice(0, 3).map(after), [false, false, true]);
    assert.equal(after("compaction"), true);
  });

  test("an unknown one is refused with the list of known ones", (t) => {
    const detector = made(t);
    for (const junk of [
      ...[undefined, null, "", "User", "reset", "snapshot", 5, 5n, {}, [], ["user"], Symbol("s")],
      ...[new String("user"), trapped(), () => "user", "x".repeat(100_000), "\ud800"],
    ]) {
      const { message } = refused(() => detector.event(junk));
      for (const event of EVENTS) assert.ok(message.includes(event), message);
    }
    assert.deepEqual(detector.detect(), NOTHING(0));
  });
});

describe("a freed detector, or an object that is not one", () => {
  const USES = {
    check: [READ],
    record: [{ result: "x" }],
    text: ["x"],
    event: ["user"],
    detect: [],
    toErrorResponse: [],
    reset: [],
    snapshot: [],
  };
  for (const [name, args] of Object.entries(USES)) {
    test(`${name} throws our error, every time`, () => {
      const detector = new parts.DoomLoopDetector();
      detector.check(READ);
      detector.free();
      for (let i = 0; i < 3; i++) {
        assert.match(refused(() => detector[name](...args)).message, /was freed/);
      }
      detector.free();
      const other = Object.create(parts.DoomLoopDetector.prototype);
      assert.match(refused(() => other[name](...args)).message, /not an object of this package/);
      const assembler = new parts.DeltaAssembler();
      refused(() => parts.DoomLoopDetector.prototype[name].apply(assembler, args));
      assembler.free();
    });
  }

  test("text throws it too for a long text, or a value that is not a text", () => {
    const detector = new parts.DoomLoopDetector();
    detector.free();
    for (const chunk of ["", "x".repeat(300_000), "\ud800", 5, undefined]) {
      assert.match(refused(() => detector.text(chunk)).message, /was freed/);
    }
  });
});

test("restore refuses a text that is not a snapshot", (t) => {
  const good = made(t).snapshot();
  for (const junk of [
    ...[undefined, null, "", "{}", "[]", "null", "x", 5, {}, [], Symbol("s"), trapped()],
    ...[good.slice(0, -1), good.replace('"version":1', '"version":99'), new String(good)],
    '{"detector":'.repeat(10_000),
  ]) {
    assert.match(refused(() => parts.DoomLoopDetector.restore(junk)).message, /not a snapshot/);
  }
});

// ── Finished messages ───────────────────────────────────────────────────────────────────────────
describe("findLoops", () => {
  const part = (id, input = { path: "a" }) => ({
    ...{ id, type: "tool", tool: "read", callID: id },
    state: { status: "completed", input, output: "text of a", time: { start: 1, end: 2 } },
  });
  const message = (...parts) => ({ info: { role: "assistant", sessionID: "s" }, parts });

  test("finds a loop across messages, with the parts of its calls", () => {
    parts.setLogger(undefined);
    const list = ["p1", "p2", "p3"].map((id) => message(part(id)));
    const found = parts.findLoops(list);
    assert.equal(found.length, 1);
    const [{ partIDs, kind, calls, callIDs, suggestedAction, message: advice, ...rest }] = found;
    assert.deepEqual([kind, suggestedAction], ["exact_repeat", "interrupt"]);
    assert.deepEqual(
      [partIDs, callIDs, calls],
      [
        ["p1", "p2", "p3"],
        ["p1", "p2", "p3"],
        [0, 1, 2],
      ],
    );
    assert.deepEqual([rest.period, rest.repeats, rest.pattern], [1, 3, 'read({"path":"a"})']);
    assert.equal(typeof advice, "string");
    assert.deepEqual(parts.findLoops(list, { threshold: 4 }), []);
    assert.deepEqual(parts.findLoops(list, { ignoredTools: ["read"] }), []);
    assert.deepEqual(parts.findLoops(list.slice(1)), []);
  });

  test("distinguishes loops by their calls, and lists each once", () => {
    const long = "x".repeat(200);
    const reads = (count, path) =>
      Array.from({ length: count }, (_, i) => {
        const id = `${path(i)} ${i}`;
        return message(part(id, { path: path(i) }));
      });
    const three = reads(9, (i) => `${long}${i % 9 < 3 ? "a" : i < 6 ? "b" : "c"}.ts`);
    assert.deepEqual(kinds(parts.findLoops(three)), Array(3).fill("exact_repeat"));
    const many = parts.findLoops(reads(100, (i) => `file ${i}`));
    assert.deepEqual(
      many.map(({ kind, stepCount }) => [kind, stepCount]),
      [["max_iterations", 51]],
    );
  });

  test("finds a chant in a finished text", () => {
    const text = `${"The build is still running. ".repeat(40)}It has now finished.`;
    const found = parts.findLoops([message({ id: "t1", type: "text", text })]);
    assert.deepEqual(
      found.map(({ kind, partIDs }) => [kind, partIDs]),
      [["chanting", ["t1"]]],
    );
  });

  test("compares inputs that JSON cannot write as far as they can be read", () => {
    for (const [what, [make]] of Object.entries(ODD)) {
      const list = ["p1", "p2", "p3"].map((id) => message(part(id, make())));
      assert.deepEqual(
        parts.findLoops(list).map(({ partIDs }) => partIDs),
        [["p1", "p2", "p3"]],
        what,
      );
    }
  });

  test("finds no loops in values that are not messages", () => {
    parts.setLogger(undefined);
    const junk = [
      ...[undefined, null, 0, 5n, "x", Symbol("s"), {}, () => {}, trapped(), revoked(), thrower()],
      ...[cyclic(), new Map(), new Date(0), new Proxy([], { get: () => 7 })],
    ];
    for (const one of junk) {
      assert.deepEqual(parts.findLoops(one), []);
      assert.deepEqual(parts.findLoops([one]), []);
      assert.deepEqual(parts.findLoops([one, one, one]), []);
      const around = (value) => [
        { info: value, parts: value },
        { info: { role: "assistant" }, parts: value },
        { info: { role: "assistant" }, parts: [value, value, value] },
        { info: { role: "user", sessionID: value }, parts: [{ type: value }] },
      ];
      assert.deepEqual(parts.findLoops(around(one)), []);
      const states = [
        { ...part("p1"), state: one },
        { ...part("p2", one), tool: one, callID: one },
      ];
      assert.ok(Array.isArray(parts.findLoops([message(...states)])));
    }
    assert.deepEqual(parts.findLoops(junk), []);
    assert.deepEqual(parts.findLoops([]), []);
    assert.deepEqual(parts.findLoops(new Array(100_000).fill(7)), []);
  });

  test("gives the same as Transcript#loops", () => {
    const list = ["p1", "p2", "p3", "p4"].map((id) => message(part(id)));
    const bytes = new TextEncoder().encode(JSON.stringify({ info: { id: "s" }, messages: list }));
    const transcript = parts.Transcript.open(bytes);
    assert.deepEqual(transcript.loops(), parts.findLoops(list));
    assert.equal(transcript.loops().length, 1);
    assert.deepEqual(transcript.loops({ threshold: 5 }), []);
    refused(() => transcript.loops({ threshold: "5" }));
    transcript.free();
    const empty = new parts.Transcript();
    assert.deepEqual(empty.loops(), []);
    empty.free();
  });

  test("in steps gives the same as at once, whatever is called in between", () => {
    const list = ["p1", "p2", "p3", "p4"].map((id) => message(part(id)));
    const bytes = new TextEncoder().encode(JSON.stringify(list));
    const transcript = new parts.Transcript();
    transcript.push(bytes);
    assert.equal(transcript.lookForLoops(4), 1);
    // The search restarts after more was read, with other settings, and after its end.
    transcript.end();
    assert.deepEqual(
      [1, 2, 3, 4, 2].map((to) => transcript.lookForLoops(to)),
      [0, 0, 1, 1, 1],
    );
    assert.equal(transcript.lookForLoops(4, { threshold: 5 }), 0);
    assert.equal(transcript.lookForLoops(2), 0);
    assert.deepEqual(transcript.loops(), parts.findLoops(list));
    assert.equal(transcript.lookForLoops(0), 0);
    assert.equal(transcript.lookForLoops(1e9), 1);
    assert.equal(transcript.lookForLoops(-1), 1);
    assert.equal(transcript.lookForLoops("4"), 1);
    refused(() => transcript.lookForLoops(4, { threshold: "5" }));
    assert.deepEqual(transcript.loops(), parts.findLoops(list));
    transcript.free();
  });
});
