// What SessionCompaction does, by hand, for the sessions of these tests only: until the package has it.
const PROMPT = "Continue if you have next steps.";
const isUser = ({ info }) => info.role === "user";
const compactionOf = ({ parts }) => parts.find(({ type }) => type === "compaction");
const isSummary = ({ info }) => info.summary === true && info.finish && !info.error;

export function filterCompacted(messages) {
  const at = new Map(messages.map(({ info }, index) => [info.id, index]));
  const good = new Set(messages.filter(isSummary).map(({ info }) => info.parentID));
  const cut = messages.findLastIndex(
    (message) => isUser(message) && compactionOf(message) && good.has(message.info.id),
  );
  if (cut < 0) return messages;
  const tail = at.get(compactionOf(messages[cut]).tail_start_id);
  if (tail === undefined) return messages.slice(cut);
  const summary = messages.findIndex(
    (message, index) =>
      index > cut && isSummary(message) && message.info.parentID === messages[cut].info.id,
  );
  return [
    ...messages.slice(cut, summary + 1),
    ...messages.slice(tail, cut),
    ...messages.slice(summary + 1),
  ];
}

export function plan(messages, { config, overflow }) {
  const view = filterCompacted(messages);
  const turns = view.filter((message) => isUser(message) && !compactionOf(message));
  const kept = config.tail_turns > 0 && !overflow ? turns.at(-config.tail_turns) : undefined;
  const replay = overflow ? turns.at(-1) : undefined;
  return { tailStartID: kept?.info.id, replay };
}

export function applySummary(messages, { tailStartID, replay }, text, meta) {
  const { now } = meta;
  const { sessionID } = messages[0].info;
  const { agent, model } = messages.findLast(isUser).info;
  const made = (info, parts) => {
    const id = meta.id();
    return {
      info: { id, sessionID, ...info },
      parts: parts.map((part) => ({ ...part, id: meta.id(), sessionID, messageID: id })),
    };
  };
  const user = (parts) => made({ role: "user", time: { created: now }, agent, model }, parts);
  const part = { type: "compaction", auto: meta.auto ?? false };
  if (meta.overflow) part.overflow = true;
  if (tailStartID) part.tail_start_id = tailStartID;
  const asked = user([part]);
  const { path } = messages.findLast((message) => !isUser(message)).info;
  const summary = made(
    {
      ...{ role: "assistant", parentID: asked.info.id, summary: true, finish: "stop", path },
      ...{ modelID: meta.modelID, providerID: meta.providerID, mode: "compaction" },
      ...{ agent: "compaction", cost: 0, time: { created: now, completed: now } },
      tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
    },
    [{ type: "text", text }],
  );
  const added = [...messages, asked, summary];
  if (replay) {
    const parts = replay.parts.map((one) =>
      one.type === "file" ? { type: "text", text: `[Attached ${one.mime}: ${one.filename}]` } : one,
    );
    added.push(user(parts));
  } else if (messages.at(-1).info.finish !== "stop") {
    added.push(user([{ type: "text", text: PROMPT, synthetic: true }]));
  }
  return added;
}

export function prune(messages, { protect, minimum, protectTurns }) {
  const turns = messages.filter(isUser);
  const end = messages.indexOf(turns.at(-protectTurns));
  const outputs = messages
    .slice(0, end)
    .flatMap(({ parts }) => parts)
    .filter(({ type, state }) => type === "tool" && state.status === "completed")
    .toReversed();
  let total = 0;
  let saved = 0;
  const partIDs = [];
  for (const { id, state } of outputs) {
    const size = Math.round(state.output.length / 4);
    total += size;
    if (total <= protect) continue;
    saved += size;
    partIDs.unshift(id);
  }
  return saved > minimum ? { partIDs, saved } : { partIDs: [], saved: 0 };
}

export function applyPrune(messages, { partIDs }, now) {
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      if (!partIDs.includes(part.id)) return part;
      const time = { ...part.state.time, compacted: now };
      return { ...part, state: { ...part.state, time } };
    }),
  }));
}
