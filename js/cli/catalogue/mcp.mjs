// Rules of MCP: names, URIs, definitions of tools, results.
import { CONTEXT, server } from "./values.mjs";

export const MCP = [
  {
    code: "MN-1",
    severity: "error",
    says: "The names of a client and of its tool are not empty.",
    cure: "Give the client a name of your own; a tool without a name is a fault of its server.",
    example: ({ McpToolName }) => McpToolName.encode("files", ""),
  },
  {
    code: "MU-1",
    severity: "error",
    says: "The URI of a resource begins with `mcp://`, in any case of letters.",
    cure: "Write `mcp://SERVER/PATH`, or take `formatMcpUri`.",
    example: ({ parseMcpUri }) => parseMcpUri("http://files/a.txt").problem,
  },
  {
    code: "MU-2",
    severity: "error",
    says: "The server of a URI is not empty, and has none of `@ : [ ] ? #` unless encoded.",
    cure: "Take `formatMcpUri`, which encodes them.",
    example: ({ parseMcpUri }) => parseMcpUri("mcp:///a.txt").problem,
  },
  {
    code: "MU-3",
    severity: "error",
    says: "The path of a URI is not empty.",
    cure: "Name the resource behind the server.",
    example: ({ formatMcpUri }) => formatMcpUri("files", ""),
  },
  {
    code: "MU-4",
    severity: "error",
    says: "Percent-encoding is well formed, and UTF-8.",
    cure: "Encode `%` as `%25`, or take `formatMcpUri`.",
    example: ({ parseMcpUri }) => parseMcpUri("mcp://files/100%").problem,
  },
  {
    code: "MU-5",
    severity: "error",
    says: "A URI has no raw control characters.",
    cure: "Encode them, as a line break by `%0A`.",
    example: ({ parseMcpUri }) => parseMcpUri("mcp://files/a\nb").problem,
  },
  {
    code: "MU-6",
    severity: "error",
    says: "A URI has at most 8,192 bytes.",
    cure: "Name the resource by a shorter path.",
    example: ({ parseMcpUri }) => parseMcpUri(`mcp://files/${"a".repeat(9000)}`).problem,
  },
  {
    code: "MT-1",
    severity: "warning",
    says: "Different tools of a set have different ids; of two that would have the same the later gets a hashed one.",
    cure: "Give the clients other names; ask `McpToolSet.resolve` whose tool an id is.",
    example: ({ McpToolSet }) => {
      const client = server({ name: "a b", inputSchema: {} }, { name: "a_b", inputSchema: {} });
      return new McpToolSet().add(client, { clientName: "c" });
    },
  },
  {
    code: "MT-2",
    severity: "warning",
    says: "The `inputSchema` of a tool is an object, of type `object`.",
    cure: "Correct it at the server; here it was mended.",
    example: ({ convertMcpTool }) =>
      convertMcpTool(server(), { name: "a", inputSchema: { type: "string" } }, CONTEXT).mcp,
  },
  {
    code: "MT-3",
    severity: "warning",
    says: "A schema has no anyOf, oneOf, allOf, not or enum at its root, which Anthropic and OpenAI refuse.",
    cure: 'Convert with `schema: "anthropic"`, `"openai"` or `"gemini"`, which merges them.',
    example: ({ convertMcpTool }) => {
      const inputSchema = { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }] };
      return convertMcpTool(server(), { name: "a", inputSchema }, CONTEXT).mcp;
    },
  },
  {
    code: "MT-4",
    severity: "warning",
    says: "The name, the description and the schema of a tool have no characters that are not seen; they are removed from descriptions.",
    cure: "Look at the definition before you use the tool: a model reads what you do not see.",
    example: ({ convertMcpTool }) => {
      const description = "Reads a file.\u{e0041}";
      return convertMcpTool(server(), { name: "a", description, inputSchema: {} }, CONTEXT).mcp;
    },
  },
  {
    code: "MT-5",
    severity: "error",
    says: "A tool can be called without a task (`execution.taskSupport`).",
    cure: "Leave the tool out, or call it with a client that runs tasks.",
    example: async ({ convertMcpTool }) => {
      const execution = { taskSupport: "required" };
      const made = convertMcpTool(server(), { name: "a", inputSchema: {}, execution }, CONTEXT);
      return (await made.init()).execute({}, {});
    },
  },
  {
    code: "MT-6",
    severity: "warning",
    says: "The definition of a tool has at most 64 KiB.",
    cure: "Shorten its description and schema: they are sent with each request.",
    example: ({ convertMcpTool }) => {
      const description = "long ".repeat(20_000);
      return convertMcpTool(server(), { name: "a", description, inputSchema: {} }, CONTEXT).mcp;
    },
  },
  {
    code: "MT-7",
    severity: "error",
    says: "The definition of a tool is an object that JSON can hold, at most 32 levels deep.",
    cure: "Correct it at the server; the tool cannot be called.",
    example: ({ convertMcpTool }) => {
      let inputSchema = {};
      for (let level = 0; level < 40; level++) inputSchema = { not: inputSchema };
      return convertMcpTool(server(), { name: "a", inputSchema }, CONTEXT).mcp;
    },
  },
  {
    code: "MT-8",
    severity: "warning; an error if there is no list",
    says: "A server lists its tools in at most 1,000 pages, each with a cursor of its own, in time.",
    cure: "Look at the server; what came is used, and `refresh` asks again.",
    example: ({ McpToolSet }) =>
      new McpToolSet().add({ callTool: async () => ({}) }, { clientName: "c" }),
  },
  {
    code: "MC-1",
    severity: "error; a warning if it has no `content`",
    says: "The result of a call is an object with a list `content`.",
    cure: "Correct it at the server.",
    example: ({ mcpContentToParts }) => mcpContentToParts("done", CONTEXT),
  },
  {
    code: "MC-2",
    severity: "error",
    says: "A result does not ask for further input.",
    cure: "Call the tool with all that it needs: its question cannot be answered here.",
    example: ({ mcpContentToParts }) =>
      mcpContentToParts({ resultType: "input_required", content: [] }, CONTEXT),
  },
  {
    code: "MC-4",
    severity: "warning",
    says: "The media type of a file is one, and that of its bytes.",
    cure: "Correct it at the server; here the type of the bytes was taken.",
    example: ({ mcpContentToParts }) =>
      mcpContentToParts(
        { content: [{ type: "image", mimeType: "image/jpeg", data: "iVBORw0KGgo=" }] },
        CONTEXT,
      ),
  },
  {
    code: "MC-5",
    severity: "error; a warning if it could be mended",
    says: "The bytes of a file are valid base64.",
    cure: "Correct it at the server; what cannot be mended is left out.",
    example: ({ mcpContentToParts }) =>
      mcpContentToParts(
        { content: [{ type: "image", mimeType: "image/png", data: "%" }] },
        CONTEXT,
      ),
  },
  {
    code: "MC-6",
    severity: "warning",
    says: "Each item of a result is of a known type and whole.",
    cure: "Correct it at the server; its JSON is shown as text.",
    example: ({ mcpContentToParts }) =>
      mcpContentToParts({ content: [{ type: "video" }] }, CONTEXT),
  },
  {
    code: "MC-7",
    severity: "warning",
    says: "A result stays within its limits: bytes of text and of files, number of files.",
    cure: "Ask for less, or raise `limits`.",
    example: ({ mcpContentToParts }) => {
      const content = [{ type: "text", text: "long ".repeat(20_000) }];
      return mcpContentToParts({ content }, CONTEXT);
    },
  },
  {
    code: "MC-8",
    severity: "warning",
    says: "A text has no characters that are not seen; they are removed.",
    cure: "Find out why the server sends them: they can carry words that only a model reads.",
    example: ({ mcpContentToParts }) =>
      mcpContentToParts({ content: [{ type: "text", text: "ok\u{e0041}" }] }, CONTEXT),
  },
  {
    code: "MC-9",
    severity: "warning",
    says: "A text has no bidi controls, which show it in another order; they are removed.",
    cure: "Look at the text as code points before you trust it.",
    example: ({ mcpContentToParts }) =>
      mcpContentToParts({ content: [{ type: "text", text: "a\u202eb" }] }, CONTEXT),
  },
].map((rule) => ({ source: "MCP", ...rule }));
