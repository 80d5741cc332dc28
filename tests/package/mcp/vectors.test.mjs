// The labelled cases of names, URIs, definitions and what clients throw.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { at } from "../helper.mjs";
import { CALL, loaded } from "./kit.mjs";

const file = at("tests", "fixtures", "vectors", "skills-mcp", "mcp-cases.json");
const cases = JSON.parse(readFileSync(file, "utf8"));
/** The cases of these kinds, each of which has some. */
const of = (...kinds) => {
  for (const wanted of kinds)
    assert.ok(
      cases.some(({ kind }) => kind === wanted),
      wanted,
    );
  return cases.filter(({ kind }) => kinds.includes(kind));
};

let parts;
before(async () => {
  parts = await loaded("mcp-vectors");
});

const nobody = { callTool: async () => ({ content: [] }) };

describe("labelled cases", () => {
  test("names", () => {
    for (const { id, input, expect } of of("mcp-name")) {
      const { client, tool, ...options } = input;
      const encode = () => parts.McpToolName.encode(client, tool, options);
      if (expect.throws) assert.throws(encode, { rule: expect.throws }, id);
      else assert.equal(encode(), expect.name, id);
    }
  });

  test("URIs", () => {
    for (const { id, input, expect } of of("mcp-uri-format")) {
      const uri = parts.formatMcpUri(input.serverId, input.resourcePath);
      assert.deepEqual({ uri, back: parts.parseMcpUri(uri) }, expect, id);
    }
    for (const { id, input, expect } of of("mcp-uri-parse")) {
      const { ok, problem, ...read } = parts.parseMcpUri(input);
      assert.deepEqual(ok ? { ok, ...read } : { ok, rule: problem.rule }, expect, id);
    }
  });

  test("definitions", async () => {
    for (const { id, kind, input, expect } of of("mcp-tool", "mcp-schema")) {
      const tool = kind === "mcp-tool" ? input.tool : { name: "t", inputSchema: input };
      const clientName = input.client ?? "c";
      const info = parts.convertMcpTool(nobody, tool, { clientName });
      const { description, parameters } = await info.init();
      const problems = info.mcp.problems.map(({ rule, severity }) => `${rule} ${severity}`);
      const made = { id: info.id, description, parameters, problems };
      for (const [name, value] of Object.entries(expect)) {
        assert.deepEqual(made[name], value, `${id} ${name}`);
      }
    }
  });

  test("what clients throw", async () => {
    for (const { id, input, expect } of of("mcp-thrown")) {
      const { name, code, message } = input.thrown;
      const thrown = Object.assign(new Error(message), { name, code });
      const stop = new AbortController();
      const client = {
        callTool(_params, { signal }) {
          if (!input.aborted) return Promise.reject(thrown);
          return new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(thrown));
            queueMicrotask(() => stop.abort(new Error("stopped by the user")));
          });
        },
      };
      const options = {
        clientName: input.clientName,
        mcp_timeout: input.timeout,
        maxTotalTimeout: input.maxTotalTimeout,
      };
      const info = parts.convertMcpTool(client, { name: input.tool }, options);
      const registry = new parts.ToolRegistry();
      registry.register(info, "mcp");
      const { state } = await registry.execute({ ...CALL, tool: info.id, abort: stop.signal });
      const { status, error, metadata } = state;
      assert.deepEqual(
        [status, error, metadata.kind],
        [expect.state, expect.error, expect.kind],
        id,
      );
      for (const [name, value] of Object.entries(expect.metadata ?? {})) {
        assert.deepEqual(metadata[name], value, id);
      }
    }
  });
});
