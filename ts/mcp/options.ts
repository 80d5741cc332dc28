// The options of a server, read once.
import { invalid, isObject } from "../tools/boundary.ts";
import { checkName, nameLength } from "./name.ts";
import type { IdSource, McpClientLike, McpLimits, McpOptions } from "./types.ts";

/** A server: its client, and how its tools are called. */
export interface Server {
  client: McpClientLike;
  clientName: string;
  sdk: 1 | 2;
  schema: NonNullable<McpOptions["schema"]>;
  /** Milliseconds in which a call must say something, and in which it must end. */
  timeout: number;
  maxTotalTimeout: number;
  resetTimeoutOnProgress: boolean;
  maxNameLength: number;
  limits: McpLimits | undefined;
  newId: (() => string) | undefined;
}

/** A tool of a server, as it is called. */
export interface Call extends Server {
  toolName: string;
  title: string;
}

/** The longest time of a timer: a longer one would fire at once. */
const LONGEST = 2 ** 31 - 1;

const SCHEMAS = ["keep", "anthropic", "openai", "gemini"];

function time(given: number | undefined, otherwise: number, option: string) {
  if (given === undefined) return otherwise;
  if (typeof given === "number" && given > 0) return Math.min(given, LONGEST);
  throw invalid(`${option} must be a time in milliseconds`);
}

/** Whether it is a client whose tools can be called. */
function checkClient(client: McpClientLike) {
  if (typeof client?.callTool !== "function") {
    throw invalid("a client must have a method callTool: pass the Client of an MCP SDK");
  }
}

/** v2's method takes params and options; v1's one parameter more before them, with a default. */
const sdkOf = (client: McpClientLike) => (client.callTool.length === 2 ? 2 : 1);

/** The function that makes ids, of either form of an id source. */
function idsOf(ids: IdSource | undefined) {
  if (ids === undefined) return undefined;
  if (typeof ids === "function") return () => ids();
  if (typeof ids?.next === "function") return () => ids.next();
  throw invalid("ids must be a function, or have a method next");
}

/** Options with their defaults. Throws if the client or an option is of no use. */
export function readServer(client: McpClientLike, options: McpOptions): Server {
  checkClient(client);
  if (!isObject(options)) throw invalid("options must be an object with a clientName");
  const settings: McpOptions = { ...options };
  const { clientName, sdk = sdkOf(client), schema = "keep" } = settings;
  checkName(clientName, "client");
  if (sdk !== 1 && sdk !== 2) throw invalid("sdk must be 1 or 2");
  if (!SCHEMAS.includes(schema)) throw invalid(`schema must be one of ${SCHEMAS.join(", ")}`);
  return {
    client,
    clientName,
    sdk,
    schema,
    timeout: time(settings.mcp_timeout, 60_000, "mcp_timeout"),
    maxTotalTimeout: time(settings.maxTotalTimeout, 600_000, "maxTotalTimeout"),
    resetTimeoutOnProgress: settings.resetTimeoutOnProgress !== false,
    maxNameLength: nameLength(settings.maxNameLength, "maxNameLength"),
    limits: settings.limits,
    newId: idsOf(settings.ids),
  };
}
