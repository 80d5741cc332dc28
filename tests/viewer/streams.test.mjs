/** Recorded streams in the viewer: of every format, whole and broken. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { inputs } from "../inputs.mjs";
import { drop, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { serve } from "./server.mjs";

const FOLDER = new URL("../fixtures/streams/", import.meta.url);
const STREAMS = inputs(FOLDER, /\.sse$/).map((name) => ({
  name,
  format: name.split(".").at(-2),
  content: readFileSync(new URL(name, FOLDER), "utf8"),
  responses: JSON.parse(
    readFileSync(new URL(name.replace(".sse", ".expected.json"), FOLDER), "utf8"),
  ).responses,
}));

const delta = (seq, kind, payload) =>
  JSON.stringify({ runId: "r", seq, kind, payload, timestamp: "2025-02-17T08:30:00.000Z" });
const DELTAS = [
  delta(1, "start", { modelId: "m-1", requestId: "q" }),
  delta(2, "thinking", { textDelta: "Where is it?" }),
  delta(3, "text", { textDelta: "I read **the" }),
  delta(4, "text", { textDelta: " file**." }),
  delta(5, "tool_call_start", { toolCallId: "c1", toolName: "read" }),
  delta(6, "tool_call_args", { toolCallId: "c1", argsTextDelta: '{"path":"/tmp/' }),
  delta(7, "tool_call_args", { toolCallId: "c1", argsTextDelta: 'greeting.txt"}' }),
  delta(8, "tool_call_end", { toolCallId: "c1" }),
  delta(9, "done", { finishReason: "tool-calls" }),
];

/** Formats as the page names them. */
const WRITTEN = {
  "ag-ui": "AG-UI",
  "ai-sdk": "AI SDK",
  anthropic: "Anthropic",
  "apex-bridge": "apex-bridge",
  bedrock: "Amazon Bedrock",
  cohere: "Cohere",
  gemini: "Gemini",
  "gemini-interactions": "Gemini Interactions",
  ollama: "Ollama",
  "openai-chat": "OpenAI Chat",
  "openai-responses": "OpenAI Responses",
};

const viewer = served();

/** A page that is high enough for every row to be there. */
const visit = (run, options) => viewer.share({ height: 3000, ...options }, run);

/** Drops a file and waits until it is what the page shows. */
async function open(page, name, content) {
  await drop(page, name, content);
  await page.locator(".header-title p", { hasText: name }).waitFor();
  await settled(page);
}

/** The rows of a message's parts of a kind. */
const rows = (page, message, kind) =>
  page.locator(`.row[aria-label^="Message ${message}, part"][aria-label*=": ${kind}"]`);

/** What stands there, without the spaces that markdown has its own mind about. */
const bare = (text) => text.replace(/\s+/g, "");

const facts = (page) => words(page.locator(".header-title p"));

describe("a recorded stream shows its messages, texts and calls", () => {
  for (const { name, format, content, responses } of STREAMS) {
    test(name, () =>
      visit(async (page) => {
        await open(page, name, content);
        const count = `${responses.length} message${responses.length === 1 ? "" : "s"}`;
        assert.ok(
          (await facts(page)).includes(`· ${WRITTEN[format]} · ${count} ·`),
          await facts(page),
        );
        await thereAre(page.locator(".row-message"), responses.length);
        for (const [message, { parts, calls, error }] of responses.entries()) {
          const texts = await rows(page, message, "text").allInnerTexts();
          const wanted = parts.filter(([kind]) => kind === "text").map(([, text]) => text);
          assert.equal(bare(texts.join("")), bare(wanted.join("")));
          const thoughts = parts.filter(([kind]) => kind === "thinking").length;
          assert.ok((await rows(page, message, "reasoning").count()) >= Math.min(thoughts, 1));
          const cards = rows(page, message, "tool").locator(".tool-name");
          assert.deepEqual(
            await cards.allInnerTexts(),
            calls.map((call) => call.name),
          );
          if (error) {
            const failure = page.locator(
              `.row-message[aria-label^="Message ${message},"] .failure`,
            );
            assert.ok((await words(failure)).includes(error[1]), `${error[1]} is shown`);
          }
        }
      }),
    );
  }

  test("deltas, with the arguments and the state of a call", () =>
    visit(async (page) => {
      await open(page, "run.ndjson", `${DELTAS.join("\n")}\n`);
      assert.ok((await facts(page)).includes("Deltas · 1 message ·"));
      assert.match(await words(page.locator(".facts")), /deltas\/m-1|delta\/m-1|m-1/);
      const text = rows(page, 0, "text");
      assert.equal(await words(text), "I read the file.");
      assert.equal(await words(text.locator("strong")), "the file");
      const card = rows(page, 0, "tool");
      assert.match(await words(card), /read[\s\S]*greeting\.txt/);
      assert.match(await words(card.locator("[aria-current=step]")), /^running/);
      await rows(page, 0, "reasoning").locator(".fold-head").click();
      assert.match(await words(rows(page, 0, "reasoning")), /Where is it\?/);
    }));
});

describe("the stream of a provider cannot hold results", () => {
  const CALLS = new URL(
    "../fixtures/recorded/providers/anthropic-thinking-parallel-tools.anthropic.sse",
    import.meta.url,
  );

  test("its calls are requested: none runs in a stream that is finished, and nothing is wrong with it", () =>
    visit(async (page) => {
      await open(page, "calls.sse", readFileSync(CALLS, "utf8"));
      const calls = rows(page, 0, "tool").locator(".state-word");
      assert.deepEqual(await calls.allInnerTexts(), ["requested", "requested"]);
      await page.locator(".facts .status", { hasText: /^finished$/ }).waitFor();
      await page.locator(".trouble", { hasText: "no trouble" }).waitFor();
      await page.keyboard.press("/");
      const field = page.getByRole("search").getByRole("textbox");
      for (const [query, found] of [
        ["status:requested", "2 matches"],
        ["status:running", "no matches"],
      ]) {
        await field.fill(query);
        await page.locator(".search-count", { hasText: found }).waitFor();
      }
    }));
});

describe("a recorded stream opens", () => {
  const { name, content } = STREAMS.find((stream) => stream.name === "blocks.anthropic.sse");

  test("from the file picker, which takes any file", () =>
    visit(async (page) => {
      await page.getByRole("button", { name: "Open", exact: true }).click();
      assert.match(await words(page.getByRole("dialog")), /recorded stream/);
      const path = fileURLToPath(new URL(name, FOLDER));
      await page.locator("input[type=file]").setInputFiles(path);
      await page.locator(".header-title p", { hasText: name }).waitFor();
      await settled(page);
      assert.equal(await words(rows(page, 0, "text").first()), "Hi there");
    }));

  test("from pasted text", () =>
    visit(async (page) => {
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.getByLabel("Or paste its text").fill(content);
      await page.getByRole("button", { name: "Open pasted text" }).click();
      await page.locator(".header-title p", { hasText: "Pasted text" }).waitFor();
      await settled(page);
      assert.equal(await words(rows(page, 0, "text").first()), "Hi there");
    }));

  test("when it is named on the command line", async () => {
    const own = await serve({ file: fileURLToPath(new URL(name, FOLDER)) });
    try {
      await visit(
        async (page) => {
          assert.ok((await facts(page)).includes("Anthropic · 1 message ·"));
          assert.equal(await words(rows(page, 0, "text").first()), "Hi there");
        },
        { address: own.url },
      );
    } finally {
      await own.close();
    }
  });
});

describe("a broken stream shows what could be read, and says the rest in a sentence", () => {
  /** What the panel of problems says, and that the header counts it. */
  async function problems(page) {
    assert.match(await words(page.locator(".problem-count")), /^[1-9]\d* file problems?$/);
    await page.locator(".problem-count").click();
    await page.locator(".problem").first().waitFor();
    return words(page.locator(".pane-problems"));
  }

  // The longest of each format: a third of it is in the midst of its first response.
  const longest = STREAMS.toSorted((a, b) => a.content.length - b.content.length);
  const each = new Map(longest.map((stream) => [stream.format, stream])).values();
  for (const { name, format, content, responses } of each) {
    test(`${format}: ${name}, cut off`, () =>
      visit(async (page) => {
        const cut = Math.floor(content.length / 3);
        await open(page, `cut-${name}`, content.slice(0, cut));
        const shown = await words(page.locator(".pane-transcript"));
        const begins = responses[0].parts.map(([, text]) => text.slice(0, 3));
        // The text, or where the cut came before it the thought.
        assert.ok(
          begins.some((text) => shown.includes(text)),
          shown,
        );
        const said = await problems(page);
        assert.match(said, /without `?done`?|cut off/);
        assert.match(said, /byte [\d,]+/);
      }));
  }

  test("a line that is no JSON is left out, the rest is there", () =>
    visit(async (page) => {
      const lines = [...DELTAS.slice(0, 3), "{oops", ...DELTAS.slice(3)];
      await open(page, "oops.ndjson", `${lines.join("\n")}\n`);
      const row = rows(page, 0, "text");
      assert.equal(await words(row.locator(".markdown")), "I read the file.");
      // It is said where it was left out, too.
      assert.match(await words(row.locator(".row-problems")), /^json the record is not JSON/);
      const said = await problems(page);
      const offset = DELTAS.slice(0, 3).join("\n").length + 1;
      assert.match(said, new RegExp(`json[\\s\\S]*byte ${offset.toLocaleString("en")}`));
      assert.match(said, /expected a key in double quotes/);
    }));

  test("one of which nothing can be read is refused, and nothing of what was open stays", () =>
    visit(async (page) => {
      const late = DELTAS.slice(1, 3).join("\n");
      await drop(page, "late.ndjson", late);
      const sentence = await words(page.getByRole("alert").locator("p"));
      assert.match(sentence, /^late\.ndjson could not be opened\. .+[.!?]$/);
      assert.match(sentence, /no message could be read/i);
      assert.equal(await words(page.locator("h1")), "apex-parts viewer");
      assert.equal(await page.locator(".row").count(), 0);
    }));
});
