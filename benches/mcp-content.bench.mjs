// Results of MCP servers: an image of 5 MB costs no more than looking once at each character of its base64.
import { mcpContentToParts } from "../pkg/node.mjs";
import { report, sideBySide } from "./lib/measure.mjs";

const bytes = new Uint8Array(5 * 1024 * 1024);
for (let i = 0; i < bytes.length; i++) bytes[i] = Math.imul(i, 2654435761) >>> 13;
const data = JSON.parse(JSON.stringify(Buffer.from(bytes).toString("base64")));
const result = { content: [{ type: "image", data, mimeType: "image/png" }] };
const context = { clientName: "demo", sessionID: "s", messageID: "m" };
const allowed = /^[A-Za-z0-9+/]*={0,2}$/;

console.log("\n# A result with an image of 5 MB");
const { ours, scan } = sideBySide({
  ours: () => mcpContentToParts(result, context),
  scan: () => allowed.test(data),
});
report("as parts, beside one scan of its base64", ours, scan, { target: 2 });
