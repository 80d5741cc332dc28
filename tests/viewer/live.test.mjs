/** Transcripts that grow: streams that are followed. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { axe } from "./audit.mjs";
import {
  drop,
  headerRow,
  launch,
  newPage,
  quiet,
  settled,
  thereAre,
  wheel,
  words,
} from "./browser.mjs";
import { begin, delta, pieces, recording, streaming, tap, wait } from "./streaming.mjs";
import { assertShort, longOnes, watchTasks, workOf } from "./tasks.mjs";
import { message, text, tool } from "./transcripts.mjs";

let browser;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Opens the viewer on streams, and checks at the end that nothing complained. */
async function following(streams, run, { live = Object.keys(streams)[0], ...options } = {}) {
  const server = await streaming(streams);
  const { page, seen, close } = await newPage(browser, options);
  try {
    await page.goto(`${server.url}?live=live/${live}`);
    await run(page, { server, seen });
    const complaints = seen.complaints.filter((words) => !/net::ERR|Failed to load/.test(words));
    assert.deepEqual(complaints, []);
    for (const url of seen.requests) assert.ok(url.startsWith(server.url), url);
  } finally {
    await close();
    await server.close();
  }
}

/** Looks at the page after each frame that was painted. */
function eachFrame(page, look) {
  const each = (run) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => run();
    const frame = () => {
      channel.port2.postMessage(0);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  };
  // As text: the page's policy lets no function be made there.
  return page.evaluate(`(${each})(${look})`);
}

const scroller = (page) => page.locator(".pane-transcript .scroller");
const fromEnd = (page) =>
  scroller(page).evaluate((e) => e.scrollHeight - e.clientHeight - e.scrollTop);
const turn = (page, y) => wheel(page, scroller(page), y);
const written = (page, text) => page.locator(".pane-transcript .markdown", { hasText: text });
const status = (page) => page.locator(".facts .status");

/** The same in pages of words, so that they fill more than a screen. */
const LONG = Array.from({ length: 60 }, (_, i) => `Paragraph ${i} of the answer.\n\n`);

describe("a live stream", () => {
  test("shows rows as they come, whatever the pieces, and what it is at the end", async () => {
    const bytes = recording("recorded/opencode/fix-greeting.events.sse");
    const whole = pieces(bytes, 517);
    const stream = tap();
    await following({ s: stream.answer }, async (page) => {
      const third = Math.ceil(whole.length / 3);
      for (let from = 0, rows = 0; from < whole.length; from += third) {
        for (const piece of whole.slice(from, from + third)) await stream.write(piece);
        // More rows are there before more is sent.
        await page.waitForFunction((before) => {
          const last = [...document.querySelectorAll(".row")].at(-1);
          return Number(last?.getAttribute("aria-posinset")) > before;
        }, rows);
        if (from === 0) {
          await eachFrame(page, () => {
            const last = [...document.querySelectorAll(".row")].at(-1);
            window.counts = [...(window.counts ?? []), Number(last.getAttribute("aria-posinset"))];
          });
        }
        await quiet(page);
        rows = await page.evaluate(() => window.counts.at(-1));
      }
      await stream.end();
      await page.waitForFunction(() => !document.querySelector(".facts .tone-live"));
      const more = await page.evaluate(() => window.counts);
      assert.deepEqual(
        more,
        more.toSorted((a, b) => a - b),
        "and never got fewer",
      );
      await settled(page);
      assert.notEqual(await words(status(page)), "live");
      // The same file, opened at once, shows the same.
      const rows = () => page.locator(".row").evaluateAll((all) => all.map((e) => e.textContent));
      await scroller(page).evaluate((e) => (e.scrollTop = 0));
      await settled(page);
      const live = await rows();
      await drop(page, "whole.txt", bytes.toString());
      await page.locator(".header-title p", { hasText: "whole.txt" }).waitFor();
      await settled(page);
      assert.deepEqual(await rows(), live);
    });
  });

  test("says live, lets text grow in place, keeps what is selected and folded", async () => {
    const stream = tap();
    await following({ s: stream.answer }, async (page) => {
      await page.locator(".nothing-yet").waitFor();
      assert.deepEqual(await axe(page), []);
      await stream.write(
        begin() + delta("thinking", { textDelta: "First I think.\n\nThen more." }),
      );
      await stream.write(delta("text", { textDelta: "One **two" }));
      const text = page.locator('.row[aria-label*=": text"]');
      await text.waitFor();
      assert.equal(await words(status(page)), "live");
      assert.match(await words(text), /One/);
      const reasoning = page.locator('.row[aria-label*=": reasoning"]');
      await reasoning.locator(".fold-head").click();
      await reasoning.locator(".markdown").waitFor();
      // Words that a person marked elsewhere stay marked.
      await reasoning
        .locator(".markdown p")
        .first()
        .evaluate((p) => getSelection().selectAllChildren(p));
      const element = await text.elementHandle();
      await stream.write(delta("text", { textDelta: "** three" }));
      await text.locator("strong", { hasText: "two" }).waitFor();
      assert.ok(await element.evaluate((e) => e.isConnected), "the row is the same element");
      await stream.write(delta("text", { textDelta: " four" }));
      await text.getByText("four").waitFor();
      assert.equal(await page.evaluate(() => String(getSelection())), "First I think.");
      await thereAre(reasoning.locator(".markdown"), 1, "stays unfolded");
      assert.equal(await reasoning.getAttribute("data-selected"), "true");
      assert.deepEqual(await axe(page), []);
      // What the reader unfolds stays in view, also at the end.
      await stream.write(delta("thinking", { textDelta: LONG.join("") }));
      const late = page.locator('.row[aria-label*=": reasoning"]').last();
      await late.locator('[data-folded="true"]').waitFor();
      await late.locator(".fold-head").click();
      await late.locator(".markdown").waitFor();
      await quiet(page);
      assert.ok(
        await late.locator(".fold-head").evaluate((e) => e.getBoundingClientRect().top > 0),
      );
      await stream.write(delta("done", { finishReason: "stop" }));
      await stream.end();
      await page.waitForFunction(() => !document.querySelector(".facts .tone-live"));
    });
  });

  test("shows a call's arguments while they come, and its state", async () => {
    const stream = tap();
    await following({ s: stream.answer }, async (page) => {
      await stream.write(
        begin() + delta("tool_call_start", { toolCallId: "c", toolName: "lookup" }),
      );
      await stream.write(
        delta("tool_call_args", { toolCallId: "c", argsTextDelta: '{"city":"Ath' }),
      );
      const card = page.locator('.row[aria-label*=": tool lookup"]');
      await card.locator("code", { hasText: "Ath" }).waitFor();
      assert.match(await card.getAttribute("aria-label"), /pending/);
      await stream.write(delta("tool_call_args", { toolCallId: "c", argsTextDelta: 'ens"}' }));
      await stream.write(delta("tool_call_end", { toolCallId: "c" }));
      await page.locator('.row[aria-label*=": tool lookup, running"]').waitFor();
      assert.match(await words(card), /Athens/);
    });
  });

  test("stays at the end while the reader is near it, without busy rows", async () => {
    const stream = tap();
    await following({ s: stream.answer }, async (page) => {
      await stream.write(begin());
      await scroller(page).waitFor();
      await eachFrame(page, () => {
        const list = document.querySelector(".pane-transcript .scroller");
        window.busy ??= 0;
        window.away ??= 0;
        if (document.querySelector('.row[aria-busy="true"]')) window.busy++;
        // Rows may have come since the frame was painted, of which the next one finds the heights: so two in a row count.
        const isAway = list.scrollHeight - list.clientHeight - list.scrollTop > 30;
        if (isAway && window.wasAway) window.away++;
        window.wasAway = isAway;
      });
      for (const text of LONG) {
        await stream.write(delta("text", { textDelta: text }));
        await wait(20);
      }
      await page.getByText("Paragraph 59 of").waitFor();
      assert.ok((await fromEnd(page)) <= 1);
      assert.equal(await page.evaluate(() => window.away), 0, "frames away from the end");
      assert.equal(await page.evaluate(() => window.busy), 0, "frames with a busy row");
      // Within 30 px of the end still counts as being there.
      await scroller(page).evaluate((e) => (e.scrollTop -= 25));
      await stream.write(delta("text", { textDelta: "More of it.\n\n".repeat(5) }));
      await page.waitForFunction(() => {
        const list = document.querySelector(".pane-transcript .scroller");
        return (
          /More of it/.test(list.textContent) &&
          list.scrollHeight - list.clientHeight - list.scrollTop <= 1
        );
      });
    });
  });

  test("stays at its end when there is a little less room for it", async () => {
    const stream = tap();
    await following({ s: stream.answer }, async (page) => {
      await stream.write(begin() + LONG.map((textDelta) => delta("text", { textDelta })).join(""));
      await written(page, "Paragraph 59 of").waitFor();
      await quiet(page);
      // So little that the same rows are in view, and before anything else has it drawn.
      const away = await scroller(page).evaluate(async (element) => {
        const { style, clientHeight } = element;
        style.height = `${clientHeight - 20}px`;
        style.flex = "none";
        for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
        return element.scrollHeight - element.clientHeight - element.scrollTop;
      });
      assert.ok(away <= 1, `${away} px from the end`);
    });
  });

  test("leaves who has scrolled up exactly where he is, and brings him back", async () => {
    const stream = tap();
    await following({ s: stream.answer }, async (page) => {
      await stream.write(begin() + LONG.map((textDelta) => delta("text", { textDelta })).join(""));
      await page.getByText("Paragraph 59 of").waitFor();
      await turn(page, -700);
      const place = () =>
        page.getByText("Paragraph 25 of").evaluate((e) => e.getBoundingClientRect().top);
      const top = await place();
      for (let i = 0; i < 20; i++) {
        await stream.write(delta("text", { textDelta: `Further ${i}.\n\n` }));
        if (i === 10) {
          await stream.write(delta("tool_call_start", { toolCallId: "c", toolName: "lookup" }));
          await stream.write(
            delta("tool_call_args", { toolCallId: "c", argsTextDelta: '{"a":1}' }),
          );
          await stream.write(delta("tool_call_end", { toolCallId: "c" }));
        }
        await wait(30);
        assert.equal(await place(), top, `after ${i}`);
      }
      const button = page.getByRole("button", { name: "New below" });
      await button.waitFor();
      assert.deepEqual(await axe(page), []);
      await button.click();
      await page.getByText("Further 19.").waitFor();
      assert.ok((await fromEnd(page)) <= 1);
      assert.equal(await button.count(), 0);
      await stream.write(delta("text", { textDelta: "And still.\n\n".repeat(10) }));
      await page.waitForFunction(() =>
        /And still/.test(document.querySelector(".pane-transcript").textContent),
      );
      assert.ok((await fromEnd(page)) <= 1, "follows again");
    });
  });

  test("brings him back past rows of which the heights are not known yet", async () => {
    const stream = tap();
    await following({ s: stream.answer }, async (page) => {
      await stream.write(begin() + LONG.map((textDelta) => delta("text", { textDelta })).join(""));
      await written(page, "Paragraph 59 of").waitFor();
      await turn(page, -400);
      for (let i = 0; i < 40; i++) {
        const lines = `- a line\n${"```\nshort\n```\n".repeat(i % 4)}${"word ".repeat((i * 37) % 300)}`;
        await stream.write(delta("done", { finishReason: "stop" }) + begin());
        await stream.write(delta("thinking", { textDelta: lines }));
        await stream.write(delta("text", { textDelta: `${lines}\n\nAnswer ${i}.` }));
      }
      await page.getByRole("button", { name: "New below" }).click();
      await written(page, "Answer 39.").waitFor();
      await settled(page);
      assert.ok((await fromEnd(page)) <= 1, `${await fromEnd(page)} px from the end`);
      await stream.write(delta("text", { textDelta: "\n\nThe very last." }));
      await written(page, "The very last.").waitFor();
      await quiet(page);
      assert.ok((await fromEnd(page)) <= 1);
    });
  });

  test("that adds to an earlier message moves nothing of what is in view", async () => {
    const stream = tap();
    const event = (type, properties) => `data: ${JSON.stringify({ type, properties })}\n\n`;
    const said = ({ info, parts }) =>
      event("message.updated", { sessionID: info.sessionID, info }) + parts.map(came).join("");
    const came = (part) =>
      event("message.part.updated", { sessionID: part.sessionID, part, time: 1 });
    const first = message("assistant", [
      text("Early. ".repeat(300)),
      tool("bash", { command: "a" }),
    ]);
    const rest = [
      message("user", [text("And then?")]),
      message("assistant", [
        text(LONG.slice(0, 30).join("")),
        tool("lookup", { city: "Athens" }),
        text("The end of it."),
      ]),
    ];
    await following({ s: stream.answer }, async (page) => {
      await stream.write(said(first) + rest.map(said).join(""));
      const chosen = page.locator(".row[data-selected]");
      const card = page.locator('.row[aria-label*=": tool lookup"]');
      await card.waitFor();
      await settled(page);
      await card.locator(".fold-head").click();
      await card.locator('[data-folded="true"]').waitFor();
      await turn(page, -250);
      const place = () => card.evaluate((e) => e.getBoundingClientRect().top);
      const top = await place();
      const label = await chosen.getAttribute("aria-label");
      const { messageID, sessionID } = first.parts[0];
      const late = { ...text("Late. ".repeat(200)), id: "prt_99999999", messageID, sessionID };
      const before = Number(await chosen.getAttribute("aria-posinset"));
      await stream.write(came(late));
      await page.waitForFunction(
        (n) => Number(document.querySelector(".row[data-selected]")?.ariaPosInSet) > n,
        before,
      );
      assert.equal(await place(), top);
      await quiet(page);
      assert.equal(await place(), top);
      assert.equal(await chosen.getAttribute("aria-label"), label);
      await thereAre(card.locator('[data-folded="true"]'), 1);
      await scroller(page).evaluate((e) => (e.scrollTop = 0));
      await page.getByText("Late. Late.").first().waitFor();
    });
  });

  test("that breaks off says so, keeps what came, and connects again", async () => {
    const taps = [tap(), tap()];
    let asked = 0;
    const answer = (response) => taps[asked++].answer(response);
    await following({ s: answer }, async (page) => {
      await taps[0].write(begin() + delta("text", { textDelta: "Half an ans" }));
      await written(page, "Half an ans").waitFor();
      await taps[0].break();
      const alert = page.getByRole("alert");
      await alert.waitFor();
      assert.match(await words(alert), /^The stream s broke off\. What had come/);
      assert.match(await words(page.locator(".pane-transcript")), /Half an ans/);
      assert.deepEqual(await axe(page), []);
      await alert.getByRole("button", { name: "Reconnect" }).click();
      await taps[1].write(begin() + delta("text", { textDelta: "A whole answer" }));
      await written(page, "A whole answer").waitFor();
      assert.equal(await alert.count(), 0);
      assert.equal(await words(status(page)), "live");
      assert.equal(await written(page, "Half an ans").count(), 0);
    });
  });

  test("that is none is refused in a sentence; other origins too", async () => {
    await following(
      { s: async (response) => response.end("nothing of the kind, just words".repeat(20)) },
      async (page) => {
        await page.getByRole("alert").waitFor();
        assert.match(await words(page.getByRole("alert")), /not a transcript/);
      },
    );
    await following(
      { s: async (response) => response.end() },
      async (page, { seen }) => {
        await page.getByRole("alert").waitFor();
        assert.match(
          await words(page.getByRole("alert")),
          /live\/nowhere could not be fetched: 404/,
        );
        // No other transcript takes its place.
        assert.equal(await words(page.locator("h1")), "apex-parts viewer");
        await page.getByRole("button", { name: "Open", exact: true }).click();
        await page.getByLabel("Or follow a live stream").fill("https://example.org/events");
        await page.getByRole("button", { name: "Follow" }).click();
        await page.getByText(/only be opened from the address/).waitFor();
        assert.ok(!seen.requests.some((url) => url.includes("example.org")));
      },
      { live: "nowhere" },
    );
  });

  test("is followed from the dialog", async () => {
    const stream = tap();
    const once = async (response) => response.end(begin() + delta("done"));
    await following({ once, s: stream.answer }, async (page) => {
      await page.waitForFunction(() => !document.querySelector(".facts .tone-live"));
      await page.getByRole("button", { name: "Open", exact: true }).click();
      assert.deepEqual(await axe(page), []);
      await page.getByLabel("Or follow a live stream").fill("live/s");
      await page.keyboard.press("Enter");
      await stream.write(begin() + delta("text", { textDelta: "Followed" }));
      await written(page, "Followed").waitFor();
      assert.match(page.url(), /\?live=live\/s$/);
    });
  });

  test("gives way to a file that is opened meanwhile", async () => {
    const stream = tap();
    await following({ s: stream.answer }, async (page) => {
      await stream.write(begin() + delta("text", { textDelta: "Streaming" }));
      await page.locator(".markdown", { hasText: "Streaming" }).waitFor();
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.getByRole("button", { name: /Provider errors/ }).click();
      await page.getByRole("heading", { name: "provider-errors", level: 1 }).waitFor();
      await stream.write(delta("text", { textDelta: "Too late" }));
      await settled(page);
      assert.equal(await page.locator(".facts .tone-live").count(), 0);
      await page.locator(".facts .status", { hasText: "failed" }).waitFor();
    });
  });

  test("of 1,000 events a second holds nothing up", async () => {
    const piece = (i) =>
      i % 40 === 0 ? `\n\nParagraph ${i} with **bold** and \`code\`. ` : `word${i} `;
    const stream = async (response) => {
      response.write(begin());
      const started = performance.now();
      let sent = 0;
      while (sent < 5000) {
        const due = Math.min(5000, Math.floor(performance.now() - started));
        let batch = "";
        for (; sent < due; sent++) {
          batch +=
            sent % 500 === 499
              ? delta("done", { finishReason: "stop" }) + begin()
              : delta("text", { textDelta: piece(sent) });
        }
        if (batch) response.write(batch);
        await wait(4);
      }
      response.end(delta("done", { finishReason: "stop" }));
    };
    const quick = tap();
    await following({ quick: quick.answer, s: stream }, async (page, { server }) => {
      await quick.end();
      await page.evaluate(() => document.fonts.ready);
      await page.goto(`${server.url}?live=live/s`);
      await headerRow(page, 0).waitFor();
      // From here on: what the page does to begin is not the stream's.
      const tasksDone = await watchTasks(browser);
      await page.waitForFunction(() => !document.querySelector(".facts .tone-live"), undefined, {
        timeout: 60_000,
      });
      const tasks = await tasksDone();
      console.log(
        `      5,000 events in 5 s; tasks over 50 ms, in ms of work (and by the clock): ${longOnes(tasks)}`,
      );
      assertShort(tasks);
      // What has come already makes what comes no dearer.
      const half = (tasks[0].at + tasks.at(-1).at) / 2;
      const earlier = workOf(tasks.filter(({ at }) => at < half));
      const later = workOf(tasks.filter(({ at }) => at >= half));
      assert.ok(later < 2.5 * earlier + 200, `${earlier} ms of work, then ${later} ms`);
      await page.getByText("word4998").first().waitFor();
      await settled(page);
      assert.ok((await fromEnd(page)) <= 1, `${await fromEnd(page)} px from the end`);
    });
  });
});
