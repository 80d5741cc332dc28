// Histories made of a seed: the same in every run.

/** Numbers from 0 to 1 (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const WORDS = [
  "read",
  "the",
  "file",
  "Über",
  "漢字",
  "🎉",
  "\n",
  '"quoted"',
  "\\path\\",
  "done",
  "\t",
];

const PNG = `data:image/png;base64,${Buffer.concat([
  Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13]),
  Buffer.from("IHDR"),
  Buffer.from([0, 0, 4, 0, 0, 0, 3, 0, 8, 6, 0, 0, 0]),
]).toString("base64")}`;

/** A history of about so many messages, with every kind of part, compactions good, failed and open, and marks. */
export function madeHistory(seed, { size = 40, compactions = true, marks = true } = {}) {
  const next = random(seed);
  const chance = (p) => next() < p;
  const upTo = (n) => Math.floor(next() * n);
  const text = (most) =>
    Array.from({ length: 1 + upTo(most) }, () => WORDS[upTo(WORDS.length)]).join(" ");
  let ids = 0;
  let calls = 0;
  let clock = 1_700_000_000_000;
  const id = () => `0197${(++ids).toString(16).padStart(4, "0")}-0000-7000-8000-000000000000`;
  const sessionID = "01970000-0000-7000-8000-00000000ffff";
  const messages = [];
  const part = (messageID, fields) => ({ id: id(), sessionID, messageID, ...fields });
  const user = (fields) => {
    const messageID = id();
    clock += 1000;
    const info = {
      id: messageID,
      sessionID,
      role: "user",
      time: { created: clock },
      agent: "build",
      model: { providerID: "p", modelID: "m" },
    };
    const message = { info, parts: fields.map((one) => part(messageID, one)) };
    messages.push(message);
    return messageID;
  };
  const assistant = (parentID, extra, fields) => {
    const messageID = id();
    clock += 1000;
    const info = {
      id: messageID,
      sessionID,
      role: "assistant",
      parentID,
      time: { created: clock, completed: clock + 500 },
      modelID: "m",
      providerID: "p",
      mode: "build",
      agent: "build",
      path: { cwd: "/", root: "/" },
      cost: 0,
      tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      finish: "stop",
      ...extra,
    };
    messages.push({ info, parts: fields.map((one) => part(messageID, one)) });
  };
  const call = () => {
    const input = { path: text(3), n: upTo(1e6), deep: [{ at: next(), ok: true }, null] };
    const time = { start: clock, end: clock + 10 };
    const states = [
      () => {
        const state = {
          status: "completed",
          input,
          output: text(300),
          title: "t",
          metadata: {},
          time,
        };
        if (marks && chance(0.1)) state.time = { ...time, compacted: clock };
        if (chance(0.1)) state.attachments = [{ type: "file", mime: "image/png", url: PNG }];
        return state;
      },
      () => ({ status: "error", input, error: text(6), time }),
      () => ({ status: "running", input, time: { start: clock } }),
      () => ({ status: "pending", input: {}, raw: "{" }),
    ];
    const state = states[chance(0.8) ? 0 : upTo(4)]();
    const tool = ["bash", "read", "skill", "edit"][upTo(4)];
    return { type: "tool", callID: `call_${++calls}`, tool, state };
  };
  while (messages.length < size) {
    const asked = [{ type: "text", text: text(60) }];
    if (chance(0.1)) asked.push({ type: "text", text: text(4), synthetic: true });
    if (chance(0.1)) asked.push({ type: "text", text: text(4), ignored: true });
    if (chance(0.1)) asked.push({ type: "file", mime: "image/png", filename: "a.png", url: PNG });
    if (chance(0.05))
      asked.push({ type: "file", mime: "text/plain", filename: "a.txt", url: "data:,x" });
    const parent = user(asked);
    for (let step = upTo(4); step >= 0; step--) {
      const fields = [{ type: "step-start" }];
      if (chance(0.3)) fields.push({ type: "reasoning", text: text(20), time: { start: clock } });
      if (chance(0.7)) fields.push({ type: "text", text: text(80) });
      while (chance(0.5)) fields.push(call());
      const failed = chance(0.05);
      const input = 1000 + upTo(5000);
      const reported = { input, output: upTo(300), reasoning: 0, cache: { read: 0, write: 0 } };
      assistant(
        parent,
        {
          finish: step > 0 ? "tool-calls" : "stop",
          ...(chance(0.6) ? { tokens: reported } : {}),
          ...(failed ? { error: { name: "UnknownError", data: { message: "x" } } } : {}),
        },
        failed && chance(0.5) ? [{ type: "step-start" }] : fields,
      );
    }
    if (compactions && chance(0.15)) {
      const tail = chance(0.5) ? messages[upTo(messages.length)].info.id : undefined;
      const field = tail === undefined ? {} : { tail_start_id: chance(0.1) ? "nowhere" : tail };
      const compaction = user([{ type: "compaction", auto: true, ...field }]);
      if (chance(0.85)) {
        const failed = chance(0.2) ? { finish: undefined } : {};
        const fields = [{ type: "text", text: text(50) }];
        assistant(compaction, { summary: true, ...failed }, fields);
      }
    }
  }
  return messages;
}

/** Freezes a value and all that is in it. */
export function frozen(value) {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const one of Object.values(value)) frozen(one);
  }
  return value;
}
