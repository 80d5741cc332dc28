// URIs of resources: mcp://server/path.

import type { Problem } from "apex-parts:glue";
import { toolsMcpFormatUri, toolsMcpParseUri } from "apex-parts:glue";
import { problem } from "../problem.ts";
import { guarded, invalid } from "../tools/boundary.ts";
import { ruleError } from "./errors.ts";

/**
 * The `mcp://server/path` URI of a resource. Throws MU-2 or MU-3 for an empty one.
 * @param serverId - The name of the server.
 * @param resourcePath - The URI or path of the resource at the server.
 * @returns The URI.
 * @example
 * ```ts
 * parseMcpUri(formatMcpUri("files", "a.txt")); // { ok: true, serverId: "files", resourcePath: "a.txt" }
 * ```
 */
export const formatMcpUri: (serverId: string, resourcePath: string) => string =
  /* @__PURE__ */ guarded((serverId, resourcePath) => {
    if (typeof serverId !== "string" || typeof resourcePath !== "string") {
      throw invalid("the server and the path of a URI must be strings");
    }
    const result = toolsMcpFormatUri(serverId, resourcePath);
    if (typeof result === "string") return result;
    const [rule, why] = result;
    throw ruleError(rule, `the URI cannot be written: ${why}`);
  });

/** More than any URI may have; not copied to find that out. */
const TOO_LONG = 8200;

function parse(uri: string): ReturnType<typeof toolsMcpParseUri> {
  if (typeof uri !== "string") return ["MU-1", "it is not a string", true];
  return toolsMcpParseUri(uri.length > TOO_LONG ? uri.slice(0, TOO_LONG) : uri);
}

/**
 * The server and the resource's own URI or path; or what is wrong with the URI (MU-1 to MU-6).
 * @param uri - The URI.
 * @returns Server and resource, or the problem.
 * @example
 * ```ts
 * const read = parseMcpUri("https://example.com");
 * read.ok; // false
 * ```
 */
export const parseMcpUri: (
  uri: string,
) => { ok: true; serverId: string; resourcePath: string } | { ok: false; problem: Problem } =
  /* @__PURE__ */ guarded((uri) => {
    const [first, second, isFault] = parse(uri);
    if (!isFault) return { ok: true, serverId: first, resourcePath: second };
    return { ok: false, problem: problem("error", first, second) };
  });
