// Calls of MCP tools through a registry, as an agent makes them.

export const parts = await import("../../../pkg/node.mjs");
const { McpToolSet, ToolRegistry } = parts;

export const IDS = { sessionID: "ses_1", messageID: "msg_1" };

/** A registry with all tools of a set. */
export function registryOf(set, options) {
  const registry = new ToolRegistry(options);
  for (const tool of set.tools()) registry.register(tool, "mcp");
  return registry;
}

/** A set and a registry with the tools of one client. */
export async function toolsOf(client, options) {
  const set = new McpToolSet();
  const change = await set.add(client, options);
  const registry = registryOf(set);
  return { set, registry, change, run: (tool, input, more) => run(registry, tool, input, more) };
}

let calls = 0;
/** Starts a call. */
export const start = (registry, tool, input, more) =>
  registry.execute({ ...IDS, callID: `call_${++calls}`, tool, input, ...more });

/** The last state of a call. */
export const run = async (registry, tool, input, more) =>
  (await start(registry, tool, input, more)).state;

/** All states of a call. */
export async function statesOf(started) {
  const states = [];
  for await (const { state } of started) states.push(state);
  return states;
}
