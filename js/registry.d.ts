/** A tool as apex-bridge's ToolDispatcher knows it. */
export interface ToolInfo {
  id: string;
  description: string;
  parameters?: { type: "object"; properties: Record<string, any>; required?: string[] };
  /**
   * Runs the tool.
   * @param args - The arguments.
   * @returns The output.
   */
  execute(
    args: Record<string, unknown>,
  ): Promise<{ output: string; metadata?: Record<string, any> }>;
}

/** Where whole outputs are put that are too long for a model. */
export interface OutputStore {
  /**
   * Saves a text of at most 64 MiB; gives what the model is shown: a path or a URI.
   * @param text - The text.
   * @param about - Whose output it is.
   * @returns A path or a URI.
   */
  save(text: string, about: { sessionID: string; callID: string; tool: string }): Promise<string>;
}

/** A call of a tool, as a model made it. */
export interface ToolCall {
  callID: string;
  tool: string;
  /** The arguments, parsed or as JSON text. */
  input?: unknown;
  /** The arguments as the model wrote them. */
  raw?: string;
  sessionID: string;
  messageID: string;
  agent?: string;
  /** Rules after those of the registry. */
  rules?: Permission.Ruleset[];
  abort?: Tool.Abort;
  extra?: Record<string, unknown>;
  messages?: WithParts[];
  /** A pending part to continue. */
  part?: ToolPart;
}

/**
 * A call that runs. Awaited, it gives the part in its last state, completed or error, and never rejects;
 * iterated, it gives every state in order, the last one included.
 */
export interface ToolRun extends PromiseLike<ToolPart>, AsyncIterable<ToolPart> {
  /** The part in its present state. */
  readonly part: ToolPart;
  /**
   * Stops the call: at once while it waits, after at most 3 s while the tool runs.
   * @param reason - Why, for the model.
   */
  abort(reason?: string): void;
}

/** What `ToolRegistry.execute` takes beside the call. */
export interface ExecuteOptions {
  /**
   * Gets the part in each state.
   * @param part - The part in its new state.
   */
  onState?(part: ToolPart): void;
  /** Checks the call before, and records its result: an interruption ends the call, a warning is in its metadata. */
  detector?: DoomLoopDetector;
  /**
   * The same with a recorder, which gets the call and its result: with the loops of its one message. Where a detector
   * is given too, for those of the whole run, either may interrupt.
   */
  recorder?: ReActRecorder;
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
export class ToolRegistry {
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
    /** Other names of tools. */
    aliases?: Record<string, string>;
    /** The failures in a row after which a tool is unhealthy; 3 by default. */
    unhealthyAfter?: number;
    /** The time after which an unhealthy tool gets one call to try, in milliseconds; 30 s by default. */
    recheckMs?: number;
  });
  /**
   * Adds a tool, in place of one with the same id, whose status stays; gives what it replaced.
   * @param tool - The tool.
   * @param type - Where it comes from; `builtin` by default.
   * @returns What it replaced, if anything.
   */
  register(tool: Tool.Info, type?: ToolType): Tool.Info | undefined;
  /**
   * Takes a tool out.
   * @param id - The id of the tool, or another name of it.
   * @returns `false` if there was none.
   */
  unregister(id: string): boolean;
  /**
   * The tool; `undefined` if there is none, or it is unhealthy.
   * @param id - The id of the tool, or another name of it.
   * @returns The tool, or `undefined`.
   */
  get(id: string): Tool.Info | undefined;
  /**
   * Whether there is such a tool, well or not.
   * @param id - The id of the tool, or another name of it.
   * @returns `true` if there is.
   */
  has(id: string): boolean;
  /**
   * All tools, in the order of their registration.
   * @returns The tools.
   */
  list(): Tool.Info[];
  /**
   * The tools of a type.
   * @param type - The type.
   * @returns The tools.
   */
  listByType(type: ToolType): Tool.Info[];
  /**
   * The ids of all tools.
   * @returns The ids.
   */
  ids(): string[];
  /**
   * How many tools there are.
   * @returns The number.
   */
  size(): number;
  /** Takes all tools out. */
  clear(): void;
  /**
   * The type of a tool.
   * @param id - The id of the tool, or another name of it.
   * @returns The type; `undefined` if there is no such tool.
   */
  getType(id: string): ToolType | undefined;
  /**
   * Sets the health of a tool.
   * @param id - The id of the tool, or another name of it.
   * @param status - The health.
   * @param error - Why it is not well.
   * @returns `false` if there is no such tool.
   */
  updateStatus(id: string, status: ToolStatus, error?: string): boolean;
  /**
   * Whether a tool is not known to be unhealthy.
   * @param id - The id of the tool, or another name of it.
   * @returns `false` if it is, and if there is no such tool.
   */
  isHealthy(id: string): boolean;
  /**
   * The tools that are unhealthy.
   * @returns The tools.
   */
  getUnhealthyTools(): Tool.Info[];
  /**
   * The tools for a prompt.
   * @returns A description of each.
   */
  listDescriptions(): Promise<ToolDescription[]>;
  /**
   * Keeps a tool for `getSimple`; it is not executed here.
   * @param tool - The tool.
   */
  registerSimple(tool: ToolInfo): void;
  /**
   * A tool that `registerSimple` keeps.
   * @param id - Its id.
   * @returns The tool, or `undefined`.
   */
  getSimple(id: string): ToolInfo | undefined;
  /**
   * What to send to the model: tools that are well, that the rules do not switch off, and that `user` has not.
   * @param context - The agent, which tools (`only`), and which the user switched on or off.
   * @returns Names, descriptions and JSON Schemas.
   */
  definitions(
    context?: Tool.InitContext & { only?: string[]; user?: Record<string, boolean> },
  ): Promise<{ name: string; description: string; inputSchema: JSONSchema }[]>;
  /**
   * Executes a call: checks its arguments, asks for permission, runs the tool. What goes wrong is in the part.
   * @param call - The call, as the model made it.
   * @param options - Who is told of states, and what looks for loops.
   * @returns The call under way: await it, or iterate its states.
   */
  execute(call: ToolCall, options?: ExecuteOptions): ToolRun;
}

/** A registry for programs that share one. */
export const toolRegistry: ToolRegistry;
