// McpToolSet: the tools of several servers, each id once.
import { log } from "apex-parts:bridge";
import { problem } from "../problem.ts";
import { guardedClass, invalid, readOptions } from "../tools/boundary.ts";
import { toolInfo } from "./convert.ts";
import { hashedName, plainName } from "./name.ts";
import { readServer } from "./options.ts";
import { addProblems, ServerTools } from "./server-tools.ts";

const noChange = () => ({ added: [], removed: [], changed: [], problems: [] });

const isEmpty = (change) => Object.values(change).every(({ length }) => length === 0);

class ToolSet {
  /** By name, in the order added. */
  #servers = new Map();
  /** By id: `{ client, tool }`. */
  #ids = new Map();
  #onChange;

  constructor(options) {
    const { onChange } = readOptions(options);
    if (onChange !== undefined && typeof onChange !== "function") {
      throw invalid("onChange is a function");
    }
    this.#onChange = onChange;
  }

  /** Adds a server; one of the same name gets the client and the options, and keeps its place. */
  async add(client, options) {
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

  async refresh(clientName) {
    const known = this.#servers.get(clientName);
    if (known !== undefined) return known.refresh(noChange());
    // A note that its list has changed may come after the server was removed.
    const message = `there is no server named ${String(clientName)}`;
    return { ...noChange(), problems: [problem("warning", "schema", message)] };
  }

  remove(clientName) {
    const change = noChange();
    const known = this.#servers.get(clientName);
    if (known === undefined) return change;
    known.remove();
    this.#servers.delete(clientName);
    for (const tool of known.tools.values()) this.#drop(tool, change);
    return this.#told(change);
  }

  tools() {
    const infos = [];
    for (const { tools } of this.#servers.values()) {
      for (const { info } of tools.values()) infos.push(info);
    }
    return infos;
  }

  resolve(id) {
    const found = this.#ids.get(id) ?? this.#moved(id);
    return found === undefined ? null : { ...found };
  }

  /** The tool that a registry has under the form with the hash, because a built-in has its id. */
  #moved(id) {
    if (typeof id !== "string" || !/_[a-z2-7]{13}$/.test(id)) return undefined;
    for (const [client, { server, tools }] of this.#servers) {
      for (const tool of tools.keys()) {
        if (hashedName(client, tool, server.maxNameLength) === id) return { client, tool };
      }
    }
    return undefined;
  }

  #drop(tool, change) {
    tool.offer.isThere = false;
    this.#ids.delete(tool.id);
    change.removed.push(tool.id);
  }

  /** Puts a list in the place of the one before: at once, and after all of it was read. */
  #commit(server, found, problems) {
    const change = noChange();
    if (this.#servers.get(server.server.clientName) !== server) return change;
    addProblems(change.problems, problems);
    if (found === undefined) return this.#told(change);
    const before = server.tools;
    for (const [name, tool] of before) if (!found.has(name)) this.#drop(tool, change);
    const tools = new Map();
    for (const [name, read] of found) {
      const old = before.get(name);
      if (old?.read === read && old.server === server.server) {
        tools.set(name, old);
        continue;
      }
      const made = this.#made(server.server, read, old, change);
      if (made !== undefined) tools.set(name, made);
    }
    server.tools = tools;
    return this.#told(change);
  }

  /** The tool in the set; undefined if no id is left for it. */
  #made(server, read, old, change) {
    const { clientName, maxNameLength } = server;
    const { name } = read;
    if (old !== undefined && old.server.maxNameLength !== maxNameLength) {
      this.#drop(old, change);
      return this.#made(server, read, undefined, change);
    }
    const { id, isHashed } = old ?? this.#freeId(clientName, name, maxNameLength) ?? {};
    if (id === undefined) {
      const why = `the tool ${name} of ${clientName} is left out: other tools have its name`;
      addProblems(change.problems, [problem("error", "MT-1", why)]);
      return undefined;
    }
    const own = [];
    if (isHashed) {
      const why = `the tool ${name} of ${clientName} is named ${id}: another one has its name`;
      own.push(problem("warning", "MT-1", why));
      addProblems(change.problems, own);
    }
    // Who holds the tool as it was can call it, until the server removes it.
    const offer = old?.offer ?? { isThere: true };
    const info = toolInfo(server, read, id, own, () => offer.isThere);
    const made = { server, read, id, isHashed, offer, info };
    this.#ids.set(id, { client: clientName, tool: name });
    if (old === undefined) change.added.push(id);
    else if (old.read.fingerprint !== read.fingerprint) {
      change.changed.push({ id, before: copy(old.read), after: copy(read) });
    }
    return made;
  }

  #freeId(client, tool, maxLength) {
    for (const [name, isHashed] of [
      [plainName, false],
      [hashedName, true],
    ]) {
      const id = name(client, tool, maxLength);
      if (!this.#ids.has(id)) return { id, isHashed };
    }
    return undefined;
  }

  #told(change) {
    if (isEmpty(change)) return change;
    try {
      const shown = this.#onChange?.(change);
      if (typeof shown?.then === "function") shown.then(undefined, failed);
    } catch (error) {
      failed(error);
    }
    return change;
  }
}

const copy = ({ json }) => JSON.parse(json);

const failed = (error) => log("error", "onChange of a set of MCP tools threw", error);

export const McpToolSet = /* @__PURE__ */ guardedClass("McpToolSet", ToolSet, ["add", "refresh"]);
