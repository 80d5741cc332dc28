/** The playground of the documentation, built into a folder of its own: the package itself on a page. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { buildPlayground } from "../../scripts/docs.mjs";
import { axeLightAndDark } from "./audit.mjs";
import { carried, launch, newPage, words } from "./browser.mjs";
import { serve } from "./server.mjs";

let browser;
let server;
let out;

before(async () => {
  out = mkdtempSync(join(tmpdir(), "docs-"));
  buildPlayground(out);
  writeFileSync(join(out, "index.html"), "Here is the reference.");
  // The server first: were a browser being launched when it fails, nobody would close it.
  server = await serve({ root: out });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
  rmSync(out, { recursive: true, force: true });
});

/** Opens the playground, runs a test there, and sees that it asked for nothing but its own files. */
async function visit(run, { hash = "", ...options } = {}) {
  const { page, seen, close } = await newPage(browser, options);
  try {
    await page.goto(`${server.url}playground/${hash}`);
    await page.locator("#unstarted").waitFor({ state: "detached" });
    // What the page begins with has come, and does not come between what a test types.
    await page.locator("#place:not(:empty), #view > *").first().waitFor({ state: "attached" });
    await run(page);
    const own = new RegExp(`^(?:${server.url}(?:playground|package)/|blob:|data:)`);
    assert.deepEqual(
      seen.requests.filter((url) => !own.test(url)),
      [],
      "requests to anything but its own files",
    );
    assert.deepEqual(seen.complaints, [], "errors and warnings in the console");
    assert.deepEqual(seen.dialogs, [], "dialogs");
  } finally {
    await close();
  }
}

const has = (page, id, text) => page.locator(`#${id}`, { hasText: text }).waitFor();
const sample = (name) => new URL(`../../docs/playground/samples/${name}`, import.meta.url);
const delta = (kind, payload, seq) =>
  JSON.stringify({ runId: "r", seq, kind, payload, timestamp: "2026-01-01T00:00:00.000Z" });

test("a sample is the same message in every size of pieces", (samples) =>
  visit(async (page) => {
    for (const [name, format] of [
      ["Deltas", "delta"],
      ["Anthropic", "anthropic"],
      ["OpenAI Chat", "openai-chat"],
      ["OpenAI Responses", "openai-responses"],
      ["Gemini", "gemini"],
      ["AI SDK", "ai-sdk"],
      ["apex-bridge", "apex-bridge"],
    ]) {
      await samples.test(name, async () => {
        await page.getByRole("button", { name, exact: true }).click();
        await has(page, "stream-note", `, ${format}, detected`);
        for (const pieces of ["record", "1", "whole"]) {
          await page.selectOption("#chunk", pieces);
          await has(page, "message", "I will look up the forecast for Tromsø.");
          await has(page, "message", "They ask about tomorrow. I need the forecast.");
          await has(page, "message", '"city": "Tromsø"');
        }
        await has(page, "problems", "None so far.");
        assert.equal((await page.locator("#deltas .row").count()) > 5, true);
      });
    }
  }));

test("a step back takes the last piece away, and says what the step changed", () =>
  visit(async (page) => {
    await page.fill(
      "#stream-text",
      [
        delta("start", { modelId: "m", requestId: "q" }, 1),
        delta("text", { textDelta: "One " }, 2),
        delta("text", { textDelta: "two" }, 3),
        delta("done", { finishReason: "stop" }, 4),
      ].join("\n"),
    );
    await has(page, "place", "step 4 of 4");
    await has(page, "changes", "done");
    await page.getByRole("button", { name: "Step back" }).click();
    await has(page, "changes", "append");
    await has(page, "changes", '"two"');
    await has(page, "deltas-count", "3 of 4");
    await has(page, "message-count", "streaming");
    await page.locator("#step").press("Home");
    await has(page, "message", "No message has begun.");
    await page.locator("#step").press("ArrowRight");
    await has(page, "place", "step 1 of 4");
    await page.getByRole("button", { name: "Play" }).click();
    await has(page, "place", "step 4 of 4");
  }));

test("problems are told with their rule and their place, which leads into the stream", () =>
  visit(async (page) => {
    await page.getByRole("button", { name: "Damaged", exact: true }).click();
    await has(page, "problems", /DC-\d/);
    await page.locator("#problems .link").first().click();
    const selected = await page.evaluate(() => {
      const { value, selectionStart, selectionEnd } = document.activeElement;
      return value.slice(selectionStart, selectionEnd);
    });
    assert.match(selected, /^\{.*"seq":2.*twice/);
  }));

test("a problem's rule leads to what the documentation says of it", () =>
  visit(async (page) => {
    await page.getByRole("button", { name: "Damaged", exact: true }).click();
    await has(page, "problems", /DC-\d/);
    const links = await page
      .locator("#problems .rule")
      .evaluateAll((all) =>
        all.map(({ textContent, href, target }) => [textContent, href, target]),
      );
    assert.equal(links.length, await page.locator("#problems .part").count());
    for (const [code, href, target] of links) {
      // Within the documentation, and not in place of what was pasted.
      assert.equal(href, `${server.url}documents/rules.html#${code.toLowerCase()}`);
      assert.equal(target, "_blank");
    }
    assert.equal(
      await page.getByRole("link", { name: "Documentation" }).evaluate(({ href }) => href),
      `${server.url}index.html`,
    );
  }));

test("what is no stream is told, and the page goes on", () =>
  visit(async (page) => {
    await page.fill("#stream-text", "[".repeat(50_000));
    await has(page, "stream-note", "No stream format that is known");
    for (const format of await page
      .locator("#format option")
      .evaluateAll((all) => all.map(({ value }) => value))) {
      await page.selectOption("#format", format);
      await has(page, "place", "step 1 of 1");
    }
    await page.getByRole("button", { name: "Gemini", exact: true }).click();
    await has(page, "message", '"city": "Tromsø"');
  }));

test("HTML in a stream and in a session is text", () =>
  visit(async (page) => {
    const evil = `<script>globalThis.ran = 1</script><img src=x onerror="globalThis.ran = 1">`;
    await page.fill(
      "#stream-text",
      [
        delta("start", { modelId: evil, requestId: evil }, 1),
        delta("text", { textDelta: evil }, 2),
        delta("tool_call_start", { toolCallId: evil, toolName: evil }, 3),
        delta(evil, { textDelta: evil }, 4),
      ].join("\n"),
    );
    await has(page, "message", "<script>globalThis.ran");
    await page.getByRole("tab", { name: "Session" }).click();
    await page.locator("apex-transcript .row").first().waitFor();
    await page.fill(
      "#session-text",
      JSON.stringify([
        {
          runId: "r",
          role: "user",
          parts: [{ kind: "text", payload: { text: evil } }],
          timestamp: "2026-01-01T00:00:00.000Z",
        },
      ]),
    );
    await page.getByRole("button", { name: "Show it" }).click();
    await page.locator("apex-transcript .row", { hasText: "globalThis.ran" }).first().waitFor();
    assert.equal(await page.evaluate(() => globalThis.ran), undefined);
  }));

test("a session opens in the viewer, chosen or dropped", () =>
  visit(
    async (page) => {
      await page
        .locator("apex-transcript h2", { hasText: /provider/i })
        .first()
        .waitFor();
      const session = new URL("../../www/public/samples/fix-greeting.json", import.meta.url);
      const dataTransfer = await carried(page, [["dropped.json", readFileSync(session, "utf8")]]);
      await page.dispatchEvent("body", "drop", { dataTransfer });
      await has(page, "session-note", "dropped.json");
      await page
        .locator("apex-transcript h2", { hasText: /greeting|dropped/i })
        .first()
        .waitFor();
    },
    { hash: "#tab=session&sample=provider-errors" },
  ));

test("a session that was pasted as a stream opens as a session", () =>
  visit(async (page) => {
    const session = new URL("../../www/public/samples/fix-greeting.json", import.meta.url);
    // As one line: a browser takes ten seconds to put a thousand lines into a field.
    await page.fill("#stream-text", JSON.stringify(JSON.parse(readFileSync(session, "utf8"))));
    await page.getByRole("button", { name: "Open it as a session" }).click();
    await page.locator("apex-transcript h2", { hasText: "fix-greeting" }).first().waitFor();
  }));

test("a dropped stream is read with its own line ends", () =>
  visit(async (page) => {
    const bytes = readFileSync(sample("anthropic.sse"), "utf8").replaceAll("\n", "\r\n");
    const dataTransfer = await carried(page, [["stream.sse", bytes]]);
    await page.dispatchEvent("body", "drop", { dataTransfer });
    await has(page, "piece", "␍↵");
    await has(page, "stream-note", `${Buffer.byteLength(bytes).toLocaleString("en")} bytes`);
  }));

test("a link holds the stream and the step; a stream too long for one is told", () =>
  visit(async (page) => {
    await page.fill(
      "#stream-text",
      `${delta("start", { modelId: "m", requestId: "q" }, 1)}\n${delta("text", { textDelta: "shared" }, 2)}\n`,
    );
    await has(page, "message", "shared");
    await page.getByRole("button", { name: "Step back" }).click();
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.waitForFunction(() => location.hash.startsWith("#stream="));
    const { hash } = new URL(page.url());
    await visit(
      async (other) => {
        await has(other, "place", "step 1 of 2");
        await other.getByRole("button", { name: "Step forward" }).click();
        await has(other, "message", "shared");
      },
      { hash },
    );
    const noise = Array.from({ length: 3000 }, (_, i) => Math.sin(i).toString(36)).join(" ");
    await page.fill("#stream-text", noise);
    await page.getByRole("button", { name: "Copy link" }).click();
    await has(page, "share-note", "Too long for a link");
  }));

test("a damaged link is told", () =>
  visit((page) => has(page, "stream-note", "The link is damaged"), { hash: "#stream=AAAA%25%25" }));

for (const width of [1440, 1024, 390]) {
  test(`nothing is wider than a page of ${width} px, and axe finds nothing`, () =>
    visit(
      async (page) => {
        const surplus = () =>
          page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        await page.getByRole("button", { name: "Damaged", exact: true }).click();
        await has(page, "problems", /DC-\d/);
        assert.equal((await surplus()) <= 0, true);
        assert.deepEqual(await axeLightAndDark(page), []);
        await page.getByRole("tab", { name: "Stream" }).press("ArrowRight");
        await page.locator("apex-transcript .row").first().waitFor();
        assert.equal((await surplus()) <= 0, true);
        assert.deepEqual(await axeLightAndDark(page), []);
      },
      { width },
    ));
}

test("from a disk the page says what to do", async () => {
  const { page, close } = await newPage(browser);
  try {
    await page.goto(pathToFileURL(join(out, "playground", "index.html")).href);
    await page.locator("#unstarted").waitFor({ state: "visible" });
    assert.match(await words(page.locator("body")), /npm run docs -- --serve/);
  } finally {
    await close();
  }
});
