// The classes of errors: each exported, and `instanceof` for errors of every entry, of ES modules and CommonJS, of
// the module and of JavaScript.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { requireFrom, at as root } from "./helper.mjs";

const NAMES = [
  "PartValidationError",
  "InvalidStateTransition",
  "MissingRequiredField",
  "ReasoningStateError",
  "StepStateError",
  "DoomLoopDetected",
  "DeltaContractError",
  "TranscriptError",
];
const FULL = [
  ...["CompactionError", "ToolDefinitionError", "PermissionDenied"],
  ...["PermissionRejected", "PermissionCorrected"],
];

/** What a call throws. */
async function thrown(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error("it threw nothing");
}

describe("the classes of errors", () => {
  const require = requireFrom(root("."));
  let entries;
  before(async () => {
    const [esm, core, tools, slim] = await Promise.all(
      ["node.mjs", "core.node.mjs", "tools.node.mjs", "glue.mjs"].map(
        (file) => import(`../../pkg/${file}`),
      ),
    );
    entries = { esm, core, tools, slim, cjs: require("./pkg/node.cjs") };
    for (const entry of [esm, core, tools, entries.cjs]) entry.setLogger(undefined);
  });

  /** An error of each entry for a part that is none, or for arguments of another kind. */
  const refusals = () => ({
    esm: () => entries.esm.PartValidator.assertPart({}),
    cjs: () => entries.cjs.PartValidator.assertPart({}),
    core: () => entries.core.PartValidator.assertPart({}),
    tools: () => entries.tools.McpToolName.encode("a", ""),
  });

  test("are exported by each entry that declares them", () => {
    for (const name of NAMES) {
      for (const entry of ["esm", "cjs", "core", "slim"]) {
        assert.equal(typeof entries[entry][name], "function", `${entry} ${name}`);
        assert.equal(entries[entry][name].name, name);
      }
    }
    for (const name of FULL) {
      assert.equal(entries.esm[name].name, name);
      assert.equal(entries.core[name], undefined, `${name} is not thrown there`);
    }
    assert.equal(entries.tools.PermissionDenied.name, "PermissionDenied");
  });

  test("of two have a second name in the full module, for the same class", () => {
    const second = {
      InvalidStateTransitionError: "InvalidStateTransition",
      DoomLoopError: "DoomLoopDetected",
    };
    for (const [other, name] of Object.entries(second)) {
      for (const entry of ["esm", "cjs", "slim"]) {
        assert.equal(entries[entry][other], entries[entry][name], `${entry} ${other}`);
      }
      assert.equal(entries.esm[other].name, name);
      assert.equal(entries.core[other], undefined);
    }
    const { DoomLoopError, InvalidStateTransitionError, ToolStateTransition } = entries.esm;
    const thrownByModule = () =>
      ToolStateTransition.runningToCompleted(ToolStateTransition.createPending({}, ""), "o", 1);
    assert.throws(
      thrownByModule,
      (error) => error instanceof InvalidStateTransitionError && !(error instanceof DoomLoopError),
    );
  });

  test("an error of one entry is an instance of the class of every entry, and of no other", async () => {
    for (const [from, call] of Object.entries(refusals())) {
      const error = await thrown(call);
      assert.ok(error instanceof Error);
      for (const entry of ["esm", "cjs", "core", "tools", "slim"]) {
        assert.ok(error instanceof entries[entry].PartValidationError, `${from} in ${entry}`);
        const { DeltaContractError } = entries[entry];
        if (DeltaContractError) assert.ok(!(error instanceof DeltaContractError));
      }
    }
  });

  test("hold for what JavaScript throws, too", async () => {
    const { esm } = entries;
    const transition = await thrown(() => {
      const pending = esm.ToolStateTransition.createPending({}, "");
      return esm.ToolStateTransition.runningToError(pending, "no", 1);
    });
    assert.ok(transition instanceof esm.InvalidStateTransition);
    assert.match(transition.message, / \(BR-05\)$/);
    const definition = await thrown(() => esm.Tool.define("a", {}));
    assert.ok(definition instanceof esm.ToolDefinitionError);
    const gate = new esm.Permission.Gate({ onAsk: () => ({ reply: "reject", message: "no" }) });
    const asked = { sessionID: "s", permission: "bash", patterns: ["a"], metadata: {}, rules: [] };
    const corrected = await thrown(() => gate.ask(asked));
    assert.ok(corrected instanceof esm.PermissionCorrected);
    assert.ok(!(corrected instanceof esm.PermissionRejected));
    assert.ok(new entries.cjs.Tool.Expected("no") instanceof esm.Tool.Expected);
    assert.ok(!(new Error("no") instanceof esm.Tool.Expected));
  });

  test("RunStoreError and McpCallError hold across entries as well", async () => {
    const [esm, redis] = await Promise.all(
      ["store.node.mjs", "store.redis.node.mjs"].map((file) => import(`../../pkg/${file}`)),
    );
    const bundled = await import("../../pkg/store.glue.mjs");
    const error = await thrown(() => esm.memoryRunLog().read("r", 0));
    for (const { RunStoreError } of [esm, redis, bundled])
      assert.ok(error instanceof RunStoreError);
    assert.equal(error.message, "run r failed (unknown_run)");
    const gone = { callTool: () => Promise.reject(new Error("gone")) };
    const tool = entries.tools.convertMcpTool(gone, { name: "a" }, { clientName: "c" });
    const context = { abort: new AbortController().signal, metadata() {} };
    const failed = await thrown(async () => (await tool.init()).execute({}, context));
    assert.ok(failed instanceof entries.esm.McpCallError);
    assert.ok(failed instanceof entries.tools.McpCallError);
  });

  test("each class that an entry exports is in ApexPartsError, and isApexPartsError knows its errors", async () => {
    const { exports } = JSON.parse(readFileSync(root("package.json"), "utf8"));
    // The viewer is for pages, and a module of bytes exports no classes.
    const names = Object.keys(exports).filter((name) => !/viewer|wasm|package\.json/.test(name));
    const all = await Promise.all(names.map((name) => import(`apex-parts${name.slice(1)}`)));
    const isClass = (value) => typeof value === "function" && value.prototype instanceof Error;
    const classes = all.flatMap((entry) =>
      // Also those that are members of what is exported, as Tool.Expected.
      Object.values(entry).flatMap((value) => [value, ...Object.values(Object(value))]),
    );
    const given = {
      McpCallError: ["tool", "no", { mcp: {} }],
      RunStoreError: ["gap", { runId: "r" }],
      Expected: ["no"],
    };
    const guards = all.map((entry) => entry.isApexPartsError).filter(Boolean);
    assert.ok(guards.length >= 4, `${guards.length} entries have the guard`);
    const found = new Set();
    for (const one of classes.filter(isClass)) {
      const error = new one(...(given[one.name] ?? ["no", { problems: [] }]));
      found.add(error.name);
      // An entry that has to be loaded first cannot answer.
      const answers = guards.map((guard) => {
        try {
          return guard(error);
        } catch (why) {
          assert.match(String(why), /init\(\)/);
          return true;
        }
      });
      assert.ok(answers.every(Boolean), error.name);
      assert.equal(typeof error.details, "object");
      assert.ok(error instanceof one);
    }
    const declarations = readFileSync(root("pkg/index.d.ts"), "utf8");
    const [, union] = /export type ApexPartsError =([^;]*);/.exec(declarations);
    const declared = union.split("|").map((name) => name.trim().replace("Tool.", ""));
    assert.deepEqual([...found].sort(), declared.filter(Boolean).sort());
  });

  test("an error of another library is not one of these for its name", () => {
    const { isApexPartsError } = entries.esm;
    for (const name of ["McpCallError", "RunStoreError", "Expected", "TypeError"]) {
      assert.equal(isApexPartsError(Object.assign(new Error("no"), { name, details: {} })), false);
    }
  });

  test("can be thrown by a program, and derived", () => {
    const { DoomLoopDetected, isApexPartsError, PartValidationError } = entries.esm;
    const own = new DoomLoopDetected("read was called 3 times", { pattern: "read" });
    assert.ok(own instanceof DoomLoopDetected && own instanceof Error && isApexPartsError(own));
    assert.deepEqual([own.name, own.message], ["DoomLoopDetected", "read was called 3 times"]);
    assert.deepEqual(own.details, { pattern: "read" });
    assert.match(own.stack, /^DoomLoopDetected: read was called 3 times\n/);
    class Mine extends PartValidationError {}
    const mine = new Mine("no", { problems: [] });
    assert.ok(mine instanceof Mine && mine instanceof PartValidationError);
    assert.ok(!(new PartValidationError("no", { problems: [] }) instanceof Mine));
    assert.deepEqual(new PartValidationError("no").details, {});
  });

  test("take nothing else for an error of theirs", () => {
    const { PartValidationError } = entries.esm;
    const hostile = new Proxy(new Error("no"), {
      get() {
        throw new Error("no");
      },
    });
    const shaped = { name: "PartValidationError", message: "", details: {} };
    for (const value of [null, undefined, 1, "PartValidationError", {}, shaped, hostile]) {
      assert.ok(!(value instanceof PartValidationError));
    }
    assert.ok(!(new TypeError("no") instanceof PartValidationError));
  });

  test("an error that was cloned is told by its name", () => {
    const { PartValidationError } = entries.esm;
    const error = new PartValidationError("no", { problems: [] });
    // What structuredClone drops, a program sends beside it.
    const { name, message, details } = error;
    const copy = Object.assign(new Error(message), { name, details });
    assert.ok(copy instanceof PartValidationError);
  });
});
