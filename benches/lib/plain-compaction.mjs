// Compaction in the plain way: over arrays of messages, as a TypeScript service writes it, in the shape of the functions
// that OpenCode has. The peer that the package is measured against.
import { toModelMessage } from "./plain-ui-messages.mjs";

const estimate = (text) => Math.max(0, Math.round((text || "").length / 4));

const isCompaction = ({ parts }) => parts.some(({ type }) => type === "compaction");

/** The messages that are sent. */
export function filterCompacted(messages) {
  const result = [];
  const finished = new Set();
  let until;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    result.push(message);
    if (until !== undefined) {
      if (message.info.id === until) break;
      continue;
    }
    if (message.info.role === "user" && finished.has(message.info.id)) {
      const part = message.parts.find(({ type }) => type === "compaction");
      if (part === undefined) continue;
      if (part.tail_start_id === undefined) break;
      until = part.tail_start_id;
      continue;
    }
    const { role, summary, finish, error, parentID } = message.info;
    if (role === "assistant" && summary && finish && !error) finished.add(parentID);
  }
  return result.reverse();
}

/** The outputs to clear. */
export function prune(messages) {
  let [total, saved, turns] = [0, 0, 0];
  const found = [];
  walk: for (let at = messages.length - 1; at >= 0; at--) {
    const { info, parts } = messages[at];
    if (info.role === "user") turns++;
    if (turns < 2) continue;
    if (info.role === "assistant" && info.summary) break;
    for (let place = parts.length - 1; place >= 0; place--) {
      const part = parts[place];
      if (part.type !== "tool" || part.state.status !== "completed") continue;
      if (part.tool === "skill") continue;
      if (part.state.time.compacted) break walk;
      const tokens = estimate(part.state.output);
      total += tokens;
      if (total <= 40_000) continue;
      saved += tokens;
      found.push(part);
    }
  }
  return saved > 20_000 ? found : [];
}

const sizeOf = (messages) => estimate(JSON.stringify(toModelMessage(messages)));

/** What to summarise, and where the tail begins. */
export function plan(messages, { turnsAtMost = Number.POSITIVE_INFINITY, budget = 15_000 } = {}) {
  const view = filterCompacted(messages);
  const turns = [];
  for (const [start, message] of view.entries()) {
    if (message.info.role === "user" && !isCompaction(message)) turns.push({ start });
  }
  for (const [at, turn] of turns.entries()) turn.end = turns[at + 1]?.start ?? view.length;
  const recent = turns.slice(-turnsAtMost);
  // Each turn is measured before any is chosen.
  const sizes = recent.map(({ start, end }) => sizeOf(view.slice(start, end)));
  let total = 0;
  let keep;
  for (let at = recent.length - 1; at >= 0; at--) {
    const { start, end } = recent[at];
    if (total + sizes[at] <= budget) {
      total += sizes[at];
      keep = start;
      continue;
    }
    for (let from = start + 1; from < end; from++) {
      if (sizeOf(view.slice(from, end)) > budget - total) continue;
      keep = from;
      break;
    }
    break;
  }
  const head = keep ? view.slice(0, keep) : view;
  return { head, tail: keep ? view[keep].info.id : undefined };
}
