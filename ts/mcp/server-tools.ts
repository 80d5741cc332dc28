// The tools of a server in a set: its list, read and compared with the one before.

import type { Problem } from "apex-parts:glue";
import { problem } from "../problem.ts";
import { deferred } from "../tools/deferred.ts";
import { type Named, readDefinition } from "./definition.ts";
import { listTools } from "./list.ts";
import type { Server } from "./options.ts";
import type { McpToolChange, McpToolInfo } from "./types.ts";

/** Nobody reads more, and a hostile list has one for each tool. */
const MOST_PROBLEMS = 1000;
/** The time that reading definitions may hold up everything else, in milliseconds. */
const SLICE = 10;
/** Calls of refresh within this time are one, in milliseconds. */
const TOGETHER = 200;

/** Lets others have their turn when a slice of time is over. */
class Slices {
  #from = performance.now();

  async next(): Promise<void> {
    if (performance.now() - this.#from < SLICE) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.#from = performance.now();
  }
}

/** Problems of many tools; the last one says that there are more. */
export function addProblems(list: Problem[], found: Problem[]): void {
  for (const one of found) {
    if (list.length < MOST_PROBLEMS) list.push(one);
    else if (list.length === MOST_PROBLEMS) {
      list.push(problem("warning", "limit", `more than ${MOST_PROBLEMS} problems`));
    }
  }
}

/** A tool in a set. */
export interface SetTool {
  server: Server;
  read: Named;
  id: string;
  isHashed: boolean;
  /** Whether the server still has it. */
  offer: { isThere: boolean };
  info: McpToolInfo;
}

/** Puts a list that was read into the set, and gives the change; without a list, the problems alone. */
export type Commit = (
  server: ServerTools,
  found: Map<string, Named> | undefined,
  problems: Problem[],
) => McpToolChange;

export class ServerTools {
  /** The options of the server, as they were read. */
  server: Server;
  /** By the server's own names, in the order of its list. */
  tools: Map<string, SetTool> = new Map();
  #removing = new AbortController();
  /** The list that is being made, with all that was changed before it began. */
  #running: Promise<void> | undefined;
  #waiting: { promise: Promise<McpToolChange>; start: () => void } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #commit: Commit;

  constructor(server: Server, commit: Commit) {
    this.server = server;
    this.#commit = commit;
  }

  get isRemoved(): boolean {
    return this.#removing.signal.aborted;
  }

  /** The list is asked for at once. */
  load(): Promise<McpToolChange> {
    const listing = this.#list();
    const ended = () => {
      this.#running = undefined;
    };
    this.#running = listing.then(ended, ended);
    return listing;
  }

  /** The list is asked for once for all calls of this time; those that come later get another. */
  refresh(nothing: McpToolChange): Promise<McpToolChange> {
    if (this.#waiting !== undefined) return this.#waiting.promise;
    const { promise, resolve: start } = deferred<void>();
    const later = promise.then(async () => {
      // A list that began before the change does not have it.
      while (this.#running !== undefined) await this.#running;
      this.#waiting = undefined;
      return this.isRemoved ? nothing : this.load();
    });
    this.#timer = setTimeout(start, TOGETHER);
    this.#waiting = { promise: later, start };
    return later;
  }

  /** Ends what is under way; its lists are dropped. */
  remove(): void {
    clearTimeout(this.#timer);
    this.#removing.abort(new Error("the server was removed"));
    this.#waiting?.start();
  }

  async #list() {
    const { tools, problems, failed } = await listTools(this.server, this.#removing.signal);
    if (failed) return this.#commit(this, undefined, problems);
    const definitions = await this.#read(tools, problems);
    return this.#commit(this, definitions, problems);
  }

  /** The definitions, by name; one that is as it was stays the same object. */
  async #read(list: unknown[], problems: Problem[]) {
    const definitions = new Map<string, Named>();
    const slices = new Slices();
    for (const [index, tool] of list.entries()) {
      await slices.next();
      if (this.isRemoved) return definitions;
      const read = readDefinition(tool, this.server.schema);
      const { name } = read;
      const at = (one: Problem) => ({ ...one, path: `/tools/${index}${one.path}` });
      if (typeof name !== "string" || name === "") {
        addProblems(problems, [at(problem("error", "MN-1", "a tool without a name is left out"))]);
        continue;
      }
      addProblems(problems, read.problems.map(at));
      if (read.isLeftOut) continue;
      if (definitions.has(name)) {
        const why = `the tool ${name} is listed twice; the first one is used`;
        addProblems(problems, [at(problem("warning", "MT-1", why))]);
        continue;
      }
      const before = this.tools.get(name)?.read;
      definitions.set(name, before?.json === read.json ? before : { ...read, name });
    }
    return definitions;
  }
}
