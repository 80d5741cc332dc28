// The registry: which tools there are, whether they are well, and the calls of them.
import { log } from "apex-parts:bridge";
import { toolsNearest } from "apex-parts:glue";
import { guardedClass, invalid, readOptions } from "./boundary.ts";
import { definitionError, messageOf } from "./errors.ts";
import { givesWay, moved } from "./other-id.ts";
import { PlacesByKey } from "./places.ts";
import { disabled } from "./rules.mjs";
import { Run } from "./run.mjs";
import { schemaOf } from "./schema.mjs";
import { checkDefinition } from "./tool.mjs";

export const ToolType = { BUILTIN: "builtin", SKILL: "skill", MCP: "mcp" };
export const ToolStatus = { HEALTHY: "healthy", UNHEALTHY: "unhealthy", UNKNOWN: "unknown" };

const SHOWN_NAMES = 50;

/** A name without what models get wrong: its case, and `-` for `_`. */
const folded = (id) => id.toLowerCase().replaceAll("_", "-");

const isDown = ({ status }) => status === ToolStatus.UNHEALTHY;

const number = (value, otherwise) => (Number.isFinite(value) && value >= 0 ? value : otherwise);

/** The call, read once: what a getter gives counts for all of it. */
function callOf(given) {
  const call = { ...given };
  for (const name of ["callID", "tool", "sessionID", "messageID"]) {
    if (typeof call[name] !== "string") throw invalid(`a call has a ${name}, which is a text`);
  }
  return call;
}

class Registry {
  /** By id: the tool, its type, its health. */
  #tools = new Map();
  #simple = new Map();
  /** The ids of tools of servers that gave way to built-ins, by the ids that they would have. */
  #moved = new Map();
  #options;
  #host;

  constructor(options) {
    this.#options = readOptions(options);
    const { rules, gate, store, maxConcurrency } = this.#options;
    this.#host = {
      rules: rules ?? [],
      gate,
      store,
      locks: new PlacesByKey(1),
      places: new PlacesByKey(Math.max(1, number(maxConcurrency, 8))),
      unknown: (id) => this.#unknown(id),
      initContext: (call) => this.#initContext(call),
      report: (id, health, error) => this.#report(id, health, error),
    };
  }

  /**
   * Adds a tool, or replaces the one with its id, whose status stays; gives what it replaced. Between a tool of
   * a server and one that is not, the latter has the id, and the former another one.
   */
  register(given, type = givesWay(given) ? ToolType.MCP : ToolType.BUILTIN) {
    if (typeof given?.id !== "string" || typeof given.init !== "function") {
      throw definitionError(given?.id, "a tool has an id and init()");
    }
    const tool = this.#placed(given, type);
    const known = this.#tools.get(tool.id);
    const { status = ToolStatus.UNKNOWN, error, faults = 0, downSince } = known ?? {};
    const names = Array.isArray(tool.aliases) ? [...tool.aliases] : [];
    this.#tools.set(tool.id, { tool, type, names, status, error, faults, downSince });
    return known?.tool;
  }

  /** The tool under the id that it gets. */
  #placed(tool, type) {
    const { id } = tool;
    const other = this.#tools.get(id);
    const isServers = type === ToolType.MCP;
    if (other === undefined || (other.type === ToolType.MCP) === isServers) return tool;
    const last = isServers ? tool : other.tool;
    if (!givesWay(last)) return tool;
    const away = moved(last);
    log("warn", `the tool ${id} of a server is named ${away.id}: another one has its name (MT-1)`);
    this.#moved.set(id, away.id);
    if (isServers) return away;
    this.#tools.delete(id);
    this.#tools.set(away.id, { ...other, tool: away });
    return tool;
  }

  /** Removes a tool; of one that gave way to a built-in, that one and not the built-in. */
  unregister(given) {
    const id = this.#moved.get(given) ?? given;
    this.#moved.delete(given);
    const isSimple = this.#simple.delete(id);
    return this.#tools.delete(id) || isSimple;
  }

  get(id) {
    const known = this.#tools.get(id);
    return known && !isDown(known) ? known.tool : undefined;
  }

  has(id) {
    return this.#tools.has(id);
  }

  list() {
    return [...this.#tools.values()].map(({ tool }) => tool);
  }

  listByType(type) {
    return [...this.#tools.values()].filter((known) => known.type === type).map(({ tool }) => tool);
  }

  ids() {
    return [...this.#tools.keys()];
  }

  size() {
    return this.#tools.size;
  }

  clear() {
    this.#tools.clear();
    this.#simple.clear();
    this.#moved.clear();
  }

  getType(id) {
    return this.#tools.get(id)?.type;
  }

  /** Keeps what ToolDispatcher of apex-bridge calls a simple tool; such a tool is not executed here. */
  registerSimple(tool) {
    this.#simple.set(tool.id, tool);
  }

  getSimple(id) {
    return this.#simple.get(id);
  }

  // ── Health ────────────────────────────────────────────────────────────────────────────────────

  updateStatus(id, status, error) {
    const known = this.#tools.get(id);
    if (!known) return false;
    const isDown = status === ToolStatus.UNHEALTHY;
    known.status = status;
    known.error = isDown ? error : undefined;
    known.downSince = isDown ? performance.now() : undefined;
    if (!isDown) known.faults = 0;
    return true;
  }

  isHealthy(id) {
    return this.#tools.get(id)?.status === ToolStatus.HEALTHY;
  }

  getUnhealthyTools() {
    const all = [...this.#tools.values()];
    return all.filter(({ status }) => status === ToolStatus.UNHEALTHY).map(({ tool }) => tool);
  }

  /** Whether a tool that is down may be tried once more: its time has come, and nobody tries it now. */
  #takeTrial(known) {
    const after = number(this.#options.recheckMs, 30_000);
    if (performance.now() - known.downSince < after) return false;
    known.downSince = performance.now();
    return true;
  }

  #report(id, health, error) {
    const known = this.#tools.get(id);
    if (!known) return;
    if (health === "completed") {
      this.updateStatus(id, ToolStatus.HEALTHY);
    } else if (health === "fault") {
      known.faults++;
      const most = Math.max(1, number(this.#options.unhealthyAfter, 3));
      if (known.faults >= most || isDown(known)) {
        this.updateStatus(id, ToolStatus.UNHEALTHY, error);
      }
    }
  }

  // ── Names ─────────────────────────────────────────────────────────────────────────────────────

  #find(id) {
    if (typeof id !== "string") return undefined;
    if (this.#tools.has(id)) return id;
    const { aliases } = this.#options;
    const alias = aliases !== undefined && Object.hasOwn(aliases, id) ? aliases[id] : undefined;
    if (this.#tools.has(alias)) return alias;
    for (const [own, { names }] of this.#tools) if (names.includes(id)) return own;
    return this.#findFolded(folded(id));
  }

  /** The only tool whose id, else the only one whose alias, is this name but for case and dashes. */
  #findFolded(wanted) {
    const isMeant = (name) => folded(name) === wanted;
    const ids = this.ids();
    let same = ids.filter(isMeant);
    if (same.length === 0) same = ids.filter((own) => this.#aliasesOf(own).some(isMeant));
    return same.length === 1 ? same[0] : undefined;
  }

  #aliasesOf(id) {
    const given = Object.entries(this.#options.aliases ?? {});
    const others = given.filter(([, own]) => own === id).map(([name]) => name);
    return [...(this.#tools.get(id)?.names ?? []), ...others];
  }

  #unknown(name) {
    const id = this.#find(name);
    const known = this.#tools.get(id);
    if (known) {
      const why = known.error === undefined ? "" : `: ${known.error}`;
      return `The ${id} tool is out of order${why}. Use another tool, or try again later.`;
    }
    const names = this.ids().filter((own) => !isDown(this.#tools.get(own)));
    const shown = names.slice(0, SHOWN_NAMES).join(", ");
    const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : "";
    const here = names.length === 0 ? "There are no tools here." : `Tools here: ${shown}${more}.`;
    const [nearest] = toolsNearest(String(name), names, 1);
    const closest = nearest === undefined ? "" : ` Closest: ${names[nearest]}.`;
    return `There is no tool named ${String(name)}. ${here}${closest}`;
  }

  // ── For the model ─────────────────────────────────────────────────────────────────────────────

  #initContext({ agent, rules }) {
    if (agent === undefined) return undefined;
    return { agent: { name: agent, ...(rules ? { permission: rules.flat() } : {}) } };
  }

  /** The definitions of the tools that are well; those that cannot be had are logged and left out. */
  async #defined(context, isWanted) {
    const defined = [];
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

  async definitions(context = {}) {
    const { agent, only, user } = context;
    const rules = [...this.#host.rules.flat(), ...(agent?.permission ?? [])];
    const off = disabled(this.ids(), rules);
    const isWanted = (id) => {
      if (off.has(id)) return false;
      // A message of OpenCode names the tools by its names.
      const names = [id, ...this.#aliasesOf(id)];
      if (only !== undefined && !names.some((name) => only.includes(name))) return false;
      return user?.[names.find((name) => user[name] !== undefined)] !== false;
    };
    const defined = await this.#defined(agent === undefined ? undefined : { agent }, isWanted);
    return defined.map(({ id, definition, schema }) => ({
      name: id,
      description: definition.description ?? "",
      inputSchema: schema,
    }));
  }

  async listDescriptions() {
    const defined = await this.#defined(undefined, () => true);
    return defined.map(({ id, definition, schema }) => {
      const required = Array.isArray(schema.required) ? schema.required : [];
      const parameters = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
        name,
        type: typeof property?.type === "string" ? property.type : "string",
        description: typeof property?.description === "string" ? property.description : "",
        required: required.includes(name),
      }));
      return { name: id, description: definition.description ?? "", parameters };
    });
  }

  /** Runs a call; what it gives never rejects. */
  execute(given, options) {
    const call = callOf(given);
    const id = this.#find(call.tool);
    const known = this.#tools.get(id);
    const mayRun = known !== undefined && (!isDown(known) || this.#takeTrial(known));
    const found = known && { id, info: mayRun ? known.tool : undefined };
    return new Run(this.#host, call, options, found).start();
  }
}

export const ToolRegistry = /* @__PURE__ */ guardedClass("ToolRegistry", Registry, [
  "definitions",
  "listDescriptions",
]);

/** A registry for programs that share one. */
export const toolRegistry = /* @__PURE__ */ new ToolRegistry();
