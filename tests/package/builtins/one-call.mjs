// One call of a built-in tool over a host, with what was asked.

const { ToolRegistry, Permission } = await import("../../../pkg/node.mjs");
const { builtinTools } = await import("../../../pkg/tools.node.mjs");
/** What tools of files and commands look at when they are made. */
const REST = { directory: "/", fs: {}, shell: {}, clock: Date };

export const allow = (permission, pattern) => ({ permission, pattern, action: "allow" });
export const deny = (permission, pattern) => ({ permission, pattern, action: "deny" });

/** A registry of the built-in tools over a host; `reply` answers what is asked, by default `once`. */
export function registryOver(host, { rules = [], reply = () => "once", ...options } = {}) {
  const asks = [];
  const onAsk = (request) => {
    asks.push(request);
    return reply(request);
  };
  const gate = new Permission.Gate({ onAsk });
  const registry = new ToolRegistry({ rules: [rules], gate, ...options });
  for (const tool of builtinTools({ ...REST, ...host })) registry.register(tool);
  return { registry, asks };
}

/** A call: its run, and what was asked so far. */
export function start(host, tool, input, { call = {}, ...options } = {}) {
  const { registry, asks } = registryOver(host, options);
  const ids = { callID: "call_1", sessionID: "ses_1", messageID: "msg_1" };
  return { run: registry.execute({ ...ids, tool, input, ...call }), asks };
}

/** The last state of a call, and all that was asked. */
export async function outcome(host, tool, input, options) {
  const { run, asks } = start(host, tool, input, options);
  const { state } = await run;
  return { state, asks };
}
