/** Runs of the store that are followed: connections that are cut, resets, runs that ended or are none. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { memoryRunLog } from "apex-parts/store";
import { delta } from "../store/deltas.mjs";
import { until } from "../store/redis.mjs";
import { axe } from "./audit.mjs";
import { launch, quiet, settled, thereAre, wheel, words } from "./browser.mjs";
import { done, servingRuns, start, text, textOf, visitRun, writing } from "./runs.mjs";

let browser;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const answer = (page) => page.locator('.row[aria-label*=": text"]');
const scroller = (page) => page.locator(".pane-transcript .scroller");
const shows = (page, some) => answer(page).getByText(some).last().waitFor();
const says = (page, word) =>
  page.locator(".facts .status", { hasText: new RegExp(`^${word}$`) }).waitFor();
const place = (locator) => locator.evaluate((e) => e.getBoundingClientRect().top);
/** The text of the answer, as a person reads it. */
const read = async (page) => (await words(answer(page).locator(".markdown").first())).trim();
const paragraphs = (from, count) =>
  Array.from({ length: count }, (_, i) => text(from + i, `Paragraph ${from + i} ä😀.\n\n`));
const untilAsked = (server, times) => until(() => server.asked.length >= times, `request ${times}`);

describe("a run that is followed", () => {
  test("goes on with the id of its last event when the connection is cut, anywhere", async () => {
    const server = await servingRuns();
    const run = await writing(server.log);
    await run.append(start(), text(2, "One ä😀 "));
    await visitRun(browser, server, async (page) => {
      await shows(page, "One ä😀");
      await says(page, "live");
      // In the middle of an event, of a line and of a character.
      const half = Buffer.from('id: 3.1\ndata: {"runId":"r","seq":3,"kind":"text","payload":{"😀');
      server.cut(half.subarray(0, -2));
      await untilAsked(server, 2);
      await run.append(text(3, "two "), text(4, "three "));
      await shows(page, "three");
      server.cut();
      await untilAsked(server, 3);
      await run.append(text(5, "four"), done(6));
      await says(page, "finished");
      assert.deepEqual(
        server.asked.map(({ id }) => id),
        [undefined, "2.1", "4.1"],
      );
      await settled(page);
      assert.equal(await read(page), textOf(run.deltas));
      assert.equal(await page.getByRole("alert").count(), 0);
      assert.match(await words(page.locator(".notices [role=status]")), /The stream has ended/);
    });
  });

  test("goes on when the server ends the response after its time, and when another takes the run over", async () => {
    const server = await servingRuns({ maxMs: 60 });
    const run = await writing(server.log);
    await run.append(start(), text(2, "One "));
    await visitRun(browser, server, async (page) => {
      await shows(page, "One");
      await untilAsked(server, 3);
      await run.takeOver();
      await run.append(text(3, "two "));
      await shows(page, "two");
      await untilAsked(server, server.asked.length + 2);
      assert.equal(server.asked.at(-1).id, "3.2");
      await run.append(done(4));
      await says(page, "finished");
      assert.equal(await read(page), "One two");
    });
  });

  test("moves nothing of what the reader sees, and keeps what is selected and opened", async () => {
    let isDown = false;
    const server = await servingRuns({
      answer: (_request, response) => isDown && response.destroy(),
    });
    const run = await writing(server.log);
    await run.append(
      start(),
      delta(2, "thinking", { textDelta: "First I think.\n\nThen more." }),
      ...paragraphs(6, 80),
    );
    await visitRun(browser, server, async (page) => {
      await shows(page, "Paragraph 85");
      const reasoning = page.locator('.row[aria-label*=": reasoning"]');
      await scroller(page).evaluate((e) => (e.scrollTop = 0));
      await reasoning.locator(".fold-head").click();
      await reasoning.locator(".markdown").waitFor();
      await wheel(page, scroller(page), 60);
      const seen = page.getByText("Paragraph 10 ä");
      const top = await place(seen);
      const holds = async () => {
        assert.equal(await place(seen), top);
        assert.equal(await reasoning.getAttribute("data-selected"), "true");
        await thereAre(reasoning.locator(".markdown"), 1, "stays opened");
      };
      isDown = true;
      server.cut();
      await says(page, "reconnecting");
      await page.locator(".lost-connection").waitFor();
      assert.match(await words(page.locator(".lost-connection")), /could not be fetched/);
      assert.match(await words(page.locator(".notices [role=status]")), /Reconnecting/);
      assert.deepEqual(await axe(page), []);
      await holds();
      await page.locator(".lost-connection").getByRole("button", { name: "Reconnect" }).click();
      isDown = false;
      await says(page, "live");
      assert.equal(await page.locator(".lost-connection").count(), 0);
      await holds();
      await run.append(...paragraphs(86, 20));
      await page.getByRole("button", { name: "New below" }).waitFor();
      await quiet(page);
      await holds();
      // What is sent anew is another transcript to the worker, and the same one to the reader.
      await run.snapshot();
      isDown = true;
      server.cut();
      await says(page, "reconnecting");
      await run.append(...paragraphs(106, 5));
      await run.snapshot();
      await run.append(...paragraphs(111, 2));
      isDown = false;
      await says(page, "live");
      await quiet(page);
      await holds();
      await run.append(...paragraphs(113, 2), done(115));
      await says(page, "finished");
      await quiet(page);
      await holds();
      await page.getByRole("button", { name: "New below" }).click();
      await shows(page, "Paragraph 114");
      const text = (await answer(page).allInnerTexts()).join("\n");
      for (let i = 6; i < 115; i++)
        assert.equal(text.split(`Paragraph ${i} ä😀.`).length, 2, `${i}`);
    });
  });

  test("a reset shows what replaces it, also where that is less", async () => {
    const log = memoryRunLog();
    const server = await servingRuns({ log });
    const run = await writing(log);
    await run.append(start(), text(2, "What was "), text(3, "taken back"));
    await visitRun(browser, server, async (page) => {
      await shows(page, "taken back");
      // As after a failover: the run is another.
      await log.delete("r");
      const next = await writing(log);
      await next.takeOver();
      await next.append(start(), text(2, "What is"));
      server.cut();
      await shows(page, "What is");
      await next.append(text(3, " there"), done(4));
      await says(page, "finished");
      assert.equal(await read(page), "What is there");
    });
  });

  test("that ended is whole at once, and 204 ends what had all but the end", async () => {
    const server = await servingRuns();
    const run = await writing(server.log);
    await run.append(start(), text(2, "All of it"), done(3));
    await visitRun(browser, server, async (page) => {
      await shows(page, "All of it");
      await says(page, "finished");
      assert.equal(server.asked.length, 1);
    });
    const cut = await servingRuns({
      answer: (_request, response, times) => {
        if (times > 1) return false;
        response.writeHead(200, { "content-type": "text/event-stream" });
        const lines = run.deltas.map((one) => `data: ${JSON.stringify(one)}\n`).join("");
        return response.end(`retry: 30\n\nid: 3.1\nevent: reset\n${lines}\n`);
      },
      log: server.log,
    });
    await visitRun(browser, cut, async (page) => {
      await says(page, "finished");
      assert.deepEqual(
        cut.asked.map(({ id }) => id),
        [undefined, "3.1"],
      );
      assert.equal(await read(page), "All of it");
    });
  });

  test("that failed says so, and one of which nothing is stored yet waits", async () => {
    const server = await servingRuns();
    const run = await writing(server.log);
    await visitRun(browser, server, async (page) => {
      await page.locator(".nothing-yet").waitFor();
      await says(page, "live");
      server.cut();
      await untilAsked(server, 2);
      await run.append(start(), text(2, "Half an ans"));
      await shows(page, "Half an ans");
      await run.append(delta(3, "error", { errorCode: "writer_lost", retryable: true }));
      await says(page, "failed");
      assert.equal(await read(page), "Half an ans");
    });
  });

  test("that is unknown or expired is told in plain words, once", async () => {
    let time = 0;
    const log = memoryRunLog({ ttlMs: 1000, now: () => time });
    const run = await writing(log, "old");
    await run.append(start(), done(2));
    time = 1500;
    for (const [id, expected] of [
      ["other", /404\. There is no such run or stream/],
      ["old", /410\. It has expired/],
    ]) {
      const server = await servingRuns({ log });
      const visit = async (page) => {
        await page.getByRole("alert").waitFor();
        assert.match(await words(page.getByRole("alert")), expected);
        // The page is usable: it offers what can be opened.
        await settled(page);
        assert.equal(server.asked.length, 1);
      };
      await visitRun(browser, server, visit, { id });
    }
  });

  test("that expires, or whose id is refused, while it is followed: what had come stays", async () => {
    for (const [code, expected] of [
      [404, /broke off\. .*404\. There is no such run/],
      [410, /broke off\. .*410\. It has expired/],
      [400, /broke off\. .*400\. The server does not understand from where/],
    ]) {
      let isOver = false;
      const server = await servingRuns({
        answer: (_request, response) => isOver && response.writeHead(code).end("No."),
      });
      const run = await writing(server.log);
      await run.append(start(), text(2, "What had come"));
      await visitRun(browser, server, async (page) => {
        await shows(page, "What had come");
        isOver = true;
        server.cut();
        const alert = page.getByRole("alert");
        await alert.waitFor();
        assert.match(await words(alert), expected);
        assert.equal(await read(page), "What had come");
        assert.equal(server.asked.length, 2);
        // The reader may ask again; it goes on from where it was.
        isOver = false;
        await alert.getByRole("button", { name: "Reconnect" }).click();
        await run.append(text(3, " and more"), done(4));
        await says(page, "finished");
        assert.equal(server.asked.at(-1).id, "2.1");
        assert.equal(await read(page), "What had come and more");
        assert.equal(await alert.count(), 0);
      });
    }
  });

  test("is waited for while its server, or the store, is away", async () => {
    let isAway = true;
    const server = await servingRuns({
      answer: (_request, response, times) => {
        if (!isAway) return false;
        return times % 2 ? response.writeHead(503).end() : response.destroy();
      },
    });
    const run = await writing(server.log);
    await run.append(start(), text(2, "There it is"), done(3));
    await visitRun(browser, server, async (page) => {
      await says(page, "reconnecting");
      const lost = page.locator(".lost-connection");
      await lost.getByText(/503\. What it is read from cannot be reached/).waitFor();
      await untilAsked(server, 2);
      isAway = false;
      await says(page, "finished");
      assert.equal(await read(page), "There it is");
    });
  });
});

describe("a server that is wrong", () => {
  /** What `send(response, times)` sends in answer to each request. */
  async function wrong(send, look, type = "text/event-stream") {
    const server = await servingRuns({
      answer: (_request, response, times) => {
        response.writeHead(200, { "content-type": type });
        send(response, times);
        return true;
      },
    });
    await visitRun(browser, server, (page) => look(page, server));
  }
  const event = (id, deltas, name) =>
    `id: ${id}\n${name ? `event: ${name}\n` : ""}${deltas
      .map((one) => `data: ${typeof one === "string" ? one : JSON.stringify(one)}\n`)
      .join("")}\n`;
  const alerts = async (page, expected) => {
    await page.getByRole("alert").waitFor();
    assert.match(await words(page.getByRole("alert")), expected);
  };
  const RETRY = "retry: 20\n\n";
  /** Each pause is twice as long as the one before, which makes 20 seconds: the worker's clock is 50 times as fast. */
  async function hurried(page) {
    const worker = page.workers()[0] ?? (await page.waitForEvent("worker"));
    await worker.evaluate(() => {
      const { setTimeout } = globalThis;
      globalThis.setTimeout = (run, ms, ...rest) => setTimeout(run, ms / 50, ...rest);
    });
  }

  test("answers with a page, or sends the browser elsewhere", async () => {
    await wrong(
      (response) => response.end("<!doctype html><title>Sign in</title>"),
      (page) => alerts(page, /is a page \(HTML\), and no run or stream/),
      "text/html; charset=utf-8",
    );
    const server = await servingRuns({
      answer: (request, response) => {
        const isFirst = request.url === "/runs/r/events";
        return response.writeHead(302, { location: isFirst ? "/runs/x/events" : "/" }).end();
      },
    });
    await visitRun(browser, server, async (page) => {
      await alerts(page, /it leads to another address/);
      assert.equal(server.asked.length, 1);
    });
  });

  test("ends each response without anything new: it is not asked for ever", async () => {
    const reset = event("2.1", [start(), text(2, "Again and again")], "reset");
    let isWatched = false;
    await wrong(
      (response) => until(() => isWatched, "clock").then(() => response.end(`${RETRY}${reset}`)),
      async (page, server) => {
        await hurried(page);
        isWatched = true;
        await shows(page, "Again and again");
        await alerts(page, /ends again and again\. It was tried 10 times/);
        assert.equal(server.asked.length, 11);
        assert.equal(await read(page), "Again and again");
        await thereAre(answer(page), 1);
      },
    );
  });

  test("sends what is no place, what was shown already, and what is no event of a run", async () => {
    await wrong(
      (response) => {
        response.write(event("2.1", [start(), text(2, "one ")], "reset"));
        response.write(event("2.1", [text(2, "one ")]));
        response.write(event("1.1", [start()]));
        response.write(event("3.1", ["nonsense"], "ping"));
        response.write(event("3.1", [text(3, "two ")]));
        response.write(event("x<b>", [text(4, "three ")]));
      },
      async (page) => {
        await alerts(page, /broke off\. .* sends "x<b>" as a place in a run, which it is not/);
        assert.equal(await read(page), "one two");
      },
    );
  });

  test("sends lines that are broken: the others are shown, and the problem is told", async () => {
    await wrong(
      (response) => {
        response.write(event("2.1", [start(), text(2, "one ")], "reset"));
        response.write(event("3.1", ['{"runId":"r","seq":3,"kind":"te', text(3, "two ")]));
        response.write(event("4.1", ['"', "[[[[", text(4, "three "), done(5)]));
        response.end(event("5.1", ['{"status":"done"}'], "end"));
      },
      async (page) => {
        await says(page, "finished");
        assert.equal(await read(page), "one two three");
        assert.match(await words(page.locator(".problem-count")), /[1-9]\d* file problems?/);
      },
    );
  });

  test("sends events of megabytes, in small pieces", async () => {
    const long = "word ".repeat(600_000);
    const sent = [
      event("2.1", [start(), text(2, long)], "reset"),
      event("3.1", [text(3, long)]),
      event("4.1", [text(4, "The last."), done(5)]),
      event("5.1", ['{"status":"done"}'], "end"),
    ].join("");
    await wrong(
      (response) => {
        for (let at = 0; at < sent.length; at += 10_000)
          response.write(sent.slice(at, at + 10_000));
        response.end();
      },
      async (page) => {
        await says(page, "finished");
        await page.locator(".header-title p", { hasText: /6\.\d MB/ }).waitFor();
      },
    );
  });

  test("sends a run's events with changes or parts of the AI SDK: any stream is shown as before", async () => {
    const parts = [
      { type: "start" },
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: "From the AI SDK" },
      { type: "text-end", id: "t" },
      { type: "finish" },
    ];
    await wrong(
      (response) => {
        for (const part of parts) response.write(event("2.1", [part]));
        response.end();
      },
      async (page) => {
        await shows(page, "From the AI SDK");
        await page.waitForFunction(() => !document.querySelector(".facts .tone-live"));
      },
    );
  });
});
