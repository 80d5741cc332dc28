// Makes a long session of a recorded one: the whole session is repeated, every id and parent of copy k ends in `-k`, and
// each copy hangs on the last line of the one before. So the result is one session with k times the messages, calls and
// tokens. Ids of the session stay; what a session counts up to its end goes on counting.

import { isDocument } from "./lib/texts-of.mjs";

/** The arguments of calls, whose fields are the model's. */
const ARGUMENTS = new Set(["input", "arguments", "args"]);

/** Copies a value: `change` gives what becomes of a field, undefined if it is to be looked into. */
function copied(value, change) {
  if (Array.isArray(value)) return value.map((item) => copied(item, change));
  if (typeof value !== "object" || value === null) return value;
  const copy = {};
  for (const key in value) {
    const changed = ARGUMENTS.has(key) ? value[key] : change(key, value[key]);
    copy[key] = changed === undefined ? copied(value[key], change) : changed;
  }
  return copy;
}

/** The sum of a value's numbers and `times` those of another. */
function grown(value, last, times) {
  if (typeof value === "number") return value + times * (last ?? 0);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item, i) => grown(item, last?.[i], times));
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, own]) => [key, grown(own, last?.[key], times)]));
}

/** Calls `found` for every field of a value, but for those in fields of which it returns true. */
function eachField(value, found) {
  if (typeof value !== "object" || value === null) return;
  for (const key in value) if (!found(key, value[key])) eachField(value[key], found);
}

const suffixed = (id, k) => (k === 0 ? id : `${id}-${k}`);

/** The last value of each field that counts up to the end of the session. */
function lastTotals(records, names) {
  const last = {};
  eachField(records, (key, value) => {
    const isTotal = names.includes(key);
    if (isTotal) last[key] = value;
    return isTotal;
  });
  return last;
}

/** What becomes of the fields of copy k. */
function changes({ ids, totals = [], keeps = [] }, records, k) {
  const names = new Set(ids);
  const kept = new Set(keeps);
  const last = lastTotals(records, totals);
  return (key, value) => {
    if (totals.includes(key)) return grown(value, last[key], k);
    if (!names.has(key)) return undefined;
    if (typeof value === "string") return kept.has(value) ? value : suffixed(value, k);
    const isList = Array.isArray(value) && value.every((item) => typeof item === "string");
    return isList ? value.map((item) => suffixed(item, k)) : undefined;
  };
}

/** Formats of which each line is a record. `id` and `parent` are the fields that make the lines a tree. */
const LINES = {
  codex: {
    ids: [
      ...["id", "call_id", "turn_id", "root_turn_id", "parent_turn_id", "response_id"],
      ...["process_id", "message_id", "thread_id", "sender_thread_id"],
    ],
    totals: ["total_token_usage"],
    order: "ordinal",
    // Bare items were written behind a head without a type.
    isHead: ({ type, id, timestamp }) => type === "session_meta" || (!type && id && timestamp),
    ownIds: ([{ id, session_id, payload }]) => [id, session_id, payload?.id, payload?.session_id],
  },
  "claude-code": {
    ids: [
      ...["uuid", "parentUuid", "logicalParentUuid", "leafUuid", "sourceToolAssistantUUID"],
      ...["id", "tool_use_id", "toolUseID", "parentToolUseID", "promptId", "requestId"],
      ...["agentId", "base"],
    ],
    totals: ["modelUsage", "totalCostUSD"],
    id: "uuid",
    parent: "parentUuid",
    // Sub-agents begin anew, and so does what follows a compaction. A file of a sub-agent is its session.
    isAlone: ({ isSidechain, logicalParentUuid }, [first]) =>
      (isSidechain && !first.isSidechain) || Boolean(logicalParentUuid),
    ownIds: ([first]) => (first.isSidechain ? [first.agentId] : []),
  },
  pi: {
    ids: [
      ...["id", "parentId", "fromId", "firstKeptEntryId", "targetId", "toolCallId", "responseId"],
    ],
    id: "id",
    parent: "parentId",
    isHead: ({ type }) => type === "session",
  },
  "gemini-cli": {
    ids: ["id", "agentId", "$rewindTo"],
    isHead: ({ type, sessionId }) => !type && Boolean(sessionId),
    // The messages of such a line would replace those of the copies before.
    unfolded: (record) => record.$set?.messages ?? [record],
  },
  "copilot-cli": {
    ids: [
      ...["id", "parentId", "upToEventId", "messageId", "originatingMessageId", "toolCallId"],
      ...["parentToolCallId", "reasoningId", "requestId", "interactionId", "apiCallId", "usageId"],
      ...["agentId", "agent_id", "parentAgentTaskId", "hookInvocationId"],
    ],
    totals: ["modelMetrics", "providerModelMetrics", "agentMetrics"],
    id: "id",
    parent: "parentId",
    isHead: ({ type }) => type === "session.start",
  },
  // A request in each line.
  "messages-anthropic": { ids: ["id", "tool_use_id"] },
  "messages-openai-chat": { ids: ["id", "tool_call_id"] },
};

function repeatedMessages(whole, each) {
  return Array.isArray(whole) ? each(whole) : { ...whole, messages: each(whole.messages) };
}

const jsonLines = (records) => `${records.map((record) => JSON.stringify(record)).join("\n")}\n`;

/** The records of copy k: without heads, with ids of their own, and hung on the last line of the copy before. */
function recordsOfCopy(records, rules, k) {
  const { id, parent, order, isHead = () => false, isAlone = () => false } = rules;
  const { unfolded = (record) => [record], ownIds = () => [] } = rules;
  const change = changes({ ...rules, keeps: ownIds(records).filter(Boolean) }, records, k);
  const lines = records.filter((record) => !isHead(record));
  const known = new Set(lines.map((line) => line[id]));
  const isLink = (record) => typeof record[id] === "string" && !isAlone(record, records);
  const last = lines.findLast(isLink);
  const orders = records.map((record) => record[order]).filter(Number.isFinite);
  return lines.flatMap(unfolded).map((record) => {
    const copy = copied(record, change);
    if (parent !== undefined && parent in record && isLink(record) && !known.has(record[parent])) {
      copy[parent] = suffixed(last[id], k - 1);
    }
    if (Number.isFinite(record[order])) copy[order] += k * (Math.max(...orders) + 1);
    return copy;
  });
}

function scaledLines(text, rules, times) {
  const records = text.split("\n").filter(Boolean).map(JSON.parse);
  const copies = [text.endsWith("\n") ? text : `${text}\n`];
  for (let k = 1; k < times; k++) copies.push(jsonLines(recordsOfCopy(records, rules, k)));
  return copies.join("");
}

/** Formats that are one document: each gives the document of so many copies, from a function that makes a copy. */
const DOCUMENTS = {
  "gemini-cli": {
    ids: LINES["gemini-cli"].ids,
    repeated: (whole, each) => ({ ...whole, messages: each(whole.messages) }),
  },
  inspect: {
    ids: ["id", "tool_call_id", "message_id", "uuid", "span_id", "parent_id"],
    repeated: (whole, each, times) => ({
      ...grownIn(whole, "stats", times),
      samples: whole.samples.map((sample) => ({
        ...grownIn(sample, "model_usage", times),
        messages: each(sample.messages),
        ...(sample.events && { events: each(sample.events) }),
      })),
    }),
  },
  // What a history begins with comes first for all copies: only behind it are steps.
  "swe-agent": {
    ids: ["id", "tool_call_id", "tool_call_ids"],
    repeated: (whole, each, times) => {
      const { trajectory, history = [] } = whole;
      const first = history.findIndex(({ role, is_demo }) => role === "assistant" && !is_demo);
      const heads = first < 0 ? history.length : first;
      const repeated = [...each(history.slice(0, heads)), ...each(history.slice(heads))];
      return {
        ...whole,
        ...(trajectory && { trajectory: each(trajectory) }),
        ...(whole.history && { history: repeated }),
        ...(whole.info && { info: grownIn(whole.info, "model_stats", times) }),
      };
    },
  },
  // The messages themselves, or the body of a request.
  "messages-anthropic": { ids: LINES["messages-anthropic"].ids, repeated: repeatedMessages },
  "messages-openai-chat": { ids: LINES["messages-openai-chat"].ids, repeated: repeatedMessages },
};

const grownIn = (value, key, times) =>
  value[key] === undefined ? value : { ...value, [key]: grown(value[key], value[key], times - 1) };

/** As JSON, in lines if the text of another is. */
const like = (text, value) => {
  const [, indent] = /^[[{]\r?\n( +)/.exec(text) ?? [];
  return `${JSON.stringify(value, null, indent)}\n`;
};

function scaledDocument(text, rules, times) {
  const document = JSON.parse(text);
  const each = (list) =>
    Array.from({ length: times }, (_, k) =>
      k === 0 ? list : copied(list, changes(rules, list, k)),
    ).flat();
  return like(text, rules.repeated(document, each, times));
}

const OPENCODE_ID = /^(evt|msg|prt)_([0-9a-f]{12})(\w{14})$/;
const OPENCODE_SESSION = /^ses_\w{26}$/;

/** What becomes of OpenCode's ids, which sort by their times: each copy is later than the one before. */
function opencodeChanges(value, main) {
  const times = [];
  eachField(value, (_, id) => {
    const [, , time] = (typeof id === "string" && OPENCODE_ID.exec(id)) || [];
    if (time) times.push(Number.parseInt(time, 16));
    return false;
  });
  const [first, last] = times.reduce(
    ([least, most], time) => [Math.min(least, time), Math.max(most, time)],
    [Number.POSITIVE_INFINITY, 0],
  );
  return (k) => (key, id) => {
    if (typeof id !== "string") return undefined;
    if (key === "callID") return suffixed(id, k);
    const [, kind, time, rest] = OPENCODE_ID.exec(id) ?? [];
    if (kind) {
      const later = Number.parseInt(time, 16) + k * (last - first + 1);
      return `${kind}_${later.toString(16).padStart(12, "0")}${rest}`;
    }
    // A sub-agent's session.
    if (OPENCODE_SESSION.test(id) && id !== main) {
      return id.slice(0, -4) + k.toString(36).padStart(4, "0");
    }
    return undefined;
  };
}

function scaledExport(text, times) {
  const whole = JSON.parse(text);
  const { info, messages } = whole;
  const change = opencodeChanges(messages, info.id);
  const all = Array.from({ length: times }, (_, k) =>
    k === 0 ? messages : copied(messages, change(k)),
  ).flat();
  const counted = grownIn(grownIn(info, "tokens", times), "cost", times);
  return like(text, { ...whole, info: counted, messages: all });
}

function scaledEvents(text, times) {
  const events = text
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => JSON.parse(line.slice(5)));
  const sessions = events.map((event) => (event.payload ?? event).properties?.info);
  const main = sessions.find((info) => info?.id?.startsWith("ses_") && !info.parentID);
  const change = opencodeChanges(events, main?.id);
  const totals = {};
  for (const info of sessions) {
    if (info?.id !== main?.id) continue;
    for (const name of ["tokens", "cost"]) if (info?.[name]) totals[name] = info[name];
  }
  const copies = [text.endsWith("\n\n") ? text : `${text.trimEnd()}\n\n`];
  for (let k = 1; k < times; k++) {
    for (const event of events) {
      const copy = copied(event, change(k));
      const { info } = (copy.payload ?? copy).properties ?? {};
      if (main && info?.id === main.id) {
        for (const name in totals) info[name] = grown(info[name] ?? 0, totals[name], k);
      }
      copies.push(`data: ${JSON.stringify(copy)}\n\n`);
    }
  }
  return copies.join("");
}

/** The formats of which sessions can be repeated. */
export const SCALED = [
  ...new Set([...Object.keys(LINES), ...Object.keys(DOCUMENTS), "opencode-export"]),
  "opencode-events",
].sort();

/**
 * The bytes of a session that is repeated so many times.
 *
 * @param {Uint8Array} bytes
 * @param {string} format as `Transcript` names it
 * @param {number} times
 */
export function scaled(bytes, format, times) {
  if (!SCALED.includes(format)) throw new Error(`sessions of ${format} cannot be repeated`);
  if (times === 1) return Buffer.from(bytes);
  const text = Buffer.from(bytes).toString();
  if (format === "opencode-export") return Buffer.from(scaledExport(text, times));
  if (format === "opencode-events") return Buffer.from(scaledEvents(text, times));
  const isWhole = DOCUMENTS[format] && (!LINES[format] || isDocument(bytes));
  const rules = isWhole ? DOCUMENTS[format] : LINES[format];
  const make = isWhole ? scaledDocument : scaledLines;
  return Buffer.from(make(text, rules, times));
}

/** How often a session is to be repeated to have about so many bytes. */
export const timesFor = (bytes, size = 12e6) => Math.max(1, Math.round(size / bytes.length));
