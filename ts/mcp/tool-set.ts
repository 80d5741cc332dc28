// McpToolSet: the tools of several servers, each id once.

import type { Problem } from "apex-parts:glue";
import { log } from "apex-parts:shared";
import { problem } from "../problem.ts";
import { guardedClass, invalid, readOptions } from "../tools/boundary.ts";
import { toolInfo } from "./convert.ts";
import type { Named } from "./definition.ts";
import { hashedName, plainName } from "./name.ts";
import { readServer, type Server } from "./options.ts";
import { addProblems, ServerTools, type SetTool } from "./server-tools.ts";
import type {
  McpClientLike,
  McpOptions,
  McpToolChange,
  McpToolDefinition,
  McpToolInfo,
} from "./types.ts";

const noChange = (): McpToolChange => ({ added: [], removed: [], changed: [], problems: [] });

const isEmpty = ({ added, removed, changed, problems }: McpToolChange) =>
  added.length + removed.length + changed.length + problems.length === 0;

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
class ToolSet {
  /** By name, in the order added. */
  #servers = new Map<string, ServerTools>();
  /** By id: `{ client, tool }`. */
  #ids = new Map<string, { client: string; tool: string }>();
  #onChange: ((change: McpToolChange) => unknown) | undefined;

  /**
   * Creates an empty set.
   * @param options - What is called after each change.
   */
  constructor(options?: { onChange?(change: McpToolChange): void }) {
    const { onChange } = readOptions(options);
    if (onChange !== undefined && typeof onChange !== "function") {
      throw invalid("onChange must be a function");
    }
    this.#onChange = onChange;
  }

  /**
   * Adds a server with all its tools.
   * @param client - The client, connected.
   * @param options - The name of the server, and limits of its calls.
   * @returns What has been added.
   */
  async add(client: McpClientLike, options: McpOptions): Promise<McpToolChange> {
    // One of the same name gets the client and the options, and keeps its place.
    const server = readServer(client, options);
    const { clientName } = server;
    const added = new ServerTools(server, (...given) => this.#commit(...given));
    const old = this.#servers.get(clientName);
    old?.remove();
    // They stay until the new list is here.
    if (old !== undefined) added.tools = old.tools;
    this.#servers.set(clientName, added);
    return added.load();
  }

  /**
   * Asks a server anew: call it when `notifications/tools/list_changed` comes.
   * @param clientName - The name under which the server was added.
   * @returns What has changed.
   */
  async refresh(clientName: string): Promise<McpToolChange> {
    const server = this.#servers.get(clientName);
    if (server !== undefined) return server.refresh(noChange());
    // A note that its list has changed may come after the server was removed.
    const message = `no server is named ${String(clientName)}`;
    return { ...noChange(), problems: [problem("warning", "schema", message)] };
  }

  /**
   * Takes a server and its tools out.
   * @param clientName - The name under which the server was added.
   * @returns What has been removed.
   */
  remove(clientName: string): McpToolChange {
    const change = noChange();
    const server = this.#servers.get(clientName);
    if (server === undefined) return change;
    server.remove();
    this.#servers.delete(clientName);
    for (const tool of server.tools.values()) this.#drop(tool, change);
    return this.#told(change);
  }

  /**
   * In the order of the servers, and of their lists.
   * @returns The tools.
   */
  tools(): McpToolInfo[] {
    const infos: McpToolInfo[] = [];
    for (const { tools } of this.#servers.values()) {
      for (const { info } of tools.values()) infos.push(info);
    }
    return infos;
  }

  /**
   * Whose tool an id is.
   * @param id - The id of a tool.
   * @returns The server and its own name of the tool; `null` if there is none.
   */
  resolve(id: string): { client: string; tool: string } | null {
    const entry = this.#ids.get(id) ?? this.#moved(id);
    return entry === undefined ? null : { ...entry };
  }

  /** The tool that a registry has under the form with the hash, because a built-in has its id. */
  #moved(id: string) {
    if (typeof id !== "string" || !/_[a-z2-7]{13}$/.test(id)) return undefined;
    for (const [client, { server, tools }] of this.#servers) {
      for (const tool of tools.keys()) {
        if (hashedName(client, tool, server.maxNameLength) === id) return { client, tool };
      }
    }
    return undefined;
  }

  #drop(tool: SetTool, change: McpToolChange) {
    tool.offer.isThere = false;
    this.#ids.delete(tool.id);
    change.removed.push(tool.id);
  }

  /** Puts a list in the place of the one before: at once, and after all of it was read. */
  #commit(server: ServerTools, found: Map<string, Named> | undefined, problems: Problem[]) {
    const change = noChange();
    if (this.#servers.get(server.server.clientName) !== server) return change;
    addProblems(change.problems, problems);
    if (found === undefined) return this.#told(change);
    const before = server.tools;
    for (const [name, tool] of before) if (!found.has(name)) this.#drop(tool, change);
    const tools = new Map<string, SetTool>();
    for (const [name, read] of found) {
      const old = before.get(name);
      if (old?.read === read && old.server === server.server) {
        tools.set(name, old);
        continue;
      }
      const entry = this.#made(server.server, read, old, change);
      if (entry !== undefined) tools.set(name, entry);
    }
    server.tools = tools;
    return this.#told(change);
  }

  /** The tool in the set; undefined if no id is left for it. */
  #made(
    server: Server,
    read: Named,
    old: SetTool | undefined,
    change: McpToolChange,
  ): SetTool | undefined {
    const { clientName, maxNameLength } = server;
    const { name } = read;
    if (old !== undefined && old.server.maxNameLength !== maxNameLength) {
      this.#drop(old, change);
      return this.#made(server, read, undefined, change);
    }
    const own = old ?? this.#freeId(clientName, name, maxNameLength);
    if (own === undefined) {
      const why = `the tool ${name} of ${clientName} is left out: other tools have the same name`;
      addProblems(change.problems, [problem("error", "MT-1", why)]);
      return undefined;
    }
    const { id, isHashed } = own;
    const problems: Problem[] = [];
    if (isHashed) {
      const why = `the tool ${name} of ${clientName} is named ${id}: another tool has the same name`;
      problems.push(problem("warning", "MT-1", why));
      addProblems(change.problems, problems);
    }
    // Who holds the tool as it was can call it, until the server removes it.
    const offer = old?.offer ?? { isThere: true };
    const info = toolInfo(server, read, id, problems, () => offer.isThere);
    const entry = { server, read, id, isHashed, offer, info };
    this.#ids.set(id, { client: clientName, tool: name });
    if (old === undefined) change.added.push(id);
    else if (old.read.fingerprint !== read.fingerprint) {
      change.changed.push({ id, before: copy(old.read), after: copy(read) });
    }
    return entry;
  }

  #freeId(client: string, tool: string, maxLength: number) {
    for (const isHashed of [false, true]) {
      const id = (isHashed ? hashedName : plainName)(client, tool, maxLength);
      if (!this.#ids.has(id)) return { id, isHashed };
    }
    return undefined;
  }

  #told(change: McpToolChange) {
    if (isEmpty(change)) return change;
    try {
      Promise.resolve(this.#onChange?.(change)).catch(failed);
    } catch (error) {
      failed(error);
    }
    return change;
  }
}

const copy = ({ json }: Named): McpToolDefinition => JSON.parse(json);

const failed = (error: unknown) => log("error", "onChange of a set of MCP tools threw", error);

export const McpToolSet: typeof ToolSet = /* @__PURE__ */ guardedClass("McpToolSet", ToolSet, [
  "add",
  "refresh",
]);
export type McpToolSet = ToolSet;
