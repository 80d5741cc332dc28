// MCP tools: what a call costs beside the client's own, and what reading definitions costs.
import { convertMcpTool, McpToolSet, setLogger } from "../pkg/node.mjs";
import { met } from "./lib/bars.mjs";
import { duration } from "./lib/measure.mjs";

setLogger(undefined);

console.log("\n# A call");
{
  const result = { content: [{ type: "text", text: "a line of a result, as short as most are" }] };
  const client = { callTool: async (_params, _schema) => result };
  const tool = { name: "t", inputSchema: { type: "object" } };
  const { execute } = await convertMcpTool(client, tool, { clientName: "c" }).init();
  const { signal: abort } = new AbortController();
  const context = { sessionID: "s", messageID: "m", abort, metadata() {} };
  const count = 5000;
  const times = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const start = process.hrtime.bigint();
    await execute({ a: 1 }, context);
    times[i] = Number(process.hrtime.bigint() - start);
  }
  const start = process.hrtime.bigint();
  for (let i = 0; i < count; i++) await client.callTool({ name: "t", arguments: {} }, undefined);
  const plain = Number(process.hrtime.bigint() - start) / count;
  times.sort();
  const more = times[count / 2] - plain;
  console.log(
    `more than the client (${duration(plain)}), in the median: ${duration(more)} (at most 200 µs) ${met(more <= 200e3)}`,
  );
}

console.log("\n# 250 tools of 100 KB");
{
  const properties = {};
  for (let i = 0; i < 1000; i++) {
    properties[`property_${i}`] = {
      type: "string",
      description: "what it is for, in some words, ".repeat(2),
    };
  }
  const tools = Array.from({ length: 250 }, (_, i) => ({
    name: `tool_${i}`,
    inputSchema: { type: "object", properties },
  }));
  const client = { callTool: async () => ({}), listTools: async () => ({ tools }) };
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  });
  const start = performance.now();
  await new McpToolSet().add(client, { clientName: "c" });
  const whole = performance.now() - start;
  clearInterval(timer);
  console.log(
    `all of them: ${duration(whole * 1e6)}; nothing else ran for ${duration(longest * 1e6)}`,
  );
}
