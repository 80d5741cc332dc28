// An MCP server over stdio, written without an SDK so that it can break every rule: what it does with a call stands
// in the arguments of the call, what it lists in its own argument (JSON). It ends with its standard input.
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const {
  count = 0,
  pageSize = Number.POSITIVE_INFINITY,
  cursors,
} = JSON.parse(process.argv[2] ?? "{}");

/** The first bytes of a picture. */
const PNG = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const schema = { type: "object", properties: {} };
const definition = (name) => ({ name, description: `About ${name}.`, inputSchema: schema });
let listed = [
  ...["act", "received", "relist"].map(definition),
  ...Array.from({ length: count }, (_, n) => definition(`tool-${n}`)),
];
let listError;
const received = [];
/** What waits for the cancellation of a request, by the request's id. */
const cancelled = new Map();

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (value) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });

/** The steps of a call, one after another. */
async function act(id, { steps = [] }, token) {
  const stopped = new Promise((resolve) => {
    cancelled.set(id, resolve);
  });
  for (const step of steps) {
    if (step.progress && token !== undefined) {
      send({
        method: "notifications/progress",
        params: { progressToken: token, ...step.progress },
      });
    }
    if ("result" in step) send({ id, result: step.result });
    if ("error" in step) send({ id, error: step.error });
    if ("line" in step) process.stdout.write(`${step.line}\n`);
    if (step.repeat) {
      send({ id, result: { content: [{ type: "text", text: "x".repeat(step.repeat) }] } });
    }
    if (step.image) {
      const data = Buffer.concat([PNG, Buffer.alloc(step.image - PNG.length, 7)]);
      const image = { type: "image", data: data.toString("base64"), mimeType: "image/png" };
      send({ id, result: { content: [image] } });
    }
    if (step.wait) await sleep(step.wait);
    if (step.until === "cancelled") await stopped;
    if ("exit" in step) process.exit(step.exit);
  }
}

function list(id, { cursor } = {}) {
  if (listError) return send({ id, error: listError });
  const start = cursor === undefined ? 0 : Number(cursor.split(":")[0]);
  if (cursors === "endless") {
    return send({
      id,
      result: { tools: [definition(`page-${start}`)], nextCursor: `${start + 1}:` },
    });
  }
  if (cursors === "same") return send({ id, result: { tools: listed, nextCursor: "0:again" } });
  const result = { tools: listed.slice(start, start + pageSize) };
  if (start + pageSize < listed.length) result.nextCursor = `${start + pageSize}:`;
  send({ id, result });
}

/** Lists other tools from now on, or fails to; tells it `notify` times. */
function relist(id, { tools, fail, notify = 1 }) {
  if (tools) listed = [...["act", "received", "relist"].map(definition), ...tools];
  listError = fail;
  for (let n = 0; n < notify; n++) send({ method: "notifications/tools/list_changed" });
  send({ id, result: text("done") });
}

function answer({ id, method, params }) {
  if (method === "initialize") {
    const { protocolVersion } = params;
    const capabilities = { tools: { listChanged: true } };
    const serverInfo = { name: "odd", version: "1.0.0" };
    return send({ id, result: { protocolVersion, capabilities, serverInfo } });
  }
  if (method === "tools/list") return list(id, params);
  if (method === "notifications/cancelled") return cancelled.get(params.requestId)?.();
  if (method !== "tools/call") return id !== undefined && send({ id, result: {} });
  const { name, arguments: given = {}, _meta } = params;
  if (name === "act") return act(id, given, _meta?.progressToken);
  if (name === "received") return send({ id, result: text(received.slice(0, -1)) });
  if (name === "relist") return relist(id, given);
  send({ id, error: { code: -32602, message: `MCP error -32602: Tool ${name} not found` } });
}

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  received.push(message);
  answer(message);
});
await once(lines, "close");
process.exit(0);
