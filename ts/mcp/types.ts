// The types of tools and resources of MCP servers.
import type { FilePart, Problem, Tool } from "apex-parts:glue";

/** A client of an MCP server: the `Client` of either SDK, or an object like it. */
export interface McpClientLike {
  /**
   * Calls a tool: `tools/call`.
   * @param params - The name of the tool, and its arguments.
   * @param rest - The options of the SDK.
   * @returns The result of the server.
   */
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    ...rest: unknown[]
  ): Promise<unknown>;
  /**
   * Lists the tools: `tools/list`.
   * @param params - The cursor of the page before, after the first.
   * @param options - The options of the SDK.
   * @returns A page of the list.
   */
  listTools?(params?: { cursor?: string }, options?: unknown): Promise<unknown>;
  /**
   * Reads a resource: `resources/read`.
   * @param params - `{uri}`.
   * @param options - The options of the SDK.
   * @returns The contents.
   */
  readResource?(params: { uri: string }, options?: unknown): Promise<unknown>;
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

/** What has changed in a set; ids are those of tools. */
export interface McpToolChange {
  added: string[];
  removed: string[];
  changed: { id: string; before: McpToolDefinition; after: McpToolDefinition }[];
  problems: Problem[];
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
