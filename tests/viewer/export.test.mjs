/** What is exported is what the command writes, opens again, and executes nothing. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Transcript } from "../../pkg/node.mjs";
import { generate } from "../../scripts/generate.mjs";
import { drop, newPage, quiet, settled, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { hostileSession, sample, samplePath } from "./transcripts.mjs";

const CLI = fileURLToPath(new URL("../../pkg/cli.mjs", import.meta.url));

const viewer = served();
let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "viewer-export-"));
});
after(() => {
  if (folder) rmSync(folder, { recursive: true });
});

const { visit } = viewer;

/** Opens the dialog, and waits until it has looked for secrets. */
async function dialog(page) {
  await page.getByRole("button", { name: "Share…" }).click();
  await page.locator("dialog[open] .samples button:enabled").first().waitFor();
}

/** Exports what is open with nothing masked, as a person would; the name of the file and what is in it. */
async function exported(page, kind) {
  await dialog(page);
  for (const tick of await page.locator(".share-secrets input:checked").all()) await tick.uncheck();
  const download = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("button", { name: kind }).click();
  const file = await download;
  const path = join(folder, `${Math.random()}-${file.suggestedFilename()}`);
  await file.saveAs(path);
  await page.waitForFunction(() => !document.querySelector("dialog[open]"));
  return { name: file.suggestedFilename(), path, text: readFileSync(path, "utf8") };
}

function command(path, to) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [CLI, "convert", path, "--to", to],
    {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    },
  );
  assert.equal(status, 0, stderr);
  return stdout;
}

function made(format, bytes) {
  const path = join(folder, `made.${format}`);
  writeFileSync(path, Buffer.concat([...generate({ format, bytes })]));
  return path;
}

describe("an export", () => {
  test("as Markdown and as HTML is what the command writes", () =>
    visit({}, async (page) => {
      const path = fileURLToPath(samplePath("fix-greeting.json"));
      const markdown = await exported(page, /^Markdown/);
      assert.equal(markdown.name, "fix-greeting.md");
      assert.equal(markdown.text, command(path, "markdown"));
      const html = await exported(page, /^HTML/);
      assert.equal(html.name, "fix-greeting.html");
      assert.equal(html.text, command(path, "html"));
    }));

  test("as JSON of an export is the file itself, byte for byte", () =>
    visit({}, async (page) => {
      const { name, text } = await exported(page, /^JSON/);
      assert.equal(name, "fix-greeting.json");
      assert.equal(text, sample("fix-greeting.json"));
      await drop(page, "own.json", `${sample("provider-errors.json")}\n\n`);
      await page.getByRole("heading", { name: "provider-errors", level: 1 }).waitFor();
      assert.equal((await exported(page, /^JSON/)).text, `${sample("provider-errors.json")}\n\n`);
    }));

  for (const format of ["opencode-events", "with-parts", "claude-code", "deltas"]) {
    test(`as JSON of ${format} opens again as the same transcript`, () =>
      viewer.share({}, async (page) => {
        const path = made(format, 200_000);
        await drop(page, `made.${format}`, readFileSync(path, "utf8"));
        await page.getByText(`made.${format}`).first().waitFor();
        const { path: again, text } = await exported(page, /^JSON/);
        const [first, second] = [path, again].map((each) => Transcript.open(readFileSync(each)));
        assert.equal(second.format, "opencode-export");
        const all = (t) => t.messages(0, t.messageCount);
        // Ids that a format has none of are made anew each time it is read.
        const plain = (value) =>
          JSON.parse(JSON.stringify(value), (key, v) => (/^(id|\w+ID)$/.test(key) ? 0 : v));
        assert.ok(first.messageCount > 0);
        assert.equal(second.messageCount, first.messageCount);
        assert.deepEqual(plain(all(second)), plain(all(first)));
        first.free();
        second.free();
        await drop(page, "again.json", text);
        await page
          .locator(".header-title p", { hasText: "again.json · OpenCode Export" })
          .waitFor();
        await settled(page);
        assert.equal(await page.getByRole("alert").count(), 0);
      }));
  }

  test("of a hostile transcript executes nothing when it is opened, and has a name that does no harm", () =>
    viewer.share({}, async (page) => {
      await drop(page, "hostile.json", hostileSession());
      await page.locator(".header-title p", { hasText: "hostile.json" }).waitFor();
      await settled(page);
      for (const kind of [/^HTML/, /^Markdown/]) {
        const { name, path } = await exported(page, kind);
        assert.match(name, /^[\p{L}\p{N}_][\p{L}\p{N}._-]{0,79}\.(?:html|md)$/u);
        if (!name.endsWith(".html")) continue;
        const { page: opened, seen, close } = await newPage(viewer.browser);
        const address = pathToFileURL(path).href;
        await opened.goto(address);
        await opened.evaluate(() => {
          for (const details of document.querySelectorAll("details")) details.open = true;
        });
        await quiet(opened);
        assert.equal(await opened.evaluate(() => window.hacked), undefined);
        assert.equal(await opened.locator("script, iframe, object, form, svg, base").count(), 0);
        assert.deepEqual(
          seen.requests.filter((url) => url !== address && !url.startsWith("data:image/")),
          [],
        );
        assert.deepEqual(seen.dialogs, []);
        assert.equal(opened.url(), address);
        await close();
      }
    }));

  test("of a large file shows how far it is, lets the page live, and can be cancelled", () =>
    visit({}, async (page) => {
      const path = made("opencode-export", 20_000_000);
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.locator("input[type=file]").setInputFiles(path);
      await page.locator(".header-title p", { hasText: "made.opencode-export" }).waitFor();
      await settled(page);
      const downloads = [];
      page.on("download", (download) => downloads.push(download));
      await dialog(page);
      await page.getByRole("dialog").getByRole("button", { name: /^HTML/ }).click();
      const bar = page.getByRole("dialog").getByRole("progressbar");
      await bar.waitFor();
      await page.waitForFunction(() => document.querySelector("dialog progress")?.value > 0);
      await page.getByRole("button", { name: "Cancel" }).click();
      await bar.waitFor({ state: "detached" });
      await quiet(page);
      assert.deepEqual(downloads, []);
      await page.keyboard.press("Escape");
      const { text } = await exported(page, /^Markdown/);
      assert.equal(text, command(path, "markdown"));
    }));

  test("of a damaged file says that something is missing", () =>
    viewer.share({}, async (page) => {
      const whole = sample("long-compaction.json");
      await drop(page, "cut.json", whole.slice(0, whole.length / 2));
      await page.getByText("cut.json").waitFor();
      await settled(page);
      await dialog(page);
      assert.match(await words(page.getByRole("dialog")), /damaged in 1 place/);
    }));
});
