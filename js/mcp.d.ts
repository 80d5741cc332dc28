export namespace McpToolName {
  /**
   * The name of a server's tool for a model: `client_tool` with `_` for what providers do not take; longer than
   * `maxLength` (64), or with letters that ASCII has not, cut and with a hash. It cannot be taken apart again:
   * `McpToolSet.resolve` knows whose it is. Throws MN-1 for an empty name.
   */
  function encode(client: string, tool: string, options?: { maxLength?: number }): string;
}

/** The `mcp://server/path` URI of a resource. Throws MU-2 or MU-3 for an empty one. */
export function formatMcpUri(serverId: string, resourcePath: string): string;

/** The server and the resource's own URI or path; or what is wrong with the URI (MU-1 to MU-6). */
export function parseMcpUri(
  uri: string,
): { ok: true; serverId: string; resourcePath: string } | { ok: false; problem: Problem };

/** A client of an MCP server: the `Client` of either SDK, or an object like it. */
export interface McpClientLike {
  callTool(params: any, ...rest: any[]): Promise<any>;
  listTools?(params?: any, options?: any): Promise<any>;
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

/** A tool of a server, over the user's own client. */
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

/** The tools of several servers, each id once. */
export class McpToolSet {
  constructor(options?: { onChange?(change: McpToolChange): void });
  /** Adds a server with all its tools. */
  add(client: McpClientLike, options: McpOptions): Promise<McpToolChange>;
  /** Asks a server anew: call it when `notifications/tools/list_changed` comes. */
  refresh(clientName: string): Promise<McpToolChange>;
  remove(clientName: string): McpToolChange;
  /** In the order of the servers, and of their lists. */
  tools(): McpToolInfo[];
  /** Whose tool an id is. */
  resolve(id: string): { client: string; tool: string } | null;
}

/** How a call failed; thrown by `execute` of a tool of a server. */
export class McpCallError extends Error {
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
  problems: Problem[];
}

/** Whose result it is. `newId` makes the ids of files. */
export interface McpResultContext {
  clientName: string;
  sessionID: string;
  messageID: string;
  newId?(): string;
  limits?: McpLimits;
}

/** The result of `tools/call`. Never throws for what is in it. */
export function mcpContentToParts(result: unknown, context: McpResultContext): McpParts;

/** The result of `resources/read`. Never throws for what is in it. */
export function mcpResourceToParts(read: unknown, context: McpResultContext): McpParts;
