// Clients of both SDKs, connected to servers over stdio: the real ones from npm, and those of servers/.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Transport2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { tool } from "../helper.mjs";

/** The versions of the SDK, to run a test with each. */
export const SDKS = [1, 2];
const CLASSES = { 1: [Client1, Transport1], 2: [Client2, Transport2] };

const real = (name) => [tool(`@modelcontextprotocol/server-${name}`, `mcp-server-${name}`)];
const own = (name, ...args) => [
  fileURLToPath(new URL(`servers/${name}.mjs`, import.meta.url)),
  ...args,
];

export const everything = real("everything");
export const filesystem = (folder) => [...real("filesystem"), folder];
export const memory = real("memory");
/** The server that does with a call what its arguments say. */
export const odd = (options = {}) => own("odd", JSON.stringify(options));
export const changing = own("changing");

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/**
 * A server's process and a client of it. `Base` makes another class of the client's; the rest goes to the client.
 * `close` ends both, and fails if the process outlives that.
 */
export async function open(sdk, args, { env, extend = (Client) => Client, ...options } = {}) {
  const [Client, Transport] = CLASSES[sdk];
  const client = new (extend(Client))({ name: "apex-parts", version: "1.0.0" }, options);
  const transport = new Transport({ command: process.execPath, args, env, stderr: "ignore" });
  const errors = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  const { pid } = transport;
  const close = async () => {
    await client.close();
    assert.ok(!isAlive(pid), "the server ended with its client");
  };
  return { client, pid, errors, close };
}

/** The same, closed with the test. */
export async function opened(t, sdk, args, options) {
  const made = await open(sdk, args, options);
  t.after(made.close);
  return made;
}

/** A call as each SDK wants it. */
export const callRaw = (sdk, client, name, args, options) =>
  sdk === 1
    ? client.callTool({ name, arguments: args }, undefined, options)
    : client.callTool({ name, arguments: args }, options);

/** Waits until this is true: it is asked after whatever else there is to do. */
export async function until(isTrue) {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The messages that the odd server has received. */
export async function receivedBy(sdk, client) {
  const { content } = await callRaw(sdk, client, "received", {});
  return JSON.parse(content[0].text);
}
