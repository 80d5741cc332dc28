// The registry: which tools there are, whether they are well, and the calls of them.

import {
  type ExecuteOptions,
  type JSONSchema,
  type OutputStore,
  type Permission,
  type Tool,
  type ToolCall,
  type ToolDescription,
  type ToolInfo,
  type ToolRun,
  toolsNearest,
} from "apex-parts:glue";
import { log } from "apex-parts:shared";
import { guardedClass, invalid, isObject, readOptions } from "./boundary.ts";
import { definitionError, messageOf } from "./errors.ts";
import type { Gate } from "./gate.ts";
import { givesWay, moved } from "./other-id.ts";
import { PlacesByKey } from "./places.ts";
import { disabled } from "./rules.ts";
import { type Health, Run, type RunHost } from "./run.ts";
import { schemaOf } from "./schema.ts";
import { checkDefinition } from "./tool.ts";

/** Where a tool comes from. */
export type ToolType = "builtin" | "skill" | "mcp";
/** Where a tool comes from. */
export const ToolType: { BUILTIN: "builtin"; SKILL: "skill"; MCP: "mcp" } = {
  BUILTIN: "builtin",
  SKILL: "skill",
  MCP: "mcp",
};
/** Whether a tool works. */
export type ToolStatus = "healthy" | "unhealthy" | "unknown";
/** Whether a tool works. */
export const ToolStatus: { HEALTHY: "healthy"; UNHEALTHY: "unhealthy"; UNKNOWN: "unknown" } = {
  HEALTHY: "healthy",
  UNHEALTHY: "unhealthy",
  UNKNOWN: "unknown",
};

const SHOWN_NAMES = 50;

/** A name without what models get wrong: its case, and `-` for `_`. */
const folded = (id: string) => id.toLowerCase().replaceAll("_", "-");

/** What a registry knows of a tool. */
interface Known {
  tool: Tool.Info;
  type: ToolType;
  /** Its other names, as its author has them. */
  names: string[];
  status: ToolStatus;
  /** Why it is not well. */
  error: string | undefined;
  /** The failures in a row. */
  faults: number;
  /** Since when it is unhealthy. */
  downSince: number | undefined;
}

const isDown = ({ status }: Known) => status === ToolStatus.UNHEALTHY;

const number = (value: number | undefined, otherwise: number) =>
  value !== undefined && Number.isFinite(value) && value >= 0 ? value : otherwise;

/** The call, read once: what a getter gives counts for all of it. */
function callOf(given: ToolCall): ToolCall {
  const call = { ...given };
  for (const name of ["callID", "tool", "sessionID", "messageID"] as const) {
    if (typeof call[name] !== "string") throw invalid(`a call needs ${name}, a string`);
  }
  return call;
}

/**
 * The tools of a program, their health, and the calls of them.
 * @example
 * ```ts
 * const registry = new ToolRegistry({ rules: [Permission.fromConfig({ "*": "allow" })] });
 * registry.register(
 *   Tool.define("greet", {
 *     description: "Greets",
 *     parameters: { type: "object" },
 *     execute: async ({ name }) => ({ title: "Greets", output: `Hello ${name}` }),
 *   }),
 * );
 * const call = { callID: "c1", tool: "greet", input: { name: "Ann" }, sessionID: "s", messageID: "m" };
 * const { state } = await registry.execute(call);
 * state.status; // "completed"
 * ```
 */
class Registry {
  /** By id: the tool, its type, its health. */
  #tools = new Map<string, Known>();
  #simple = new Map<string, ToolInfo>();
  /** The ids of tools of servers that gave way to built-ins, by the ids that they would have. */
  #moved = new Map<string, string>();
  #options: NonNullable<ConstructorParameters<typeof Registry>[0]>;
  #host: RunHost;

  /**
   * Creates an empty registry.
   * @param options - Rules, where requests wait, and limits; times are in milliseconds.
   */
  constructor(options?: {
    /** Rules for every call; those of the call come after them. */
    rules?: Permission.Ruleset[];
    /** Where requests wait for a reply; without one they are denied. */
    gate?: Permission.Gate;
    store?: OutputStore;
    /** The calls of a session that run at once; 8 by default. */
    maxConcurrency?: number;
    /**
     * The time that a tool may take in a call, in milliseconds, if neither the tool nor the call says it; any by
     * default. A call that takes longer is aborted by its signal, and ends in an error of the kind `timeout`.
     */
    timeoutMs?: number;
    /** Other names of tools. */
    aliases?: Record<string, string>;
    /** The failures in a row after which a tool is unhealthy; 3 by default. */
    unhealthyAfter?: number;
    /** The time after which an unhealthy tool gets one call to try, in milliseconds; 30 s by default. */
    recheckMs?: number;
  }) {
    this.#options = readOptions(options);
    const { rules, gate, store, maxConcurrency, timeoutMs } = this.#options;
    this.#host = {
      rules: rules ?? [],
      gate: gate as Gate | undefined, // Every gate is of this package.
      store,
      timeoutMs,
      locks: new PlacesByKey(1),
      places: new PlacesByKey(Math.max(1, number(maxConcurrency, 8))),
      unknown: (name) => this.#unknown(name),
      initContext: (call) => this.#initContext(call),
      report: (id, health, error) => this.#report(id, health, error),
    };
  }

  /**
   * Adds a tool, or replaces the one with the same id, whose status stays.
   * @param tool - The tool.
   * @param type - Where it comes from; `builtin` by default.
   * @returns What it replaced, if anything.
   */
  register(
    tool: Tool.Info,
    type: ToolType = givesWay(tool) ? ToolType.MCP : ToolType.BUILTIN,
  ): Tool.Info | undefined {
    if (typeof tool?.id !== "string" || typeof tool.init !== "function") {
      throw definitionError(tool?.id, "a tool must have an id and init()");
    }
    const placed = this.#placed(tool, type);
    const before = this.#tools.get(placed.id);
    const names = Array.isArray(placed.aliases) ? [...placed.aliases] : [];
    const own = { tool: placed, type, names };
    const health = {
      status: ToolStatus.UNKNOWN,
      error: undefined,
      faults: 0,
      downSince: undefined,
    };
    this.#tools.set(placed.id, { ...health, ...before, ...own });
    return before?.tool;
  }

  /** The tool under the id that it gets. */
  #placed(tool: Tool.Info, type: ToolType): Tool.Info {
    const { id } = tool;
    const other = this.#tools.get(id);
    const isServers = type === ToolType.MCP;
    if (other === undefined || (other.type === ToolType.MCP) === isServers) return tool;
    const last = isServers ? tool : other.tool;
    if (!givesWay(last)) return tool;
    const away = moved(last);
    log(
      "warn",
      `the tool ${id} of a server is named ${away.id}: another tool has the same name (MT-1)`,
    );
    this.#moved.set(id, away.id);
    if (isServers) return away;
    this.#tools.delete(id);
    this.#tools.set(away.id, { ...other, tool: away });
    return tool;
  }

  /**
   * Takes a tool out. If a server's tool gave up this id to another tool, the server's tool is taken out.
   * @param id - The id of the tool.
   * @returns `false` if there was none.
   */
  unregister(id: string): boolean {
    // Of a tool that gave way to a built-in, that one and not the built-in.
    const own = this.#moved.get(id) ?? id;
    this.#moved.delete(id);
    const isSimple = this.#simple.delete(own);
    return this.#tools.delete(own) || isSimple;
  }

  /**
   * The tool; `undefined` if there is none, or it is unhealthy.
   * @param id - The id of the tool.
   * @returns The tool, or `undefined`.
   */
  get(id: string): Tool.Info | undefined {
    const entry = this.#tools.get(id);
    return entry && !isDown(entry) ? entry.tool : undefined;
  }

  /**
   * Whether a tool is registered, healthy or not.
   * @param id - The id of the tool.
   * @returns `true` if there is.
   */
  has(id: string): boolean {
    return this.#tools.has(id);
  }

  /**
   * All tools, in the order of their registration.
   * @returns The tools.
   */
  list(): Tool.Info[] {
    return [...this.#tools.values()].map(({ tool }) => tool);
  }

  /**
   * The tools of a type.
   * @param type - The type.
   * @returns The tools.
   */
  listByType(type: ToolType): Tool.Info[] {
    return [...this.#tools.values()].filter((known) => known.type === type).map(({ tool }) => tool);
  }

  /**
   * The ids of all tools.
   * @returns The ids.
   */
  ids(): string[] {
    return [...this.#tools.keys()];
  }

  /**
   * How many tools there are.
   * @returns The number.
   */
  size(): number {
    return this.#tools.size;
  }

  /** Takes all tools out. */
  clear(): void {
    this.#tools.clear();
    this.#simple.clear();
    this.#moved.clear();
  }

  /**
   * The type of a tool.
   * @param id - The id of the tool.
   * @returns The type; `undefined` if there is no such tool.
   */
  getType(id: string): ToolType | undefined {
    return this.#tools.get(id)?.type;
  }

  /**
   * Keeps a tool for `getSimple`; it is not executed here.
   * @param tool - The tool.
   */
  registerSimple(tool: ToolInfo): void {
    this.#simple.set(tool.id, tool);
  }

  /**
   * A tool that `registerSimple` keeps.
   * @param id - Its id.
   * @returns The tool, or `undefined`.
   */
  getSimple(id: string): ToolInfo | undefined {
    return this.#simple.get(id);
  }

  // ── Health ────────────────────────────────────────────────────────────────────────────────────

  /**
   * Sets the health of a tool.
   * @param id - The id of the tool.
   * @param status - The health.
   * @param error - Why it is not well.
   * @returns `false` if there is no such tool.
   */
  updateStatus(id: string, status: ToolStatus, error?: string): boolean {
    const entry = this.#tools.get(id);
    if (!entry) return false;
    const isDown = status === ToolStatus.UNHEALTHY;
    entry.status = status;
    entry.error = isDown ? error : undefined;
    entry.downSince = isDown ? performance.now() : undefined;
    if (!isDown) entry.faults = 0;
    return true;
  }

  /**
   * Whether a tool is known to work: its last call that counted was completed, or its status was set. A tool that has
   * not been called yet is not known to work; `get` and `definitions` leave out only tools that are unhealthy. A call
   * of an MCP tool counts against it if the server did not answer, answered too late or with what is no result; an
   * error that the server returns as a result, and an abort, do not count.
   * @param id - The id of the tool.
   * @returns `true` if it is known to work; `false` if that is not known, and if there is no such tool.
   */
  isHealthy(id: string): boolean {
    return this.#tools.get(id)?.status === ToolStatus.HEALTHY;
  }

  /**
   * The tools that are unhealthy.
   * @returns The tools.
   */
  getUnhealthyTools(): Tool.Info[] {
    const all = [...this.#tools.values()];
    return all.filter(({ status }) => status === ToolStatus.UNHEALTHY).map(({ tool }) => tool);
  }

  /** Whether a tool that is down may be tried once more: its time has come, and nobody tries it now. */
  #takeTrial(known: Known) {
    const after = number(this.#options.recheckMs, 30_000);
    if (performance.now() - (known.downSince ?? 0) < after) return false;
    known.downSince = performance.now();
    return true;
  }

  #report(id: string, health: Health, error: string | undefined) {
    const entry = this.#tools.get(id);
    if (!entry) return;
    if (health === "completed") {
      this.updateStatus(id, ToolStatus.HEALTHY);
    } else if (health === "fault") {
      entry.faults++;
      const most = Math.max(1, number(this.#options.unhealthyAfter, 3));
      if (entry.faults >= most || isDown(entry)) {
        this.updateStatus(id, ToolStatus.UNHEALTHY, error);
      }
    }
  }

  // ── Names ─────────────────────────────────────────────────────────────────────────────────────

  /** The tool that a model means by a name, with its id. */
  #find(name: string): [id: string, known: Known] | undefined {
    if (typeof name !== "string") return undefined;
    const { aliases } = this.#options;
    const alias = aliases !== undefined && Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    for (const id of [name, alias]) {
      const entry = id === undefined ? undefined : this.#tools.get(id);
      if (id !== undefined && entry !== undefined) return [id, entry];
    }
    const all = [...this.#tools];
    return all.find(([, { names }]) => names.includes(name)) ?? this.#findFolded(folded(name));
  }

  /** The only tool whose id, else the only one whose alias, is this name but for case and dashes. */
  #findFolded(wanted: string): [id: string, known: Known] | undefined {
    const isMeant = (name: string) => folded(name) === wanted;
    const all = [...this.#tools];
    let same = all.filter(([id]) => isMeant(id));
    if (same.length === 0) same = all.filter(([id]) => this.#aliasesOf(id).some(isMeant));
    return same.length === 1 ? same[0] : undefined;
  }

  #aliasesOf(id: string) {
    const aliases = Object.entries(this.#options.aliases ?? {});
    const others = aliases.filter(([, own]) => own === id).map(([name]) => name);
    return [...(this.#tools.get(id)?.names ?? []), ...others];
  }

  /** What a model reads that has named a tool which cannot run. */
  #unknown(name: string) {
    const [id, known] = this.#find(name) ?? [];
    if (known) {
      const why = known.error === undefined ? "" : `: ${known.error}`;
      return `The ${id} tool is currently unavailable${why}. Use another tool, or try again later.`;
    }
    const names = [...this.#tools].filter(([, known]) => !isDown(known)).map(([id]) => id);
    const list = names.slice(0, SHOWN_NAMES).join(", ");
    const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : "";
    const here =
      names.length === 0 ? "No tools are available." : `Available tools: ${list}${more}.`;
    const [nearest] = toolsNearest(String(name), names, 1);
    const closest = nearest === undefined ? "" : ` Closest: ${names[nearest]}.`;
    return `There is no tool named ${String(name)}. ${here}${closest}`;
  }

  // ── For the model ─────────────────────────────────────────────────────────────────────────────

  #initContext({ agent, rules }: ToolCall): Tool.InitContext | undefined {
    if (agent === undefined) return undefined;
    return { agent: { name: agent, ...(rules ? { permission: rules.flat() } : {}) } };
  }

  /** The definitions of the tools that are well; those that cannot be had are logged and left out. */
  async #defined(context: Tool.InitContext | undefined, isWanted: (id: string) => boolean) {
    const defined: { id: string; definition: Tool.Definition; schema: JSONSchema }[] = [];
    for (const [id, known] of [...this.#tools]) {
      if (isDown(known) || !isWanted(id)) continue;
      try {
        const definition = checkDefinition(id, await known.tool.init(context));
        defined.push({ id, definition, schema: schemaOf(id, definition).json });
      } catch (error) {
        log("warn", `the tool ${id} is left out of the list: ${messageOf(error)}`, error);
      }
    }
    return defined;
  }

  /**
   * What to send to the model: tools that are well, that the rules do not switch off, and that `user` has not.
   * @param context - The agent, which tools (`only`), and which the user switched on or off.
   * @returns Names, descriptions and JSON Schemas.
   */
  async definitions(
    context: Tool.InitContext & { only?: string[]; user?: Record<string, boolean> } = {},
  ): Promise<{ name: string; description: string; inputSchema: JSONSchema }[]> {
    const { agent, only, user } = context;
    const rules = [...this.#host.rules.flat(), ...(agent?.permission ?? [])];
    const off = disabled(this.ids(), rules);
    const isWanted = (id: string) => {
      if (off.has(id)) return false;
      // A message of OpenCode names the tools by its names.
      const names = [id, ...this.#aliasesOf(id)];
      if (only !== undefined && !names.some((name) => only.includes(name))) return false;
      const chosen = names.find((name) => user?.[name] !== undefined);
      return chosen === undefined || user?.[chosen] !== false;
    };
    const defined = await this.#defined(agent === undefined ? undefined : { agent }, isWanted);
    return defined.map(({ id, definition, schema }) => ({
      name: id,
      description: definition.description ?? "",
      inputSchema: schema,
    }));
  }

  /**
   * The tools for a prompt.
   * @returns A description of each.
   */
  async listDescriptions(): Promise<ToolDescription[]> {
    const defined = await this.#defined(undefined, () => true);
    return defined.map(({ id, definition, schema }) => {
      const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
      const parameters = Object.entries(schema.properties ?? {}).map(([name, one]) => {
        const { type, description } = isObject(one) ? one : {};
        return {
          name,
          type: typeof type === "string" ? type : "string",
          description: typeof description === "string" ? description : "",
          required: required.includes(name),
        };
      });
      return { name: id, description: definition.description ?? "", parameters };
    });
  }

  /**
   * Executes a call: checks its arguments, asks for permission, runs the tool. What goes wrong is in the part.
   * @param call - The call, as the model made it.
   * @param options - Who is told of states, what looks for loops, and how long it may take.
   * @returns The call under way: await it, or iterate its states.
   */
  execute(call: ToolCall, options?: ExecuteOptions): ToolRun {
    const own = callOf(call);
    const [id, known] = this.#find(own.tool) ?? [];
    const mayRun = known !== undefined && (!isDown(known) || this.#takeTrial(known));
    const named = id === undefined ? undefined : { id, info: mayRun ? known?.tool : undefined };
    return new Run(this.#host, own, options, named).start();
  }
}

export const ToolRegistry: typeof Registry = /* @__PURE__ */ guardedClass(
  "ToolRegistry",
  Registry,
  ["definitions", "listDescriptions"],
);

export type ToolRegistry = Registry;

/** A registry for programs that share one. */
export const toolRegistry: ToolRegistry = /* @__PURE__ */ new ToolRegistry();
