// A tool of a server, as a tool.
import { problem, unruled } from "../problem.ts";
import { guarded } from "../tools/boundary.ts";
import { OTHER_ID } from "../tools/other-id.ts";
import { callTool } from "./call.ts";
import { readDefinition } from "./definition.ts";
import { McpCallError } from "./errors.ts";
import { checkName, hashedName, plainName } from "./name.ts";
import { readServer } from "./options.ts";

/** Why a tool cannot be called at all; undefined if it can. */
function refusal({ clientName }, read, isOffered) {
  const subject = `The MCP tool ${read.name} of ${clientName}`;
  const failed = (rule, why) => {
    const metadata = { mcp: { problems: [problem("error", rule, why)] } };
    return new McpCallError("protocol", `${subject} ${why} (${rule})`, metadata, true);
  };
  if (!isOffered()) {
    const said = `${subject} is no longer there: its server has removed it. Use another tool.`;
    return new McpCallError("unknown", said, {}, true);
  }
  if (read.isLeftOut) {
    const [first] = read.problems.filter(({ severity }) => severity === "error");
    return failed(first.rule, `cannot be called: ${unruled(first)}`);
  }
  if (read.needsTask) return failed("MT-5", "can only run as a task, which this host does not do");
  return undefined;
}

/** The tool of a definition that was read. `isOffered` says at each call whether the server still has it. */
export function toolInfo(server, read, id, problems, isOffered) {
  const title = read.title ?? read.name;
  const call = { ...server, toolName: read.name, title };
  const definition = {
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
  const mcp = { clientName: server.clientName, toolName: read.name, fingerprint };
  if (read.title !== undefined) mcp.title = read.title;
  if (annotations !== undefined) mcp.annotations = annotations;
  if (outputSchema !== undefined) mcp.outputSchema = outputSchema;
  mcp.problems = [...read.problems, ...problems];
  const otherId = () => hashedName(server.clientName, read.name, server.maxNameLength);
  return { id, init: async () => definition, mcp, [OTHER_ID]: otherId };
}

export const convertMcpTool = /* @__PURE__ */ guarded((client, tool, options) => {
  const server = readServer(client, options);
  const read = readDefinition(tool, server.schema);
  checkName(read.name, "tool");
  const id = plainName(server.clientName, read.name, server.maxNameLength);
  return toolInfo(server, read, id, [], () => true);
});
