/** How a run ended is one word, wherever it is told. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { carried, drop, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { message, session, text, tool } from "./transcripts.mjs";

const viewer = served();
const { visit } = viewer;

const FORMATS = new URL("../fixtures/formats/", import.meta.url);

const error = (name) => ({ error: { name, data: { message: "It was said why." } } });
const open = { status: "running", output: undefined, time: { start: 1 } };
const question = { questions: [{ question: "Which?", options: [] }] };

/** The last answer of each, what is said of it, and why. */
const ENDINGS = [
  ["finished", [[text("Done.")]], ""],
  ["cut off", [[tool("bash", {})], { finish: "tool-calls" }], "the results of the last calls"],
  ["failed", [[text("I wi")], error("APIError")], "It was said why."],
  ["aborted", [[text("I wi")], error("MessageAbortedError")], "It was said why."],
  ["waiting", [[tool("question", question, open)]], "a question has no answer"],
];

const run = ([word, [parts, info]]) =>
  session(`A run that is ${word}`, [
    message("user", [text("Look")]),
    message("assistant", parts, info),
  ]);

const status = (page) => page.locator(".facts .status");
const ended = (page) =>
  page.locator(".summary-fact", { has: page.getByText("Ended", { exact: true }) });

describe("the header and the summary say", () => {
  for (const [word, ...rest] of ENDINGS) {
    test(word, () =>
      viewer.share({}, async (page) => {
        await drop(page, "run.json", run([word, ...rest]));
        await page.getByRole("heading", { name: `A run that is ${word}`, level: 1 }).waitFor();
        await status(page).getByText(word, { exact: true }).waitFor();
        await ended(page).locator(".summary-end").getByText(word, { exact: true }).waitFor();
        // One colour too.
        const colours = await page
          .locator(".facts .status, .summary-end")
          .evaluateAll((all) => all.map((each) => getComputedStyle(each).color));
        assert.equal(new Set(colours).size, 1, colours.join());
        const why = await page
          .locator(".fact", { has: page.locator(".status") })
          .getAttribute("title");
        assert.ok(rest[1] === "" ? why === "" : why.startsWith(rest[1]), why);
      }),
    );
  }
});

test("the list of runs says the same of those that have not finished", () =>
  visit({}, async (page) => {
    const files = ENDINGS.map((each, i) => [`${i}.json`, run(each)]);
    const dataTransfer = await carried(page, files);
    await page.dispatchEvent("body", "drop", { dataTransfer, clientY: 800 });
    await page.getByText(/^5 runs$/).waitFor();
    const line = (word) =>
      page
        .locator("tbody .run")
        .filter({ hasText: `A run that is ${word}` })
        .locator(".run-end");
    await thereAre(line("finished"), 0);
    for (const [word] of ENDINGS.slice(1)) assert.equal(await words(line(word)), word);
  }));

test("of two runs the outcomes are the same words", () =>
  viewer.share({}, async (page) => {
    const [first, second] = [run(ENDINGS[0]), run(ENDINGS[1])];
    await drop(page, "one.json", first, { second: ["two.json", second] });
    const outcome = page.locator(".measure", { has: page.getByText("Outcome", { exact: true }) });
    await outcome.getByText(/cut off\s+worse/).waitFor();
    assert.match(await words(outcome), /^Outcome\s+finished\s+cut off\s+worse$/);
  }));

/** The lines of a session of another agent up to the last that has these words, and more of them. */
function endsWith(name, words, ...more) {
  const lines = readFileSync(new URL(name, FORMATS), "utf8").trimEnd().split("\n");
  const last = lines.findLastIndex((line) => line.includes(words));
  assert.ok(last > 0, words);
  return [...lines.slice(0, last + 1), ...more, ""].join("\n");
}

describe("sessions of other agents:", () => {
  const cancelled = {
    ...{ id: "i-9", timestamp: "2026-02-04T10:02:30.000Z" },
    ...{ type: "info", content: "Request cancelled." },
  };
  for (const [name, content, word] of [
    ["codex.jsonl", endsWith("codex.txt", '"local_shell_call"'), "cut off"],
    // The user cancelled the request.
    [
      "gemini-cli.jsonl",
      endsWith("gemini-cli.txt", '"id":"g-4"', JSON.stringify(cancelled)),
      "aborted",
    ],
    ["swe-agent.traj", endsWith("swe-agent.txt", "}"), "finished"],
  ]) {
    test(`${name} is ${word}`, () =>
      viewer.share({}, async (page) => {
        await drop(page, name, content);
        await page.locator(".header-title bdi").getByText(name, { exact: true }).waitFor();
        await settled(page);
        await status(page).getByText(word, { exact: true }).waitFor();
      }));
  }
});
