// Sessions for benchmarks: a recorded one that is repeated k times is one session with k times as much in it, and what is
// counted by hand in it is what the library counts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { describe, test } from "node:test";
import { requestMessages, shortMessages } from "../../benches/lib/arrays.mjs";
import { PLAIN, plain } from "../../benches/plain.mjs";
import { SCALED, scaled, timesFor } from "../../benches/scale.mjs";
import { setLogger, Transcript } from "../../pkg/node.mjs";
import { at, files } from "../../scripts/lib.mjs";

setLogger(undefined);
const RECORDED = at("tests", "fixtures", "recorded");

/** Sessions of which a part says something else at the end of a file, or at its beginning, than within it. */
const UNLIKE = new Set([
  // Its sign-in ends before the first message: a notice there, and a failed answer when it is repeated.
  "copilot-cli.catalogue.jsonl",
]);
/** Parts of which a session has no more than one, however long it is. */
const ONCE = { inspect: ["score", "notice"] };

/** The logs of requests that are read: of others the instructions were left out. */
const REQUESTS = /imp-(?:prune-below-minimum|states|two-tail-over)\.requests\.jsonl$/;

const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);

/** What the library says of a session. */
function factsOf(bytes) {
  const transcript = Transcript.open(bytes);
  const { format } = transcript;
  const { messages, parts, tools, tokens } = transcript.stats();
  // Those of one session; a copy of a sub-agent is another.
  const isOne = transcript.sessions.length === 1;
  const all = isOne ? transcript.messages().flatMap(({ parts: own }) => own) : [];
  const ids = new Set(all.flatMap(({ callID }) => callID ?? []));
  const rules = new Set(transcript.problems().map(({ rule }) => rule));
  transcript.free();
  const { input, output, reasoning, cache } = tokens;
  const calls = sum(Object.values(tools).map((tool) => tool.calls));
  const each = [input, output, reasoning, cache.read, cache.write];
  const counts = { messages, calls, ids: ids.size, tokens: sum(each), each, parts };
  return { format, counts, rules };
}

/** The recorded sessions of the formats that can be repeated, but for archives: their names, bytes and facts. */
function sessions() {
  const paths = files(...["agents", "runs", "opencode"].map((name) => join(RECORDED, name)));
  const found = files(RECORDED)
    .filter((path) => paths.includes(path) || path.endsWith(".export.json") || REQUESTS.test(path))
    .filter((path) => /\.(?:jsonl|json|sse|traj)$/.test(path))
    .map((path) => [relative(RECORDED, path), readFileSync(path)]);
  const [, session] = found.find(([path]) => path.endsWith("many-steps.export.json"));
  found.push(["the messages of Anthropic's API", requestMessages(session, "anthropic")]);
  found.push(["the messages of OpenAI's API", requestMessages(session, "openai-chat")]);
  found.push(["short messages", shortMessages(session)]);
  return found.flatMap(([name, bytes]) => {
    if (name.endsWith(".meta.json") || UNLIKE.has(basename(name))) return [];
    const facts = factsOf(bytes);
    return facts.counts.messages > 0 && SCALED.includes(facts.format)
      ? [{ name, bytes, ...facts }]
      : [];
  });
}

const SESSIONS = sessions();

/**
 * Copilot CLI writes its instructions behind the request: those for which no request follows are a message, which only the
 * last copy has.
 */
function isOnlyAtTheEnd({ format, bytes }) {
  if (format !== "copilot-cli") return false;
  const lines = bytes.toString().split("\n").filter(Boolean);
  const main = lines.map(JSON.parse).filter(({ agentId }) => agentId === undefined);
  const last = (type) => main.findLastIndex((event) => event.type === type);
  return last("system.message") > last("user.message");
}

/** The counts of a session that is repeated k times. */
function repeated(session, k) {
  const { messages, calls, ids, tokens, each, parts } = session.counts;
  const once = ONCE[session.format] ?? [];
  const all = Object.entries(parts).map(([type, count]) => [
    type,
    once.includes(type) ? count : count * k,
  ]);
  const less = isOnlyAtTheEnd(session) ? k - 1 : 0;
  const own = Object.fromEntries(all);
  if (less > 0) own.text -= less;
  return {
    messages: messages * k - less,
    calls: calls * k,
    ids: ids * k,
    tokens: tokens * k,
    each: each.map((count) => count * k),
    parts: own,
  };
}

test("every format that can be repeated is recorded, and counted by hand", () => {
  assert.deepEqual([...PLAIN].sort(), [...SCALED].sort());
  assert.equal(SCALED.length, 11);
  const seen = new Set(SESSIONS.map(({ format }) => format));
  assert.deepEqual([...seen].sort(), [...SCALED].sort());
  assert.ok(SESSIONS.length >= 70, `${SESSIONS.length} sessions`);
});

describe("a session that is repeated is one session with k times as much", () => {
  for (const session of SESSIONS) {
    test(session.name, () => {
      for (const k of [2, 5]) {
        const { format, counts, rules } = factsOf(scaled(session.bytes, session.format, k));
        assert.equal(format, session.format);
        assert.deepEqual(counts, repeated(session, k), `${k} times`);
        const added = [...rules].filter((rule) => !session.rules.has(rule));
        assert.deepEqual(added, [], "kinds of problems that the session does not have");
      }
    });
  }
});

test("the first copy is the recording, to the end of its last line", () => {
  const inLines = SESSIONS.filter(({ bytes }) => !isDocument(bytes.toString()));
  assert.ok(inLines.length >= 30);
  for (const { name, bytes, format } of inLines) {
    assert.ok(scaled(bytes, format, 2).subarray(0, bytes.length).equals(bytes), name);
    assert.deepEqual(scaled(bytes, format, 1), bytes, name);
  }
});

function isDocument(text) {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/** The fields of the formats whose lines are a tree. */
const TREES = {
  "claude-code": ["uuid", "parentUuid"],
  "copilot-cli": ["id", "parentId"],
  pi: ["id", "parentId"],
};

test("copies hang on the last line of the copy before, with ids of their own", () => {
  const linesOf = (bytes) => bytes.toString().split("\n").filter(Boolean).map(JSON.parse);
  const isHead = ({ type }) => type === "session" || type === "session.start";
  let seen = 0;
  for (const { name, bytes, format } of SESSIONS) {
    const [id, parent] = TREES[format] ?? [];
    const one = linesOf(id ? bytes : Buffer.alloc(0)).filter((line) => line[id] && !isHead(line));
    const [first] = one;
    const last = one.at(-1);
    // The first version of pi has no ids, and lines of made-up events no parents.
    if (first === undefined || !last[parent]) continue;
    seen++;
    const three = linesOf(scaled(bytes, format, 3)).filter((line) => line[id] && !isHead(line));
    assert.equal(three.length, one.length * 3, name);
    assert.equal(new Set(three.map((line) => line[id])).size, three.length, name);
    const [second, third] = [three[one.length], three[one.length * 2]];
    assert.deepEqual([second[id], third[id]], [`${first[id]}-1`, `${first[id]}-2`], name);
    assert.deepEqual([second[parent], third[parent]], [last[id], `${last[id]}-1`], name);
    const sessions = new Set(three.map(({ sessionId }) => sessionId));
    assert.deepEqual([...sessions], [first.sessionId], name);
  }
  assert.ok(seen >= 15, `${seen} sessions`);
});

test("OpenCode's ids of a copy sort behind those of the copy before", () => {
  const { bytes, format } = SESSIONS.find(({ name }) => /many-steps\.export/.test(name));
  const { messages } = JSON.parse(scaled(bytes, format, 4));
  const ids = messages.map(({ info }) => info.id);
  assert.deepEqual(ids, [...new Set(ids)].sort());
});

test("about so many bytes", () => {
  for (const { name, bytes, format } of SESSIONS.filter(({ bytes }) => bytes.length > 20_000)) {
    const size = 5 * bytes.length;
    const made = scaled(bytes, format, timesFor(bytes, size)).length;
    assert.ok(made > 0.7 * size && made < 1.3 * size, `${name}: ${made} for ${size}`);
  }
  assert.equal(timesFor(Buffer.alloc(100), 10), 1);
  assert.throws(() => scaled(Buffer.from("x"), "no-such-format", 2), /no-such-format/);
  assert.throws(() => plain(Buffer.from("x"), "no-such-format"), /no-such-format/);
});

/** Where a count by hand is not that of the library, and why. */
const BY_HAND = {
  // A compaction is a message of the library's.
  "codex.compaction.jsonl": ["messages"],
  "codex.odd-items.jsonl": ["calls"],
  // The library has branches, compactions and commands of the user as messages, and such a command as a call.
  "pi.tree.jsonl": ["messages", "calls"],
  // What Gemini CLI says itself, and what SWE-agent says to an answer without an action.
  "gemini-cli.exit-code.json": ["messages"],
  "swe-agent.limited.traj": ["messages"],
  // An interruption is a mark on the answer for the library, and a user's line in the file.
  "claude-code.interrupted": ["messages"],
  // The library counts what the sub-agent used, which only the program's own sum has.
  "claude-code.sub-agent": ["tokens"],
  // An answer that failed is a message for the library, and nothing but an event in the file.
  "codex.failing": ["messages"],
  "codex.interrupted": ["messages"],
  // The sum of a fork goes on from that of its parent.
  "codex.forked": ["tokens"],
  // Instructions for which no request follows, and requests that were refused.
  "copilot-cli.ordinary": ["messages"],
  "copilot-cli.failing": ["messages"],
  "copilot-cli.interrupted": ["messages"],
  "copilot-cli.sub-agent": ["messages"],
};

describe("what is counted by hand is what the library counts", () => {
  for (const { name, bytes, format, counts } of SESSIONS) {
    test(name, () => {
      const parts = name.split(/[\\/]/);
      const unlike = parts.flatMap((part) => BY_HAND[part] ?? []);
      const own = plain(bytes, format);
      for (const what of ["messages", "calls", "tokens"]) {
        if (!unlike.includes(what)) assert.equal(own[what], counts[what], what);
      }
      assert.ok(own.results <= own.calls, "results without calls");
      for (const k of [2, 5]) {
        const all = Object.entries(own).map(([what, count]) => [what, count * k]);
        const made = plain(scaled(bytes, format, k), format);
        assert.deepEqual(made, Object.fromEntries(all), `${k} times`);
      }
    });
  }

  test("each exception is one", () => {
    for (const [place, unlike] of Object.entries(BY_HAND)) {
      const all = SESSIONS.filter(({ name }) => name.split(/[\\/]/).includes(place));
      for (const what of unlike) {
        const differs = all.some(
          ({ bytes, format, counts }) => plain(bytes, format)[what] !== counts[what],
        );
        assert.ok(differs, `${place}: ${what}`);
      }
    }
  });
});
