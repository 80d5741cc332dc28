// Names and URIs, for any texts.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { loaded } from "./kit.mjs";

let parts;
before(async () => {
  parts = await loaded("mcp-names");
});

const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 90 }),
  fc.string({ minLength: 1, unit: "binary" }),
);

describe("McpToolName", () => {
  test("gives names that every provider takes", () => {
    fc.assert(
      fc.property(name, name, (client, tool) => {
        assert.match(parts.McpToolName.encode(client, tool), /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
      }),
    );
  });

  test("gives none that is longer than it may be", () => {
    fc.assert(
      fc.property(name, name, fc.integer({ min: 1, max: 200 }), (client, tool, maxLength) => {
        const made = parts.McpToolName.encode(client, tool, { maxLength });
        assert.match(made, /^[A-Za-z_][A-Za-z0-9_-]*$/);
        assert.ok(made.length <= maxLength);
      }),
    );
    for (const maxLength of [0, -1, 1.5, Number.NaN, "64", null]) {
      assert.throws(() => parts.McpToolName.encode("c", "t", { maxLength }), /maxLength must be/);
    }
    for (const given of [[], ["c"], [1, 2], [null, "t"], ["c", {}]]) {
      assert.throws(() => parts.McpToolName.encode(...given), { name: "PartValidationError" });
    }
  });
});

describe("URIs", () => {
  test("what is written is read back", () => {
    fc.assert(
      fc.property(name, name, (serverId, resourcePath) => {
        const uri = parts.formatMcpUri(serverId, resourcePath);
        assert.deepEqual(parts.parseMcpUri(uri), { ok: true, serverId, resourcePath });
      }),
    );
  });

  test("anything is read or refused", () => {
    fc.assert(
      fc.property(fc.anything(), (uri) => {
        assert.equal(typeof parts.parseMcpUri(uri).ok, "boolean");
      }),
    );
    const rule = (uri) => parts.parseMcpUri(uri).problem?.rule;
    assert.equal(rule(`mcp://s/${"a".repeat(8185)}`), "MU-6");
    assert.equal(rule(`mcp://s/${"é".repeat(5e6)}`), "MU-6");
    assert.equal(rule("mcp://s/a\nb"), "MU-5");
    assert.throws(() => parts.formatMcpUri("", "a"), { rule: "MU-2" });
    assert.throws(() => parts.formatMcpUri("a", ""), { rule: "MU-3", message: /\(MU-3\)$/ });
    assert.throws(() => parts.formatMcpUri("a", "é".repeat(5000)), { rule: "MU-6" });
    assert.throws(() => parts.formatMcpUri(undefined, "a"), { name: "PartValidationError" });
  });
});
