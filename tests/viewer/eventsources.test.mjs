/** Fifty EventSources of a real browser over connections that are dropped at random: each gets every delta once. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { DeltaAssembler } from "apex-parts";
import { memoryRunLog, runHandler } from "apex-parts/store";
import { done, streamOf } from "../store/deltas.mjs";
import { launch, newPage } from "./browser.mjs";
import { textOf, writing } from "./runs.mjs";

const SOURCES = 50;
/** A browser opens six connections to an origin: each of so many origins has fewer. */
const ORIGINS = 10;
const COUNT = 400;

let browser;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const random = (below) => Math.floor(Math.random() * below);

/** Servers of one log, whose responses end anywhere: after so many bytes, in the middle of an event too. */
async function dropping(log) {
  const handler = runHandler(log, {
    runId: () => "r",
    headers: { "access-control-allow-origin": "*" },
  });
  const counts = { drops: 0, ids: 0 };
  const listening = Array.from({ length: ORIGINS }, async () => {
    const server = createServer((request, response) => {
      if (request.url === "/") return response.end("<!doctype html><title>sources</title>");
      const isBack = request.headers["last-event-id"] !== undefined;
      if (isBack) counts.ids++;
      // The first event has all there is: sometimes it must come through.
      let left = 200 + random(isBack ? 4000 : 100_000);
      const write = response.write.bind(response);
      response.write = (frame) => {
        const bytes = Buffer.from(frame.replace(/^retry: \d+/, "retry: 10"));
        left -= bytes.length;
        if (left > 0) return write(bytes);
        counts.drops++;
        // It is sent before the connection is gone; not with `end`, which would be an orderly one.
        write(bytes.subarray(0, bytes.length + left), () => response.destroy());
        return false;
      };
      handler(request, response);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
  });
  const servers = await Promise.all(listening);
  return {
    counts,
    origins: servers.map((server) => `http://127.0.0.1:${server.address().port}/`),
    close() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

test("each of 50 gets the message, byte for byte", async () => {
  const log = memoryRunLog();
  const run = await writing(log);
  const deltas = [...streamOf(COUNT).slice(0, -1), done(COUNT)];
  await run.append(deltas[0]);
  const server = await dropping(log);
  const { page, close } = await newPage(browser);
  try {
    await page.goto(server.origins[0]);
    await page.evaluate(
      ([origins, count]) => {
        window.logs = Array.from({ length: count }, (_, i) => {
          const kept = { lines: [] };
          const source = new EventSource(`${origins[i % origins.length]}events`);
          const lines = ({ data }) => data.split("\n").filter(Boolean);
          source.addEventListener("reset", (event) => {
            kept.lines = lines(event);
          });
          source.addEventListener("message", (event) => kept.lines.push(...lines(event)));
          source.addEventListener("end", () => source.close());
          // Where the end was dropped, 204 closes it.
          kept.isOver = () => source.readyState === EventSource.CLOSED;
          return kept;
        });
      },
      [server.origins, SOURCES],
    );
    for (let at = 1; at < deltas.length; ) {
      const count = 1 + random(6);
      await run.append(...deltas.slice(at, at + count));
      at += count;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await page.waitForFunction(() => window.logs.every(({ isOver }) => isOver()));
    const logs = await page.evaluate(() => window.logs.map(({ lines }) => lines));
    for (const lines of logs) {
      const assembler = new DeltaAssembler({ onDuplicate: "error" });
      for (const line of lines) assembler.push(JSON.parse(line));
      const [{ payload }] = assembler.message().parts;
      assembler.free();
      assert.equal(payload.text, textOf(deltas));
    }
    // As many as there are sources, at least: nobody had it in one piece.
    assert.ok(server.counts.drops > SOURCES, `${server.counts.drops} were dropped`);
    assert.ok(server.counts.ids > SOURCES, `${server.counts.ids} came back with an id`);
  } finally {
    await close();
    server.close();
  }
});
