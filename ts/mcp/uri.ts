// URIs of resources: mcp://server/path.
import { toolsMcpFormatUri, toolsMcpParseUri } from "apex-parts:glue";
import { problem } from "../problem.ts";
import { guarded, invalid } from "../tools/boundary.ts";
import { ruleError } from "./errors.ts";

export const formatMcpUri = /* @__PURE__ */ guarded((serverId, resourcePath) => {
  if (typeof serverId !== "string" || typeof resourcePath !== "string") {
    throw invalid("the server and the path of a URI are texts");
  }
  const made = toolsMcpFormatUri(serverId, resourcePath);
  if (typeof made === "string") return made;
  const [rule, why] = made;
  throw ruleError(rule, `the URI cannot be written: ${why}`);
});

/** More than any URI may have; not copied to find that out. */
const TOO_LONG = 8200;

function parse(uri) {
  if (typeof uri !== "string") return ["MU-1", "it is not a text", true];
  return toolsMcpParseUri(uri.length > TOO_LONG ? uri.slice(0, TOO_LONG) : uri);
}

export const parseMcpUri = /* @__PURE__ */ guarded((uri) => {
  const [first, second, isFault] = parse(uri);
  if (!isFault) return { ok: true, serverId: first, resourcePath: second };
  return { ok: false, problem: problem("error", first, second) };
});
