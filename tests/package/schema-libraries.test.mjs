// Tools whose parameters are of a schema library, with the libraries of the registry: a tool runs on what its schema
// accepts, as the library converts it, and on nothing else.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { toJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Schema } from "effect";
import { Type as OlderType } from "sinclair-typebox";
import { Type } from "typebox";
import { Value } from "typebox/value";
import * as v from "valibot";
import { z } from "zod";
import { z as z3 } from "zod3";
import { consumer, requireFrom } from "./helper.mjs";

let parts;
before(async () => {
  parts = requireFrom(await consumer("schema-libraries"))("apex-parts");
});

const JSON_SCHEMA = {
  type: "object",
  properties: { path: { type: "string" }, depth: { type: "number" } },
  required: ["path", "depth"],
};

/** TypeBox as Standard Schema: its own checker behind the interface. */
function standardTypeBox(schema) {
  const issuesOf = (value) =>
    Value.Errors(schema, value).map(({ instancePath, message }) => ({
      path: instancePath.split("/").slice(1),
      message,
    }));
  const validate = (value) =>
    Value.Check(schema, value) ? { value } : { issues: issuesOf(value) };
  return { "~standard": { version: 1, vendor: "typebox", validate } };
}

const ours = v.object({ path: v.string(), depth: v.number() });
const typeBox = Type.Object({ path: Type.String(), depth: Type.Number() });
const effect = Schema.Struct({ path: Schema.String, depth: Schema.Number });
/** What a definition has of each library. */
const LIBRARIES = {
  "Zod 3": {
    parameters: z3.object({ path: z3.string(), depth: z3.number() }),
    jsonSchema: JSON_SCHEMA,
  },
  "Zod 4": { parameters: z.object({ path: z.string(), depth: z.number() }) },
  Valibot: { parameters: ours, jsonSchema: toJsonSchema(ours) },
  ArkType: { parameters: type({ path: "string", depth: "number" }) },
  "Effect Schema": {
    parameters: Schema.toStandardSchemaV1(effect),
    jsonSchema: Schema.toJsonSchemaDocument(effect).schema,
  },
  "TypeBox as Standard Schema": { parameters: standardTypeBox(typeBox), jsonSchema: typeBox },
  "TypeBox as JSON Schema": { parameters: typeBox },
  "TypeBox 0.34 as JSON Schema": {
    parameters: OlderType.Object({ path: OlderType.String(), depth: OlderType.Number() }),
  },
};

/** The state of a call of a tool with these parameters, and what the tool got. */
async function called(definition, input) {
  const got = [];
  const registry = new parts.ToolRegistry();
  registry.register(
    parts.Tool.define("t", {
      ...{ description: "", ...definition },
      execute: (args) => {
        got.push(args);
        return "ran";
      },
    }),
  );
  const ids = { callID: "c", sessionID: "s", messageID: "m" };
  const { state } = await registry.execute({ ...ids, tool: "t", input });
  return { state, got };
}

/** What is expected of a call whose arguments were refused. */
function assertRefused({ state, got }, about) {
  assert.deepEqual(got, [], about);
  assert.equal(state.status, "error", about);
  assert.equal(state.metadata.kind, "arguments", about);
  assert.match(state.error, /cannot run with these arguments/, about);
}

for (const [name, definition] of Object.entries(LIBRARIES))
  describe(name, () => {
    test("a tool runs on what the schema accepts", async () => {
      const input = { path: "a", depth: 2 };
      const { state, got } = await called(definition, input);
      assert.deepEqual([state.status, state.output, got], ["completed", "ran", [input]]);
    });

    test("a tool does not run on what it refuses, and the model reads where it is wrong", async () => {
      const bad = [{ path: 5, depth: 2 }, { path: "a" }, {}, { path: ["a"], depth: 2 }];
      for (const input of bad) {
        const refused = await called(definition, input);
        assertRefused(refused, JSON.stringify(input));
        assert.match(refused.state.error, /path|depth/);
      }
    });

    test("what can be repaired is", async () => {
      const { state, got } = await called(definition, { path: "a", depth: "2" });
      assert.deepEqual([state.status, got], ["completed", [{ path: "a", depth: 2 }]]);
      assert.equal(state.metadata.repaired.length, 1);
    });
  });

describe("whatever a library returns", () => {
  const returning = (validate) => ({
    parameters: { "~standard": { version: 1, vendor: "own", validate } },
    jsonSchema: { type: "object" },
  });

  test("only an object with a value and without issues is a success", async () => {
    const issue = { message: "no path", path: ["path"] };
    const list = Object.assign([issue], { issues: [issue] });
    const callable = Object.assign(() => {}, { value: { path: "a" } });
    const results = [
      ...[undefined, null, false, true, 0, 1, "", "value", [], [issue], list, {}, callable],
      ...[{ issues: [issue] }, { issues: [] }, { issues: null }, { issues: "x" }, { issues: list }],
      ...[
        { value: {}, issues: [issue] },
        { value: {}, issues: [] },
        { value: {}, issues: null },
      ],
      Object.assign(["a"], { value: {} }),
    ];
    for (const [index, result] of results.entries())
      for (const validate of [() => result, async () => result])
        assertRefused(await called(returning(validate), { path: 5 }), `result ${index}`);
  });

  test("the success may have any value, undefined too, and an issues field that is undefined", async () => {
    for (const value of [{ a: 1 }, undefined, [1], "text"])
      for (const result of [{ value }, { value, issues: undefined }]) {
        const { state, got } = await called(
          returning(() => result),
          {},
        );
        assert.deepEqual([state.status, got], ["completed", [value]]);
      }
  });

  test("a library that throws is an error of the call", async () => {
    for (const validate of [
      () => {
        throw new Error("broken");
      },
      async () => {
        throw new Error("broken");
      },
      () => ({
        get issues() {
          throw new Error("broken");
        },
      }),
    ]) {
      const { state, got } = await called(returning(validate), {});
      assert.deepEqual([state.status, got], ["error", []]);
    }
  });
});
