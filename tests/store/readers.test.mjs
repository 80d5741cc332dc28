// Readers in processes of their own that are killed at random and come back with the last thing they had, against a
// real Redis: by position over the log, and by `Last-Event-ID` over HTTP. `READER_KILLS` says how many; 60 unless it
// does.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { DeltaAssembler } from "apex-parts";
import { RunReader, RunWriter, runHandler } from "apex-parts/store";
import { redisRunLog } from "apex-parts/store/redis";
import { done, start, stored, text, textOf } from "./deltas.mjs";
import { Processes } from "./processes.mjs";
import { CLIENTS, noRedis, startRedis, until } from "./redis.mjs";

const KILLS = Number(process.env.READER_KILLS ?? 60);
/** Of one run: a reader begins with all that is stored. */
const KILLS_OF_RUN = 20;

const random = (below) => Math.floor(Math.random() * below);

/** The lines of a reader that is killed again and again. `begin(last)` starts it where its last line was. */
async function reading(begin, figures, most) {
  const found = [];
  for (let kills = 0; ; kills++) {
    const reader = begin(found.at(-1));
    const isLast = kills === most || figures.kills >= KILLS;
    const goal = isLast ? Number.POSITIVE_INFINITY : random(25);
    await until(() => reader.lines.length > goal || reader.lines.at(-1) === "over");
    if (!isLast) {
      figures.kills++;
      reader.kill();
    }
    await reader.over;
    const isOver = reader.lines.at(-1) === "over";
    if (isOver) reader.lines.pop();
    found.push(...reader.lines.map((line) => JSON.parse(line)));
    if (isOver) return found;
    assert.ok(!isLast, "it went on to the end of the run");
    figures.reconnects++;
  }
}

/** The text that changes make, one after another. */
function shown(list) {
  let parts = [];
  for (const { reset, changes } of list) {
    if (reset) parts = [];
    for (const { op, part, value, field, text: more } of changes) {
      if (op === "add" || op === "set") parts[part] = value;
      if (op === "append" && field === "text") parts[part].payload.text += more;
    }
  }
  return parts;
}

/** The message that events make. */
function assembled(events) {
  let assembler = new DeltaAssembler({ onDuplicate: "error" });
  for (const { event, data } of events) {
    if (event === "end") continue;
    if (event === "reset") {
      assembler.free();
      assembler = new DeltaAssembler({ onDuplicate: "error" });
    }
    for (const line of data.filter(Boolean)) assembler.push(JSON.parse(line));
  }
  return assembler.message();
}

async function tortured({ log, runId, keeps, begin, figures }) {
  const own = keeps === "whole" ? { ...log, snapshot: async () => {} } : log;
  const writer = await RunWriter.open(own, runId, { flushMs: 1 });
  await writer.push(start());
  await until(() => writer.position === 1);
  let isRead = false;
  const writing = (async () => {
    let seq = 2;
    // Readers are killed while something comes.
    for (; !isRead || seq < 100; seq++) {
      await writer.push(text(seq, `${seq}ä😀 ${"word ".repeat(random(20))}`));
      if (seq % 3 === 0) await sleep(1);
    }
    await writer.push(done(seq));
    await writer.end();
  })();
  const end = figures.kills + KILLS_OF_RUN;
  const killed = until(() => figures.kills >= Math.min(end, KILLS)).then(() => {
    isRead = true;
  });
  const [changes, events] = await Promise.all([
    reading(begin.changes, figures, KILLS_OF_RUN / 2),
    reading(begin.events, figures, KILLS_OF_RUN / 2),
    writing,
    killed,
  ]);

  const reader = await RunReader.open(log, runId);
  const message = await reader.result();
  reader.free();
  assert.deepEqual(shown(changes), message.parts);
  assert.deepEqual(assembled(events).parts, message.parts);
  assert.equal(events.at(-1).event, "end");
  if (keeps !== "whole") return;
  // Nothing was replaced: each has had all batches, once, byte for byte.
  assert.ok(changes.every(({ reset }) => !reset));
  assert.equal(events.filter(({ event }) => event === "reset").length, 1);
  const lines = events.filter(({ event }) => event !== "end").flatMap(({ data }) => data);
  const batches = await stored(log, runId);
  assert.equal(
    lines.map((line) => `${line}\n`).join(""),
    batches.map(({ bytes }) => textOf(bytes)).join(""),
  );
  const ids = events.filter(({ event }) => !event).map(({ id }) => id);
  const places = batches.map(({ to, epoch }) => `${to}.${epoch}`);
  assert.deepEqual(ids, places.slice(places.length - ids.length));
}

test(`${KILLS} kills of readers: nothing is lost or doubled`, { skip: noRedis }, async (t) => {
  const redis = await startRedis();
  const { client, close } = await CLIENTS["ioredis 6"](redis.port);
  const log = redisRunLog(client);
  const processes = new Processes();
  const handler = runHandler(log, { runId: ({ url }) => decodeURIComponent(url.slice(1)) });
  const server = createServer(handler);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${server.address().port}/`;
  const figures = { runs: 0, kills: 0, reconnects: 0 };
  try {
    while (figures.kills < KILLS) {
      const runId = `run/${figures.runs}`;
      const script = "./killed-reader.mjs";
      const url = `${base}${encodeURIComponent(runId)}`;
      const begin = {
        changes: (last) =>
          processes.begin(script, "changes", redis.port, runId, last?.position ?? ""),
        events: (last) => processes.begin(script, "events", url, last?.id ?? ""),
      };
      const keeps = figures.runs++ % 2 === 0 ? "whole" : "trimmed";
      await tortured({ log, runId, keeps, begin, figures });
    }
    t.diagnostic(JSON.stringify(figures));
  } finally {
    await processes.end();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await close();
    await redis.stop();
  }
});
