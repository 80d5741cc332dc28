// The delta assembler in the packed package: the contract in JavaScript, for any input and any chunks. (The
// rules themselves are tested in Rust.)
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import vm from "node:vm";
import { inputs } from "../inputs.mjs";
import { CONTEXT, DELTAS, delta, ndjson, RUN } from "./fixtures/surface.mjs";
import { at, node, write } from "./helper.mjs";
import { load, parts, seen, streamAt, streamLaws, taken } from "./stream-laws.mjs";

const FORMATS = [
  ...["delta", "anthropic", "openai-chat", "openai-responses", "gemini", "ai-sdk"],
  ...["apex-bridge", "bedrock", "ollama", "cohere", "gemini-interactions", "ag-ui"],
];

const OWN = at("tests", "fixtures", "streams");
const STREAMS = inputs(OWN, /\.sse$/).map((name) => streamAt(join(OWN, name)));
STREAMS.push({ path: "made.delta", format: "delta", bytes: ndjson(DELTAS()) });

let folder;
before(async () => {
  folder = await load("deltas");
});

const text = (seq, textDelta, more) => ({ ...delta(seq, "text", { textDelta }), ...more });
const START = delta(1, "start", { modelId: "m", requestId: "q" });
const DONE = delta(1000, "done", { finishReason: "stop" });
const record = (one) => `${JSON.stringify(one)}\n`;
const bytesOf = (string) => new TextEncoder().encode(string);

/** The error of a violation; nothing else may be thrown. */
function breach(call, rule) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof Error && parts.isApexPartsError(error), String(error?.stack));
    assert.equal(error.name, "DeltaContractError");
    if (rule === undefined) assert.equal(typeof error.details.rule, "string", error.message);
    else assert.equal(error.details.rule, rule, error.message);
    return error;
  }
  return assert.fail(`no breach of ${rule}`);
}

/** Its whole state, as its snapshot. */
const state = (assembler) => new TextDecoder().decode(assembler.snapshot());

const texts = (assembler) => assembler.preview().parts.map(({ payload }) => payload.text);

describe("a message", () => {
  test("is assembled from objects, from the first delta to the last", (t) => {
    const assembler = taken(t, []);
    assert.deepEqual(seen(assembler), {
      status: "empty",
      message: undefined,
      preview: { runId: "", role: "assistant", parts: [], timestamp: "", meta: {} },
      problems: [],
    });
    for (const one of DELTAS()) {
      assert.equal(assembler.message(), undefined);
      assert.equal(assembler.push(one), undefined);
      assert.equal(assembler.status, one.kind === "done" ? "done" : "streaming");
    }
    const message = {
      runId: "r",
      role: "assistant",
      parts: [
        { kind: "thinking", payload: { text: "Hm." } },
        { kind: "text", payload: { text: "Hello, wörld 😀" } },
        {
          kind: "tool_call",
          payload: { toolCallId: "c1", toolName: "read", arguments: { path: "/a" } },
        },
      ],
      timestamp: DELTAS()[0].timestamp,
      meta: {
        modelId: "m",
        requestId: "q",
        usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7, cost: 0.5 },
        finishReason: "tool-calls",
      },
    };
    assert.deepEqual(assembler.message(), message);
    assert.deepEqual(assembler.preview(), message);
    assert.deepEqual(assembler.problems(), []);
    assembler.end();
    assert.deepEqual(assembler.message(), message);
  });

  test("with open calls shows the arguments received so far", (t) => {
    const assembler = taken(t, [
      START,
      delta(2, "tool_call_start", { toolCallId: "c", toolName: "write" }),
    ]);
    const args = () => {
      const [{ payload }] = assembler.preview().parts;
      return [payload.arguments, payload.rawArgsText];
    };
    assert.deepEqual(args(), [{}, ""]);
    let raw = "";
    for (const [index, [piece, shown]] of [
      ['{"pa', {}],
      ['th":"/a', { path: "/a" }],
      ['","content":"# No', { path: "/a", content: "# No" }],
      ['w\\n"', { path: "/a", content: "# Now\n" }],
    ].entries()) {
      raw += piece;
      const payload = { toolCallId: "c", argsTextDelta: piece };
      assembler.push(delta(3 + index, "tool_call_args", payload));
      assert.deepEqual(args(), [shown, raw]);
    }
    assembler.push(delta(20, "tool_call_end", { toolCallId: "c" }));
    assert.deepEqual(args(), [{}, raw]);
    const [{ toolCallId, offset }] = assembler.preview().meta.parseErrors;
    assert.deepEqual([toolCallId, offset], ["c", raw.length]);
  });

  test("that failed has a preview with the error, but no final message", (t) => {
    const error = { errorCode: "overloaded", message: "Later.", retryable: true };
    const assembler = taken(t, [START, text(2, "x"), delta(3, "error", error)]);
    assert.equal(assembler.status, "error");
    assert.equal(assembler.message(), undefined);
    assert.deepEqual(assembler.preview().meta.error, error);
    assert.deepEqual(texts(assembler), ["x"]);
  });

  test("whose transport ends too early keeps its content, and end() does not throw", (t) => {
    const assembler = taken(t, [START, text(2, "x\ud83d")]);
    for (let i = 0; i < 3; i++) assert.equal(assembler.end(), undefined);
    assert.equal(assembler.status, "error");
    const [{ rule, severity }, ...more] = assembler.problems();
    assert.deepEqual([rule, severity, more], ["DC-2", "error", []]);
    assert.deepEqual(texts(assembler), ["x\ufffd"]);
    breach(() => assembler.push(text(3, "y")), "DC-2");
    const nothing = taken(t, []);
    nothing.end();
    assert.equal(nothing.problems()[0].rule, "DC-2");
  });

  test("joins surrogates from two deltas, and a lone one becomes U+FFFD", (t) => {
    const [high, low] = ["\ud83d", "\ude00"];
    const join = (...pieces) => {
      const deltas = pieces.map((piece, index) => text(2 + index, piece));
      return texts(taken(t, [START, ...deltas, DONE])).join("|");
    };
    assert.equal(join(high, low), "😀");
    assert.equal(join(`a${high}`, `${low}b`), "a😀b");
    assert.equal(join(high, "", low), "😀");
    assert.equal(join(high + low, `${low}x${high}`), "😀\ufffdx\ufffd");
    assert.equal(join(high, high, low), "\ufffd😀");
    assert.equal(join(`${low}`, `${high}.`), "\ufffd\ufffd.");
    // The same as bytes: JSON escapes lone surrogates.
    const assembler = taken(t, []);
    for (const one of [START, text(2, `a${high}`), text(3, `${low}b`)]) {
      for (const byte of bytesOf(record(one))) assembler.pushBytes(Uint8Array.of(byte));
    }
    assert.deepEqual(texts(assembler), ["a😀b"]);
    // The same in arguments.
    const args = (seq, argsTextDelta) =>
      delta(seq, "tool_call_args", { toolCallId: "c", argsTextDelta });
    const call = taken(t, [
      START,
      delta(2, "tool_call_start", { toolCallId: "c", toolName: "t" }),
      ...[args(3, `{"a":"${high}`), args(4, `${low}"}`)],
      DONE,
    ]);
    assert.deepEqual(call.message().parts[0].payload.arguments, { a: "😀" });
  });

  test("has 2,000 interleaved calls in the order of their start", (t) => {
    const assembler = taken(t, [START]);
    const calls = Array.from({ length: 2000 }, (_, i) => `call ${i}`);
    let seq = 1;
    for (const id of calls) {
      assembler.push(delta(++seq, "tool_call_start", { toolCallId: id, toolName: "t" }));
    }
    for (const piece of ['{"n":', "1", "}"]) {
      for (const id of calls.toReversed()) {
        assembler.push(delta(++seq, "tool_call_args", { toolCallId: id, argsTextDelta: piece }));
      }
    }
    assembler.push(delta(++seq, "done", { finishReason: "stop" }));
    const message = assembler.message();
    assert.deepEqual(
      message.parts.map(({ payload }) => payload.toolCallId),
      calls,
    );
    assert.ok(message.parts.every(({ payload }) => payload.arguments.n === 1));
    assert.deepEqual(message.meta.unclosedToolCalls, calls);
  });
});

describe("options", () => {
  test("that are invalid throw a DeltaContractError that says what is expected", () => {
    for (const [options, says] of [
      [5, /options must be an object, not a number/],
      ["delta", /options must be an object, not a string/],
      [[], /options must be an object, not an array/],
      [new Map(), /options must be an object/],
      [() => {}, /options must be an object, not a function/],
      [{ format: "pdf" }, /`format` must be one of delta, .*ag-ui, not "pdf"/],
      [{ format: 5 }, /`format` must be one of .*, not a number/],
      [{ format: null }, /`format` must be one of .*, not null/],
      [{ runId: 5 }, /`runId` must be a string, not a number/],
      [{ onProblem: "ignore" }, /`onProblem` must be one of throw, collect/],
      [{ onProblem: true }, /`onProblem` must be a string, not a boolean/],
      [{ onDuplicate: "drop" }, /`onDuplicate` must be one of error, ignore/],
      [{ maxBytes: "1" }, /`maxBytes` must be a number, not a string/],
      [{ maxBytes: -1 }, /`maxBytes` must not be negative/],
      [{ maxBytes: Number.NaN }, /`maxBytes` must be a number/],
      [{ maxDepth: {} }, /`maxDepth` must be a number, not an object/],
      [new Proxy({}, { get: () => assert.fail("trap") }), /`format` must be one of .*throws/],
    ]) {
      const calls = [
        () => new parts.DeltaAssembler(options),
        () => parts.DeltaAssembler.restore(ndjson([START]), options),
        () => parts.readDeltas("delta", ndjson([START]), options),
      ];
      // readDeltas gets the format as an argument of its own.
      for (const call of calls) assert.match(breach(call, "schema").message, says);
    }
  });

  test("that are omitted have defaults", (t) => {
    for (const options of [undefined, null, {}, { format: undefined, runId: undefined }]) {
      const assembler = taken(t, DELTAS(), options);
      assert.equal(assembler.status, "done");
      breach(() => assembler.push(text(50, "x")), "DC-2");
    }
  });

  test("runId: that of the deltas; for a provider's stream the given one or a new UUID", (t) => {
    breach(() => taken(t, [START], { runId: "s" }), "DC-4");
    assert.equal(taken(t, [START], { runId: "r" }).preview().runId, "r");
    const ids = [1, 2].map(() => taken(t, [], { format: "gemini" }).preview().runId);
    assert.notEqual(ids[0], ids[1]);
    for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
    assert.equal(taken(t, [], { format: "gemini", runId: "mine" }).preview().runId, "mine");
  });

  test("maxBytes and maxDepth: exceeding one is a problem and changes nothing", (t) => {
    const small = taken(t, [START, text(2, "x".repeat(80))], { maxBytes: 100 });
    const before = state(small);
    breach(() => small.push(text(3, "y".repeat(30))), "limit");
    assert.equal(state(small), before);
    breach(() => small.pushBytes(bytesOf(record(text(4, "z".repeat(200))))), "limit");
    small.push(text(5, "z"));
    const call = delta(2, "tool_call_start", { toolCallId: "c", toolName: "t" });
    const flat = taken(t, [START, call], { maxDepth: 5 });
    const deep = delta(3, "tool_call_args", { toolCallId: "c", argsTextDelta: "[".repeat(6) });
    breach(() => flat.push(deep), "limit");
    assert.equal(flat.preview().parts[0].payload.rawArgsText, "");
  });
});

describe("a violation", () => {
  const CALL = delta(2, "tool_call_start", { toolCallId: "c", toolName: "t" });
  const BREACHES = [
    ["DC-1", [], text(1, "x")],
    ["DC-1", [START], delta(2, "start", { modelId: "m", requestId: "q" })],
    ["DC-2", [START, DONE], text(2000, "x")],
    ["DC-3", [START, text(5, "x")], text(5, "x")],
    ["DC-3", [START, text(5, "x")], text(4, "y")],
    ["DC-4", [START], text(2, "x", { runId: "s" })],
    ["DC-6", [START], delta(2, "tool_call_args", { toolCallId: "c", argsTextDelta: "{" })],
    ["DC-6", [START], delta(2, "tool_call_end", { toolCallId: "c" })],
    ["DC-8", [START, CALL], delta(3, "tool_call_start", { toolCallId: "c", toolName: "t" })],
    ["schema", [START], text(2, 5)],
    ["schema", [START], text(2, "x", { timestamp: 5 })],
    ["schema", [START], text(2 ** 53, "x")],
    ["schema", [START], delta(2, "done", {})],
  ];

  for (const [rule, good, bad] of BREACHES) {
    const title = `${rule}: ${JSON.stringify(bad).slice(0, 90)}`;
    test(`${title} is thrown and changes nothing`, (t) => {
      const assembler = taken(t, good);
      assembler.takeChanges();
      const before = [state(assembler), seen(assembler)];
      const { message, details } = breach(() => assembler.push(bad), rule);
      assert.ok(message.endsWith(` (${rule})`), message);
      assert.equal(details.seq, bad.seq);
      assert.equal(details.runId, bad.runId);
      assert.equal("offset" in details, false);
      assert.deepEqual([state(assembler), seen(assembler)], before);
      assert.deepEqual(assembler.takeChanges(), []);
    });

    test(`${title} has its offset if it came as bytes, and the rest is still read`, (t) => {
      const assembler = taken(t, []);
      const lead = good.map(record).join("");
      const rest = record(delta(3000, "citation", {}));
      const { details } = breach(
        () => assembler.pushBytes(bytesOf(lead + record(bad) + rest)),
        rule,
      );
      assert.equal(details.offset, bytesOf(lead).length);
      assembler.pushBytes(new Uint8Array());
      assert.equal(assembler.problems().at(-1).rule, "DC-15");
    });

    test(`${title} is collected with onProblem "collect", and changes nothing else`, (t) => {
      const clean = taken(t, good);
      for (const assembler of [
        taken(t, [...good, bad], { onProblem: "collect" }),
        (() => {
          const bytes = taken(t, [], { onProblem: "collect" });
          bytes.pushBytes(ndjson([...good, bad]));
          return bytes;
        })(),
      ]) {
        assert.deepEqual(assembler.preview(), clean.preview());
        assert.equal(assembler.status, clean.status);
        const [problem, ...more] = assembler.problems();
        assert.deepEqual([problem.rule, problem.severity, more], [rule, "error", []]);
      }
    });
  }

  test("2^53 - 1 is the largest seq", (t) => {
    const assembler = taken(t, [START, text(2 ** 53 - 1, "x")]);
    breach(() => assembler.push(text(2 ** 53, "y")), "schema");
    breach(() => assembler.push(text(2 ** 53 - 1, "y")), "DC-3");
    const again = parts.DeltaAssembler.restore(assembler.snapshot());
    assert.deepEqual(texts(again), ["x"]);
    again.free();
    for (const seq of [1.5, Number.NaN, Number.POSITIVE_INFINITY, "2", 2n, null, undefined]) {
      breach(() => taken(t, [START, text(seq, "x")]), "schema");
    }
  });

  test('a duplicate is dropped with onDuplicate "ignore", whatever its payload', (t) => {
    const assembler = taken(t, [START, text(5, "x")], { onDuplicate: "ignore" });
    const before = state(assembler);
    const duplicates = [START, text(5, "x"), text(4, 7), delta(5, "citation", {}), { seq: 3 }];
    for (const again of duplicates) assembler.push(again);
    assert.equal(state(assembler), before);
    for (const again of duplicates) assembler.pushBytes(bytesOf(record(again)));
    assembler.push(text(6, "y"));
    assert.deepEqual(texts(assembler), ["xy"]);
    assert.deepEqual(assembler.problems(), []);
  });

  test("a delta of an unknown kind is a warning, in both modes", (t) => {
    for (const onProblem of ["throw", "collect"]) {
      const assembler = taken(t, [START, delta(2, "citation", { of: 1 })], { onProblem });
      const [{ severity, rule }] = assembler.problems();
      assert.deepEqual([severity, rule], ["warning", "DC-15"]);
    }
  });

  test("a record that is not JSON is reported with its offset", (t) => {
    const assembler = taken(t, [START]);
    const { details } = breach(() => assembler.pushBytes(bytesOf("\n\n{oops\n")), "json");
    assert.deepEqual(details, { rule: "json", seq: undefined, runId: "r", offset: 2 });
    assembler.push(text(2, "x"));
    assert.deepEqual(texts(assembler), ["x"]);
  });
});

describe("odd deltas", () => {
  const cyclic = delta(2, "text", {});
  cyclic.payload.textDelta = cyclic;
  const deep = JSON.parse(`${'{"a":'.repeat(700)}1${"}".repeat(700)}`);
  class Made {
    constructor(fields) {
      Object.assign(this, fields);
    }
  }
  const thrower = (name) =>
    Object.defineProperty(text(2, "x"), name, {
      get() {
        throw new TypeError("a getter of the test");
      },
    });

  for (const [what, make, says] of [
    ["undefined", () => undefined, /a delta must be an object, not nothing/],
    ["null", () => null, /a delta must be an object, not null/],
    ["a number", () => 5, /a delta must be an object, not a number/],
    ["JSON text", () => JSON.stringify(text(2, "x")), /a delta must be an object, not a string/],
    ["an array of deltas", () => [text(2, "x")], /a delta must be an object, not an array/],
    ["a function", () => () => {}, /a delta must be an object, not a function/],
    ["a symbol", () => Symbol("s"), /a delta must be an object, not a symbol/],
    ["a bigint", () => 2n, /a delta must be an object, not a bigint/],
    ["a date", () => new Date(0), /a delta must be an object/],
    ["a map", () => new Map(Object.entries(text(2, "x"))), /`runId` is missing/],
    [
      "a seq that is a bigint",
      () => text(2n, "x"),
      /`seq` must be a whole number .*, not a bigint/,
    ],
    ["a seq that is NaN", () => text(Number.NaN, "x"), /`seq` must be a whole number .*, not NaN/],
    [
      "a seq that is -Infinity",
      () => text(Number.NEGATIVE_INFINITY, "x"),
      /`seq` must be a whole number .*, not -Infinity/,
    ],
    ["a seq that is undefined", () => text(undefined, "x"), /`seq` is missing/],
    [
      "a text that is NaN",
      () => text(2, Number.NaN),
      /`payload.textDelta` must be a string, not NaN/,
    ],
    [
      "a count that is Infinity",
      () => delta(2, "usage", { inputTokens: Infinity, outputTokens: 1, totalTokens: 1 }),
      /`payload.inputTokens` must be a number, not Infinity/,
    ],
    ["a text that is a symbol", () => text(2, Symbol("x")), /`payload.textDelta` is missing/],
    ["a text that is a function", () => text(2, () => "x"), /`payload.textDelta` is missing/],
    ["a payload that is an array", () => delta(2, "text", ["x"]), /`payload` must be an object/],
    ["a time that is none", () => text(2, "x", { timestamp: new Date(Number.NaN) }), /`timestamp`/],
    ["a delta that holds itself", () => cyclic, /cannot be read/],
    ["a delta of more levels than are read", () => text(2, deep), /nested/],
    ["a getter of kind that throws", () => thrower("kind"), /cannot be read/],
    ["a getter of seq that throws", () => thrower("seq"), /cannot be read/],
    ["a getter of payload that throws", () => thrower("payload"), /cannot be read/],
    ["a toJSON that throws", () => ({ toJSON: () => assert.fail("toJSON") }), /cannot be read/],
    [
      "a proxy whose traps throw",
      () => new Proxy({}, new Proxy({}, { get: () => () => assert.fail("trap") })),
      /cannot be read/,
    ],
    [
      "a revoked proxy",
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      },
      /cannot be read/,
    ],
  ]) {
    test(`${what}: a violation with a clear message that changes nothing`, (t) => {
      const assembler = taken(t, [START]);
      const before = state(assembler);
      const { message } = breach(() => assembler.push(make()));
      assert.match(message, says);
      assert.equal(state(assembler), before);
      // If collected, it is one problem.
      const collecting = taken(t, [START], { onProblem: "collect" });
      collecting.push(make());
      assert.match(collecting.problems()[0].message, says);
      collecting.push(text(3, "after"));
      assert.deepEqual(texts(collecting), ["after"]);
    });
  }

  test("a value that JSON.stringify converts to a delta is accepted", (t) => {
    for (const [what, odd] of Object.entries({
      "an instance of a class": new Made(text(2, "x")),
      "no prototype": Object.assign(Object.create(null), text(2, "x")),
      "a frozen object": Object.freeze(text(2, "x")),
      "a proxy": new Proxy(text(2, "x"), {}),
      "a toJSON": { toJSON: () => text(2, "x") },
      getters: {
        ...text(2),
        get payload() {
          return { textDelta: "x" };
        },
      },
      "a time that is a Date": text(2, "x", { timestamp: new Date(0) }),
      "a boxed string": text(2, new String("x")),
      "more fields than are known": text(2, "x", { more: [1], providerRaw: { a: [null] } }),
      "a field that holds itself": text(2, "x", { cyclic }),
      "another realm": vm.runInNewContext(`(${JSON.stringify(text(2, "x"))})`),
      "the largest time": text(2, "x", { timestamp: "9".repeat(10_000) }),
      "a time that is none of ASCII": text(2, "x", { timestamp: "é" }),
    })) {
      const assembler = taken(t, [START, odd]);
      assert.deepEqual(texts(assembler), ["x"], what);
      assert.deepEqual(assembler.problems(), []);
    }
  });

  test("providerRaw is ignored, whatever its value", (t) => {
    const throwing = Object.defineProperty({}, "x", { enumerable: true, get: () => assert.fail() });
    const own = Object.defineProperty({}, "providerRaw", { get: () => assert.fail("looked at") });
    for (const providerRaw of [{ x: 1n }, { cyclic }, throwing, deep, 5, [deep], Symbol("s")]) {
      for (const one of [START, text(1, "x")]) {
        const raw = { ...one, providerRaw };
        const assembler = taken(t, one === START ? [raw] : [{ ...START, seq: 0 }, raw]);
        assert.deepEqual(assembler.problems(), []);
      }
    }
    taken(t, [Object.assign(own, START)]);
    // The same as bytes.
    const assembler = taken(t, []);
    assembler.pushBytes(bytesOf(record({ ...START, providerRaw: deep })));
    assert.equal(assembler.status, "streaming");
  });

  test("inherited fields are read", (t) => {
    /** An object whose fields are getters of its class. */
    const instance = (fields) => {
      class Delta {}
      for (const [name, value] of Object.entries(fields)) {
        Object.defineProperty(Delta.prototype, name, { get: () => value });
      }
      return new Delta();
    };
    const plain = taken(t, DELTAS());
    const odd = DELTAS().map((one) => instance({ ...one, payload: instance(one.payload) }));
    const assembler = taken(t, odd);
    assert.deepEqual(seen(assembler), seen(plain));
  });

  test("arguments without a call id are not added to the previous call", (t) => {
    const lost = delta(4, "tool_call_args", { argsTextDelta: "x" });
    const usage = delta(3, "usage", { inputTokens: 1, outputTokens: 1, totalTokens: 2 });
    const call = delta(2, "tool_call_start", { toolCallId: "", toolName: "t" });
    for (const before of [[START], [START, usage], [START, call], [START, call, usage]]) {
      const assembler = taken(t, before);
      const was = state(assembler);
      const { message } = breach(() => assembler.push(lost), "schema");
      const again = taken(t, before);
      assert.equal(breach(() => again.pushBytes(bytesOf(record(lost)))).message, message);
      assert.equal(state(assembler), was);
    }
  });

  test("a delta is not modified, and modifying it later has no effect", (t) => {
    const assembler = taken(t, []);
    const given = DELTAS();
    const pictures = JSON.stringify(given);
    for (const one of given) assembler.push(one);
    assert.equal(JSON.stringify(given), pictures);
    for (const one of given) one.payload.textDelta = "changed";
    assert.equal(assembler.message().parts[1].payload.text, "Hello, wörld 😀");
  });

  test("no field name of a delta changes Object.prototype", (t) => {
    const evil = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const assembler = taken(t, [
      START,
      delta(2, "tool_call_start", { toolCallId: "__proto__", toolName: "constructor" }),
      delta(3, "tool_call_args", { toolCallId: "__proto__", argsTextDelta: evil }),
      delta(4, "tool_call_end", { toolCallId: "__proto__" }),
      DONE,
    ]);
    const [{ payload }] = assembler.message().parts;
    assert.equal(JSON.stringify(payload.arguments), evil);
    assembler.toWithParts(CONTEXT());
    assert.equal({}.polluted, undefined);
  });
});

describe("an assembler during a call", () => {
  const METHODS = {
    push: [text(3, "inner")],
    pushBytes: [bytesOf(record(text(3, "inner")))],
    end: [],
    message: [],
    preview: [],
    takeChanges: [],
    toWithParts: [CONTEXT()],
    problems: [],
    snapshot: [],
  };

  for (const [method, args] of Object.entries(METHODS)) {
    test(`refuses ${method} from a getter of the delta that it reads, and continues`, (t) => {
      const assembler = taken(t, [START]);
      let inner;
      assembler.push({
        ...text(2),
        get payload() {
          inner = breach(() => assembler[method](...args));
          return { textDelta: "outer" };
        },
      });
      assert.match(inner.message, /this object is busy/);
      assert.deepEqual(texts(assembler), ["outer"]);
      assembler.push(text(4, "."));
      assert.deepEqual(texts(assembler), ["outer."]);
      // If the getter does not catch the error, only its own delta fails.
      const before = state(assembler);
      breach(() =>
        assembler.push({
          ...text(5),
          get payload() {
            return assembler[method](...args);
          },
        }),
      );
      assert.equal(state(assembler), before);
    });
  }

  test("that is freed by a getter is freed after the call", (t) => {
    const assembler = taken(t, [START]);
    assembler.push({
      ...text(2),
      get payload() {
        assembler.free();
        assembler.free();
        return { textDelta: "x" };
      },
    });
    assert.match(breach(() => assembler.preview()).message, /this object was freed/);
  });

  test("is not affected by another assembler that its getters use", (t) => {
    const other = taken(t, [START]);
    const assembler = taken(t, [START]);
    assembler.push({
      ...text(2),
      get payload() {
        other.push(text(2, "\ude00one\ud83d"));
        return {
          get textDelta() {
            other.pushBytes(bytesOf(record(text(3, "\ude00two"))));
            return "mine";
          },
        };
      },
    });
    assert.deepEqual(texts(assembler), ["mine"]);
    assert.deepEqual(texts(other), ["\ufffdone😀two"]);
  });

  test("also refuses calls from the getters of the context of toWithParts", (t) => {
    const assembler = taken(t, [START, text(2, "x")]);
    let inner;
    const { info } = assembler.toWithParts({
      ...CONTEXT(),
      get providerID() {
        inner = breach(() => assembler.end());
        return "own";
      },
    });
    assert.match(inner.message, /busy/);
    assert.equal(info.providerID, "own");
    assert.equal(assembler.status, "streaming");
  });
});

describe("a freed assembler", () => {
  test("throws our error from every method, and can be freed again", () => {
    const names = Object.getOwnPropertyNames(parts.DeltaAssembler.prototype);
    const tried = names.filter((name) => !/^(constructor|free|__.*)$/.test(name));
    assert.ok(tried.length >= 10, tried.join());
    for (const name of tried) {
      const assembler = new parts.DeltaAssembler();
      assembler.push(START);
      assembler.free();
      const use = () =>
        typeof assembler[name] === "function" ? assembler[name](text(2, "x")) : assembler[name];
      assert.match(breach(use).message, /this object was freed .*cannot be used any more/, name);
      assembler.free();
      assembler.free();
    }
  });

  test("is also the error if its methods are called on any other object", () => {
    const transcript = new parts.Transcript();
    const mine = new parts.DeltaAssembler();
    const { push } = parts.DeltaAssembler.prototype;
    for (const other of [transcript, {}, Object.create(null), () => {}]) {
      assert.match(breach(() => push.call(other, START)).message, /not an object of this package/);
    }
    assert.throws(() => parts.Transcript.prototype.end.call(mine), { name: "TranscriptError" });
    transcript.free();
    mine.free();
  });

  test("is what `using` leaves", { skip: !Symbol.dispose }, () => {
    const assembler = new parts.DeltaAssembler();
    assembler[Symbol.dispose]();
    breach(() => assembler.status);
  });
});

describe("chunks", () => {
  const realm = vm.createContext({});
  const line = record(START) + record(text(2, "x"));
  const into = (kind) => {
    const bytes = bytesOf(line);
    return vm.runInContext(`(list) => ${kind}`, realm)([...bytes]);
  };
  const shared = () => {
    const bytes = bytesOf(line);
    const memory = new SharedArrayBuffer(bytes.length);
    new Uint8Array(memory).set(bytes);
    return memory;
  };

  for (const [what, make] of [
    ["a Uint8Array", () => bytesOf(line)],
    ["a Buffer", () => Buffer.from(line)],
    ["an ArrayBuffer", () => bytesOf(line).buffer],
    ["a DataView", () => new DataView(bytesOf(line).buffer)],
    ["a Uint8ClampedArray", () => new Uint8ClampedArray(bytesOf(line))],
    ["a view of a part of a buffer", () => bytesOf(`xx${line}yy`).subarray(2, -2)],
    ["a SharedArrayBuffer", shared],
    ["a view of shared memory", () => new Uint8Array(shared())],
    ["a Uint8Array of another realm", () => into("new Uint8Array(list)")],
    ["an ArrayBuffer of another realm", () => into("new Uint8Array(list).buffer")],
    ["a DataView of another realm", () => into("new DataView(new Uint8Array(list).buffer)")],
    [
      "one that has another length to show",
      () => Object.defineProperty(bytesOf(line), "length", { value: 1 }),
    ],
  ]) {
    test(`${what} is accepted`, (t) => {
      const assembler = taken(t, []);
      assembler.pushBytes(make());
      assert.deepEqual(texts(assembler), ["x"]);
      assert.equal(parts.readDeltas("delta", make()).length, 2);
      assert.equal(parts.streamFormat(make()), "delta");
      const again = parts.DeltaAssembler.restore(make());
      assert.deepEqual(texts(again), ["x"]);
      again.free();
    });
  }

  for (const [what, make] of [
    ["text", () => line],
    ["a list of numbers", () => [...bytesOf(line)]],
    ["nothing", () => undefined],
    ["a Blob", () => new Blob([line])],
    ["a proxy of bytes", () => new Proxy(bytesOf(line), {})],
    ["what has their prototype", () => Object.create(Uint8Array.prototype)],
    ["what says that it is a buffer", () => ({ [Symbol.toStringTag]: "ArrayBuffer", length: 3 })],
    [
      "bytes that were moved away",
      () => {
        const bytes = bytesOf(line);
        structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
        return bytes;
      },
    ],
  ]) {
    test(`${what}: refused, and nothing changes`, (t) => {
      const assembler = taken(t, [START]);
      const before = state(assembler);
      assert.match(breach(() => assembler.pushBytes(make()), "schema").message, /Uint8Array/);
      assert.equal(state(assembler), before);
      breach(() => parts.readDeltas("delta", make()), "schema");
      breach(() => parts.DeltaAssembler.restore(make()), "schema");
      assert.equal(parts.streamFormat(make()), undefined);
    });
  }

  test("are copied during the call: the caller may reuse the memory", (t) => {
    const assembler = taken(t, []);
    const room = new Uint8Array(7);
    const all = ndjson(DELTAS());
    for (let i = 0; i < all.length; i += 7) {
      const piece = all.subarray(i, i + 7);
      room.set(piece);
      assembler.pushBytes(room.subarray(0, piece.length));
      room.fill(0x7d);
    }
    assert.equal(assembler.message().parts[1].payload.text, "Hello, wörld 😀");
  });

  test("and delta objects alternately build one message", (t) => {
    const assembler = taken(t, [START]);
    assembler.pushBytes(bytesOf(record(text(2, "a"))));
    assembler.push(text(3, "b"));
    assembler.pushBytes(bytesOf(record(text(4, "c"))));
    assert.deepEqual(texts(assembler), ["abc"]);
  });
});

describe("every stream", () => {
  test("there is one of each format", () => {
    assert.deepEqual(new Set(STREAMS.map(({ format }) => format)), new Set(FORMATS));
  });

  test("what is none has no format", () => {
    assert.equal(parts.streamFormat(bytesOf("Once upon a time")), undefined);
    assert.equal(parts.streamFormat(bytesOf('{"info":{},"messages":[]}')), undefined);
  });

  streamLaws(STREAMS);
});

describe("a recording of responses that were cut", () => {
  const folderOf = at("tests", "fixtures", "streams", "cut");
  const recordings = inputs(folderOf, /\.sse$/).map((name) => {
    const read = (of) => readFileSync(join(folderOf, of));
    const { responses } = JSON.parse(read(name.replace(/sse$/, "expected.json")));
    return { name, format: name.split(".").at(-2), bytes: read(name), responses };
  });

  test("has one run for each", () => {
    // Those of Ollama begin with any record: none is cut by the next.
    const cut = FORMATS.filter((format) => !["delta", "ollama"].includes(format));
    assert.deepEqual(recordings.map(({ format }) => format).sort(), cut.sort());
    for (const { name, format, bytes, responses } of recordings) {
      const deltas = parts.readDeltas(format, bytes);
      const runs = Map.groupBy
        ? Map.groupBy(deltas, ({ runId }) => runId)
        : deltas.reduce(
            (map, one) => map.set(one.runId, [...(map.get(one.runId) ?? []), one]),
            new Map(),
          );
      assert.equal(runs.size, responses.length, name);
      const texts = [...runs.values()].map((run) =>
        run.map(({ payload }) => payload.textDelta).join(""),
      );
      const expected = responses.map(({ parts }) => parts.map(([, text]) => text).join(""));
      assert.deepEqual(texts, expected, name);
    }
  });

  test("gives an assembler its first message and nothing of the others", (t) => {
    for (const { name, format, bytes, responses } of recordings) {
      const assembler = taken(t, [], { format, onProblem: "collect" });
      assembler.pushBytes(bytes);
      assembler.end();
      const [{ parts: first, request }] = responses;
      const { parts: made, meta } = assembler.preview();
      const text = made.map(({ payload }) => payload.text ?? "").join("");
      assert.equal(text, first.map(([, text]) => text).join(""), name);
      assert.equal(meta.requestId, request, name);
      assert.equal(assembler.problems()[0].rule, "DC-1", name);
    }
  });
});

describe("toWithParts", () => {
  test("converts tool calls through their states, and tokens to disjoint counts", (t) => {
    const assembler = taken(t, DELTAS().slice(0, 7));
    const tool = () => assembler.toWithParts(CONTEXT()).parts.find(({ type }) => type === "tool");
    assert.deepEqual(tool().state, { status: "pending", input: {}, raw: '{"path":' });
    for (const one of DELTAS().slice(7, 9)) assembler.push(one);
    assert.equal(tool().state.status, "running");
    assert.deepEqual(tool().state.input, { path: "/a" });
    const usage = { inputTokens: 100, outputTokens: 50, totalTokens: 150, cost: 0.25 };
    const cached = { cacheReadTokens: 30, cacheWriteTokens: 20, reasoningTokens: 10 };
    assembler.push(delta(10, "usage", { ...usage, ...cached }));
    assembler.push(DONE);
    const { info, parts: made } = assembler.toWithParts(CONTEXT());
    const tokens = {
      total: 150,
      input: 50,
      output: 40,
      reasoning: 10,
      cache: { read: 30, write: 20 },
    };
    assert.deepEqual(info.tokens, tokens);
    const { type, reason, cost, tokens: counted } = made.at(-1);
    assert.deepEqual([type, reason, cost, counted], ["step-finish", "stop", 0.25, tokens]);
  });

  test("requires a session, and refuses ids that are not strings", (t) => {
    const assembler = taken(t, [START]);
    for (const context of [undefined, null, {}, 5, "x", () => {}]) {
      assert.match(breach(() => assembler.toWithParts(context), "schema").message, /sessionID/);
    }
    for (const [field, value] of [
      ["sessionID", 5],
      ["messageID", null],
      ["agent", {}],
      ["modelID", 2n],
      ["providerID", []],
    ]) {
      const context = { ...CONTEXT(), [field]: value };
      const { message } = breach(() => assembler.toWithParts(context), "schema");
      assert.match(message, new RegExp(`\`${field}\` must be a string`));
    }
    const path = { cwd: 5 };
    breach(() => assembler.toWithParts({ ...CONTEXT(), path }), "schema");
  });

  test("creates ids and takes the model from the stream if the context has none", (t) => {
    const assembler = taken(t, [START, text(2, "x")]);
    const { messageID, modelID, ...context } = CONTEXT();
    const { info, parts: made } = assembler.toWithParts(context);
    assert.equal(info.modelID, "m");
    assert.match(info.id, /^[0-9a-f]{8}-/);
    assert.notEqual(info.id, messageID);
    assert.ok(made.every((part) => part.messageID === info.id));
    assert.equal(assembler.toWithParts(context).info.id, info.id);
  });
});

describe("readDeltas", () => {
  test("throws at the first record that is not a delta, with its offset; or skips it", () => {
    const bytes = bytesOf(`${record(START)}{oops\n${record(text(2, "x"))}`);
    const { details } = breach(() => parts.readDeltas("delta", bytes), "json");
    assert.equal(details.offset, record(START).length);
    assert.equal(parts.readDeltas("delta", bytes, { onProblem: "collect" }).length, 2);
  });

  test("returns deltas unchanged, even in an order that violates the contract", () => {
    const odd = [text(5, "x"), START, text(5, "y", { runId: "s", more: { a: [1] } })];
    assert.deepEqual(parts.readDeltas("delta", ndjson(odd)), odd);
    assert.deepEqual(parts.readDeltas("delta", new Uint8Array()), []);
  });

  test("requires a known format", () => {
    for (const format of [undefined, null, "", "deltas", 5, {}]) {
      breach(() => parts.readDeltas(format, new Uint8Array()), "schema");
    }
  });
});

describe("checkRun", () => {
  const rules = (run) => parts.checkRun(run).map(({ rule, path }) => `${rule} ${path}`);

  test("finds no problem in a valid run", () => {
    assert.deepEqual(parts.checkRun(RUN()), []);
    assert.deepEqual(parts.checkRun([]), []);
  });

  test("finds the violation of each rule, and its place", () => {
    const [user, assistant, tool] = RUN();
    const call = "/parts/1/payload/toolCallId";
    const result = "/parts/0/payload/toolCallId";
    assert.deepEqual(rules([user, assistant, assistant, tool]), [`DC-8 /2${call}`]);
    assert.deepEqual(rules([user, assistant, tool, tool]), [`DC-9 /3${result}`]);
    assert.deepEqual(rules([user, tool, assistant]), [`DC-10 /1${result}`]);
    assert.deepEqual(rules([{ ...user, role: "system" }]), [
      "DC-14 /0/parts/1/kind",
      "DC-14 /0/parts/2/kind",
    ]);
    // A later version may define the kind: only a warning.
    const unknown = { ...user, parts: [{ kind: "video", payload: {} }] };
    const [found, ...others] = parts.checkRun([unknown]);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [found.severity, found.rule, found.path],
      ["warning", "DC-14", "/0/parts/0/kind"],
    );
    // A run that continues without a result.
    const [problem] = parts.checkRun([user, assistant, { ...assistant, parts: [] }]);
    assert.deepEqual(
      [problem.severity, problem.rule, problem.path],
      ["warning", "DC-9", `/1${call}`],
    );
    assert.deepEqual(rules([user, assistant]), []);
    // Calls of another run are separate.
    const other = [assistant, tool].map((message) => ({ ...message, runId: "s" }));
    assert.deepEqual(rules([user, assistant, tool, ...other]), []);
  });

  test("accepts the messages of the assembler", (t) => {
    const message = taken(t, DELTAS()).message();
    const payload = { toolCallId: "c1", isError: false, content: "x" };
    const answer = { runId: "r", role: "tool", parts: [{ kind: "tool_result", payload }] };
    assert.deepEqual(parts.checkRun([message, { ...answer, timestamp: "" }]), []);
    assert.deepEqual(rules([message, { ...answer, runId: "s", timestamp: "" }]).length, 1);
  });

  test("never throws, and reports what is not a message", () => {
    for (const odd of [undefined, null, 5, "x", {}, [5], [null], [{ parts: 5 }], [[]]]) {
      assert.ok(rules(odd).length > 0);
    }
  });
});

test("another process continues from a snapshot; ES modules and CommonJS have the same names", async (t) => {
  const first = taken(t, DELTAS().slice(0, 4));
  const snapshot = Buffer.from(first.snapshot()).toString("base64");
  const program = `const assembler = DeltaAssembler.restore(Buffer.from("${snapshot}", "base64"));
for (const delta of ${JSON.stringify(DELTAS().slice(4))}) assembler.push(delta);
console.log(JSON.stringify({ message: assembler.message(), kinds: [typeof readDeltas, typeof checkRun, typeof streamFormat] }));`;
  const names = "{ checkRun, DeltaAssembler, readDeltas, streamFormat }";
  write(folder, {
    "go-on.mjs": `import ${names} from "apex-parts";\n${program}`,
    "go-on.cjs": `const ${names} = require("apex-parts");\n${program}`,
  });
  const whole = taken(t, DELTAS()).message();
  for (const name of ["go-on.mjs", "go-on.cjs"]) {
    const { message, kinds } = await node(folder, name);
    assert.deepEqual(message, whole);
    assert.deepEqual(kinds, ["function", "function", "function"]);
  }
});
