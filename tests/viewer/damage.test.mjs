/** Broken files: what could be read is shown, and one sentence says what became of the rest. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { inputs } from "../inputs.mjs";
import { drop, partRow, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { message, session, text } from "./transcripts.mjs";

const FORMATS = new URL("../fixtures/formats/", import.meta.url);
const STREAMS = new URL("../fixtures/streams/", import.meta.url);

const viewer = served();

const visit = (run) => viewer.share({}, run);

const opened = async (page, name) => {
  await page.locator(".header-title p", { hasText: name }).waitFor();
  await settled(page);
};
const banner = (page) => page.getByRole("region", { name: "Damage" });
const sentence = (page) => words(banner(page).locator("p"));

const USER = JSON.stringify(message("user", [text("The first words")]));
const ANSWER = JSON.stringify(message("assistant", [text("The second words")]));

describe("damaged files show what could be read", () => {
  for (const [name, content, says, rows] of [
    [
      "cut.json",
      `[${USER},${ANSWER.slice(0, 200)}`,
      /^The end of the file is missing: 1 message was read, and what would have followed byte [\d,]+ is lost\.$/,
      1,
    ],
    [
      "prefix.json",
      `Exporting session…\n[${USER},${ANSWER}]`,
      /^The file begins with 21 bytes of other text, which were skipped: 2 messages were read\.$/,
      2,
    ],
    [
      "lines.jsonl",
      `${USER}\n{"info": oops}\nrubbish\n${ANSWER}\n`,
      /^2 lines could not be read and were left out, the first at byte [\d,]+: 2 messages were read\.$/,
      2,
    ],
    [
      "middle.json",
      `[${USER},{"info": oops}, ${ANSWER}]`,
      /^A damaged place at byte [\d,]+ was left out: 2 messages were read\.$/,
      2,
    ],
    [
      "several.jsonl",
      `${USER}\nrubbish\n${ANSWER}\n${ANSWER.slice(0, 150)}`,
      /^The end of the file is missing: 2 messages were read, .*; 1 other place is damaged too\.$/,
      2,
    ],
    [
      "latin1.json",
      Buffer.from(`[${USER.replace("first", "f\u00fcrst")},${ANSWER}]`, "latin1"),
      /^Some bytes are not valid UTF-8 and show as �, the first at byte [\d,]+: 2 messages were read\.$/,
      2,
    ],
    [
      "deep.json",
      `[${USER.replace('"parts":[', `"parts":[{"type":"x","deep":${"[".repeat(100_000)}${"]".repeat(100_000)}},`)},${ANSWER}]`,
      /^A damaged place at byte [\d,]+ was left out: 1 message was read\.$/,
      1,
    ],
  ]) {
    test(name, () =>
      visit(async (page) => {
        await drop(page, name, content);
        await opened(page, name);
        assert.match(await sentence(page), says);
        await thereAre(page.locator(".row-message"), rows);
        // Of the last message that was read this is all there is to say.
        const isCut = says.source.includes("The end of the file is missing");
        const ending = isCut ? "cut off" : "finished";
        await page.locator(".facts .status", { hasText: ending }).waitFor();
        assert.equal(await page.getByRole("alert").count(), 0);
        await banner(page).getByRole("button", { name: "See problems" }).click();
        await page.locator(".pane-problems .problem").first().waitFor();
        assert.match(await words(page.locator(".pane-problems")), /byte [\d,]+/);
        await banner(page).getByRole("button", { name: "Dismiss" }).click();
        assert.equal(await banner(page).count(), 0);
      }),
    );
  }

  test("invalid UTF-8 shows as a replacement, not as something else", () =>
    visit(async (page) => {
      const bytes = Buffer.from(`[${USER.replace("first", "f\u00fcrst")}]`, "latin1");
      await drop(page, "latin1.json", bytes);
      await opened(page, "latin1.json");
      assert.match(await words(partRow(page, 0, 0)), /The f\ufffdrst words/);
    }));

  test("a whole file says nothing, and takes the sentence away", () =>
    visit(async (page) => {
      await drop(page, "cut.json", `[${USER},${ANSWER.slice(0, 200)}`);
      await opened(page, "cut.json");
      await banner(page).waitFor();
      await drop(page, "whole.json", `[${USER},${ANSWER}]`);
      await opened(page, "whole.json");
      assert.equal(await banner(page).count(), 0);
    }));
});

describe("a recording whose end is missing", () => {
  test("is cut off, also when its replay was left", () =>
    visit(async (page) => {
      const bytes = readFileSync(new URL("opencode-events.txt", FORMATS));
      const status = page.locator(".facts .status");
      await drop(page, "cut.sse", bytes.subarray(0, Math.floor(bytes.length * 0.6)));
      await opened(page, "cut.sse");
      await status.getByText("cut off").waitFor();
      await page.getByRole("button", { name: "Replay", exact: true }).click();
      await page.getByRole("slider", { name: "Event" }).fill("5");
      await status.getByText("replay").waitFor();
      await page.getByRole("button", { name: "Close the replay" }).click();
      await status.getByText("cut off").waitFor();
    }));
});

/** The places that the damage of a file leads to, from the panel, and from `n`. */
async function jumps(page) {
  const chosen = page.locator(".row[data-selected]");
  const label = async () => {
    await chosen.waitFor();
    return chosen.getAttribute("aria-label");
  };
  await page.keyboard.press("n");
  const byKey = await label();
  await page.locator(".problem-count").click();
  const damage = page.locator(".pane-problems .problem", { hasText: "byte " });
  await damage.first().waitFor();
  const byPress = [];
  for (const problem of await damage.all()) {
    await problem.focus();
    await page.keyboard.press("Enter");
    byPress.push(await label());
    assert.ok(await chosen.evaluate((row) => row === document.activeElement));
  }
  return { byKey, byPress };
}

/** Messages that break no rule, so that damage is all there is to jump to. */
const [FIRST, SECOND, THIRD] = [
  USER,
  ANSWER,
  JSON.stringify(message("assistant", [text("a"), text("b")])),
].map((json) =>
  json.replace(/"(?:ses|msg|prt)_(\w+)"/g, (_, id) => {
    const digits = Buffer.from(id).toString("hex").slice(-12).padStart(12, "0");
    return `"019bb18f-09a0-7001-ac39-${digits}"`;
  }),
);
/** A step of a run of deltas that says this, in pieces. What is rubbish stands there as it is. */
function step(first, pieces) {
  const kinds = [
    ["start", { modelId: "m", requestId: `r${first}` }],
    ...pieces.map((textDelta) => ["text", { textDelta }]),
    ["done", { finishReason: "stop" }],
  ];
  const timestamp = "2026-01-12T09:35:17.730Z";
  return kinds.map(([kind, payload], i) =>
    payload.textDelta?.startsWith("rubbish")
      ? payload.textDelta
      : JSON.stringify({ runId: "run", seq: first + i, kind, payload, timestamp }),
  );
}

const STEPS = [
  ...step(1, ["The first words."]),
  "rubbish between the two",
  ...step(4, ["The second ", "rubbish amid it", "words."]),
  ...step(9, ["The third words."]),
];

describe("each damage leads to its place", () => {
  for (const [name, content, places] of [
    ["cut.json", `[${FIRST},${SECOND},${THIRD},${SECOND.slice(0, 200)}`, [/^Message 2, part 1:/]],
    [
      "cut.jsonl",
      `${FIRST}\n${SECOND}\n${THIRD}\n${SECOND.slice(0, 200)}`,
      [/^Message 2, part 1:/],
    ],
    ["middle.json", `[${FIRST},${SECOND},{"info": oops},${THIRD}]`, [/^Message 1, part 0:/]],
    [
      "lines.jsonl",
      `${FIRST}\nrubbish\n${SECOND}\nmore\n${THIRD}`,
      [/^Message 0, part 0:/, /^Message 1, part 0:/],
    ],
    [
      "steps.ndjson",
      STEPS.join("\n"),
      [/^Message 0, part 2: step 1 finished/, /^Message 1, part 1: text/],
    ],
    ["prefix.json", `Exporting session…\n[${FIRST},${SECOND},${THIRD}]`, [/^Message 0,/]],
    [
      "latin1.json",
      Buffer.from(`[${FIRST},${SECOND.replace("second", "f\u00fcrst")}]`, "latin1"),
      [/^Message 1,/],
    ],
  ]) {
    test(name, () =>
      visit(async (page) => {
        await drop(page, name, content);
        await opened(page, name);
        const { byKey, byPress } = await jumps(page);
        assert.match(byKey, places[0]);
        assert.equal(byPress.length, places.length);
        for (const [i, place] of places.entries()) assert.match(byPress[i], place);
      }),
    );
  }

  test("many in one place are told in short", () =>
    visit(async (page) => {
      await drop(page, "many.jsonl", `${FIRST}\n${"rubbish\n".repeat(300)}${SECOND}`);
      await opened(page, "many.jsonl");
      await page.keyboard.press("n");
      const chosen = page.locator(".row[data-selected]");
      await chosen.waitFor();
      assert.match(await chosen.getAttribute("aria-label"), /^Message 0, part 0:/);
      assert.match(await words(chosen.locator(".row-problems")), /and \d+ more$/);
      await page.keyboard.press("i");
      const inspector = page.getByRole("complementary", { name: "Inspector" });
      await inspector.getByRole("tab", { name: /^Problems/ }).click();
      await thereAre(inspector.locator(".problem-list .rule"), 200);
      assert.match(await words(inspector.locator(".problem-list")), /and \d+ more$/);
    }));

  test("n and p go from one to the next", () =>
    visit(async (page) => {
      await drop(page, "lines.jsonl", `${FIRST}\nrubbish\n${SECOND}\nmore\n${THIRD}`);
      await opened(page, "lines.jsonl");
      const walk = [];
      for (const key of ["n", "n", "p"]) {
        await page.keyboard.press(key);
        const chosen = page.locator(".row[data-selected]");
        await chosen.waitFor();
        walk.push((await chosen.getAttribute("aria-label")).split(":")[0]);
      }
      assert.deepEqual(walk, ["Message 0, part 0", "Message 1, part 0", "Message 0, part 0"]);
    }));
});

describe("every fixture", () => {
  const files = [
    ...inputs(FORMATS).map((name) => new URL(name, FORMATS)),
    ...inputs(STREAMS, /\.sse$/).map((name) => new URL(name, STREAMS)),
  ];
  test("whole has no banner, cut off has one sentence", () =>
    visit(async (page) => {
      for (const file of files) {
        const name = file.pathname.split("/").at(-1);
        const bytes = readFileSync(file);
        await drop(page, name, bytes);
        await opened(page, name);
        assert.equal(await banner(page).count(), 0, name);
        await drop(page, `cut.${name}`, bytes.subarray(0, Math.floor(bytes.length * 0.6)));
        await opened(page, `cut.${name}`);
        const said = await sentence(page);
        assert.match(said, /^The end of the file is missing: \d+ messages? (was|were) read/, name);
        await page.locator(".row").first().waitFor({ state: "attached" });
      }
    }));
});

describe("what is no transcript", () => {
  const whole = session("Whole", [message("user", [text("Hello")])]);
  for (const [name, bytes, says] of [
    ["packed.json.gz", gzipSync(whole), /compressed \(gzip\): unpack it first/],
    ["page.html", "<!doctype html><title>x</title>", /HTML/],
    ["wide.json", Buffer.from(`\ufeff${whole}`, "utf16le"), /UTF-16: save it as UTF-8/],
    ["empty.json", "", /is empty/],
    [
      "deep.json",
      `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
      /No message could be read: nested too deep/,
    ],
    ["nul.bin", Buffer.alloc(5000), /no transcript|no JSON|could be read/],
  ]) {
    test(`${name} is refused with one sentence, and nothing of what was open stays`, () =>
      viewer.shareSample({}, async (page) => {
        await drop(page, name, bytes);
        const said = await words(page.getByRole("alert").locator("p"));
        assert.ok(said.startsWith(`${name} could not be opened. `), said);
        assert.match(said, says);
        assert.match(said, /[.!?]$/);
        assert.equal(await page.locator("h1").textContent(), "apex-parts viewer");
      }));
  }
});
