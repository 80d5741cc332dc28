// `apex-parts compact`: the plan of a compaction, the request for its summary, the compacted session.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { PartValidator, SessionCompaction } from "../../pkg/node.mjs";
import { inputs } from "../inputs.mjs";
import { at, file, folder, run } from "./command.mjs";

const START = 1_795_293_000_000;
const SESSION = "ses_20aaaaaaaaaaaaaaaaaaaaaaaa";
const LIMITS = ["--context", "24000", "--output", "8000"];
const MODEL = { limit: { context: 24000, output: 8000 } };

const number = (n) => n.toString(16).padStart(4, "0");
const messageID = (n) => `msg_20520000${number(n)}aaaaaaaaaaaaaa`;
const partID = (n) => `prt_20520000${number(n)}bbbbbbbbbbbbbb`;
const when = (n) => START + 1000 * n;

/** A message of the user. */
const user = (n, text) => ({
  info: {
    ...{ id: messageID(n), sessionID: SESSION, role: "user", agent: "build" },
    ...{ time: { created: when(n) }, model: { providerID: "mock", modelID: "script" } },
  },
  parts: [{ id: partID(n), sessionID: SESSION, messageID: messageID(n), type: "text", text }],
});

/** A step of the model: a call with an output of so many tokens; `prompt` is what the provider counted. */
const step = (n, parent, output, prompt) => ({
  info: {
    ...{ id: messageID(n), sessionID: SESSION, role: "assistant", parentID: messageID(parent) },
    ...{ agent: "build", mode: "build", modelID: "script", providerID: "mock", cost: 0 },
    ...{ path: { cwd: "/demo", root: "/demo" }, finish: "tool-calls" },
    time: { created: when(n), completed: when(n) + 500 },
    tokens: { input: prompt, output: 50, reasoning: 0, cache: { read: 0, write: 0 } },
  },
  parts: [
    {
      ...{ id: partID(n), sessionID: SESSION, messageID: messageID(n), type: "tool" },
      ...{ callID: `call_${n}`, tool: "bash" },
      state: {
        ...{ status: "completed", input: { command: `step ${n}` }, title: "bash", metadata: {} },
        ...{ output: "word".repeat(output), time: { start: when(n), end: when(n) + 400 } },
      },
    },
  ],
});

/** A turn of steps, each with an output of 4,000 tokens. */
const session = (steps) => [
  user(1, "Please read all the files, and keep the port 8023."),
  ...Array.from({ length: steps }, (_, i) => step(2 + i, 1, 4000, 8000 + 4100 * i)),
];
const exported = (messages) => ({
  info: {
    ...{ id: SESSION, title: "reading", version: "1.18.33", directory: "/demo" },
    time: { created: START, updated: START },
  },
  messages,
});

const messages = session(4);
const path = file("compact.json", exported(messages));
const summary = file("summary.md", "## Objective\nRead all the files.\n");

const done = (args, input) => {
  const made = run(["compact", ...args], input);
  assert.equal(made.status, 0, made.stderr);
  return made;
};
const json = (args) => JSON.parse(done([...args, "--json"]).stdout);
const place = () => mkdtempSync(join(folder, "compact-"));

describe("compact: the plan", () => {
  test("says what is used, what stays, what is summarised, and when it pays", () => {
    const { stdout, stderr } = done([path, ...LIMITS]);
    assert.equal(stderr, "");
    const lines = stdout.split("\n");
    assert.equal(lines[0], `opencode-export ${SESSION} reading`);
    assert.equal(lines[1], "context 24,000, output 8,000: 16,000 usable");
    assert.match(
      lines[2],
      /^next request: [\d,]+ tokens \(20,350 reported by the provider, [\d,]+ counted since \(×\d\.\d\d\)\)$/,
    );
    assert.match(lines[3], /^overflow: [\d,]+ too many$/);
    assert.match(stdout, /^compaction: [\d,]+ tokens now, about [\d,]+ afterwards: fits$/m);
    assert.match(stdout, /^ {2}5 messages are summarised, 16,\d\d\d tokens: /m);
    assert.ok(lines.includes(`    ${messageID(2)}  assistant    4,006  [bash]`));
    assert.match(
      stdout,
      /the user's own words are added to the summary: 1 message\n {4}\S+ {2}50 characters {2}Please read all/,
    );
    assert.match(
      stdout,
      /prompt cache: [\d,]+ stay, [\d,]+ are written again; pays off after \d+ further request/,
    );
  });

  test("--json prints what the library says", () => {
    const made = json([path, ...LIMITS, "--keep", "5000"]);
    const config = { preserve_recent_tokens: 5000 };
    assert.deepEqual(made.model, MODEL);
    assert.deepEqual(made.config, config);
    assert.deepEqual(made.check, SessionCompaction.check({ messages, model: MODEL }));
    const plan = SessionCompaction.plan(messages, { model: MODEL, config });
    assert.deepEqual(made.plan, JSON.parse(JSON.stringify(plan)));
    assert.deepEqual(made.plan.keep, [messageID(5)]);
    assert.equal(made.plan.tailStartID, messageID(5));
  });

  test("options reach the settings of the library", () => {
    const { config, model, check, plan } = json([
      ...[path, "--context", "30000", "--input", "26000", "--output", "8000"],
      ...["--reserved", "12000", "--threshold", "9000", "--tail-turns", "0", "--keep", "0"],
      ...["--estimator", "classes", "--protect", "1", "--minimum", "2"],
    ]);
    assert.deepEqual(model, { limit: { context: 30000, input: 26000, output: 8000 } });
    assert.deepEqual(config, {
      ...{ reserved: 12000, threshold: 9000, tail_turns: 0, preserve_recent_tokens: 0 },
      ...{ protect: 1, minimum: 2, estimator: "classes" },
    });
    assert.equal(check.usable, 14000);
    assert.equal(check.headroom, 9000 - check.used.tokens);
    assert.deepEqual(plan.keep, []);
    assert.match(
      done([path, ...LIMITS, "--threshold", "9000"]).stdout,
      /usable, overflows at 9,000\n/,
    );
  });

  test("a long list is folded, with a count", () => {
    const { stdout } = done([file("compact-long.json", session(40)), ...LIMITS]);
    assert.match(stdout, /^ {2}41 messages are summarised/m);
    assert.match(stdout, /^ {4}… 34 more …$/m);
    assert.equal(stdout.match(/^ {4}msg_\S+ {2}(user|assistant) /gm).length, 7);
  });

  test("the estimate says where it comes from", () => {
    const only = file("compact-user.json", [user(1, "Hello"), user(2, "Again")]);
    const { stdout } = done([only, ...LIMITS]);
    assert.match(stdout, /tokens \(counted, as no answer reports it: without the system prompt/);
    assert.match(stdout, /^fits: /m);
    assert.match(stdout, /^warning CP-2: /m);
    assert.match(
      done([path, "--context", "24000"]).stdout,
      /output 32,000 \(assumed: --output N\)/,
    );
  });

  test("text of the session does not reach the terminal as it is", () => {
    const evil = file("compact-evil.json", [
      user(1, "a\u001b[31mb\u0007c\nd"),
      ...messages.slice(1),
    ]);
    const { stdout } = done([evil, ...LIMITS]);
    assert.match(stdout, /a \[31mb c d/);
    assert.doesNotMatch(stdout, /[^\P{Cc}\n]/u);
  });

  test("damaged messages are passed over", () => {
    const odd = [null, 5, { type: "tool" }, { type: "tool", state: 7 }, { type: "text", text: 9 }];
    const [first, ...rest] = session(4);
    const list = [first, { info: rest[0].info, parts: odd }, ...rest.slice(1)];
    const { stdout } = done([file("compact-odd.json", list), ...LIMITS]);
    assert.match(stdout, /messages are summarised/);
  });
});

describe("compact: outputs cleared", () => {
  const turns = [...session(3), user(9, "And now?"), step(10, 9, 10, 20000), user(11, "Then?")];
  const many = file("compact-turns.json", exported(turns));
  const settings = ["--prune", "--protect", "4000", "--minimum", "5000"];

  test("--prune shows which, what that saves, and when it pays", () => {
    const { stdout } = done([many, ...LIMITS, ...settings]);
    assert.match(stdout, /^prune: 2 outputs to clear, which saves 8,000 tokens$/m);
    assert.ok(stdout.includes(`    ${partID(2)}    4,000  bash\n`));
    assert.match(stdout, /next request then: about [\d,]+ tokens\n {2}fits: /);
    const { prune, pruned, check, plan } = json([many, ...LIMITS, ...settings]);
    assert.deepEqual(prune.partIDs, [partID(2), partID(3)]);
    // No answer reports the tokens after that, but the system prompt is still there.
    assert.ok(pruned.tokens > 8000 && pruned.tokens < check.used.tokens - 7000, pruned.tokens);
    assert.equal(plan.tokens.before, pruned.tokens);
    assert.match(done([many, ...LIMITS, "--prune"]).stdout, /^prune: no outputs to clear: /m);
  });

  test("--prune -o writes the session with them marked, and nothing else", () => {
    const out = join(place(), "out.json");
    const { stdout } = done([many, ...LIMITS, ...settings, "-o", out]);
    assert.match(
      stdout,
      /^2 outputs cleared: the next request was [\d,]+ tokens, and is now about [\d,]+\n$/,
    );
    const made = JSON.parse(readFileSync(out, "utf8"));
    const marked = [];
    for (const { parts } of made.messages) {
      for (const part of parts) {
        if (part.state?.time?.compacted === undefined) continue;
        marked.push(part.id);
        delete part.state.time.compacted;
      }
    }
    assert.deepEqual(marked, [partID(2), partID(3)]);
    assert.deepEqual(made.messages, turns);
    const none = done([many, ...LIMITS, "--prune", "-o", out]);
    assert.match(none.stdout, /^nothing to clear: /);
    assert.deepEqual(JSON.parse(readFileSync(out, "utf8")).messages, turns);
  });

  test("with --summary, first they are cleared, then it is compacted", () => {
    const args = [many, ...LIMITS, ...settings, "--summary", summary, "--tail-turns", "0"];
    const made = JSON.parse(done(args).stdout);
    assert.ok(made.messages[1].parts[0].state.time.compacted > START);
    assert.equal(made.messages[turns.length + 1].info.summary, true);
  });
});

describe("compact: the request", () => {
  test("--request prints the text for a model, -o writes it", () => {
    const { stdout, stderr } = done([path, ...LIMITS, "--request"]);
    assert.equal(stderr, "");
    const plan = SessionCompaction.plan(messages, { model: MODEL });
    const [{ parts }] = SessionCompaction.summaryRequest(messages, plan);
    assert.equal(stdout, `${parts[0].text}\n`);
    assert.match(stdout, /^<conversation>\n\[User\]: Please read all the files/);
    const out = join(place(), "request.txt");
    assert.equal(done([path, ...LIMITS, "--request", "-o", out]).stdout, "");
    assert.equal(readFileSync(out, "utf8"), stdout);
    const [message] = JSON.parse(done([path, ...LIMITS, "--request", "--json"]).stdout);
    assert.deepEqual([message.role, message.parts], ["user", parts]);
  });
});

describe("compact: the compacted session", () => {
  test("an export stays one: all messages, the compaction, the summary, and where it goes on", () => {
    const out = join(place(), "out.json");
    const { stdout, stderr } = done([
      path,
      ...LIMITS,
      "--keep",
      "5000",
      "--summary",
      summary,
      "-o",
      out,
    ]);
    assert.equal(stderr, "");
    assert.match(
      stdout,
      /^4 messages summarised, 1 stays: the next request was [\d,]+ tokens, and is now about [\d,]+\n$/,
    );
    const made = JSON.parse(readFileSync(out, "utf8"));
    assert.deepEqual(Object.keys(made), ["info", "messages"]);
    const { time, ...info } = made.info;
    assert.deepEqual({ ...info, time: exported([]).info.time }, exported([]).info);
    assert.equal(time.created, START);
    assert.ok(time.updated > START);
    assert.deepEqual(made.messages.slice(0, messages.length), messages);
    const [compaction, told, next] = made.messages.slice(messages.length);
    assert.equal(compaction.parts[0].type, "compaction");
    assert.equal(compaction.parts[0].auto, false);
    assert.equal(compaction.parts[0].tail_start_id, messageID(5));
    assert.equal(told.info.parentID, compaction.info.id);
    assert.match(told.parts[0].text, /^## Objective\nRead all the files\.\n\n[\s\S]*port 8023/);
    assert.deepEqual(next.parts[0].metadata, { compaction_continue: true });
    const view = SessionCompaction.filterCompacted(made.messages).map((message) => message.info.id);
    const ids = [compaction, told].map((message) => message.info.id);
    assert.deepEqual(view, [...ids, messageID(5), next.info.id]);
  });

  test("ids are OpenCode's, and rise, if the session's are", () => {
    const later = "ffff1234";
    const text = JSON.stringify(exported(messages)).replaceAll("20520000", later);
    for (const content of [exported(messages), text]) {
      const input = file("compact-ids.json", content);
      const made = JSON.parse(done([input, ...LIMITS, "--summary", summary]).stdout).messages;
      const added = made.slice(messages.length);
      assert.equal(added.length, 3);
      const [own, parts] = [made.map(({ info }) => info.id), made.flatMap((m) => m.parts)];
      for (const [ids, form] of [
        [own, /^msg_[0-9a-f]{12}[0-9A-Za-z]{14}$/],
        [parts.map(({ id }) => id), /^prt_[0-9a-f]{12}[0-9A-Za-z]{14}$/],
      ]) {
        for (const id of ids) assert.match(id, form);
        assert.deepEqual(ids, ids.toSorted());
        assert.equal(new Set(ids).size, ids.length);
      }
      for (const { info, parts } of added) {
        for (const part of parts) assert.equal(part.messageID, info.id);
      }
      assert.deepEqual(PartValidator.validateTranscript(made, { ids: "opencode" }).problems, []);
    }
  });

  test("an array stays one; ids are UUIDs if the session's are not OpenCode's", () => {
    const plain = JSON.parse(
      JSON.stringify(messages).replaceAll("msg_", "m_").replaceAll("prt_", "p_"),
    );
    const input = file("compact-array.json", plain);
    const { stdout, stderr } = done([input, ...LIMITS, "--summary", summary]);
    const made = JSON.parse(stdout);
    assert.deepEqual(made.slice(0, plain.length), plain);
    for (const { info } of made.slice(plain.length))
      assert.match(info.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    assert.match(stderr, /^5 messages summarised, 0 stay: /, "the session is on standard output");
  });

  test("any transcript: the result is an array of messages", () => {
    const formats = at("tests/fixtures/formats");
    for (const name of inputs(formats)) {
      const args = [join(formats, name), ...LIMITS, "--tail-turns", "0", "--summary", summary];
      const made = JSON.parse(done(args).stdout);
      assert.equal(Array.isArray(made), !name.startsWith("opencode-export"), name);
      const all = Array.isArray(made) ? made : made.messages;
      const { problems } = PartValidator.validateTranscript(all, { ids: "opencode" });
      assert.deepEqual(
        problems.filter(({ severity }) => severity === "error"),
        [],
        name,
      );
      assert.ok(
        all.some(({ info }) => info.summary === true),
        name,
      );
    }
  });

  test("again: the earlier summary is merged", () => {
    const first = file("compact-first.json", done([path, ...LIMITS, "--summary", summary]).stdout);
    const args = [first, ...LIMITS, "--tail-turns", "0"];
    assert.match(
      done(args).stdout,
      /the summary before this one is merged: ## Objective Read all the files/,
    );
    assert.match(done([...args, "--request"]).stdout, /<prior-summary>\n## Objective\nRead all/);
    const made = JSON.parse(done([...args, "--summary", summary]).stdout).messages;
    assert.equal(made.filter(({ info }) => info.summary === true).length, 2);
  });

  test("--overflow: the refused request is asked again", () => {
    const list = [...messages, user(8, "And this?")];
    const input = file("compact-overflow.json", exported(list));
    assert.match(
      done([input, ...LIMITS, "--overflow"]).stdout,
      /it is asked again after the summary/,
    );
    const args = [input, ...LIMITS, "--overflow", "--summary", summary];
    const made = JSON.parse(done(args).stdout).messages;
    assert.equal(made[list.length].parts[0].overflow, true);
    assert.equal(made.at(-1).parts[0].text, "And this?");
  });

  test("the session and the summary from standard input, the plan with --summary", () => {
    const text = readFileSync(path, "utf8");
    assert.equal(done(["-", ...LIMITS], text).stdout, done([path, ...LIMITS]).stdout);
    const made = JSON.parse(done([path, ...LIMITS, "--summary", "-"], "It went well.\n").stdout);
    assert.match(made.messages.at(-2).parts[0].text, /^It went well\.\n\n/);
    const plan = done([path, ...LIMITS, "--summary", summary, "--plan"]);
    assert.equal(plan.stdout, done([path, ...LIMITS]).stdout);
  });

  test("--json -o tells what was done", () => {
    const out = join(place(), "out.json");
    const told = json([path, ...LIMITS, "--summary", summary, "-o", out]);
    const { messages: made } = JSON.parse(readFileSync(out, "utf8"));
    const ids = made.map(({ info }) => info.id);
    assert.deepEqual(told.added, ids.slice(messages.length));
    assert.ok(told.tokens.after < told.tokens.before);
  });

  test("of several sessions the main one, or the one that is named", () => {
    const other = "ses_20bbbbbbbbbbbbbbbbbbbbbbbb";
    const rest = JSON.parse(
      JSON.stringify(messages).replaceAll(SESSION, other).replaceAll("2052", "2053"),
    );
    const input = file("compact-sessions.json", [...messages, ...rest]);
    const main = run(["compact", input, ...LIMITS]);
    assert.match(
      main.stderr,
      new RegExp(`^\\S+: 1 other session is not in it: ${other} \\(--session ID\\)\n$`),
    );
    assert.ok(main.stdout.startsWith(`with-parts ${SESSION}\n`));
    const second = run(["compact", input, ...LIMITS, "--session", other, "--summary", summary]);
    assert.match(second.stderr, /: 1 other session not written\n/);
    const made = JSON.parse(second.stdout);
    assert.deepEqual(made.slice(0, rest.length), rest);
    assert.ok(made.every(({ info }) => info.sessionID === other));
    const none = run(["compact", input, ...LIMITS, "--session", "ses_none"]);
    assert.equal(none.status, 1);
    assert.match(none.stderr, /no session ses_none; the sessions are ses_20a\S+, ses_20b/);
  });

  test("-o: whole or not at all, with mode and links kept", () => {
    const dir = place();
    const out = join(dir, "out.json");
    const write = (...more) => run(["compact", path, ...LIMITS, "--summary", summary, ...more]);
    assert.equal(write("-o", out).status, 0);
    chmodSync(out, 0o600);
    const link = join(dir, "link.json");
    symlinkSync(out, link);
    assert.equal(write("-o", link).status, 0);
    assert.equal(statSync(out).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(dir).sort(), ["link.json", "out.json"], "no temporary file stays");
    const piped = write("-o", "-");
    assert.equal(JSON.parse(piped.stdout).messages.length, messages.length + 3);
    const nowhere = write("-o", join(dir, "no", "where.json"));
    assert.equal(nowhere.status, 2);
    assert.match(nowhere.stderr, /where\.json: its folder does not exist\n$/);
    assert.match(write("-o", dir).stderr, /: it is a folder\n$/);
    const blank = file("compact-blank.md", " \n");
    const before = readFileSync(out, "utf8");
    assert.equal(run(["compact", path, ...LIMITS, "--summary", blank, "-o", out]).status, 1);
    assert.equal(readFileSync(out, "utf8"), before);
  });
});

describe("compact: without a summary", () => {
  const turns = [1, 4, 7].flatMap((n) => [
    user(n, `Read ${n}.`),
    step(n + 1, n, 4000, 1400 * (n + 2)),
  ]);
  const many = file("compact-truncate.json", exported(turns));
  const args = [many, ...LIMITS, "--truncate"];
  const dropped = [1, 2, 4, 5].map(messageID);
  const kept = [7, 8].map(messageID);

  test("--truncate plans which turns are dropped, as the library does", () => {
    const { stdout, stderr } = done(args);
    assert.equal(stderr, "");
    assert.match(stdout, /^compaction: [\d,]+ tokens now, about [\d,]+ afterwards: fits$/m);
    assert.match(stdout, /^ {2}4 messages are dropped, 8,\d\d\d tokens: /m);
    assert.match(stdout, /^ {2}2 messages stay, 4,\d\d\d tokens: /m);
    assert.doesNotMatch(stdout, /summarised|own words/);
    const { plan } = json(args);
    const wanted = SessionCompaction.plan(turns, { model: MODEL, strategy: "truncate" });
    assert.deepEqual(plan, JSON.parse(JSON.stringify(wanted)));
    assert.deepEqual([plan.drop, plan.keep], [dropped, kept]);
  });

  test("-o writes all messages, the compaction and its notice; undo takes them back", () => {
    const out = join(place(), "out.json");
    const { stdout, stderr } = done([...args, "-o", out]);
    assert.equal(stderr, "");
    assert.match(
      stdout,
      /^4 messages dropped, 2 stay: the next request was [\d,]+ tokens, and is now about [\d,]+\n$/,
    );
    const made = JSON.parse(readFileSync(out, "utf8"));
    assert.deepEqual(Object.keys(made), ["info", "messages"]);
    assert.deepEqual(made.messages.slice(0, turns.length), turns);
    const [compaction, notice, ...more] = made.messages.slice(turns.length);
    assert.deepEqual(more, []);
    assert.equal(compaction.parts[0].auto, false);
    assert.equal(compaction.parts[0].tail_start_id, kept[0]);
    assert.match(notice.parts[0].text, /^\[Earlier messages of this conversation were removed/);
    const ids = [compaction, notice].map(({ info }) => info.id);
    for (const id of ids) assert.match(id, /^msg_[0-9a-f]{12}[0-9A-Za-z]{14}$/);
    const view = SessionCompaction.filterCompacted(made.messages).map(({ info }) => info.id);
    assert.deepEqual(view, [...ids, ...kept]);
    const { problems } = PartValidator.validateTranscript(made.messages, { ids: "opencode" });
    assert.deepEqual(problems, []);
    assert.deepEqual(SessionCompaction.undo(made.messages, { compactionID: ids[0] }), turns);
  });

  test("--json -o prints what was done, and the ids that undo needs", () => {
    const out = join(place(), "out.json");
    const result = json([...args, "--overflow", "-o", out]);
    const { messages: made } = JSON.parse(readFileSync(out, "utf8"));
    assert.equal(result.done, "4 messages dropped, 2 stay");
    const added = made.slice(turns.length);
    assert.deepEqual(
      result.added,
      added.map(({ info }) => info.id),
    );
    assert.equal(added[0].parts[0].overflow, true);
    assert.ok(result.tokens.after < result.tokens.before);
    const [compactionID] = result.added;
    assert.deepEqual(SessionCompaction.undo(made, { compactionID }), turns);
  });

  test("with --prune, first outputs are cleared", () => {
    const settings = ["--prune", "--protect", "1000", "--minimum", "1000", "--keep", "4500"];
    const { messages: made } = JSON.parse(done([...args, ...settings, "-o", "-"]).stdout);
    assert.ok(made[1].parts[0].state.time.compacted > START);
    assert.equal(made[turns.length].parts[0].type, "compaction");
  });

  test("the newest turn stays, even if it is too large: CP-6; alone it is not dropped", () => {
    const made = run(["compact", ...args, "--keep", "100", "-o", "-"]);
    assert.equal(made.status, 0, made.stderr);
    assert.match(made.stderr, /^warning CP-6: /m);
    const one = run(["compact", path, ...LIMITS, "--truncate", "-o", "-"]);
    assert.deepEqual([one.status, one.stdout], [1, ""]);
    assert.match(
      one.stderr,
      /compact\.json: no turn can be dropped: all of them fit in the budget, or there is only one\n$/,
    );
  });
});

test("compact: what is lost of a damaged file is told", () => {
  const text = JSON.stringify(exported(messages));
  const cut = file("compact-cut.json", text.slice(0, -500));
  const { stderr, stdout } = run(["compact", cut, ...LIMITS, "--summary", summary, "--keep", "0"]);
  assert.match(stderr, /^\S+compact-cut\.json: byte \d+: /);
  assert.ok(JSON.parse(stdout).messages.length >= messages.length);
});

test("compact: errors are one sentence on standard error", () => {
  const cases = [
    [[path], 2, /--context N: the tokens/],
    [[path, "--context", "200k"], 2, /--context must be an integer from 1/],
    [[path, "--context", "0"], 2, /--context must be an integer from 1/],
    [[path, ...LIMITS, "--keep", "-1"], 2, /./],
    [[path, ...LIMITS, "--estimator", "o200k"], 2, /--estimator must be chars or classes/],
    [[path, ...LIMITS, "-o", join(folder, "x")], 2, /FILE, --truncate, --prune or --request/],
    [[path, ...LIMITS, "--truncate", "--request"], 2, /leave out --request and --summary/],
    [[path, ...LIMITS, "--truncate", "--summary", summary], 2, /leave out --request/],
    [[path, ...LIMITS, "--truncate", "--json", "-o", "-"], 2, /-o FILE/],
    [[path, ...LIMITS, "--plan", "-o", join(folder, "x")], 2, /--plan writes nothing/],
    [[path, ...LIMITS, "--plan", "--request"], 2, /use one of them/],
    [[path, ...LIMITS, "--request", "--summary", summary], 2, /use one of them/],
    [["-", ...LIMITS, "--summary", "-"], 2, /not both/],
    [[path, ...LIMITS, "--summary", summary, "--json"], 2, /-o FILE/],
    [[path, ...LIMITS, "--summary", summary, "-o", path], 2, /both read and written/],
    [[path, ...LIMITS, "--summary", summary, "-o", summary], 2, /both read and written/],
    [[path, ...LIMITS, "--summary", join(folder, "none.md")], 2, /none\.md: no such file/],
    [[path, ...LIMITS, "--summary", file("odd.md", new Uint8Array([0xff]))], 2, /UTF-8/],
    [[path, ...LIMITS, "--summary", file("blank.md", "\n")], 1, /blank: ask the model/],
    [[join(folder, "none.json"), ...LIMITS], 2, /no such file/],
    [[file("compact-empty", ""), ...LIMITS], 1, /the file is empty/],
    [[path, ...LIMITS, "--ids", "apex"], 2, /compact has no --ids/],
    [
      [
        file("one.json", [{ info: { id: "m", sessionID: "s", role: "user" }, parts: [] }]),
        ...LIMITS,
        "--request",
      ],
      1,
      /nothing to summarise/,
    ],
  ];
  for (const [args, code, says] of cases) {
    const { status, stdout, stderr } = run(["compact", ...args]);
    assert.equal(status, code, `${args}: ${stderr}`);
    assert.equal(stdout, "", `${args}`);
    assert.match(stderr, says, `${args}`);
    assert.doesNotMatch(stderr, /\n\s+at /, "no stack");
  }
});

test("--help names the command and its options", () => {
  const { stdout } = run(["--help"]);
  for (const words of [
    "apex-parts compact FILE --context N",
    "--summary FILE",
    "--truncate",
    "--keep N",
  ]) {
    assert.ok(stdout.includes(words), words);
  }
});

test("the example: a run whose outputs exceed a small context ends well", () => {
  const args = [at("examples/agent-loop.mjs")];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.equal(stderr, "");
  assert.equal(status, 0);
  const sent = /^ {2}the model is sent (\d+) tokens, messages: (\d+), first: (.*)$/gm;
  const requests = [...stdout.matchAll(sent)].map(([, tokens, count, first]) => ({
    ...{ tokens: Number(tokens), count: Number(count), first },
  }));
  assert.equal(requests.length, 25, "24 calls and the end");
  for (const { tokens } of requests) assert.ok(tokens < 5000, `${tokens}`);
  assert.equal(stdout.match(/^ {2}cleared: /gm).length, 2);
  assert.equal(stdout.match(/^ {2}compacted: .*; messages that stay: 1$/gm).length, 1);
  // The view: the line of the compaction, its summary, the message that stays, the one that goes on.
  const after = requests.slice(18);
  assert.deepEqual(
    after.map(({ count }) => count),
    [4, 5, 6, 7, 8, 9, 10],
  );
  for (const { first } of after) assert.equal(first, "What did we do so far?");
  // The user's own words are still there.
  assert.match(
    stdout,
    /^ {2}the model: The password is swordfish\.\na model that reads much: ran/m,
  );
});
