// Writes a session in each format: the text before the messages, each message, and the text after.

import { AGENTS } from "./agents/index.mjs";
import { MESSAGE_ARRAYS } from "./message-arrays.mjs";

const iso = (ms) => new Date(ms).toISOString();
const line = (value) => `${JSON.stringify(value)}\n`;

/** The text in pieces of the size that models send, without cutting surrogate pairs. */
function* pieces(text, length) {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + length);
    const last = text.charCodeAt(end - 1);
    if (last >= 0xd800 && last < 0xdc00) end++;
    yield text.slice(at, end);
    at = end;
  }
}

/** The separator between the messages of an array. */
const between = (state) => (state.count++ === 0 ? "\n" : ",\n");

/** An export, indented as by OpenCode. */
const opencodeExport = {
  ids: "opencode",
  head: (session) => {
    const info = JSON.stringify(session.info(), null, 2).replaceAll("\n", "\n  ");
    return `{\n  "info": ${info},\n  "messages": [`;
  },
  message: (message, state) =>
    `${between(state)}    ${JSON.stringify(message, null, 2).replaceAll("\n", "\n    ")}`,
  foot: () => "\n  ]\n}\n",
};

/** The states of calls as records of OpenCode 2 have them. */
const RECORD_STATES = {
  completed: ({ input, output, metadata }) => {
    return { status: "completed", input, content: [{ type: "text", text: output }], metadata };
  },
  error: ({ input, error }) => {
    return { status: "error", input, error: { type: "tool.execution", message: error } };
  },
  running: ({ input }) => ({ status: "running", input, metadata: {}, content: [] }),
};

/** The items of a record for a part; none for what is said elsewhere in it. */
function itemsOf({ type, text, time, callID, tool, state }) {
  if (type === "text") return [{ type, text }];
  if (type === "reasoning") {
    return [{ type, text, time: { created: time.start, completed: time.end } }];
  }
  if (type !== "tool") return [];
  const { start, end } = state.time;
  const own = RECORD_STATES[state.status](state);
  const clock = { created: start, ran: start, ...(end && { completed: end }) };
  return [{ type, id: callID, name: tool, state: own, time: clock }];
}

function recordOf({ info, parts }) {
  const { id, time, agent } = info;
  if (info.role === "user") {
    const texts = parts.filter(({ type }) => type === "text").map(({ text }) => text);
    const files = parts.filter(({ type, url }) => type === "file" && url.startsWith("data:"));
    const own = files.map(({ mime, url, filename }) => {
      const data = url.slice(url.indexOf(",") + 1);
      return { data, mime, source: { type: "inline" }, ...(filename && { name: filename }) };
    });
    const text = texts.join("\n\n");
    return { id, type: "user", text, ...(own.length > 0 && { files: own }), time };
  }
  const { cost, tokens, finish, error, modelID, providerID } = info;
  const { total: _, ...counts } = tokens;
  const failed = error && { error: { type: "provider.error", message: error.data.message } };
  return {
    ...{ id, type: "assistant", agent, model: { id: modelID, providerID } },
    content: parts.flatMap(itemsOf),
    ...(finish && { finish }),
    ...{ cost, tokens: counts, ...failed, time },
  };
}

/** An export of OpenCode 2. */
const opencode2Export = {
  ids: "opencode",
  head: (session) => {
    const { id, projectID, title, time, directory } = session.info();
    const info = { id, projectID, title, time, location: { directory } };
    return `{\n  "info": ${JSON.stringify(info)},\n  "messages": [`;
  },
  message: (message, state) =>
    `${between(state)}    ${JSON.stringify(recordOf(message), null, 2).replaceAll("\n", "\n    ")}`,
  foot: () => "\n  ]\n}\n",
};

const withParts = {
  ids: "uuid",
  head: () => "",
  message: (message) => line(message),
  foot: () => "",
};

const withPartsArray = {
  ids: "uuid",
  head: () => "[",
  message: (message, state) => between(state) + JSON.stringify(message),
  foot: () => "\n]\n",
};

/** The name under which the model sees a file. */
const fileOf = ({ mime, url, filename }) =>
  mime.startsWith("image/")
    ? { kind: "image", payload: { mimeType: mime, url } }
    : { kind: "file_ref", payload: { path: filename ?? url, mimeType: mime } };

/** The tokens of a step as counted by deltas: all input, all output. */
function usageOf({ tokens, cost }) {
  const inputTokens = tokens.input + tokens.cache.read + tokens.cache.write;
  const outputTokens = tokens.output + tokens.reasoning;
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, cost };
}

/** Converts a message with parts to messages of a run. */
function* runOf({ info, parts }) {
  const runId = info.sessionID;
  const own = [];
  const results = [];
  for (const part of parts) {
    if (part.type === "text") own.push({ kind: "text", payload: { text: part.text } });
    if (part.type === "reasoning") own.push({ kind: "thinking", payload: { text: part.text } });
    if (part.type === "file") own.push(fileOf(part));
    if (part.type === "tool") {
      const { callID: toolCallId, tool: toolName, state } = part;
      own.push({ kind: "tool_call", payload: { toolCallId, toolName, arguments: state.input } });
      if (state.status === "running") continue;
      const isError = state.status === "error";
      const payload = { toolCallId, isError, content: isError ? state.error : state.output };
      results.push({ end: state.time.end, part: { kind: "tool_result", payload } });
    }
  }
  if (own.length === 0) return;
  const { modelID: modelId, finish: finishReason } = info;
  const meta = info.role === "assistant" && { modelId, finishReason, usage: usageOf(info) };
  const timestamp = iso(info.time.created);
  yield { runId, role: info.role, parts: own, timestamp, ...(meta ? { meta } : {}) };
  for (const { end, part } of results) {
    yield { runId, role: "tool", parts: [part], timestamp: iso(end) };
  }
}

const messages = {
  ids: "uuid",
  head: () => "",
  message: (message) => [...runOf(message)].map(line).join(""),
  foot: () => "",
};

/** Deltas as NDJSON: one response for each message of the assistant. */
const deltas = {
  ids: "uuid",
  head: () => "",
  message: ({ info, parts }) => {
    if (info.role === "user" || info.error) return "";
    let seq = 0;
    let out = "";
    const said = (time, kind, payload) => {
      out += line({ runId: info.id, seq: ++seq, kind, payload, timestamp: iso(time) });
    };
    const { created, completed = created + 1000 } = info.time;
    said(created, "start", { modelId: info.modelID, requestId: `req_${info.id}` });
    for (const part of parts) {
      if (part.type === "text" || part.type === "reasoning") {
        const kind = part.type === "text" ? "text" : "thinking";
        for (const textDelta of pieces(part.text, 24)) said(part.time.start, kind, { textDelta });
      } else if (part.type === "tool") {
        const { callID: toolCallId, tool: toolName, state } = part;
        const at = state.time.start;
        said(at, "tool_call_start", { toolCallId, toolName });
        for (const argsTextDelta of pieces(JSON.stringify(state.input), 24)) {
          said(at, "tool_call_args", { toolCallId, argsTextDelta });
        }
        said(at, "tool_call_end", { toolCallId });
      }
    }
    said(completed, "usage", usageOf(info));
    said(completed, "done", { finishReason: info.finish ?? "stop" });
    return out;
  },
  foot: () => "",
};

/** The stream of `GET /event`. */
const opencodeEvents = {
  ids: "opencode",
  head(session, state) {
    const info = session.info();
    return (
      this.event(state, "server.connected", {}) +
      this.event(state, "session.created", { sessionID: info.id, info })
    );
  },
  event(state, type, properties) {
    const id = `evt_${(++state.events).toString(16).padStart(12, "0")}${"0".repeat(14)}`;
    return `data: ${JSON.stringify({ id, type, properties })}\n\n`;
  },
  message({ info, parts }, state) {
    const { sessionID, id: messageID } = info;
    let out = "";
    const tell = (type, properties) => {
      out += this.event(state, type, { sessionID, ...properties });
    };
    const show = (part, time) => tell("message.part.updated", { part, time });
    if (info.role === "user") {
      tell("message.updated", { info });
      for (const part of parts) show(part, info.time.created);
      return out;
    }
    const { created } = info.time;
    const { finish, error, ...begun } = info;
    const nothing = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
    tell("session.status", { status: { type: "busy" } });
    tell("message.updated", { info: { ...begun, cost: 0, tokens: nothing, time: { created } } });
    for (const part of parts) {
      const { time, state: reached } = part;
      if (part.type === "text" || part.type === "reasoning") {
        show({ ...part, text: "", time: { start: time.start } }, time.start);
        for (const delta of pieces(part.text, 40)) {
          const change = { messageID, partID: part.id, field: "text", delta };
          tell("message.part.delta", change);
        }
        show(part, time.end);
      } else if (part.type === "tool") {
        const { start, end } = reached.time;
        show({ ...part, state: { status: "pending", input: {}, raw: "" } }, start);
        const running = { status: "running", input: reached.input, time: { start } };
        if (reached.status !== "running") show({ ...part, state: running }, start);
        show(part, end ?? start);
        if (reached.metadata?.diff) tell("file.edited", { file: reached.input.filePath });
      } else show(part, created);
    }
    tell("message.updated", { info });
    if (error) tell("session.error", { error });
    return out;
  },
  foot(session, state) {
    const sessionID = session.id;
    const status = { type: "idle" };
    return (
      this.event(state, "session.status", { sessionID, status }) +
      this.event(state, "session.idle", { sessionID })
    );
  },
};

/** The output of `opencode run --format json`. */
const RUN_TYPES = {
  text: "text",
  reasoning: "reasoning",
  tool: "tool_use",
  "step-start": "step_start",
  "step-finish": "step_finish",
};
const opencodeRun = {
  ids: "opencode",
  head: () => "",
  message: ({ info, parts }) => {
    const { sessionID, time } = info;
    const timestamp = time.completed ?? time.created;
    if (info.role === "user") return "";
    if (info.error) return line({ type: "error", timestamp, sessionID, error: info.error });
    const told = parts.filter((part) => part.type in RUN_TYPES && part.state?.status !== "running");
    return told
      .map((part) => line({ type: RUN_TYPES[part.type], timestamp, sessionID, part }))
      .join("");
  },
  foot: () => "",
};

/** The lines of a session of Claude Code: one for each block; results are lines of the user. */
const TOOLS = { bash: "Bash", read: "Read", edit: "Edit", grep: "Grep", todowrite: "TodoWrite" };
const claudeCode = {
  ids: "uuid",
  head: () => "",
  message({ info, parts }, state) {
    let out = "";
    const tell = (type, uuid, time, rest) => {
      const where = { cwd: "/home/dev/project", version: "2.0.14", gitBranch: "main" };
      const common = { parentUuid: state.last, isSidechain: false, userType: "external", ...where };
      const own = { sessionId: info.sessionID, type, uuid, timestamp: iso(time), ...rest };
      out += line({ ...common, ...own });
      state.last = uuid;
    };
    if (info.role === "user") {
      for (const part of parts) {
        if (part.type !== "text") continue;
        tell("user", part.id, info.time.created, { message: { role: "user", content: part.text } });
      }
      return out;
    }
    if (info.error) return out;
    const { input, output, reasoning, cache } = info.tokens;
    const usage = {
      ...{ input_tokens: input, output_tokens: output + reasoning },
      ...{ cache_creation_input_tokens: cache.write, cache_read_input_tokens: cache.read },
    };
    const id = `msg_${info.id.replaceAll("-", "")}`;
    const common = { id, type: "message", role: "assistant", model: info.modelID };
    const stop = info.finish === "stop" ? "end_turn" : "tool_use";
    const say = (part, time, block) => {
      const message = { ...common, content: [block], stop_reason: stop, usage };
      tell("assistant", part.id, time, { message, requestId: `req_${id}` });
    };
    for (const part of parts) {
      if (part.type === "text") say(part, part.time.end, { type: "text", text: part.text });
      if (part.type === "reasoning") {
        const thought = { type: "thinking", thinking: part.text, signature: "c2lnbmVk" };
        say(part, part.time.end, thought);
      }
      if (part.type !== "tool") continue;
      const { callID, tool, state: reached } = part;
      const name = TOOLS[tool] ?? tool;
      const use = { type: "tool_use", id: callID, name, input: reached.input };
      say(part, reached.time.start, use);
      if (reached.status === "running") continue;
      const failed = reached.status === "error";
      const content = failed ? reached.error : reached.output;
      const result = { tool_use_id: callID, type: "tool_result", content, is_error: failed };
      // The uuid of the line is that of the call with its last block reversed.
      const uuid = part.id.slice(0, 24) + [...part.id.slice(24)].reverse().join("");
      const message = { role: "user", content: [result] };
      tell("user", uuid, reached.time.end, { message, toolUseResult: content });
    }
    return out;
  },
  foot: () => "",
};

export const FORMATS = {
  "opencode-export": opencodeExport,
  "opencode2-export": opencode2Export,
  "opencode-events": opencodeEvents,
  "opencode-run": opencodeRun,
  "with-parts": withParts,
  "with-parts-array": withPartsArray,
  messages,
  deltas,
  "claude-code": claudeCode,
  ...AGENTS,
  ...MESSAGE_ARRAYS,
};
