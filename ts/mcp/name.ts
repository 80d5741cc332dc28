// McpToolName.encode.
import { toolsMcpName } from "apex-parts:glue";
import { guarded, invalid } from "../tools/boundary.ts";
import { ruleError } from "./errors.ts";

/** The length of a name that every provider takes. */
const MAX_LENGTH = 64;

/** The most characters of a name, as an option gives them. */
export function nameLength(given: number | undefined, option: string = "maxLength"): number {
  if (given === undefined) return MAX_LENGTH;
  if (Number.isInteger(given) && given > 0) return Math.min(given, 0xffff);
  throw invalid(`${option} must be an integer of at least 1`);
}

/** Throws MN-1 for what is no name. */
export function checkName(name: unknown, whose: string): asserts name is string {
  if (typeof name !== "string") throw invalid(`the name of the ${whose} must be a string`);
  if (name === "") throw ruleError("MN-1", `the name of the ${whose} is empty`);
}

/** The form with the hash, for a tool whose name another one has. */
export const hashedName = (client: string, tool: string, maxLength: number): string =>
  toolsMcpName(client, tool, maxLength, true);

export const plainName = (client: string, tool: string, maxLength: number): string =>
  toolsMcpName(client, tool, maxLength, false);

function encode(client: string, tool: string, options?: { maxLength?: number }) {
  checkName(client, "client");
  checkName(tool, "tool");
  return plainName(client, tool, nameLength(options?.maxLength));
}

/** The names of servers' tools. */
export const McpToolName: {
  /**
   * The name of a server's tool for a model: `client_tool` with `_` for what providers do not take; longer than
   * `maxLength` (64), or with letters that ASCII has not, cut and with a hash. It cannot be taken apart again:
   * `McpToolSet.resolve` knows whose it is. Throws MN-1 for an empty name.
   * @param client - The name of the server.
   * @param tool - The name of the tool at the server.
   * @param options - The most characters; 64 by default.
   * @returns The name.
   * @example
   * ```ts
   * McpToolName.encode("files", "read.text"); // "files_read_text"
   * ```
   */
  encode(client: string, tool: string, options?: { maxLength?: number }): string;
} = { encode: /* @__PURE__ */ guarded(encode) };
