// What a person would write who has a session file and no library: decode, split, JSON.parse, and count the messages, the
// calls, their results and the tokens by hand, some lines a format. The peer of opening a file with `stats()`.
import { replay } from "./lib/plain-events.mjs";
import { isDocument, linesOf } from "./lib/texts-of.mjs";

const asArray = (value) => (Array.isArray(value) ? value : []);
const sum = (numbers) => numbers.reduce((all, number) => all + (number ?? 0), 0);

function* records(text) {
  for (const json of linesOf(text)) yield JSON.parse(json);
}

const nothing = () => ({ messages: 0, calls: 0, results: 0, tokens: 0 });

/** Rollouts: an answer goes on until a result or the user comes, and what the user sends together is one message. */
function codex(text) {
  const count = nothing();
  let role = "";
  for (const { type, payload } of records(text)) {
    if (type === "event_msg" && payload.type === "token_count") {
      const { input_tokens, output_tokens } = payload.info?.total_token_usage ?? {};
      if (input_tokens !== undefined) count.tokens = input_tokens + output_tokens;
    }
    if (type === "event_msg" && /^(?:task_complete|turn_aborted)$/.test(payload.type)) role = "";
    if (type !== "response_item") continue;
    if (/_output$/.test(payload.type)) {
      count.results++;
      role = "";
      continue;
    }
    if (/_call$/.test(payload.type)) count.calls++;
    const isInput = payload.type === "message" && payload.role !== "assistant";
    const now = isInput ? "user" : "assistant";
    if (now !== role) count.messages++;
    role = now;
  }
  return count;
}

/** Sessions of Claude Code: the lines of an answer have its id, and the last one has its usage. */
function claudeCode(text) {
  const count = nothing();
  const usages = new Map();
  for (const { type, message } of records(text)) {
    if (type !== "user" && type !== "assistant") continue;
    const blocks = asArray(message.content);
    const results = blocks.filter((block) => block.type === "tool_result").length;
    count.results += results;
    count.calls += blocks.filter((block) => block.type === "tool_use").length;
    if (type === "assistant") usages.set(message.id, message.usage);
    else if (results === 0 || results < blocks.length) count.messages++;
  }
  for (const usage of usages.values()) {
    count.messages++;
    count.tokens += sum([
      ...[usage.input_tokens, usage.output_tokens],
      ...[usage.cache_read_input_tokens, usage.cache_creation_input_tokens],
    ]);
  }
  return count;
}

function pi(text) {
  const count = nothing();
  for (const { type, message } of records(text)) {
    if (type !== "message") continue;
    if (message.role === "toolResult") count.results++;
    else if (message.role !== "system") count.messages++;
    count.calls += asArray(message.content).filter((block) => block.type === "toolCall").length;
    const { input, output, cacheRead, cacheWrite } = message.usage ?? {};
    count.tokens += sum([input, output, cacheRead, cacheWrite]);
  }
  return count;
}

/** Sessions of Gemini CLI: a message is written again when it grows, with the same id. */
function gemini(text, isWhole) {
  const messages = new Map();
  for (const record of isWhole ? JSON.parse(text).messages : records(text)) {
    for (const message of record.$set?.messages ?? [record]) {
      if (message.type) messages.set(message.id, message);
    }
  }
  const count = nothing();
  for (const { type, content, toolCalls, tokens } of messages.values()) {
    const isAnswered = asArray(content).some((part) => part.functionResponse);
    if ((type === "user" && !isAnswered) || type === "gemini") count.messages++;
    count.calls += toolCalls?.length ?? 0;
    count.results += asArray(toolCalls).filter((call) => call.result).length;
    count.tokens += tokens ? tokens.input + tokens.output + (tokens.thoughts ?? 0) : 0;
  }
  return count;
}

function copilot(text) {
  const count = nothing();
  let isTold = false;
  for (const { type, data } of records(text)) {
    if (type === "user.message" || type === "assistant.message") count.messages++;
    // Old files tell the output of a message only.
    if (type === "assistant.message" && !isTold) count.tokens += data.outputTokens ?? 0;
    count.calls += data.toolRequests?.length ?? 0;
    if (type === "tool.execution_complete") count.results++;
    if (type === "session.usage_record") {
      isTold = true;
      count.tokens += data.usage.inputTokens + data.usage.outputTokens;
    }
  }
  return count;
}

/** Messages with parts, as OpenCode has them. */
function withParts(messages) {
  const count = nothing();
  for (const { info, parts } of messages) {
    count.messages++;
    const hasSteps = parts.some(({ type }) => type === "step-finish");
    const ends = hasSteps ? parts.filter(({ type }) => type === "step-finish") : [info];
    for (const { tokens } of ends) {
      const { input, output, reasoning, cache } = tokens ?? {};
      count.tokens += sum([input, output, reasoning, cache?.read, cache?.write]);
    }
    for (const { type, state } of parts) {
      if (type === "tool") count.calls++;
      if (state?.output !== undefined || state?.error !== undefined) count.results++;
    }
  }
  return count;
}

function sweAgent(text) {
  const { trajectory = [], history = [], info } = JSON.parse(text);
  const count = nothing();
  const isStep = ({ role, is_demo }) => role === "assistant" && !is_demo;
  const first = history.findIndex(isStep);
  const before = first < 0 ? history : history.slice(0, first);
  count.messages += before.filter(({ role }) => role === "user").length;
  const answers = history.filter(isStep);
  for (const { action } of trajectory.length > 0 ? trajectory : answers) {
    count.messages++;
    if (!action) continue;
    count.calls++;
    count.results++;
  }
  const { tokens_sent, tokens_received } = info?.model_stats ?? {};
  count.tokens = sum([tokens_sent, tokens_received]);
  return count;
}

function inspect(text) {
  const count = nothing();
  for (const { messages, events = [] } of JSON.parse(text).samples) {
    for (const { role, tool_calls } of messages) {
      if (role === "tool") count.results++;
      else if (role !== "system") count.messages++;
      count.calls += tool_calls?.length ?? 0;
    }
    for (const { event, output } of events) {
      if (event !== "model") continue;
      const { input_tokens, output_tokens } = output.usage ?? {};
      count.tokens += sum([input_tokens, output_tokens]);
    }
  }
  return count;
}

/** The messages of an array, of a request, or of a request in each line. */
const messagesIn = (text, isWhole) =>
  (isWhole ? [JSON.parse(text)] : [...records(text)]).flatMap((body) => body.messages ?? body);

function anthropicMessages(text, isWhole) {
  const count = nothing();
  for (const { content } of messagesIn(text, isWhole)) {
    const blocks = asArray(content);
    const results = blocks.filter((block) => block.type === "tool_result").length;
    count.results += results;
    count.calls += blocks.filter((block) => block.type === "tool_use").length;
    if (results === 0 || results < blocks.length) count.messages++;
  }
  return count;
}

function chatMessages(text, isWhole) {
  const count = nothing();
  for (const { role, tool_calls } of messagesIn(text, isWhole)) {
    if (role === "tool") count.results++;
    else if (role !== "system") count.messages++;
    count.calls += tool_calls?.length ?? 0;
  }
  return count;
}

const FORMATS = {
  codex,
  "claude-code": claudeCode,
  pi,
  "gemini-cli": gemini,
  "copilot-cli": copilot,
  "opencode-export": (text) => withParts(JSON.parse(text).messages),
  "opencode-events": (text) => withParts(replay(text)),
  "swe-agent": sweAgent,
  inspect,
  "messages-anthropic": anthropicMessages,
  "messages-openai-chat": chatMessages,
};

/** The formats that are counted here. */
export const PLAIN = Object.keys(FORMATS);

const decoder = new TextDecoder();

/**
 * What is in a session, counted by hand.
 *
 * @param {Uint8Array} bytes
 * @param {string} format as `Transcript` names it
 * @returns {{ messages: number, calls: number, results: number, tokens: number }}
 */
export function plain(bytes, format) {
  const count = FORMATS[format];
  if (count === undefined) throw new Error(`sessions of ${format} are not counted`);
  return count(decoder.decode(bytes), isDocument(bytes));
}
