// An endless session: message after message, in the mixture of recorded ones.

/** The price of a million tokens in US dollars. */
const PRICE = { input: 3, output: 15, cacheRead: 0.3 };
const MODEL = { providerID: "mock", modelID: "scripted-1" };
const HOME = "/home/dev/project";

/**
 * The inputs and outputs of the tools. `share` is the relative frequency; sizes are as in recorded sessions:
 * most outputs have some hundred bytes, a few some ten thousand.
 */
function toolkit(rng, words) {
  const { whole, pick, chance, size } = rng;
  const length = () => size(900, 1.2, 32_000);
  const command = () => {
    const kind = whole(0, 3);
    if (kind === 0) return { line: `ls -la ${words.noun()}`, output: words.listing(length()) };
    if (kind === 1)
      return { line: `npx vitest run ${words.path()}`, output: words.testRun(length()) };
    if (kind === 2) return { line: `tail -n 200 ${words.noun()}.log`, output: words.log(length()) };
    return { line: `git log -p -- ${words.path()}`, output: words.code(length()) };
  };
  return [
    {
      tool: "bash",
      share: 0.38,
      make() {
        const { line, output } = command();
        const exit = chance(0.9) ? 0 : 1;
        const description = words.sentence().slice(0, 40);
        const metadata = { output, exit, description, truncated: false };
        return { input: { command: line, description }, output, title: description, metadata };
      },
    },
    {
      tool: "read",
      share: 0.26,
      make() {
        const path = words.path();
        const output = `<file>\n${words.file(length())}\n</file>`;
        const input = { filePath: `${HOME}/${path}`, offset: whole(0, 300), limit: 200 };
        return { input, output, title: path, metadata: { truncated: chance(0.1) } };
      },
    },
    {
      tool: "edit",
      share: 0.14,
      make() {
        const path = words.path();
        const [oldString, newString] = [words.code(whole(40, 500)), words.code(whole(40, 700))];
        const diff = words.diff(path, oldString, newString);
        return {
          input: { filePath: `${HOME}/${path}`, oldString, newString },
          output: "The edit was applied.",
          title: path,
          metadata: { diff, diagnostics: {}, truncated: false },
          files: [`${HOME}/${path}`],
        };
      },
    },
    {
      tool: "grep",
      share: 0.14,
      make() {
        const pattern = `${words.noun()}\\w*\\(`;
        const matches = whole(1, 80);
        const output = `${matches} matches\n${words.found(length() / 2)}`;
        const metadata = { matches, truncated: false };
        return {
          input: { pattern, path: HOME, include: "*.ts" },
          output,
          title: pattern,
          metadata,
        };
      },
    },
    {
      tool: "todowrite",
      share: 0.08,
      make() {
        const statuses = ["pending", "in_progress", "completed"];
        const todos = Array.from({ length: whole(2, 7) }, (_, i) => ({
          id: String(i + 1),
          content: words.sentence(),
          status: pick(statuses),
          priority: pick(["high", "medium", "low"]),
        }));
        const output = JSON.stringify(todos, null, 2);
        return { input: { todos }, output, title: `${todos.length} todos`, metadata: { todos } };
      },
    },
  ];
}

/** The approximate length of a part. */
const lengthOf = ({ text, state }) =>
  200 + (text?.length ?? 0) + (state?.output?.length ?? 0) + (state?.input?.newString?.length ?? 0);

/** Generates the endless messages of a session. */
export class Session {
  #rng;
  #words;
  #tools;
  #newId;
  #now;
  #context = 4000;
  #user;

  constructor(rng, words, newId, start) {
    this.#rng = rng;
    this.#words = words;
    this.#tools = toolkit(rng, words);
    this.#newId = newId;
    this.#now = start;
    this.id = newId("ses", start);
    this.title = words.sentence().slice(0, 60);
    this.start = start;
  }

  /** The id of the user message that the next answers refer to. */
  set parent(id) {
    this.#user = id;
  }

  get now() {
    return this.#now;
  }

  #pass(least, most) {
    this.#now += this.#rng.whole(least, most);
    return this.#now;
  }

  #part(messageID, fields) {
    return { id: this.#newId("prt", this.#now), sessionID: this.id, messageID, ...fields };
  }

  /** The session object at the head of an export. */
  info() {
    const id = this.id;
    return {
      ...{ id, slug: "made-up-session", projectID: "0".repeat(40), directory: HOME, path: "" },
      ...{ title: this.title, agent: "build", version: "1.18.33" },
      model: { id: MODEL.modelID, providerID: MODEL.providerID, variant: "default" },
      time: { created: this.start, updated: this.start },
    };
  }

  #userMessage(makeParts) {
    const created = this.#pass(500, 90_000);
    const id = this.#newId("msg", created);
    this.#user = id;
    const time = { created };
    const info = {
      id,
      sessionID: this.id,
      role: "user",
      time,
      agent: "build",
      model: { ...MODEL },
    };
    return { info, parts: makeParts(id) };
  }

  /** A message of the user. */
  question() {
    const { size, chance } = this.#rng;
    return this.#userMessage((id) => {
      const text = this.#words.prose(size(120, 0.9, 4000));
      const parts = [this.#part(id, { type: "text", text })];
      if (chance(0.06)) {
        const filename = `${this.#words.noun()}.png`;
        const url = `data:image/png;base64,${this.#rng.text("ABCDEFabcdef0123456789", 400)}`;
        parts.push(this.#part(id, { type: "file", mime: "image/png", filename, url }));
      }
      if (chance(0.05)) {
        const [prompt, description] = [this.#words.prose(200), this.#words.sentence()];
        parts.push(this.#part(id, { type: "subtask", prompt, description, agent: "general" }));
      }
      return parts;
    });
  }

  /** A compaction: a summary of the messages before it. */
  compaction() {
    return this.#userMessage((id) => {
      this.#context = 6000;
      return [this.#part(id, { type: "compaction", auto: true, overflow: false })];
    });
  }

  /** A message of the assistant whose parts `fill` creates; it ends with a step-finish. */
  #assistant(fill, { reason = "tool-calls", summary } = {}) {
    const { whole, text } = this.#rng;
    const created = this.#pass(200, 3000);
    const id = this.#newId("msg", created);
    const snapshot = text("0123456789abcdef", 40);
    const parts = [this.#part(id, { type: "step-start", snapshot })];
    fill(parts, id);
    const size = parts.reduce((sum, part) => sum + lengthOf(part), 0);
    const reasoning = parts.some((part) => part.type === "reasoning") ? whole(20, 900) : 0;
    const [input, output] = [whole(5, 1200), Math.ceil(size / 12)];
    const cache = { read: this.#context, write: 0 };
    const total = input + output + reasoning + cache.read;
    const tokens = { total, input, output, reasoning, cache };
    const dollars =
      input * PRICE.input + (output + reasoning) * PRICE.output + cache.read * PRICE.cacheRead;
    const cost = Math.round(dollars) / 1e6;
    this.#context += input + Math.ceil(size / 4);
    parts.push(this.#part(id, { type: "step-finish", reason, snapshot, cost, tokens }));
    const time = { created, completed: this.#pass(1, 40) };
    const path = { cwd: HOME, root: HOME };
    const info = {
      ...{ id, sessionID: this.id, role: "assistant", time, parentID: this.#user, mode: "build" },
      ...{ agent: "build", path, cost, tokens, ...MODEL, finish: reason },
      ...(summary ? { summary: true } : {}),
    };
    return { info, parts };
  }

  #said(id, type, text) {
    const start = this.#now;
    return this.#part(id, { type, text, time: { start, end: this.#pass(20, 4000) } });
  }

  /** One step: reasoning, a short text, some calls. */
  step() {
    const { chance, size, whole } = this.#rng;
    return this.#assistant((parts, id) => {
      if (chance(0.55)) {
        parts.push(this.#said(id, "reasoning", this.#words.prose(size(220, 0.9, 6000))));
      }
      if (chance(0.6)) parts.push(this.#said(id, "text", this.#words.prose(size(90, 0.8, 2000))));
      for (let calls = chance(0.8) ? 1 : whole(2, 4); calls > 0; calls--) this.#call(parts, id);
    });
  }

  #call(parts, id) {
    const { chance } = this.#rng;
    let at = this.#rng.next();
    const chosen = this.#tools.find((tool) => {
      at -= tool.share;
      return at < 0;
    });
    const { tool, make } = chosen ?? this.#tools[0];
    const { input, output, title, metadata, files } = make();
    const callID = `call_${this.#rng.text("0123456789abcdefghijklmnopqrstuvwxyz", 24)}`;
    const start = this.#pass(1, 60);
    const time = { start, end: this.#pass(2, tool === "bash" ? 9000 : 80) };
    const state = chance(0.05)
      ? { status: "error", input, error: `Error: ${this.#words.sentence()}`, time }
      : { status: "completed", input, output, title, metadata, time };
    parts.push(this.#part(id, { type: "tool", callID, tool, state }));
    if (files && state.status === "completed") {
      const hash = this.#rng.text("0123456789abcdef", 40);
      parts.push(this.#part(id, { type: "patch", hash, files }));
    }
  }

  /** The last message of a turn, with the given text if any. */
  answer(text) {
    const { size, chance } = this.#rng;
    return this.#assistant(
      (parts, id) => {
        let own = text;
        if (own === undefined) {
          own = this.#words.prose(size(400, 0.9, 8000));
          if (chance(0.3)) own += `\n\n\`\`\`ts\n${this.#words.code(300)}\n\`\`\`\n`;
        }
        parts.push(this.#said(id, "text", own));
      },
      { reason: "stop" },
    );
  }

  summary() {
    const text = `## What was done\n\n${this.#words.prose(2500)}`;
    const fill = (parts, id) => parts.push(this.#said(id, "text", text));
    return this.#assistant(fill, { reason: "stop", summary: true });
  }

  /** A message that failed with an error of the provider. */
  failure() {
    const created = this.#pass(200, 3000);
    const id = this.#newId("msg", created);
    const data = { message: "The model is overloaded", statusCode: 529, isRetryable: true };
    const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
    const time = { created, completed: this.#pass(5, 500) };
    const info = {
      ...{ id, sessionID: this.id, role: "assistant", time, parentID: this.#user, mode: "build" },
      ...{ agent: "build", path: { cwd: HOME, root: HOME }, cost: 0, tokens, ...MODEL },
      error: { name: "APIError", data },
    };
    const error = { message: data.message, statusCode: 529, isRetryable: true };
    const retry = { type: "retry", attempt: this.#rng.whole(1, 4), error, time: { created } };
    return { info, parts: [this.#part(id, retry)] };
  }

  /** A message during which the program was ended: its tool is still running. */
  interrupted() {
    const created = this.#pass(200, 3000);
    const id = this.#newId("msg", created);
    const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
    const info = {
      ...{ id, sessionID: this.id, role: "assistant", time: { created }, parentID: this.#user },
      ...{ mode: "build", agent: "build", path: { cwd: HOME, root: HOME }, cost: 0, tokens },
      ...MODEL,
    };
    const command = `npm run watch -- ${this.#words.noun()}`;
    const state = {
      ...{ status: "running", input: { command, description: "Watch" }, title: "Watch" },
      time: { start: this.#pass(5, 50) },
    };
    const callID = `call_${this.#rng.text("0123456789abcdefghijklmnopqrstuvwxyz", 24)}`;
    return { info, parts: [this.#part(id, { type: "tool", callID, tool: "bash", state })] };
  }

  /** All messages, turn after turn. */
  *messages() {
    const { size, chance } = this.#rng;
    for (;;) {
      yield this.question();
      for (let steps = size(6, 0.8, 60); steps > 0; steps--) {
        if (chance(0.01)) yield this.failure();
        yield this.step();
        if (this.#context > 160_000) {
          yield this.compaction();
          yield this.summary();
        }
      }
      yield chance(0.02) ? this.interrupted() : this.answer();
    }
  }
}
