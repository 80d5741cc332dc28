// Transcripts in the packed package: every format, in chunks of any size, held in memory or not. (The scan
// itself is tested in Rust.)
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { generate } from "../../scripts/generate.mjs";
import { at, consumer, requireFrom, shared } from "./helper.mjs";

const made = (format, bytes = 60_000) => Buffer.concat([...generate({ format, bytes, seed: 7 })]);

/** A file of each format: our own, recorded and generated. */
const STREAMS = at("tests", "fixtures", "streams");
const FILES = [
  ...["opencode-export", "opencode-events", "opencode-run", "with-parts", "messages", "deltas"],
  "claude-code",
].map((format) => ({ name: `made.${format}`, format, bytes: made(format) }));
for (const name of readdirSync(STREAMS).filter((name) => name.endsWith(".sse"))) {
  FILES.push({ name, format: name.split(".").at(-2), bytes: readFileSync(join(STREAMS, name)) });
}
const OPENCODE = shared("recorded", "opencode");
for (const name of OPENCODE ? readdirSync(OPENCODE) : []) {
  const format = name.endsWith(".sse") ? "opencode-events" : "opencode-export";
  FILES.push({ name, format, bytes: readFileSync(join(OPENCODE, name)) });
}

let parts;
before(async () => {
  parts = requireFrom(await consumer("transcripts"))("apex-parts");
  parts.setLogger(undefined);
});

/** Everything that a transcript returns, without generated ids. */
function told(transcript) {
  const { format, session, sessions, messageCount, partCount } = transcript;
  const ids = new Map();
  const plain = JSON.stringify({
    ...{ format, session, sessions, messageCount, partCount },
    messages: transcript.messages(),
    of: sessions.map(({ id }) => transcript.messagesOf(id).length),
    problems: transcript.problems(),
    stats: transcript.stats(),
    found: transcript.search("the"),
  });
  return plain
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      if (!ids.has(id)) ids.set(id, `uuid ${ids.size}`);
      return ids.get(id);
    })
    .replace(/1[78]\d{11}(\.\d+)?/g, "time");
}

function opened(t, transcript) {
  t.after(() => transcript.free());
  return transcript;
}

function inPieces(t, bytes, length, options) {
  const transcript = opened(t, new parts.Transcript(options));
  for (let at = 0; at < bytes.length; at += length) {
    transcript.push(bytes.subarray(at, at + length));
  }
  transcript.end();
  return transcript;
}

const reading = (bytes) => ({ read: (start, end) => bytes.subarray(start, end) });

function refused(call, says) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof Error && parts.isApexPartsError(error), String(error?.stack));
    assert.equal(error.name, "TranscriptError");
    assert.equal(typeof error.details.offset, "number");
    assert.match(error.message, says);
    return true;
  });
}

describe("every format", () => {
  test("is detected, opens, and has messages", (t) => {
    for (const { name, format, bytes } of FILES) {
      const transcript = opened(t, parts.Transcript.open(bytes));
      assert.equal(transcript.format, format, name);
      assert.ok(transcript.messageCount > 0, name);
      assert.equal(transcript.messages().length, transcript.messageCount);
      for (const { info, parts: own } of transcript.messages()) {
        assert.ok(info.id && Array.isArray(own), name);
      }
      assert.ok(transcript.sessions.length > 0, name);
    }
  });

  test("gives the same in chunks, and with `read`", (t) => {
    for (const { name, bytes } of FILES) {
      const whole = told(opened(t, parts.Transcript.open(bytes)));
      for (const length of [1_000, 65_536]) {
        assert.equal(told(inPieces(t, bytes, length)), whole, `${name} in ${length}`);
        assert.equal(told(inPieces(t, bytes, length, reading(bytes))), whole, `${name}, not held`);
      }
    }
  });

  test("can be given as an option", (t) => {
    for (const { name, format, bytes } of FILES) {
      assert.equal(opened(t, parts.Transcript.open(bytes, { format })).format, format, name);
    }
    refused(() => new parts.Transcript({ format: "nope" }), /unknown format "nope"; give one of/);
  });

  test("is valid if generated", (t) => {
    for (const { name, bytes } of FILES.filter(({ name }) => name.startsWith("made."))) {
      const transcript = opened(t, parts.Transcript.open(bytes));
      const errors = transcript.problems().filter(({ severity }) => severity === "error");
      assert.deepEqual(errors.slice(0, 3), [], name);
    }
  });
});

describe("a file with `read`", () => {
  const bytes = made("with-parts");

  test("is read only when and where a message is needed", (t) => {
    const asked = [];
    const read = (start, end) => {
      asked.push([start, end]);
      return bytes.subarray(start, end);
    };
    const transcript = inPieces(t, bytes, 4_096, { read });
    const before = asked.length;
    const third = transcript.message(3);
    assert.equal(asked.length, before + 1);
    const [start, end] = asked.at(-1);
    assert.deepEqual(JSON.parse(bytes.subarray(start, end)), third);
  });

  test("whose `read` fails is an error, and the transcript continues", (t) => {
    let way = () => bytes;
    const read = (start, end) => way(start, end);
    const transcript = inPieces(t, bytes, 4_096, { read });
    for (const [bad, says] of [
      [() => bytes.subarray(0, 1), /the file has changed/],
      [() => bytes, /the file has changed/],
      [() => undefined, /gave no Uint8Array/],
      [() => "text", /gave no Uint8Array/],
      [
        () => {
          throw new Error("gone");
        },
        /could not be read again: gone/,
      ],
      [
        () => {
          throw undefined;
        },
        /`read` threw/,
      ],
      [() => transcript.message(1), /could not be read again.*busy/],
    ]) {
      way = bad;
      refused(() => transcript.message(0), says);
      refused(() => transcript.messages(), says);
      refused(() => transcript.search("a"), says);
      refused(() => transcript.loops(), says);
    }
    way = (start, end) => bytes.subarray(start, end);
    assert.equal(transcript.messages().length, transcript.messageCount);
    for (const read of [1, "read", {}, true]) {
      refused(() => new parts.Transcript({ read }), /`read` is a function/);
    }
  });
});

describe("while it is read", () => {
  test("everything read so far is accessible", (t) => {
    const bytes = made("opencode-export");
    const transcript = opened(t, new parts.Transcript());
    let last = 0;
    for (let at = 0; at < bytes.length; at += 5_000) {
      transcript.push(bytes.subarray(at, at + 5_000));
      assert.ok(transcript.messageCount >= last);
      last = transcript.messageCount;
      if (last > 0) assert.ok(transcript.message(last - 1).info.id);
      assert.equal(transcript.messages().length, last);
    }
    transcript.end();
    transcript.end(); // a second call changes nothing
    refused(() => transcript.push(bytes), /push after end/);
    assert.ok(transcript.messageCount > 0);
  });

  test("the caller may reuse the memory of a chunk", (t) => {
    const bytes = made("opencode-export");
    const copy = Buffer.from(bytes);
    const transcript = opened(t, parts.Transcript.open(copy));
    copy.fill(0);
    assert.deepEqual(transcript.messages(), JSON.parse(bytes).messages);
  });
});

/** A transcript of these bytes, not ended but refreshed. */
function soFar(t, bytes, options) {
  const transcript = opened(t, new parts.Transcript(options));
  transcript.push(bytes);
  transcript.refresh();
  return transcript;
}

/** The ends of the lines, or of the events of an SSE stream. */
function ends(bytes) {
  const text = bytes.toString("latin1");
  const mark = /^(?:data|event|id)?:/.test(text) ? /\r?\n\r?\n/g : /\n/g;
  return [...text.matchAll(mark)].map(({ index, 0: { length } }) => index + length);
}

const recordings = () => {
  const folder = shared("recorded", "providers");
  if (!folder) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sse"))
    .map((name) => ({
      name,
      format: name.split(".").at(-2),
      bytes: readFileSync(join(folder, name)),
    }))
    .filter(({ bytes }) => bytes.length < 60_000);
};

describe("while it grows", () => {
  test("a refresh does not change the final result", (t) => {
    for (const { name, bytes } of FILES.filter(({ bytes }) => bytes.length < 100_000)) {
      const whole = told(opened(t, parts.Transcript.open(bytes)));
      for (const options of [undefined, reading(bytes)]) {
        const transcript = opened(t, new parts.Transcript(options));
        transcript.refresh(); // no format is detected yet
        const length = Math.ceil(bytes.length / 7);
        for (let at = 0; at < bytes.length; at += length) {
          transcript.push(bytes.subarray(at, at + length));
          transcript.refresh();
          assert.equal(transcript.layout().roles.length, transcript.messageCount);
          assert.equal(transcript.messages().length, transcript.messageCount);
        }
        transcript.end();
        transcript.refresh();
        assert.equal(told(transcript), whole, `${name}${options ? ", not held" : ""}`);
      }
    }
  });

  test("events, lines and runs show the same as a file that ends there", (t) => {
    const together = ["opencode-events", "opencode-run", "messages", "claude-code"];
    for (const { name, bytes } of FILES.filter(({ format }) => together.includes(format))) {
      const cuts = ends(bytes);
      for (const share of [0.3, 0.6, 0.9]) {
        const head = bytes.subarray(0, cuts[Math.floor(cuts.length * share)]);
        const [here, there] = [soFar(t, head), opened(t, parts.Transcript.open(head))];
        const plain = (transcript) =>
          told({
            ...{ format: transcript.format, session: transcript.session },
            ...{ sessions: transcript.sessions, messageCount: transcript.messageCount },
            partCount: transcript.partCount,
            messages: () => transcript.messages(),
            messagesOf: (id) => transcript.messagesOf(id),
            problems: () => [],
            stats: () => transcript.stats(),
            search: (query) => transcript.search(query),
          });
        assert.equal(plain(here), plain(there), `${name} up to ${head.length}`);
        assert.ok(here.messageCount > 0, name);
      }
    }
  });

  test("a streaming response equals that of a DeltaAssembler at every event", (t) => {
    const recorded = recordings();
    if (recorded.length === 0)
      t.diagnostic("../shared is not there: only our own streams are read");
    let compared = 0;
    const own = FILES.filter(({ name }) => name.endsWith(".sse") && !name.includes("events"));
    for (const { name, format, bytes } of [...own, ...recorded]) {
      if (opened(t, parts.Transcript.open(bytes)).messageCount !== 1) continue;
      const transcript = opened(t, new parts.Transcript({ format }));
      const assembler = new parts.DeltaAssembler({ format, runId: "r", onProblem: "collect" });
      t.after(() => assembler.free());
      let from = 0;
      for (const end of ends(bytes)) {
        const piece = bytes.subarray(from, end);
        from = end;
        transcript.push(piece);
        transcript.refresh();
        assembler.pushBytes(piece);
        const [message] = transcript.messages();
        if (!message) continue;
        const { id, sessionID, providerID } = message.info;
        const context = { sessionID, messageID: id, parentID: "", agent: "", providerID };
        const expected = assembler.toWithParts({ ...context, cwd: "", root: "" });
        const bare = ({ info, parts }) =>
          JSON.stringify({ info, parts: parts.map((part) => ({ ...part, id: "" })) }).replace(
            /\b1[78]\d{11}\b/g, // times
            "0",
          );
        assert.equal(bare(message), bare(expected), `${name} at ${end}`);
        compared++;
      }
    }
    assert.ok(compared > 20, `${compared} events`);
  });

  test("a row keeps its id, and a cut end is not an error", (t) => {
    for (const format of ["deltas", "messages", "claude-code", "opencode-run"]) {
      const { bytes } = FILES.find((file) => file.name === `made.${format}`);
      const transcript = opened(t, new parts.Transcript());
      let before = [];
      for (let at = 0; at < bytes.length; at += 3_001) {
        transcript.push(bytes.subarray(at, at + 3_001));
        transcript.refresh();
        const ids = transcript
          .messages()
          .map(({ info, parts }) => [info, ...parts].map((p) => p.id));
        for (const [i, old] of before.entries()) {
          assert.deepEqual(
            old.filter((id) => !ids[i].includes(id)),
            [],
            format,
          );
        }
        before = ids;
        const errors = transcript.problems().filter(({ severity }) => severity === "error");
        assert.deepEqual(errors, [], format);
      }
      assert.ok(before.length > 0, format);
    }
  });

  test("a refused file stays refused, and end() gives the reason", (t) => {
    const transcript = opened(t, new parts.Transcript());
    transcript.push(Buffer.from(`<!doctype html>${" ".repeat(1_000)}`));
    transcript.refresh();
    assert.deepEqual([transcript.messageCount, transcript.problems()], [0, []]);
    refused(() => transcript.end(), /HTML or XML/);
    transcript.refresh();
  });
});

describe("the layout", () => {
  const finish = {
    type: "step-finish",
    cost: 0.25,
    tokens: { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } },
  };
  const call = (tool, time) => ({ type: "tool", tool, state: { status: "completed", time } });
  const messages = [
    {
      info: { id: "a", sessionID: "s", role: "user", agent: "plan", time: { created: 5 } },
      parts: [{ type: "text", text: "hi", time: { start: 3, end: 4 } }],
    },
    {
      info: {
        sessionID: "t",
        role: "assistant",
        agent: "build",
        time: { created: 6, completed: 9 },
      },
      parts: [call("bash", { start: 6, end: 8 }), call("read", { start: 7 }), call("bash"), finish],
    },
    { info: { role: "assistant", agent: 7, time: { created: "then" } }, parts: [call()] },
  ];
  const bytes = Buffer.from(JSON.stringify({ info: { id: "t" }, messages }));

  test("has times, costs, tokens, tools, agents and sessions", (t) => {
    const transcript = opened(t, parts.Transcript.open(bytes));
    const layout = transcript.layout();
    const plain = (name, Kind) => {
      assert.ok(layout[name] instanceof Kind, name);
      return Array.from(layout[name]);
    };
    assert.deepEqual(plain("firstPart", Uint32Array), [0, 1, 5, 6]);
    assert.deepEqual(plain("starts", Float64Array), [3, 6, 7, NaN, NaN, NaN]);
    assert.deepEqual(plain("ends", Float64Array), [4, 8, NaN, NaN, NaN, NaN]);
    assert.deepEqual(plain("costs", Float32Array), [0, 0, 0, 0, 0.25, 0]);
    assert.deepEqual(plain("tokens", Uint32Array), [0, 0, 0, 0, 15, 0]);
    assert.deepEqual(plain("tools", Uint16Array), [0, 1, 2, 1, 0, 0]);
    assert.deepEqual(plain("created", Float64Array), [5, 6, NaN]);
    assert.deepEqual(plain("completed", Float64Array), [NaN, 9, NaN]);
    assert.deepEqual(plain("agents", Uint16Array), [1, 2, 0]);
    assert.deepEqual(plain("sessions", Uint32Array), [1, 0, 4_294_967_295]);
    assert.deepEqual(
      transcript.sessions.map(({ id }) => id),
      ["t", "s"],
    );
    assert.deepEqual(layout.toolNames, ["bash", "read"]);
    assert.deepEqual(layout.agentNames, ["plan", "build"]);
  });

  test("has one entry for each part or message, in every format", (t) => {
    for (const { name, bytes } of FILES) {
      const transcript = opened(t, parts.Transcript.open(bytes));
      const { firstPart, toolNames, agentNames, ...layout } = transcript.layout();
      const ofMessages = ["roles", "flags", "created", "completed", "agents", "sessions"];
      for (const [field, list] of Object.entries(layout)) {
        const count = ofMessages.includes(field) ? transcript.messageCount : transcript.partCount;
        assert.equal(list.length, count, `${name}: ${field}`);
      }
      assert.equal(firstPart.length, transcript.messageCount + 1);
      const said = transcript.messages().flatMap(({ parts }) => parts);
      said.forEach((part, i) => {
        const tool = part.type === "tool" && part.tool ? part.tool : undefined;
        assert.equal(toolNames[layout.tools[i] - 1], tool, name);
      });
      transcript.messages().forEach(({ info }, i) => {
        assert.equal(agentNames[layout.agents[i] - 1], info.agent || undefined, name);
        assert.ok(layout.sessions[i] < transcript.sessions.length, name);
        assert.equal(layout.created[i], info.time.created, name);
      });
    }
  });

  test("distinguishes 65,534 tools, and cuts long names", (t) => {
    const part = (n) => `{"type":"tool","tool":"${n}"}`;
    const names = Array.from({ length: 70_000 }, (_, n) => part(`tool ${n}`));
    names.push(part("x".repeat(1_000)), part("tool 1"));
    const file = `[{"info":{"role":"assistant"},"parts":[${part("y".repeat(500))},${names}]}]`;
    const transcript = opened(t, parts.Transcript.open(Buffer.from(file)));
    const { tools, toolNames } = transcript.layout();
    assert.equal(toolNames.length, 65_534);
    assert.equal(toolNames[0], "y".repeat(200));
    assert.deepEqual(
      [tools[65_533], tools[65_534], tools[70_001], tools[70_002]],
      [65_534, 0, 0, 3],
    );
  });
});

describe("search", () => {
  const message = {
    info: { id: "m", sessionID: "s", role: "user" },
    parts: [
      { type: "text", text: "Ärger, ärger \u{1f600} end" },
      {
        type: "tool",
        tool: "grep",
        state: {
          status: "completed",
          input: { "a/b": { "~": ["x", "needle"] } },
          output: 'say "needle"\n',
          title: "Needle",
        },
      },
    ],
  };
  const bytes = Buffer.from(JSON.stringify([message]));
  const at = (value, pointer) =>
    pointer
      .split("/")
      .slice(1)
      .reduce((v, key) => v[key.replaceAll("~1", "/").replaceAll("~0", "~")], value);

  test("finds strings and their places", (t) => {
    const transcript = opened(t, parts.Transcript.open(bytes));
    const all = (query, options) =>
      transcript.search(query, options).map(({ message, part, field, start, end, excerpt }) => {
        const text = at(transcript.message(message).parts[part], field);
        assert.ok(excerpt.length > 0);
        return `${field} ${text.slice(start, end)}`;
      });
    assert.deepEqual(all("needle"), [
      "/state/title Needle",
      "/state/input/a~1b/~0/1 needle",
      "/state/output needle",
    ]);
    assert.deepEqual(all("needle", { caseSensitive: true }).length, 2);
    assert.deepEqual(all("ÄRGER"), ["/text Ärger", "/text ärger"]);
    assert.deepEqual(all("end"), ["/text end"]);
    assert.deepEqual(all('"needle"\n'), ['/state/output "needle"\n']);
    assert.deepEqual(all("needle", { limit: 1 }).length, 1);
    assert.deepEqual(all("needle", { limit: 0 }), []);
    assert.deepEqual(all(""), []);
    assert.deepEqual(all("grep"), []);
    assert.deepEqual(all("n.{4}e", { regex: true }).length, 3);
    assert.deepEqual(all("N.{4}e", { regex: true, caseSensitive: true }), ["/state/title Needle"]);
    assert.deepEqual(all(". end", { regex: true }), ["/text \u{1f600} end"]);
    assert.deepEqual(all("^", { regex: true }), []);
    assert.deepEqual(all("e", { regex: true, limit: 2 }).length, 2);
    assert.deepEqual(all("\\-", { regex: true }), []); // valid only without Unicode mode
  });

  test("reports what is wrong with a query", (t) => {
    const transcript = opened(t, parts.Transcript.open(bytes));
    refused(() => transcript.search("(", { regex: true }), /no regular expression: .*\(/);
    refused(() => transcript.search(5), /a query is a string/);
    assert.throws(() => transcript.search("a", { limit: -1 }), /`limit` is a number, 0 or more/);
    assert.throws(() => transcript.search("a", { regex: 1 }), /`regex` is true or false/);
    assert.deepEqual(transcript.search("needle", { limit: 1 }).length, 1);
  });
});

describe("search in columns", () => {
  /** The matches of `search`, without excerpts. */
  function rows({ messages, parts: inMessages, fields, starts, ends, fieldNames }) {
    for (const column of [messages, inMessages, fields, starts, ends]) {
      assert.ok(column instanceof Uint32Array);
      assert.equal(column.length, messages.length);
    }
    assert.equal(new Set(fieldNames).size, fieldNames.length, "every name stands once");
    return Array.from(messages, (message, i) => ({
      message,
      part: inMessages[i],
      field: fieldNames[fields[i]],
      start: starts[i],
      end: ends[i],
    }));
  }

  const plainly = (found) => found.map(({ excerpt: _, ...place }) => place);
  const QUERIES = [
    ["the"],
    ["e"],
    ["E", { caseSensitive: true }],
    ["/"],
    ["\n"],
    ['"'],
    ["\\"],
    ["é"],
    ["\u{1f600}"],
    ["\ufffd"],
    ["\ud83d"],
    ["nowhere to be found"],
    [""],
    ["a".repeat(10_000)],
    ["t.e", { regex: true }],
    ["\\w+", { regex: true }],
    [".", { regex: true, caseSensitive: true }],
    ["[\\ud800-\\udfff]", { regex: true }],
    ["^", { regex: true }],
    ["(?:)", { regex: true }],
    ["$|e", { regex: true }],
    ["\\-", { regex: true }],
  ];

  test("finds what `search` finds, in every format, up to every limit", (t) => {
    let compared = 0;
    for (const { name, bytes } of FILES) {
      for (const options of [{}, reading(bytes)]) {
        const transcript = opened(t, parts.Transcript.open(bytes, options));
        for (const [query, how] of QUERIES) {
          const all = plainly(transcript.search(query, { ...how, limit: 20_000 }));
          compared += all.length;
          for (const limit of [0, 1, 7, Math.min(all.length, 19_999), 19_999]) {
            const found = transcript.searchColumns(query, { ...how, limit });
            const says = `${name}: ${JSON.stringify(query)} up to ${limit}`;
            assert.deepEqual(rows(found), all.slice(0, limit), says);
            assert.equal(found.capped, all.length > limit, says);
          }
        }
      }
    }
    assert.ok(compared > 100_000, `${compared} matches`);
  });

  test("the default limit is that of `search`, and infinity means none", (t) => {
    const transcript = opened(t, parts.Transcript.open(made("opencode-export", 300_000)));
    const found = transcript.searchColumns("e");
    assert.deepEqual(rows(found), plainly(transcript.search("e")));
    assert.equal(found.messages.length, 1000);
    assert.equal(found.capped, true);
    const all = transcript.searchColumns("e", { limit: Number.POSITIVE_INFINITY });
    assert.ok(all.messages.length > 1000 && !all.capped);
  });

  test("consecutive ranges of messages give the whole", (t) => {
    let compared = 0;
    for (const { name, bytes } of FILES) {
      for (const options of [{}, reading(bytes)]) {
        const transcript = opened(t, parts.Transcript.open(bytes, options));
        const { messageCount } = transcript;
        for (const [query, how] of [["e"], ["\u{1f600}"], ["t.e", { regex: true }], ["nowhere"]]) {
          const all = plainly(transcript.search(query, { ...how, limit: 20_000 }));
          compared += all.length;
          for (const step of [1, 2, 7, Math.ceil(messageCount / 2), messageCount, 1e9]) {
            const says = `${name}: ${query} by ${step}`;
            const found = { columns: [], plain: [] };
            for (let from = 0; from < messageCount; from += step) {
              const range = { ...how, limit: 20_000, from, to: from + step };
              const columns = transcript.searchColumns(query, range);
              assert.equal(columns.capped, false, says);
              found.columns.push(...rows(columns));
              if (step > 6) found.plain.push(...plainly(transcript.search(query, range)));
            }
            assert.deepEqual(found.columns, all, says);
            if (step > 6) assert.deepEqual(found.plain, all, says);
          }
          const middle = messageCount >> 1;
          const place = (hit) => hit.message < middle;
          const first = transcript.searchColumns(query, { ...how, limit: 20_000, to: middle });
          const rest = transcript.searchColumns(query, { ...how, limit: 20_000, from: middle });
          assert.deepEqual(rows(first), all.filter(place));
          assert.deepEqual(
            rows(rest),
            all.filter((hit) => !place(hit)),
          );
        }
      }
    }
    assert.ok(compared > 10_000, `${compared} matches`);
  });

  test("a range is cut to the messages that exist, and has its own limit", (t) => {
    const transcript = opened(t, parts.Transcript.open(made("with-parts", 100_000)));
    const { messageCount } = transcript;
    const count = (range) =>
      transcript.searchColumns("e", { limit: 1e6, ...range }).messages.length;
    const all = count({});
    assert.ok(all > 100);
    for (const range of [
      { from: 0, to: messageCount },
      { from: 0.9, to: Number.POSITIVE_INFINITY },
      { from: undefined, to: null },
      { to: 2 ** 40 },
    ]) {
      assert.equal(count(range), all, JSON.stringify(range));
    }
    for (const range of [
      { from: messageCount },
      { from: Number.POSITIVE_INFINITY },
      { from: 3, to: 3 },
      { from: 3, to: 2 },
      { to: 0 },
      { to: 0.9 },
    ]) {
      assert.equal(count(range), 0, JSON.stringify(range));
    }
    const { messages, capped } = transcript.searchColumns("e", { from: 2, limit: 5 });
    assert.equal(messages.length, 5);
    assert.ok(messages[0] >= 2 && capped);
    assert.equal(transcript.searchColumns("e", { from: 3, to: 3, limit: 0 }).capped, false);
  });

  test("a byte range contains its messages; assembled messages have none", (t) => {
    for (const { name, format, bytes } of FILES) {
      const stands = format === "opencode-export" || format === "with-parts";
      for (const options of [{}, reading(bytes)]) {
        const transcript = opened(t, parts.Transcript.open(bytes, options));
        const { messageCount } = transcript;
        for (const [start, end] of [
          [0, 1],
          [0, messageCount],
          [messageCount - 1, messageCount + 5],
          [messageCount >> 1, messageCount],
        ]) {
          const place = transcript.byteRange(start, end);
          assert.equal(place !== undefined, stands, name);
          if (!place) continue;
          const text = bytes.subarray(place.start, place.end).toString();
          const own = transcript.messages(start, end);
          assert.ok(text.startsWith("{") && text.endsWith("}"));
          if (own.length === 1) assert.deepEqual(JSON.parse(text), own[0]);
          for (const { info } of own) assert.ok(text.includes(JSON.stringify(info.id)));
        }
        for (const none of [[0, 0], [2, 1], [messageCount, 1e9], [-1, 1], ["0", "1"], []]) {
          assert.equal(transcript.byteRange(...none), undefined, `${name} ${none}`);
        }
      }
    }
  });

  test("reports errors as `search` does", (t) => {
    const bytes = made("with-parts", 20_000);
    const transcript = opened(t, parts.Transcript.open(bytes));
    const words = (call) => {
      try {
        call();
      } catch (error) {
        return `${error.name}: ${error.message}`;
      }
      return assert.fail("nothing was thrown");
    };
    for (const given of [
      ["(", { regex: true }],
      [5],
      [undefined],
      [null],
      [{}],
      [Symbol("a")],
      ["a", { limit: -1 }],
      ["a", { limit: "5" }],
      ["a", { from: -1 }],
      ["a", { to: "5" }],
      ["a", { regex: 1 }],
      ["a", { caseSensitive: "no" }],
    ]) {
      const says = words(() => transcript.searchColumns(...given));
      assert.equal(
        says,
        words(() => transcript.search(...given)),
      );
      assert.match(says, /^(?:TranscriptError|PartValidationError): /);
    }
    const failing = { read: () => assert.fail("gone") };
    const away = opened(t, new parts.Transcript(failing));
    away.push(bytes);
    away.end();
    refused(() => away.searchColumns("the"), /gone/);
    assert.ok(transcript.searchColumns("e").messages.length > 0, "it still works");
    const freed = parts.Transcript.open(bytes);
    freed.free();
    refused(() => freed.searchColumns("e"), /was freed/);
  });

  test("field names under a long key take no more than 16 MB", (t) => {
    const input = { ["k".repeat(1 << 20)]: Array(1000).fill("a a") };
    const state = { status: "completed", input, output: "" };
    const message = {
      info: { id: "m", sessionID: "s", role: "assistant" },
      parts: [{ type: "tool", tool: "t", state }],
    };
    const bytes = Buffer.from(JSON.stringify([message]));
    const transcript = opened(t, parts.Transcript.open(bytes));
    const found = transcript.searchColumns("a", { limit: 100_000 });
    assert.equal(found.capped, true);
    assert.equal(found.fieldNames.length, 15);
    assert.equal(found.messages.length, 30);
  });
});
