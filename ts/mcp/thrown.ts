// What a client threw, as the error of a call.
import type { Problem } from "apex-parts:glue";
import { messageOf } from "../tools/errors.ts";
import { mcpContentToParts } from "./content.ts";
import type { Which } from "./deadline.ts";
import { McpCallError } from "./errors.ts";
import type { Call } from "./options.ts";
import type { McpResultContext } from "./types.ts";

const PREFIX = /^MCP error -?\d+: /;

/** JSON-RPC's code for parameters that the server does not take. */
const INVALID_PARAMS = -32602;
/** Both for a time-out and for an abort: which of them, only the signal says. */
const TIMED_OUT: unknown[] = [-32001, "REQUEST_TIMEOUT"];

function codeOf(thrown: unknown) {
  try {
    // A cast: anything can be thrown, and what has no such field has it undefined.
    const { code } = thrown as { code?: unknown };
    return typeof code === "number" || typeof code === "string" ? code : undefined;
  } catch {
    return undefined;
  }
}

export function timedOut(
  { toolName, clientName, timeout, maxTotalTimeout }: Call,
  which: Which,
): McpCallError {
  const subject = `The MCP tool ${toolName} of ${clientName}`;
  return which === "total"
    ? new McpCallError("timeout", `${subject} took longer than ${maxTotalTimeout} ms in all.`, {})
    : new McpCallError("timeout", `${subject} sent nothing for ${timeout} ms.`, {});
}

export function aborted(reason: unknown): McpCallError {
  const detail = reason === undefined ? "" : messageOf(reason);
  const message = detail.trim() === "" ? "the call was stopped" : detail;
  return new McpCallError("aborted", message, { aborted: true });
}

/** The error of a call whose client threw. */
export function thrownBy(call: Call, thrown: unknown, about: McpResultContext): McpCallError {
  if (thrown instanceof McpCallError) return thrown;
  const code = codeOf(thrown);
  let message = messageOf(thrown);
  if (TIMED_OUT.includes(code) && /time[d-]? ?out/i.test(message)) {
    return timedOut(call, /total/i.test(message) ? "total" : "idle");
  }
  for (let times = 0; times < 2; times++) message = message.replace(PREFIX, "");
  // The server's words, within the limits of a result, and seen as they are.
  const content = [{ type: "text", text: message }];
  const { output, problems, invisible } = mcpContentToParts({ content, isError: true }, about);
  const mcp: { code?: string | number; problems?: Problem[] } = {};
  if (code !== undefined) mcp.code = code;
  if (problems.length > 0) mcp.problems = problems;
  const metadata = invisible === undefined ? { mcp } : { mcp, invisible };
  return new McpCallError("protocol", output, metadata, code === INVALID_PARAMS);
}
