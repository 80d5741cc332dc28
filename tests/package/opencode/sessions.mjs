// Small sessions of our own, in OpenCode's shape, and what `opencode import` reads.
import { MODEL } from "../../../scripts/record/place.mjs";

/** Long ago: what OpenCode adds is newer. */
const START = 1_700_000_000_000;

export const PNG =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let histories = 0;

/** A history that grows message by message; ids and times rise. No id is in two of them: OpenCode can have them all. */
export class History {
  messages = [];
  #own = String(++histories).padStart(4, "0");
  #ids = 0;

  /** A time after everything so far. */
  now = () => START + this.messages.length * 60_000;
  /** An id after all others. */
  id = () => this.#own + String(++this.#ids).padStart(22, "0");
  #session = `ses_${this.id()}`;

  #add(info, parts) {
    const id = `msg_${this.id()}`;
    const message = {
      info: { id, sessionID: this.#session, ...info },
      parts: parts.map((part) => {
        return { id: `prt_${this.id()}`, sessionID: this.#session, messageID: id, ...part };
      }),
    };
    this.messages.push(message);
    return message;
  }

  /** A user's message: texts, and parts as they are. */
  user(...parts) {
    return this.#add(
      { role: "user", time: { created: this.now() }, agent: "build", model: MODEL },
      parts.map((part) => (typeof part === "string" ? { type: "text", text: part } : part)),
    );
  }

  /** A step of the assistant; with calls it is not the last of its turn. */
  step({ reasoning, text, calls = [], ...info }) {
    const created = this.now();
    const time = { start: created + 1, end: created + 2 };
    const parts = [{ type: "step-start" }];
    if (reasoning) parts.push({ type: "reasoning", text: reasoning, time });
    if (text) parts.push({ type: "text", text, time });
    for (const { name = "bash", input, ...state } of calls) {
      const done = { title: "", metadata: {} };
      const full = { status: "completed", input, time, ...(state.error ? {} : done), ...state };
      parts.push({ type: "tool", tool: name, callID: `call_${this.id()}`, state: full });
    }
    const finish = calls.length > 0 ? "tool-calls" : "stop";
    const tokens = { input: 100, output: 10, reasoning: 0, cache: { read: 0, write: 0 } };
    parts.push({ type: "step-finish", reason: finish, cost: 0, tokens });
    const parent = this.messages.findLast(({ info: { role } }) => role === "user");
    return this.#add(
      {
        role: "assistant",
        parentID: parent.info.id,
        ...MODEL,
        ...{ mode: "build", agent: "build", path: { cwd: "/", root: "/" }, cost: 0, tokens },
        ...{ time: { created, completed: created + 3 }, finish },
        ...info,
      },
      parts,
    );
  }
}

const prefixed = (prefix, id) => (id?.startsWith(prefix) ? id : `${prefix}${id}`);

/** A session as `opencode import` reads it. Ids get the prefixes that it demands, wherever they are named. */
export function exported(messages) {
  const sessionID = prefixed("ses_", messages[0].info.sessionID);
  const part = (messageID) => (one) => {
    const made = { ...one, id: prefixed("prt_", one.id), sessionID, messageID };
    if (one.tail_start_id) made.tail_start_id = prefixed("msg_", one.tail_start_id);
    return made;
  };
  const written = messages.map(({ info, parts }) => {
    const id = prefixed("msg_", info.id);
    const made = { ...info, id, sessionID };
    if (info.role === "assistant") made.parentID = prefixed("msg_", info.parentID);
    return { info: made, parts: parts.map(part(id)) };
  });
  const { created } = messages[0].info.time;
  const { created: updated } = messages.at(-1).info.time;
  return {
    info: {
      ...{ id: sessionID, slug: "small-session", title: "A small session", version: "1.18.33" },
      time: { created, updated },
    },
    messages: written,
  };
}
