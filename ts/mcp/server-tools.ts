// The tools of a server in a set: its list, read and compared with the one before.

import { problem } from "../problem.ts";
import { readDefinition } from "./definition.ts";
import { listTools } from "./list.ts";

/** Nobody reads more, and a hostile list has one for each tool. */
const MOST_PROBLEMS = 1000;
/** The time that reading definitions may hold up everything else, in milliseconds. */
const SLICE = 10;
/** Calls of refresh within this time are one, in milliseconds. */
const TOGETHER = 200;

/** Lets others have their turn when a slice of time is over. */
class Slices {
  #from = performance.now();

  async next() {
    if (performance.now() - this.#from < SLICE) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.#from = performance.now();
  }
}

/** Problems of many tools; the last one says that there are more. */
export function addProblems(list, found) {
  for (const one of found) {
    if (list.length < MOST_PROBLEMS) list.push(one);
    else if (list.length === MOST_PROBLEMS) {
      list.push(problem("warning", "limit", `more than ${MOST_PROBLEMS} problems`));
    }
  }
}

export class ServerTools {
  /** The options of the server, as they were read. */
  server;
  /** By the server's own names, in the order of its list: `{ server, read, id, isHashed, offer, info }`. */
  tools = new Map();
  #removing = new AbortController();
  /** The list that is being made, with all that was changed before it began. */
  #running;
  #waiting;
  #timer;
  #commit;

  /** `commit(this, tools, problems)` puts a list that was read into the set, and gives the change. */
  constructor(server, commit) {
    this.server = server;
    this.#commit = commit;
  }

  get isRemoved() {
    return this.#removing.signal.aborted;
  }

  /** The list is asked for at once. */
  load() {
    const listing = this.#list();
    const ended = () => {
      this.#running = undefined;
    };
    this.#running = listing.then(ended, ended);
    return listing;
  }

  /** The list is asked for once for all calls of this time; those that come later get another. */
  refresh(nothing) {
    if (this.#waiting !== undefined) return this.#waiting.promise;
    let start;
    const promise = new Promise((resolve) => {
      start = resolve;
    });
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
  remove() {
    clearTimeout(this.#timer);
    this.#removing.abort(new Error("the server was removed"));
    this.#waiting?.start();
  }

  async #list() {
    const { tools, problems, failed } = await listTools(this.server, this.#removing.signal);
    if (failed) return this.#commit(this, undefined, problems);
    const found = await this.#read(tools, problems);
    return this.#commit(this, found, problems);
  }

  /** The definitions, by name; one that is as it was stays the same object. */
  async #read(list, problems) {
    const found = new Map();
    const slices = new Slices();
    for (const [index, tool] of list.entries()) {
      await slices.next();
      if (this.isRemoved) return found;
      const read = readDefinition(tool, this.server.schema);
      const { name } = read;
      const at = (one) => ({ ...one, path: `/tools/${index}${one.path}` });
      if (typeof name !== "string" || name === "") {
        addProblems(problems, [at(problem("error", "MN-1", "a tool without a name is left out"))]);
        continue;
      }
      addProblems(problems, read.problems.map(at));
      if (read.isLeftOut) continue;
      if (found.has(name)) {
        const why = `the tool ${name} is listed twice, and the first one counts`;
        addProblems(problems, [at(problem("warning", "MT-1", why))]);
        continue;
      }
      const before = this.tools.get(name)?.read;
      found.set(name, before?.json === read.json ? before : read);
    }
    return found;
  }
}
