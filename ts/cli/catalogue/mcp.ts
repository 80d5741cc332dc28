// Rules of MCP: names, URIs, definitions of tools, results.
import type { Entry, Rule } from "./rule.ts";
import { CONTEXT, server } from "./values.ts";

const ENTRIES: Entry[] = [
  {
    code: "MN-1",
    severity: "error",
    says: "The names of a client and of its tool are not empty.",
    cure: "Choose a name for the client; a tool without a name is a bug in its server.",
    example: ({ McpToolName }) => McpToolName.encode("files", ""),
  },
  {
    code: "MU-1",
    severity: "error",
    says: "The URI of a resource begins with `mcp://`, in upper or lower case.",
    cure: "Write `mcp://SERVER/PATH`, or use `formatMcpUri`.",
    example: ({ parseMcpUri }) => parseMcpUri("http://files/a.txt").problem,
  },
  {
    code: "MU-2",
    severity: "error",
    says: "The server in a URI is not empty, and contains none of `@ : [ ] ? #` unless encoded.",
    cure: "Use `formatMcpUri`, which encodes them.",
    example: ({ parseMcpUri }) => parseMcpUri("mcp:///a.txt").problem,
  },
  {
    code: "MU-3",
    severity: "error",
    says: "The path of a URI is not empty.",
    cure: "Add the resource after the server.",
    example: ({ formatMcpUri }) => formatMcpUri("files", ""),
  },
  {
    code: "MU-4",
    severity: "error",
    says: "Percent-encoding is well formed and decodes to UTF-8.",
    cure: "Encode `%` as `%25`, or use `formatMcpUri`.",
    example: ({ parseMcpUri }) => parseMcpUri("mcp://files/100%").problem,
  },
  {
    code: "MU-5",
    severity: "error",
    says: "A URI has no raw control characters.",
    cure: "Encode them, for example a line break as `%0A`.",
    example: ({ parseMcpUri }) => parseMcpUri("mcp://files/a\nb").problem,
  },
  {
    code: "MU-6",
    severity: "error",
    says: "A URI has at most 8,192 bytes.",
    cure: "Use a shorter path for the resource.",
    example: ({ parseMcpUri }) => parseMcpUri(`mcp://files/${"a".repeat(9000)}`).problem,
  },
  {
    code: "MT-1",
    severity: "warning",
    says: "The tools of a set have different ids; if two would have the same id, the later one gets an id with a hash.",
    cure: "Rename one of the clients; `McpToolSet.resolve` returns the server and tool of an id.",
    example: ({ McpToolSet }) => {
      const client = server({ name: "a b", inputSchema: {} }, { name: "a_b", inputSchema: {} });
      return new McpToolSet().add(client, { clientName: "c" });
    },
  },
  {
    code: "MT-2",
    severity: "warning",
    says: "The `inputSchema` of a tool is an object, of type `object`.",
    cure: "Correct it in the server; here it was repaired.",
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
    says: "The name, description and schema of a tool contain no invisible characters; they are removed from descriptions.",
    cure: "Check the definition before you use the tool: a model reads what you cannot see.",
    example: ({ convertMcpTool }) => {
      const description = "Reads a file.\u{e0041}";
      return convertMcpTool(server(), { name: "a", description, inputSchema: {} }, CONTEXT).mcp;
    },
  },
  {
    code: "MT-5",
    severity: "error",
    says: "A tool can be called without a task (`execution.taskSupport`).",
    cure: "Leave the tool out, or call it with a client that supports tasks.",
    example: async ({ convertMcpTool }) => {
      const execution = { taskSupport: "required" };
      const converted = convertMcpTool(
        server(),
        { name: "a", inputSchema: {}, execution },
        CONTEXT,
      );
      return (await converted.init()).execute({}, {});
    },
  },
  {
    code: "MT-6",
    severity: "warning",
    says: "The definition of a tool has at most 64 KiB.",
    cure: "Shorten the description and the schema: they are sent with each request.",
    example: ({ convertMcpTool }) => {
      const description = "long ".repeat(20_000);
      return convertMcpTool(server(), { name: "a", description, inputSchema: {} }, CONTEXT).mcp;
    },
  },
  {
    code: "MT-7",
    severity: "error",
    says: "The definition of a tool is an object that JSON can represent, at most 32 levels deep.",
    cure: "Correct it in the server; the tool cannot be called.",
    example: ({ convertMcpTool }) => {
      let inputSchema = {};
      for (let level = 0; level < 40; level++) inputSchema = { not: inputSchema };
      return convertMcpTool(server(), { name: "a", inputSchema }, CONTEXT).mcp;
    },
  },
  {
    code: "MT-8",
    severity: "warning; an error if there is no list",
    says: "A server lists its tools in time and in at most 1,000 pages, each with a different cursor.",
    cure: "Check the server; the tools received so far are used, and `refresh` asks again.",
    example: ({ McpToolSet }) =>
      new McpToolSet().add({ callTool: async () => ({}) }, { clientName: "c" }),
  },
  {
    code: "MC-1",
    severity: "error; a warning if it has no `content`",
    says: "The result of a call is an object with a list `content`.",
    cure: "Correct it in the server.",
    example: ({ mcpContentToParts }) => mcpContentToParts("done", CONTEXT),
  },
  {
    code: "MC-2",
    severity: "error",
    says: "A result does not ask for further input.",
    cure: "Call the tool with everything that it needs: its questions cannot be answered here.",
    example: ({ mcpContentToParts }) =>
      mcpContentToParts({ resultType: "input_required", content: [] }, CONTEXT),
  },
  {
    code: "MC-4",
    severity: "warning",
    says: "The media type of a file is valid, and matches its bytes.",
    cure: "Correct it in the server; here the type was taken from the bytes.",
    example: ({ mcpContentToParts }) =>
      mcpContentToParts(
        { content: [{ type: "image", mimeType: "image/jpeg", data: "iVBORw0KGgo=" }] },
        CONTEXT,
      ),
  },
  {
    code: "MC-5",
    severity: "error; a warning if it could be repaired",
    says: "The bytes of a file are valid base64.",
    cure: "Correct it in the server; files that cannot be repaired are left out.",
    example: ({ mcpContentToParts }) =>
      mcpContentToParts(
        { content: [{ type: "image", mimeType: "image/png", data: "%" }] },
        CONTEXT,
      ),
  },
  {
    code: "MC-6",
    severity: "warning",
    says: "Each item of a result has a known type and is complete.",
    cure: "Correct it in the server; the item's JSON is shown as text.",
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
    says: "Text contains no invisible characters; they are removed.",
    cure: "Find out why the server sends them: they can contain words that only a model reads.",
    example: ({ mcpContentToParts }) =>
      mcpContentToParts({ content: [{ type: "text", text: "ok\u{e0041}" }] }, CONTEXT),
  },
  {
    code: "MC-9",
    severity: "warning",
    says: "Text contains no bidi controls, which change the order in which it is displayed; they are removed.",
    cure: "Inspect the code points of the text before you trust it.",
    example: ({ mcpContentToParts }) =>
      mcpContentToParts({ content: [{ type: "text", text: "a\u202eb" }] }, CONTEXT),
  },
];

export const MCP: Rule[] = ENTRIES.map((rule) => ({ source: "MCP", ...rule }));
