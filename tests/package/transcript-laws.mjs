// What holds for a transcript of any file: tested over our own files and over recordings.
import assert from "node:assert/strict";
import { test } from "node:test";
import { consumer, requireFrom } from "./helper.mjs";

/** The package, after `load`. */
export let parts;

/** Installs the package in a new project of this name and loads it. */
export async function load(name) {
  parts = requireFrom(await consumer(name))("apex-parts");
  parts.setLogger(undefined);
}

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

export function opened(t, transcript) {
  t.after(() => transcript.free());
  return transcript;
}

export function inPieces(t, bytes, length, options) {
  const transcript = opened(t, new parts.Transcript(options));
  for (let at = 0; at < bytes.length; at += length) {
    transcript.push(bytes.subarray(at, at + length));
  }
  transcript.end();
  return transcript;
}

export const reading = (bytes) => ({ read: (start, end) => bytes.subarray(start, end) });

export function refused(call, says) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof Error && parts.isApexPartsError(error), String(error?.stack));
    assert.equal(error.name, "TranscriptError");
    assert.equal(typeof error.details.offset, "number");
    assert.match(error.message, says);
    return true;
  });
}

/** A transcript of these bytes, not ended but refreshed. */
export function soFar(t, bytes, options) {
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

/** The matches of `search`, without excerpts. */
export function rows({ messages, parts: inMessages, fields, starts, ends, fieldNames }) {
  for (const column of [messages, inMessages, fields, starts, ends]) {
    assert.ok(column instanceof Uint32Array);
    assert.equal(column.length, messages.length);
  }
  assert.equal(new Set(fieldNames).size, fieldNames.length, "every name stands once");
  return Array.from(messages, (message, i) => ({
    message,
    // Without one, it is in the error of the message.
    ...(inMessages[i] === 2 ** 32 - 1 ? {} : { part: inMessages[i] }),
    field: fieldNames[fields[i]],
    start: starts[i],
    end: ends[i],
  }));
}

export const plainly = (found) => found.map(({ excerpt: _, ...place }) => place);
/** Columns and ranges are of the main session. */
const inMain = (found) => plainly(found).filter(({ session }) => session === undefined);

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

/** The tests; `files` are `{name, format, bytes}`. */
export function transcriptLaws(files) {
  test("is detected, opens, and has messages", (t) => {
    for (const { name, format, bytes } of files) {
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
    for (const { name, bytes } of files) {
      const whole = told(opened(t, parts.Transcript.open(bytes)));
      for (const length of [1_000, 65_536]) {
        assert.equal(told(inPieces(t, bytes, length)), whole, `${name} in ${length}`);
        assert.equal(told(inPieces(t, bytes, length, reading(bytes))), whole, `${name}, not held`);
      }
    }
  });

  test("can be given as an option", (t) => {
    for (const { name, format, bytes } of files) {
      assert.equal(opened(t, parts.Transcript.open(bytes, { format })).format, format, name);
    }
    refused(() => new parts.Transcript({ format: "nope" }), /unknown format "nope"; pass one of/);
  });

  test("a refresh does not change the final result", (t) => {
    for (const { name, bytes } of files.filter(({ bytes }) => bytes.length < 100_000)) {
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
    for (const { name, bytes } of files.filter(({ format }) => together.includes(format))) {
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
    let compared = 0;
    const streams = files.filter(({ name }) => name.endsWith(".sse") && !name.includes("events"));
    for (const { name, format, bytes } of streams) {
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

  test("has one entry for each part or message, in every format", (t) => {
    for (const { name, bytes } of files) {
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

  test("finds what `search` finds, in every format, up to every limit", (t) => {
    let compared = 0;
    for (const { name, bytes } of files) {
      for (const options of [{}, reading(bytes)]) {
        const transcript = opened(t, parts.Transcript.open(bytes, options));
        for (const [query, how] of QUERIES) {
          const all = inMain(transcript.search(query, { ...how, limit: 20_000 }));
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
    assert.ok(compared > 1_000, `${compared} matches`);
  });

  test("finds every failed call once, as the summary counts them", (t) => {
    let failed = 0;
    for (const { name, bytes } of files) {
      for (const options of [{}, reading(bytes)]) {
        const transcript = opened(t, parts.Transcript.open(bytes, options));
        const found = transcript.search("status:failed", { query: true, limit: 20_000 });
        assert.equal(found.length, transcript.summary().failed, name);
        failed += found.length;
        for (const { field, part } of found) assert.deepEqual([field, part >= 0], ["", true], name);
      }
    }
    assert.ok(failed > 10, `${failed} failed calls`);
  });

  test("finds what is said of the errors of messages", (t) => {
    for (const { name, bytes } of files) {
      const transcript = opened(t, parts.Transcript.open(bytes));
      for (const { message, session, said } of transcript.summary().errors) {
        if (said === "") continue;
        const found = transcript.search(said, { limit: 20_000 });
        const is = (hit) =>
          hit.message === message && hit.session === session && hit.part === undefined;
        assert.ok(found.some(is), `${name}: ${said}`);
      }
    }
  });

  test("finds in each session what it finds there in the whole", (t) => {
    for (const { name, bytes } of files) {
      const transcript = opened(t, parts.Transcript.open(bytes));
      const { sessions } = transcript;
      // What a file that is one list says of sessions is not where its messages are.
      if (sessions.length < 2 || transcript.byteRange(0, 1) !== undefined) continue;
      const all = plainly(transcript.search("e", { limit: 20_000 }));
      const each = sessions.flatMap(({ id }, i) =>
        plainly(transcript.search("e", { limit: 20_000, session: id })).map((hit) => {
          assert.ok(hit.message < transcript.messagesOf(id).length, `${name}: ${id}`);
          return i === 0 ? hit : { ...hit, session: id };
        }),
      );
      assert.deepEqual(each, all, name);
    }
  });

  test("consecutive ranges of messages give the whole", (t) => {
    let compared = 0;
    for (const { name, bytes } of files) {
      for (const options of [{}, reading(bytes)]) {
        const transcript = opened(t, parts.Transcript.open(bytes, options));
        const { messageCount } = transcript;
        for (const [query, how] of [["e"], ["\u{1f600}"], ["t.e", { regex: true }], ["nowhere"]]) {
          const all = inMain(transcript.search(query, { ...how, limit: 20_000 }));
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
    assert.ok(compared > 100, `${compared} matches`);
  });

  test("a byte range contains its messages; assembled messages have none", (t) => {
    for (const { name, format, bytes } of files) {
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
}
