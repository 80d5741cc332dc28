// A tool of a server, as a tool.
import type { Problem, Tool } from "apex-parts:glue";
import { problem, unruled } from "../problem.ts";
import { guarded } from "../tools/boundary.ts";
import { type MovingTool, OTHER_ID } from "../tools/other-id.ts";
import { callTool } from "./call.ts";
import { type Named, readDefinition } from "./definition.ts";
import { McpCallError } from "./errors.ts";
import { checkName, hashedName, plainName } from "./name.ts";
import { readServer, type Server } from "./options.ts";
import type { McpClientLike, McpOptions, McpToolDefinition, McpToolInfo } from "./types.ts";

/** Why a tool cannot be called at all; undefined if it can. */
function refusal({ clientName }: Server, read: Named, isOffered: () => boolean) {
  const subject = `The MCP tool ${read.name} of ${clientName}`;
  const failed = (rule: string, why: string) => {
    const metadata = { mcp: { problems: [problem("error", rule, why)] } };
    return new McpCallError("protocol", `${subject} ${why} (${rule})`, metadata, true);
  };
  if (!isOffered()) {
    const message = `${subject} is no longer there: its server has removed it. Use another tool.`;
    return new McpCallError("unknown", message, {}, true);
  }
  if (read.isLeftOut) {
    const first = read.problems.find(({ severity }) => severity === "error");
    if (first) return failed(first.rule, `cannot be called: ${unruled(first)}`);
  }
  if (read.needsTask) return failed("MT-5", "can only run as a task, which this host does not do");
  return undefined;
}

/** The tool of a definition that was read. `isOffered` says at each call whether the server still has it. */
export function toolInfo(
  server: Server,
  read: Named,
  id: string,
  problems: Problem[],
  isOffered: () => boolean,
): McpToolInfo {
  const title = read.title ?? read.name;
  const call = { ...server, toolName: read.name, title };
  const definition: Tool.Definition = {
    description: read.description,
    parameters: read.parameters,
    // The limits of content have cut the output already, and ranges of resources are in it.
    truncate: false,
    // The times are those of the call itself: there is no timeoutMs.
    async execute(args, context) {
      const refused = refusal(server, read, isOffered);
      if (refused !== undefined) throw refused;
      return callTool(call, args, context);
    },
  };
  const { fingerprint, annotations, outputSchema } = read;
  const mcp: McpToolInfo["mcp"] = {
    ...{ clientName: server.clientName, toolName: read.name, fingerprint },
    problems: [...read.problems, ...problems],
  };
  if (read.title !== undefined) mcp.title = read.title;
  if (annotations !== undefined) mcp.annotations = annotations;
  if (outputSchema !== undefined) mcp.outputSchema = outputSchema;
  const otherId = () => hashedName(server.clientName, read.name, server.maxNameLength);
  const info: McpToolInfo & MovingTool = {
    ...{ id, init: async () => definition, mcp, [OTHER_ID]: otherId },
  };
  return info;
}

/**
 * A tool of a server, over the user's own client.
 * @param client - The client, connected.
 * @param tool - The tool, as the server lists it.
 * @param options - The name of the server, and limits of its calls.
 * @returns A tool for a registry.
 * @example
 * ```ts
 * const client = { callTool: async () => ({ content: [{ type: "text", text: "Hi" }] }) };
 * convertMcpTool(client, { name: "greet", inputSchema: { type: "object" } }, { clientName: "demo" }).id; // "demo_greet"
 * ```
 */
export const convertMcpTool: (
  client: McpClientLike,
  tool: McpToolDefinition,
  options: McpOptions,
) => McpToolInfo = /* @__PURE__ */ guarded((client, tool, options) => {
  const server = readServer(client, options);
  const read = readDefinition(tool, server.schema);
  const { name } = read;
  checkName(name, "tool");
  const id = plainName(server.clientName, name, server.maxNameLength);
  return toolInfo(server, { ...read, name }, id, [], () => true);
});
