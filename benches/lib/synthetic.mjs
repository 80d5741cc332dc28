// Transcripts of a given size, deterministic for the same arguments.

/** Messages with parts, alternately of the user and of the assistant with a step, reasoning, two tools and text. */
export function transcript({ messages, bytes, seed = 1 }) {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
  const hex = (n) => Array.from({ length: n }, () => (random() >>> 28).toString(16)).join("");
  const uuid = () => `${hex(8)}-${hex(4)}-7${hex(3)}-a${hex(3)}-${hex(12)}`;
  const sessionID = uuid();
  const each = Math.floor(bytes / messages / 2.5);
  const words = 'the tool read a file and found what it looked for, \n"mostly"; ';
  const text = (n) => words.repeat(Math.ceil(n / words.length)).slice(0, n);
  const tokens = { input: 10, output: 20, reasoning: 3, cache: { read: 4, write: 5 } };
  return Array.from({ length: messages }, (_, i) => {
    const id = uuid();
    const base = () => ({ id: uuid(), sessionID, messageID: id });
    const created = 1_700_000_000_000 + i * 1000;
    if (i % 2 === 0) {
      const model = { providerID: "p", modelID: "m" };
      const info = { id, sessionID, role: "user", time: { created }, agent: "build", model };
      return { info, parts: [{ ...base(), type: "text", text: text(each) }] };
    }
    const time = { start: created, end: created + 50 };
    const input = { command: "ls -la", description: "List" };
    const tool = (callID, output) => ({
      ...base(),
      type: "tool",
      callID,
      tool: "bash",
      state: { status: "completed", input, output, title: "List", metadata: { exit: 0 }, time },
    });
    const info = {
      ...{ id, sessionID, role: "assistant", time: { created, completed: created + 900 } },
      ...{ parentID: uuid(), modelID: "m", providerID: "p", agent: "build" },
      ...{ path: { cwd: "/w", root: "/w" }, cost: 0.01, tokens, finish: "stop" },
    };
    const parts = [
      { ...base(), type: "step-start" },
      { ...base(), type: "reasoning", text: text(each / 2), time },
      tool(`call_${i}_1`, text(each * 2)),
      tool(`call_${i}_2`, text(each)),
      { ...base(), type: "text", text: text(each / 2) },
      { ...base(), type: "step-finish", reason: "stop", cost: 0.01, tokens },
    ];
    return { info, parts };
  });
}
