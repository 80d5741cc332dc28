// The service after the whole guide: its engine, its adapters, its MCP manager and its skills, driven by a scripted model
// on this machine. `scripts/bridge.mjs` copies this file into the checkout and runs it there with vitest.
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Tool, ToolType, toolRegistry } from "apex-parts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ClaudeAdapter } from "../src/core/llm/adapters/ClaudeAdapter";
import { OpenAIAdapter } from "../src/core/llm/adapters/OpenAIAdapter";
import { LLMManagerAdapter } from "../src/core/stream-orchestrator/LLMAdapter";
import { ReActEngine } from "../src/core/stream-orchestrator/ReActEngine";
import { callTool } from "../src/core/tool-action/registry-call";
import { MCPServerManager } from "../src/services/MCPServerManager";
import { mcpTools } from "../src/services/mcp/tool-set";
import { DynamicSkillManager } from "../src/services/skill/DynamicSkillManager";
import { UserSkillLoader } from "../src/services/skill/UserSkillLoader";

/** What the adapters sent, and what they are answered, as the data of events. */
const bodies = [];
const answers = [];

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  bodies.push(JSON.parse(body));
  const events = answers.shift() ?? [];
  const text = events.map((event) => {
    return `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`;
  });
  const bytes = Buffer.from(text.join(""));
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let at = 0; at < bytes.length; at += 61) response.write(bytes.subarray(at, at + 61));
  response.end();
});
let baseURL;
beforeAll(async () => {
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  baseURL = `http://127.0.0.1:${server.address().port}`;
  const add = Tool.define("add", {
    description: "Adds one",
    parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    execute: async ({ n }) => ({ title: "", output: String(n + 1) }),
  });
  toolRegistry.register(add, ToolType.BUILTIN);
});
afterAll(() => new Promise((done) => server.close(done)));

/** Runs the engine over an adapter, as `ReActStrategy` does; gives its events. */
async function run(adapter) {
  const manager = {
    streamChat: (messages, options, signal, tools) =>
      adapter.streamChat(messages, options, tools, signal),
  };
  const engine = new ReActEngine({});
  const definitions = await toolRegistry.definitions({ only: ["add"] });
  engine.tools = definitions.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema },
  }));
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "41 plus one?" },
  ];
  const events = [];
  bodies.length = 0;
  for await (const event of engine.execute(messages, new LLMManagerAdapter(manager), {}))
    events.push(event);
  return events;
}

const block = (index, content_block, ...deltas) => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
const message = (stop_reason, ...blocks) => [
  { type: "message_start", message: { id: "m", model: "c", role: "assistant", content: [] } },
  ...blocks.flat(),
  { type: "message_delta", delta: { stop_reason } },
  { type: "message_stop" },
];
const chunk = (delta, finish_reason = null) => ({
  ...{ id: "r", object: "chat.completion.chunk", created: 1, model: "m" },
  choices: [{ index: 0, delta, finish_reason }],
});

describe("the engine makes native calls", () => {
  const texts = (events) => events.filter(({ type }) => type === "content").map(({ data }) => data);
  const outputs = (events) =>
    events.filter(({ type }) => type === "tool_end").map(({ data }) => data.output);

  test("through ClaudeAdapter", async () => {
    answers.push(
      message(
        "tool_use",
        block(0, { type: "text", text: "" }, { type: "text_delta", text: "I add: ü" }),
        block(
          1,
          { type: "tool_use", id: "toolu_1", name: "add", input: {} },
          { type: "input_json_delta", partial_json: '{"n": "4' },
          { type: "input_json_delta", partial_json: '1"}' },
        ),
      ),
      message("end_turn", block(0, { type: "text", text: "42" })),
    );
    const config = { provider: "claude", apiKey: "x", baseURL, defaultModel: "c" };
    const events = await run(new ClaudeAdapter(config));
    expect(texts(events)).toEqual(["I add: ü", "42"]);
    expect(outputs(events)).toEqual(["42"]);
    expect(bodies[0].tools[0]).toMatchObject({ name: "add", input_schema: { type: "object" } });
    expect(bodies[0].system).toBe("Be brief.");
    expect(bodies[1].messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: [
          { type: "text", text: "I add: ü" },
          { type: "tool_use", id: "toolu_1", name: "add", input: { n: "41" } },
        ],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "42", is_error: false }],
      },
    ]);
  });

  test("through OpenAIAdapter", async () => {
    const call = (fields) => chunk({ tool_calls: [{ index: 0, ...fields }] });
    answers.push(
      [
        call({ id: "call_7", type: "function", function: { name: "add", arguments: "" } }),
        call({ function: { arguments: '{"n":4' } }),
        call({ function: { arguments: "1}" } }),
        chunk({}, "tool_calls"),
        "[DONE]",
      ],
      [chunk({ content: "42" }), chunk({}, "stop"), "[DONE]"],
    );
    const config = { provider: "openai", apiKey: "x", baseURL, defaultModel: "m" };
    const events = await run(new OpenAIAdapter(config));
    expect([texts(events), outputs(events)]).toEqual([["42"], ["42"]]);
    expect(bodies[0].tools[0].function.name).toBe("add");
    expect(bodies[1].messages.slice(2)).toMatchObject([
      { role: "assistant", tool_calls: [{ id: "call_7", function: { arguments: '{"n":41}' } }] },
      { role: "tool", tool_call_id: "call_7", content: "42" },
    ]);
  });
});

test("an MCP server's tools are in the registry, and its errors are errors", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "service-")));
  writeFileSync(join(folder, "a.txt"), "Hello");
  const program = process.env.MCP_SERVER ?? "";
  const manager = new MCPServerManager({
    ...{ id: "files", type: "stdio", command: process.execPath, args: [program, folder] },
  });
  await manager.initialize();
  try {
    await mcpTools.add(manager.getClient(), { clientName: "files" });
    const read = (path) => callTool({ name: "files_read_text_file", parameters: { path } });
    expect(await read(join(folder, "a.txt"))).toMatchObject({ success: true, result: "Hello" });
    expect(await read("/etc/hostname")).toMatchObject({ success: false });
    const direct = { tool: "read_text_file", arguments: { path: "/etc/hostname" } };
    expect(await manager.callTool(direct)).toMatchObject({ success: false });
    mcpTools.remove("files");
    expect(toolRegistry.has("files_read_text_file")).toBe(false);
  } finally {
    await manager.shutdown();
  }
});

test("skills in the folder are listed, changed and called", async () => {
  const folder = mkdtempSync(join(tmpdir(), "service-"));
  mkdirSync(join(folder, "greet"));
  writeFileSync(
    join(folder, "greet", "SKILL.md"),
    "---\nname: greet\ndescription: Greets\ntags: [a]\n---\nSay hi\n",
  );
  const retrieval = { indexTools: async () => {}, removeSkill: async () => {} };
  const loader = new UserSkillLoader(retrieval, folder);
  const manager = new DynamicSkillManager(retrieval, loader, undefined);
  expect(await manager.listSkills()).toMatchObject([{ name: "greet", tags: ["a"] }]);
  await loader.updateSkillDescription("greet", "Greets: people");
  expect(await manager.listSkills()).toMatchObject([{ description: "Greets: people" }]);
  const { result } = await callTool({ name: "skill", parameters: { name: "greet" } });
  expect(result).toContain("Say hi");
});
