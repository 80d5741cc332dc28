// examples/agent.mjs, whole: processes that are killed in a text, in a call, between them and in a summary, and the
// processes that go on; against a scripted model on loopback, and a real Redis where there is one.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { PartValidator, Transcript } from "apex-parts";
import { RunReader } from "apex-parts/store";
import { redisRunLog } from "apex-parts/store/redis";
import { CLIENTS, noRedis, startRedis, until } from "./redis.mjs";
import { scriptedModel } from "./scripted-model.mjs";

const AGENT = fileURLToPath(new URL("../../examples/agent.mjs", import.meta.url));
const at = (path) => fileURLToPath(new URL(`../fixtures/streams/${path}`, import.meta.url));
const PROMPT = "Read the note, and count it.";
const RULES = { bash: "allow", edit: "allow" };

/** Appends a line to a file, tells that it has begun, and waits for the file `go`. */
const COUNT =
  "echo counted >> effects; touch begun; while [ ! -e go ]; do sleep 0.01; done; wc -l < effects";
const SCRIPT = [
  {
    words: ["I read ", "the note ", "first."],
    calls: [{ id: "call_read", tool: "read", input: { filePath: "note.txt" } }],
  },
  {
    words: ["Now I ", "count ", "and look."],
    calls: [
      { id: "call_count", tool: "bash", input: { command: COUNT } },
      { id: "call_grep", tool: "grep", input: { pattern: "swordfish", path: "note.txt" } },
    ],
  },
  { words: ["The word ", "is swordfish,", " and all is done."] },
];

let redis;
let client;
let log;
before(async () => {
  if (noRedis) return;
  redis = await startRedis();
  client = await CLIENTS["node-redis 6"](redis.port);
  log = redisRunLog(client.client);
});
after(async () => {
  await client?.close();
  await redis?.stop();
});

let count = 0;

/** A run in a folder of its own. What it starts is gone with the test. */
async function place(
  t,
  { format = "anthropic", script = SCRIPT, files = {}, flags = [], go = true } = {},
) {
  const dir = mkdtempSync(join(tmpdir(), "apex-parts-agent-"));
  const model = await scriptedModel(format, script);
  const given = { "note.txt": "one\nswordfish\n", ...(go && { go: "" }), ...files };
  for (const [name, text] of Object.entries(given)) writeFileSync(join(dir, name), text);
  const run = `run-${++count}`;
  const agents = [];
  t.after(async () => {
    writeFileSync(join(dir, "go"), "");
    for (const agent of agents) await agent.kill();
    model.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const start = (...more) => {
    const own = ["--run", run, "--url", model.url, "--format", format, "--dir", dir];
    const store =
      noRedis || more.includes("--memory") ? [] : ["--redis", `redis://127.0.0.1:${redis.port}`];
    const rest = ["--lease", "500", "--rules", JSON.stringify(RULES), ...flags, ...more];
    const args = [AGENT, PROMPT, ...own, ...store, ...rest.filter((arg) => arg !== "--memory")];
    const env = {
      ...process.env,
      API_KEY: "secret",
      PATH: `${dir}${delimiter}${process.env.PATH}`,
    };
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], env });
    const agent = { child, out: "", errors: "" };
    child.stdout.on("data", (data) => (agent.out += data));
    child.stderr.on("data", (data) => (agent.errors += data));
    agent.over = new Promise((resolve) => child.once("close", (code) => resolve(code)));
    agent.kill = async () => {
      child.kill("SIGKILL");
      await agent.over;
    };
    /** The session, when it has ended well. */
    agent.session = async () => {
      assert.equal(await agent.over, 0, agent.errors);
      return JSON.parse(agent.out);
    };
    agents.push(agent);
    return agent;
  };
  const has = (name) => existsSync(join(dir, name));
  const linesOf = (name) =>
    has(name) ? readFileSync(join(dir, name), "utf8").split("\n").length - 1 : 0;
  return { dir, model, run, start, has, linesOf };
}

/** What a session says, without ids and times. */
function essence({ messages }, dir) {
  const plain = (value) => JSON.parse(JSON.stringify(value).replaceAll(dir, "DIR"));
  const ofPart = ({ type, text, tool, state, reason }) => {
    const { status, input, output, error, time } = state ?? {};
    const isCleared = time?.compacted !== undefined;
    return { type, text, tool, reason, status, input, output, error, isCleared };
  };
  return plain(messages.map(({ info, parts }) => ({ role: info.role, parts: parts.map(ofPart) })));
}

/** What an undisturbed run gives, in memory; made once for equal options. */
const calm = new Map();
async function undisturbed(t, options = {}) {
  const key = JSON.stringify(options);
  if (!calm.has(key)) {
    const { start, dir } = await place(t, options);
    calm.set(key, essence(await start("--memory").session(), dir));
  }
  return calm.get(key);
}

/** The messages of a run in the log. */
async function stored(run) {
  const found = [];
  for (let n = 0; (await log.latest(`${run}/${n}`)).state.status !== "none"; n++) {
    const reader = await RunReader.open(log, `${run}/${n}`);
    found.push(reader.message());
    reader.free();
  }
  return found;
}

const lost = (messages) => messages.filter(({ meta }) => meta.error?.errorCode === "writer_lost");
const toolsOf = (session) =>
  session.flatMap(({ parts }) => parts.filter(({ type }) => type === "tool"));

test("the example is a file that can be read at one sitting", () => {
  assert.ok(readFileSync(AGENT, "utf8").trimEnd().split("\n").length <= 150);
});

for (const format of ["anthropic", "openai-chat"]) {
  test(`an agent over ${format} does what its model says, and leaves a session that can be opened`, async (t) => {
    const { start, dir, model } = await place(t, { format });
    const agent = start("--memory");
    const session = await agent.session();
    assert.match(agent.errors, /without --redis/);
    const parts = toolsOf(essence(session, dir));
    assert.deepEqual(
      parts.map(({ tool, status }) => [tool, status]),
      [
        ["read", "completed"],
        ["bash", "completed"],
        ["grep", "completed"],
      ],
    );
    assert.match(parts[0].output, /2: swordfish/);
    assert.equal(parts[1].output.trim(), "1");
    assert.deepEqual(
      model.requests.map(({ step }) => step),
      [0, 1, 2],
    );
    const { body, headers } = model.requests[2];
    const said = JSON.stringify(body.messages);
    for (const text of [PROMPT, "call_count", "2: swordfish"]) assert.ok(said.includes(text), text);
    assert.equal(
      format === "anthropic" ? headers["x-api-key"] : headers.authorization.slice(7),
      "secret",
    );
    const { valid } = PartValidator.validateTranscript(session, { ids: "opencode" });
    assert.ok(valid);
    const transcript = Transcript.open(new TextEncoder().encode(agent.out));
    assert.deepEqual([transcript.format, transcript.messageCount], ["opencode-export", 4]);
    transcript.free();
  });
}

test("a recorded stream whose tools nobody has is answered with errors, and the run goes on", async (t) => {
  const stream = [readFileSync(at("blocks.anthropic.sse"))];
  const script = [{ stream, mark: "Hi there" }, { words: ["So be it."] }];
  const { start, dir, model } = await place(t, { script });
  const session = essence(await start("--memory").session(), dir);
  const calls = toolsOf(session);
  assert.ok(calls.length >= 5);
  for (const { status } of calls) assert.ok(status === "error" || status === "completed");
  assert.equal(session.at(-1).parts[1].text, "So be it.");
  assert.equal(model.requests.length, 2);
});

describe("over Redis", { skip: noRedis }, () => {
  for (const format of ["anthropic", "openai-chat"]) {
    for (const [step, piece] of [
      [0, 0],
      [1, 3],
      [2, 4],
    ]) {
      test(`killed in the answer to request ${step} after ${piece} pieces (${format}): the session is the same`, async (t) => {
        const expected = await undisturbed(t, format === "anthropic" ? {} : { format });
        const { start, model, dir, run, linesOf } = await place(t, { format });
        const held = model.holdAt(step, piece);
        const first = start();
        await held;
        await first.kill();
        assert.deepEqual(essence(await start().session(), dir), expected);
        const messages = await stored(run);
        assert.equal(lost(messages).length, 1);
        assert.equal(linesOf("effects"), 1);
      });
    }
  }

  test("killed in the middle of a text: what was stored of it stays in the log", async (t) => {
    const { start, model, run } = await place(t);
    const held = model.holdAt(2, 4);
    const first = start();
    await held;
    const textOf = ({ parts }) => parts.map(({ payload }) => payload.text).join("");
    const isThere = async () =>
      (await stored(run)).some((one) => textOf(one).startsWith("The word is sword"));
    await until(isThere, "the text in the log");
    await first.kill();
    await start().session();
    const messages = await stored(run);
    assert.deepEqual(lost(messages).map(textOf), ["The word is swordfish,"]);
    assert.equal(textOf(messages.at(-1)), "The word is swordfish, and all is done.");
  });

  test("killed in a call that only reads: it is run again, and the session is the same", async (t) => {
    const rg =
      "#!/bin/sh\necho called >> searches\nwhile [ ! -e found ]; do sleep 0.01; done\nexit 1\n";
    const options = { files: { rg, found: "" } };
    const make = async (more) => {
      const made = await place(t, { ...options, ...more });
      chmodSync(join(made.dir, "rg"), 0o755);
      return made;
    };
    const calm = await make();
    const expected = essence(await calm.start("--memory").session(), calm.dir);
    assert.equal(calm.linesOf("searches"), 1);
    const { start, dir, run, linesOf, model } = await make({ files: { rg } });
    const first = start();
    await until(() => linesOf("searches") === 1, "the search");
    await first.kill();
    writeFileSync(join(dir, "found"), "");
    assert.deepEqual(essence(await start().session(), dir), expected);
    assert.equal(linesOf("searches"), 2);
    // The call before it had ended: it was not run twice.
    assert.equal(linesOf("effects"), 1);
    assert.equal(lost(await stored(run)).length, 1);
    assert.deepEqual(
      model.requests.map(({ step }) => step),
      [0, 1, 2],
    );
  });

  test("killed in a call that may have done something: it is not run again, and the model is told", async (t) => {
    const expected = await undisturbed(t);
    const { start, dir, has, linesOf } = await place(t, { go: false });
    const first = start();
    await until(() => has("begun"), "the command");
    await first.kill();
    writeFileSync(join(dir, "go"), "");
    const session = essence(await start().session(), dir);
    assert.equal(linesOf("effects"), 1);
    const [read, counted, found] = toolsOf(session);
    assert.equal(counted.status, "error");
    assert.match(counted.error, /^Interrupted/);
    const [first_, , last] = toolsOf(expected);
    assert.deepEqual([read, found], [first_, last]);
    const others = (all) => all.flatMap(({ parts }) => parts.filter(({ type }) => type !== "tool"));
    assert.deepEqual(others(session), others(expected));
  });

  test("killed between a result and the next request: no call is run twice", async (t) => {
    const expected = await undisturbed(t);
    const { start, dir, model, linesOf } = await place(t);
    const held = model.holdAt(2, 0);
    const first = start();
    await held;
    assert.equal(linesOf("effects"), 1);
    await first.kill();
    assert.deepEqual(essence(await start().session(), dir), expected);
    assert.equal(linesOf("effects"), 1);
  });

  test("killed again and again, at every request: the session is the same", async (t) => {
    const expected = await undisturbed(t);
    const { start, dir, model, linesOf } = await place(t);
    for (const step of [0, 1, 2]) {
      const held = model.holdAt(step, 2);
      const agent = start();
      await held;
      await agent.kill();
    }
    assert.deepEqual(essence(await start().session(), dir), expected);
    assert.equal(linesOf("effects"), 1);
  });

  test("killed while the summary of a compaction comes: it is asked for again", async (t) => {
    const line = `${"word ".repeat(300)}\n`;
    const files = { "long.txt": line.repeat(30) };
    const reading = (id, words, tokens) => ({
      ...{ words: [words], tokens },
      calls: [{ id, tool: "read", input: { filePath: "long.txt" } }],
    });
    const script = [
      reading("call_1", "I read it once.", 1000),
      reading("call_2", "I read it again.", 12_000),
      { words: ["That was", " much."] },
    ];
    const options = { script, files, flags: ["--context", "24000"] };
    const expected = await undisturbed(t, options);
    assert.ok(JSON.stringify(expected).includes("So far: "), "it was compacted");
    const { start, dir, model } = await place(t, options);
    const held = model.holdAt("summary", 2);
    const first = start();
    await held;
    await first.kill();
    assert.deepEqual(essence(await start().session(), dir), expected);
    const summaries = model.requests.filter(({ step }) => step === "summary");
    assert.equal(summaries.length, 2);
    assert.deepEqual(summaries[0].body.messages, summaries[1].body.messages);
  });

  test("killed after old outputs were cleared: they stay cleared, and no others are", async (t) => {
    const files = { "long.txt": `${"word ".repeat(300)}\n`.repeat(40) };
    const script = Array.from({ length: 7 }, (_, n) => ({
      ...{ words: [`Reading ${n} of it.`], tokens: 1000 + 10_000 * n },
      calls: [{ id: `call_${n}`, tool: "read", input: { filePath: "long.txt", limit: 30 + n } }],
    }));
    script.push({ words: ["That was", " all."] });
    const options = { script, files, flags: ["--context", "78000"] };
    const expected = await undisturbed(t, options);
    const cleared = toolsOf(expected).filter(({ isCleared }) => isCleared);
    assert.ok(cleared.length > 0 && cleared.length < 7, "some were cleared");
    const { start, dir, model } = await place(t, options);
    const held = model.holdAt(7, 3);
    const first = start();
    await held;
    await first.kill();
    assert.deepEqual(essence(await start().session(), dir), expected);
    const [one, two] = model.requests.filter(({ step }) => step === 7);
    assert.deepEqual(one.body, two.body);
    assert.ok(JSON.stringify(one.body).includes("[Old tool result content cleared]"));
  });

  test("a file that the process before had read can be written by the next", async (t) => {
    const script = [
      SCRIPT[0],
      {
        words: ["Now I ", "write it."],
        calls: [
          { id: "call_write", tool: "write", input: { filePath: "note.txt", content: "two\n" } },
        ],
      },
      { words: ["It is ", "written."] },
    ];
    const expected = await undisturbed(t, { script });
    assert.equal(toolsOf(expected)[1].status, "completed");
    const { start, dir, model } = await place(t, { script });
    const held = model.holdAt(1, 2);
    const first = start();
    await held;
    await first.kill();
    assert.deepEqual(essence(await start().session(), dir), expected);
    assert.equal(readFileSync(join(dir, "note.txt"), "utf8"), "two\n");
  });

  test("two processes that start at once: one works, and both give the session", async (t) => {
    const expected = await undisturbed(t);
    const { start, dir, model, linesOf } = await place(t);
    // A lease that does not lapse, however busy the machine is: the one that ends gives it up.
    const agents = [1, 2].map(() => start("--lease", "60000"));
    const sessions = await Promise.all(agents.map((agent) => agent.session()));
    for (const session of sessions) assert.deepEqual(essence(session, dir), expected);
    assert.deepEqual(sessions[0], sessions[1]);
    assert.equal(model.requests.length, 3);
    assert.equal(linesOf("effects"), 1);
  });

  for (const [title, bad] of [
    ["answers 500", { status: 500, body: "no capacity" }],
    ["answers something else", { body: "<html>Gateway</html>" }],
    ["breaks off", { stream: ['event: message_start\ndata: {"type":"message_start"'] }],
  ]) {
    test(`a provider that ${title} ends the process; the next goes on`, async (t) => {
      const expected = await undisturbed(t);
      const script = [...SCRIPT];
      script[1] = { ...SCRIPT[1], ...bad };
      const { start, dir, run, linesOf } = await place(t, { script });
      const first = start();
      assert.equal(await first.over, 1);
      assert.equal(first.out, "");
      assert.equal(linesOf("effects"), 0);
      const { error } = (await stored(run)).at(-1).meta;
      assert.equal(error.errorCode === "writer_lost", false);
      script[1] = SCRIPT[1];
      assert.deepEqual(essence(await start().session(), dir), expected);
    });
  }

  test("a run that another node asks to stop goes no further", async (t) => {
    const { start, run, model, linesOf } = await place(t);
    const held = model.holdAt(1, 2);
    const first = start();
    await held;
    await log.requestStop(run);
    assert.equal(await first.over, 1);
    assert.equal(linesOf("effects"), 0);
  });
});

test("what no rule allows is denied where nobody is at the terminal, and the model is told", async (t) => {
  const { start, dir, has } = await place(t, { flags: ["--rules", '{"bash": {"*": "deny"}}'] });
  const session = essence(await start("--memory").session(), dir);
  const [, counted] = toolsOf(session);
  assert.equal(counted.status, "error");
  assert.equal(has("effects"), false);
  assert.equal(session.at(-1).parts[1].text, "The word is swordfish, and all is done.");
});

test("a model that repeats itself is stopped", async (t) => {
  const again = (n) => ({
    words: [`Once more, ${n}.`],
    calls: [{ id: `call_${n}`, tool: "read", input: { filePath: "nothing.txt" } }],
  });
  const script = Array.from({ length: 10 }, (_, n) => again(n));
  const { start, dir, model } = await place(t, { script });
  const session = essence(await start("--memory").session(), dir);
  assert.equal(model.requests.length, 3);
  assert.equal(toolsOf(session).at(-1).status, "error");
});
