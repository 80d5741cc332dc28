/** Broken files: what could be read is shown, and one sentence says what became of the rest. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { partRow, settled, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { message, session, text } from "./transcripts.mjs";

const FORMATS = new URL("../fixtures/formats/", import.meta.url);
const STREAMS = new URL("../fixtures/streams/", import.meta.url);

const viewer = served();

const visit = (run) => viewer.visit({}, run);

/** Drops bytes, which need not be text. */
async function dropBytes(page, name, bytes) {
  const data = await page.evaluateHandle(
    ([fileName, base64]) => {
      const content = Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], fileName));
      return transfer;
    },
    [name, Buffer.from(bytes).toString("base64")],
  );
  for (const type of ["dragenter", "dragover", "drop"]) {
    await page.dispatchEvent("body", type, { dataTransfer: data });
  }
}

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
      /^Some bytes are no UTF-8 text and show as �, the first at byte [\d,]+: 2 messages were read\.$/,
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
        await dropBytes(page, name, content);
        await opened(page, name);
        assert.match(await sentence(page), says);
        assert.equal(await page.locator(".row-message").count(), rows);
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
      await dropBytes(page, "latin1.json", bytes);
      await opened(page, "latin1.json");
      assert.match(await words(partRow(page, 0, 0)), /The f\ufffdrst words/);
    }));

  test("a whole file says nothing, and takes the sentence away", () =>
    visit(async (page) => {
      await dropBytes(page, "cut.json", `[${USER},${ANSWER.slice(0, 200)}`);
      await opened(page, "cut.json");
      await banner(page).waitFor();
      await dropBytes(page, "whole.json", `[${USER},${ANSWER}]`);
      await opened(page, "whole.json");
      assert.equal(await banner(page).count(), 0);
    }));
});

describe("every fixture", () => {
  const files = [
    ...readdirSync(FORMATS).map((name) => new URL(name, FORMATS)),
    ...readdirSync(STREAMS)
      .filter((name) => name.endsWith(".sse"))
      .map((name) => new URL(name, STREAMS)),
  ];
  test("whole has no banner, cut off has one sentence", () =>
    visit(async (page) => {
      for (const file of files) {
        const name = file.pathname.split("/").at(-1);
        const bytes = readFileSync(file);
        await dropBytes(page, name, bytes);
        await opened(page, name);
        assert.equal(await banner(page).count(), 0, name);
        await dropBytes(page, `cut.${name}`, bytes.subarray(0, Math.floor(bytes.length * 0.6)));
        await opened(page, `cut.${name}`);
        const said = await sentence(page);
        assert.match(said, /^The end of the file is missing: \d+ messages? (was|were) read/, name);
        assert.ok((await page.locator(".row").count()) > 0, name);
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
    test(`${name} is refused with one sentence, and what was open stays`, () =>
      visit(async (page) => {
        await dropBytes(page, name, bytes);
        const said = await words(page.getByRole("alert").locator("p"));
        assert.ok(said.startsWith(`${name} could not be opened. `), said);
        assert.match(said, says);
        assert.match(said, /[.!?]$/);
        assert.equal(await page.locator("h1").textContent(), "fix-greeting");
      }));
  }
});
