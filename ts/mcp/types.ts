/** The names of servers' tools. */
export namespace McpToolName {
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
  function encode(client: string, tool: string, options?: { maxLength?: number }): string;
}

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
export function formatMcpUri(serverId: string, resourcePath: string): string;

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
export function parseMcpUri(
  uri: string,
): { ok: true; serverId: string; resourcePath: string } | { ok: false; problem: Problem };

/** A client of an MCP server: the `Client` of either SDK, or an object like it. */
export interface McpClientLike {
  /**
   * Calls a tool: `tools/call`.
   * @param params - `{name, arguments}`.
   * @param rest - The options of the SDK.
   * @returns The result of the server.
   */
  callTool(params: any, ...rest: any[]): Promise<any>;
  /**
   * Lists the tools: `tools/list`.
   * @param params - `{cursor}` after the first page.
   * @param options - The options of the SDK.
   * @returns A page of the list.
   */
  listTools?(params?: any, options?: any): Promise<any>;
  /**
   * Reads a resource: `resources/read`.
   * @param params - `{uri}`.
   * @param options - The options of the SDK.
   * @returns The contents.
   */
  readResource?(params: any, options?: any): Promise<any>;
}

/** A tool as a server lists it. */
export interface McpToolDefinition {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
  annotations?: unknown;
  [more: string]: unknown;
}

/** How much of a result is kept. */
export interface McpLimits {
  /** Bytes of text; 51,200 by default. */
  maxOutputBytes?: number;
  /** Bytes of one file; 5 MiB by default. */
  maxAttachmentBytes?: number;
  /** Files of one result; 20 by default. */
  maxAttachments?: number;
}

/** Where ids of parts come from. */
export type IdSource = (() => string) | { next(): string };

/** How tools of a server are called. */
export interface McpOptions {
  /** The server's name in those of its tools. */
  clientName: string;
  /** The time in which a call must say something, in milliseconds; 60 s by default. */
  mcp_timeout?: number;
  /** The time that a call may take in all, in milliseconds; 10 min by default. */
  maxTotalTimeout?: number;
  /** Each report of progress begins `mcp_timeout` again; true by default. */
  resetTimeoutOnProgress?: boolean;
  /** The version of the client's SDK; told from the client by default. */
  sdk?: 1 | 2;
  /** The most characters of a tool's name; 64 by default. */
  maxNameLength?: number;
  /** Mends what this provider refuses in a schema; `keep`, the default, changes nothing that works. */
  schema?: "keep" | "anthropic" | "openai" | "gemini";
  limits?: McpLimits;
  /** The ids of files in results; UUIDs of version 7 by default. */
  ids?: IdSource;
}

/** A tool of an MCP server. */
export interface McpToolInfo extends Tool.Info {
  mcp: {
    clientName: string;
    /** Its name at the server. */
    toolName: string;
    title?: string;
    /** SHA-256 of its name, description and parameters: another one means another tool. */
    fingerprint: string;
    annotations?: object;
    outputSchema?: object;
    problems: Problem[];
  };
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
export function convertMcpTool(
  client: McpClientLike,
  tool: McpToolDefinition,
  options: McpOptions,
): McpToolInfo;

/** What has changed in a set; ids are those of tools. */
export interface McpToolChange {
  added: string[];
  removed: string[];
  changed: { id: string; before: McpToolDefinition; after: McpToolDefinition }[];
  problems: Problem[];
}

/**
 * The tools of several servers, each id once.
 * @example
 * ```ts
 * const tools = [{ name: "greet", inputSchema: { type: "object" } }];
 * const client = { listTools: async () => ({ tools }), callTool: async () => ({ content: [] }) };
 * const set = new McpToolSet();
 * const { added } = await set.add(client, { clientName: "demo" });
 * added; // ["demo_greet"]
 * set.resolve("demo_greet"); // { client: "demo", tool: "greet" }
 * ```
 */
export class McpToolSet {
  /**
   * Creates an empty set.
   * @param options - What is called after each change.
   */
  constructor(options?: { onChange?(change: McpToolChange): void });
  /**
   * Adds a server with all its tools.
   * @param client - The client, connected.
   * @param options - The name of the server, and limits of its calls.
   * @returns What has been added.
   */
  add(client: McpClientLike, options: McpOptions): Promise<McpToolChange>;
  /**
   * Asks a server anew: call it when `notifications/tools/list_changed` comes.
   * @param clientName - The name under which the server was added.
   * @returns What has changed.
   */
  refresh(clientName: string): Promise<McpToolChange>;
  /**
   * Takes a server and its tools out.
   * @param clientName - The name under which the server was added.
   * @returns What has been removed.
   */
  remove(clientName: string): McpToolChange;
  /**
   * In the order of the servers, and of their lists.
   * @returns The tools.
   */
  tools(): McpToolInfo[];
  /**
   * Whose tool an id is.
   * @param id - The id of a tool.
   * @returns The server and its own name of the tool; `null` if there is none.
   */
  resolve(id: string): { client: string; tool: string } | null;
}

/** How a call failed; thrown by `execute` of a tool of a server. */
export class McpCallError extends Error {
  /**
   * @param kind - What went wrong.
   * @param message - What is wrong, and what to do.
   * @param metadata - Additional data of the call.
   * @param isExpected - Whether it does not count against the health of the tool.
   */
  constructor(
    kind: McpCallError["kind"],
    message: string,
    metadata: Record<string, unknown>,
    isExpected?: boolean,
  );
  name: "McpCallError";
  kind: "aborted" | "timeout" | "protocol" | "tool" | "unknown";
  /** Goes to the state of the call. */
  metadata: Record<string, unknown>;
  /** It does not count against the tool's health. */
  expected?: true;
}

/** What a result of a server is for a model. */
export interface McpParts {
  /** Never blank. */
  output: string;
  isError: boolean;
  /** Files for the model: images, audio, other bytes. */
  attachments: FilePart[];
  /** Embedded resources that are text; where in `output` they are is in their `source`. */
  resources: FilePart[];
  /** Resources that are named and not embedded. */
  links: { uri: string; name?: string; mime?: string }[];
  /** Where the structured content is: in the text already, after it, or alone. */
  structured?: "mirrored" | "appended" | "only";
  /** How many characters and escape sequences were removed from the output because they are not seen; absent if none. */
  invisible?: number;
  problems: Problem[];
}

/** Whose result it is. `newId` makes the ids of files. */
export interface McpResultContext {
  clientName: string;
  sessionID: string;
  messageID: string;
  /**
   * A new id, different from all others.
   * @returns The id.
   */
  newId?(): string;
  limits?: McpLimits;
}

/**
 * The result of `tools/call`. Never throws for what is in it.
 * @param result - What the server answered.
 * @param context - Whose result it is, and how much of it is kept.
 * @returns Text and files for a model, and what is wrong.
 * @example
 * ```ts
 * const context = { clientName: "demo", sessionID: "s", messageID: "m" };
 * mcpContentToParts({ content: [{ type: "text", text: "Hi" }] }, context).output; // "Hi"
 * ```
 */
export function mcpContentToParts(result: unknown, context: McpResultContext): McpParts;

/**
 * The result of `resources/read`. Never throws for what is in it.
 * @param read - What the server answered.
 * @param context - Whose result it is, and how much of it is kept.
 * @returns Text and files for a model, and what is wrong.
 * @example
 * ```ts
 * const context = { clientName: "demo", sessionID: "s", messageID: "m" };
 * const read = { contents: [{ uri: "a.txt", mimeType: "text/plain", text: "Hi" }] };
 * mcpResourceToParts(read, context).isError; // false
 * ```
 */
export function mcpResourceToParts(read: unknown, context: McpResultContext): McpParts;
