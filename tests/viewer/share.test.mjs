/** What is shared: the file with the viewer in it, what is masked in it, and links from files that only one has. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { drop, newPage, partRow, quiet, settled, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { message, session, text } from "./transcripts.mjs";

const viewer = served();
let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "viewer-share-"));
});
after(() => {
  if (folder) rmSync(folder, { recursive: true });
});

// Put together here, so that none stands in this file.
const TOKEN = ["ghp", "abcdefghij0123456789ABCDEFGHIJ012345"].join("_");
const RUN = session("Leaky", [
  message("user", [text("Hello")]),
  message("assistant", [text(`Use ${TOKEN}, or ${TOKEN}`), text("Done")]),
  message("user", [text("Mail alice@corp.io"), text("nothing")]),
]);

async function opened(page) {
  await drop(page, "leaky.json", RUN);
  await page.getByRole("heading", { name: "Leaky", level: 1 }).waitFor();
  await settled(page);
}

const dialog = (page) => page.locator("dialog[open]");

async function share(page) {
  await page.getByRole("button", { name: "Share…" }).click();
  await dialog(page).locator(".samples button:enabled").first().waitFor();
}

/** Makes the file of this kind; its path and its text. */
async function made(page, kind) {
  const download = page.waitForEvent("download");
  await dialog(page).getByRole("button", { name: kind }).click();
  const file = await download;
  const path = join(folder, `${Math.random()}-${file.suggestedFilename()}`);
  await file.saveAs(path);
  await dialog(page).waitFor({ state: "detached" });
  return { path, text: readFileSync(path, "utf8") };
}

/** The transcript in a file with the viewer in it. */
function inside(html) {
  const [, base64] = /<script type="text\/plain" data-name="shared"[^>]*>([^<]*)</.exec(html);
  return gunzipSync(Buffer.from(base64, "base64")).toString();
}

/** Opens a file from the disk, and sees that it asks for nothing else. */
async function fromDisk(path, hash, run) {
  const { page, seen, close } = await newPage(viewer.browser);
  const address = pathToFileURL(path).href;
  try {
    await page.goto(`${address}${hash}`);
    await settled(page);
    await run(page);
    const foreign = seen.requests.filter(
      (url) => url.split("#")[0] !== address && !/^(data|blob):/.test(url),
    );
    assert.deepEqual(foreign, []);
    assert.deepEqual(seen.complaints, []);
  } finally {
    await close();
  }
}

describe("before something is shared", () => {
  test("what should not be is listed by kind, with what it begins with and where it is", () =>
    viewer.share({}, async (page) => {
      await opened(page);
      await share(page);
      const said = await words(dialog(page));
      assert.match(said, /3 found\. Ticked items are masked\./);
      assert.match(said, /tokens of GitHub: 2 \(1 different\)/);
      assert.match(said, /mail addresses: 1/);
      assert.match(said, /cut over two parts/);
      assert.ok(!said.includes(TOKEN) && !said.includes("alice@"), said);
      await dialog(page).getByRole("button", { name: "alic… (13 characters)" }).click();
      await dialog(page).waitFor({ state: "detached" });
      await page.locator('.row[data-selected][aria-label^="Message 2, part 0:"]').waitFor();
    }));

  test("a value that is there often is named once, with how often", () =>
    viewer.share({}, async (page) => {
      await opened(page);
      await share(page);
      const spots = dialog(page).locator("li", { hasText: "tokens of GitHub" });
      const named = await spots.locator(".share-spots").allInnerTexts();
      assert.deepEqual(named, ["ghp_… (40 characters) ×2"]);
    }));

  test("a run without secrets says that none were found", () =>
    viewer.share({}, async (page) => {
      await drop(page, "clean.json", session("Clean", [message("user", [text("Hi")])]));
      await page.getByRole("heading", { name: "Clean", level: 1 }).waitFor();
      await share(page);
      assert.match(await words(dialog(page)), /No keys, passwords, mail addresses/);
      assert.equal(await dialog(page).getByRole("checkbox").count(), 0);
    }));
});

describe("a shared file", () => {
  test("has the viewer and the run in it, without the secrets; links to parts work", () =>
    viewer.share({}, async (page) => {
      await opened(page);
      await share(page);
      const { path, text: html } = await made(page, /^Viewer/);
      const json = inside(html);
      assert.ok(!json.includes(TOKEN) && !json.includes("alice@corp.io"));
      assert.ok(json.includes("Use [redacted github-token 1], or [redacted github-token 1]"));
      const { id } = JSON.parse(json).messages[1].parts[1];
      await fromDisk(path, `#${id}`, async (copy) => {
        await copy.getByRole("heading", { name: "Leaky", level: 1 }).waitFor();
        await copy.locator('.row[data-selected][aria-label^="Message 1, part 1:"]').waitFor();
        const row = partRow(copy, 1, 0);
        assert.match(await words(row), /\[redacted github-token 1\]/);
        // It can be shared on.
        await share(copy);
        const again = await made(copy, /^Viewer/);
        assert.deepEqual(JSON.parse(inside(again.text)).messages, JSON.parse(json).messages);
      });
    }));

  test("keeps a kind whose tick was taken away", () =>
    viewer.share({}, async (page) => {
      await opened(page);
      await share(page);
      await dialog(page)
        .getByRole("checkbox", { name: /mail addresses/ })
        .uncheck();
      const json = inside((await made(page, /^Viewer/)).text);
      assert.ok(json.includes("alice@corp.io"));
      assert.ok(!json.includes(TOKEN));
      await share(page);
      const markdown = (await made(page, /^Markdown/)).text;
      assert.ok(!markdown.includes("alice@corp.io") && !markdown.includes(TOKEN));
      await share(page);
      for (const tick of await dialog(page).getByRole("checkbox").all()) await tick.uncheck();
      assert.equal((await made(page, /^JSON/)).text, RUN);
    }));

  test("has the chosen messages only, and only their secrets are listed", () =>
    viewer.share({}, async (page) => {
      await opened(page);
      await share(page);
      await dialog(page).getByRole("radio", { name: "some of them" }).check();
      await dialog(page).getByLabel("First message").fill("2");
      await dialog(page).getByLabel("First message").press("Tab");
      await dialog(page).getByText("1 found").waitFor();
      const { messages } = JSON.parse(inside((await made(page, /^Viewer/)).text));
      assert.equal(messages.length, 1);
      assert.equal(messages[0].parts[0].text, "Mail [redacted email 1]");
    }));

  test("of a hostile name is a page without its markup", () =>
    viewer.share({}, async (page) => {
      const name = '"><script>window.hacked = 1</script>';
      await drop(page, "x.json", session(name, [message("user", [text("Hi </script>")])]));
      await page.locator(".header-title p", { hasText: "x.json" }).waitFor();
      await settled(page);
      await share(page);
      const { path } = await made(page, /^Viewer/);
      await fromDisk(path, "", async (copy) => {
        await copy.getByText("Hi </script>").first().waitFor();
        assert.equal(await copy.evaluate(() => window.hacked), undefined);
      });
    }));
});

describe("a link from a dropped file", () => {
  test("opens a page that names the file; with the file it leads to its place", async () => {
    let link;
    await viewer.share({}, async (page) => {
      await opened(page);
      for (let i = 0; i < 4; i++) await page.keyboard.press("j");
      await quiet(page);
      link = page.url();
      assert.match(link, /\?file=leaky\.json#m=\d/);
    });
    const { page, seen, close } = await newPage(viewer.browser);
    try {
      await page.goto(link);
      await page
        .getByRole("heading", { name: "This link was made from the file leaky.json" })
        .waitFor();
      await quiet(page);
      assert.equal(await page.locator(".row").count(), 0);
      assert.match(await words(page.locator("body")), /which is not here: open it/);
      await drop(page, "leaky.json", RUN);
      await page.getByRole("heading", { name: "Leaky", level: 1 }).waitFor();
      await settled(page);
      const { hash } = new URL(link);
      const [, m, p] = /m=(\d+)(?:&p=(\d+))?/.exec(hash);
      const label = p === undefined ? `Message ${m},` : `Message ${m}, part ${p}:`;
      await page.locator(`.row[data-selected][aria-label^="${label}"]`).waitFor();
      assert.deepEqual(seen.complaints, []);
    } finally {
      await close();
    }
  });

  test("with another file its place is forgotten", async () => {
    const { page, close } = await newPage(viewer.browser);
    try {
      await page.goto(`${viewer.url}?file=gone.json#m=1&p=0`);
      await page.getByText("which is not here: open it").waitFor();
      await drop(page, "leaky.json", RUN);
      await page.getByRole("heading", { name: "Leaky", level: 1 }).waitFor();
      await settled(page);
      assert.match(page.url(), /\?file=leaky\.json$/);
      assert.equal(await page.locator(".row[data-selected]").count(), 0);
    } finally {
      await close();
    }
  });
});
