// What the tests of MCP tools share: clients that do as they are told, and calls of a registry.
import { consumer, requireFrom } from "../helper.mjs";

/** The packed package, whose logger says nothing. */
export async function loaded(name) {
  const parts = requireFrom(await consumer(name))("apex-parts");
  parts.setLogger(undefined);
  return parts;
}

export const text = (said) => ({ content: [{ type: "text", text: said }] });

/** A client with the signature of SDK v1, or of v2; `act(params, options)` answers. */
export function client(act, sdk = 1) {
  return sdk === 2
    ? { callTool: async (params, options) => act(params, options) }
    : {
        async callTool(params, schema = "the SDK's own", options = undefined) {
          if (schema !== "the SDK's own") throw new TypeError("a schema was given");
          return act(params, options);
        },
      };
}

/** A client whose lists come from `lists`: a page for each call, which may be a function. */
export function lister(...lists) {
  const seen = [];
  return {
    seen,
    callTool: async ({ name }) => text(name),
    async listTools(params, options) {
      seen.push({ params, options });
      const page = lists.length > 1 ? lists.shift() : lists[0];
      return typeof page === "function" ? page(params, options) : page;
    },
  };
}

export const named = (...names) => ({
  tools: names.map((name) => ({ name, inputSchema: { type: "object" } })),
});

export const CALL = { callID: "call_1", sessionID: "ses_1", messageID: "msg_1", input: {} };

/** A promise and the function that resolves it. */
export function gate() {
  const made = {};
  made.promise = new Promise((open) => {
    made.open = open;
  });
  return made;
}
