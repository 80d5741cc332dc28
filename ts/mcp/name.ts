// McpToolName.encode.
import { toolsMcpName } from "apex-parts:glue";
import { guarded, invalid } from "../tools/boundary.ts";
import { ruleError } from "./errors.ts";

/** The length of a name that every provider takes. */
const MAX_LENGTH = 64;

/** The most characters of a name, as an option gives them. */
export function nameLength(given, option = "maxLength") {
  if (given === undefined) return MAX_LENGTH;
  if (Number.isInteger(given) && given > 0) return Math.min(given, 0xffff);
  throw invalid(`${option} is a whole number from 1 on`);
}

/** Throws MN-1 for what is no name. */
export function checkName(name, whose) {
  if (typeof name !== "string") throw invalid(`the name of the ${whose} is a text`);
  if (name === "") throw ruleError("MN-1", `the name of the ${whose} is empty`);
}

/** The form with the hash, for a tool whose name another one has. */
export const hashedName = (client, tool, maxLength) => toolsMcpName(client, tool, maxLength, true);

export const plainName = (client, tool, maxLength) => toolsMcpName(client, tool, maxLength, false);

function encode(client, tool, options) {
  checkName(client, "client");
  checkName(tool, "tool");
  return plainName(client, tool, nameLength(options?.maxLength));
}

export const McpToolName = { encode: /* @__PURE__ */ guarded(encode) };
