/** Deep links, the key that copies them, and the ways out of the page. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { drop, partRow, quiet, settled, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { longSession, message, sample, session, text, tool } from "./transcripts.mjs";

const viewer = served();

/** Opens the sample at a place of it (`#…`), or another one (`?src=…`). */
const visit = (run, place = "", options = {}) => {
  const address = place.startsWith("?") ? `${viewer.url}${place}` : `${viewer.sample}${place}`;
  return viewer.visit({ address, ...options }, run);
};

const chosen = (page) => page.locator(".row[data-selected]");
const toast = (page) => page.locator(".toast[data-shown='true']");

/** Lets the page write to the clipboard, or not, as a browser may. */
function clipboard(page, allowed) {
  return page.evaluate((isAllowed) => {
    window.copied = [];
    Object.defineProperty(navigator, "clipboard", {
      configurable: true,
      value: {
        writeText: (words) =>
          isAllowed ? Promise.resolve(window.copied.push(words)) : Promise.reject(new Error("no")),
      },
    });
  }, allowed);
}

describe("links to places", () => {
  test("y copies that of the selected part, and says so", () =>
    visit(async (page) => {
      await clipboard(page, true);
      for (let i = 0; i < 4; i++) await page.keyboard.press("j");
      const label = await chosen(page).getAttribute("aria-label");
      const [, m, p] = label.match(/^Message (\d+), part (\d+)/);
      await page.keyboard.press("y");
      assert.equal(await words(toast(page)), "Link copied.");
      assert.deepEqual(await page.evaluate(() => window.copied), [
        `${viewer.url}?src=samples/long-compaction.json#m=${m}&p=${p}`,
      ]);
    }, "?src=samples/long-compaction.json"));

  test("without an address of the file they say what they need", () =>
    visit(async (page) => {
      await clipboard(page, true);
      await page.keyboard.press("y");
      assert.equal(await words(toast(page)), "Link copied.");
      await drop(page, "own.json", session("Own", [message("user", [text("Hello")])]));
      await page.getByRole("heading", { name: "Own", level: 1 }).waitFor();
      await settled(page);
      await page.keyboard.press("j");
      await page.keyboard.press("y");
      await toast(page).getByText("works once the same file is open").waitFor();
      assert.match(
        (await page.evaluate(() => window.copied)).at(-1),
        /\/\?file=own\.json#m=0&p=0$/,
      );
    }));

  test("where the browser does not let it copy, the link is shown and chosen", () =>
    visit(async (page) => {
      await clipboard(page, false);
      await page.keyboard.press("j");
      await page.keyboard.press("y");
      const dialog = page.getByRole("dialog", { name: "Link to this part" });
      await dialog.waitFor();
      const address = `${viewer.sample}#m=0&p=0`;
      assert.equal(await dialog.getByRole("textbox").inputValue(), address);
      const marked = await dialog.getByRole("textbox").evaluate((field) => ({
        focused: field === document.activeElement,
        length: field.selectionEnd - field.selectionStart,
      }));
      assert.deepEqual(marked, { focused: true, length: address.length });
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
    }));

  test("may name the id of a part or a message", () => {
    const { messages } = JSON.parse(sample("fix-greeting.json"));
    const part = messages[3].parts[1].id;
    const { id } = messages[5].info;
    return visit(async (page) => {
      await chosen(page).waitFor();
      assert.match(await chosen(page).getAttribute("aria-label"), /^Message 3, part 1:/);
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `#id=${id}`);
      await page.waitForFunction(() =>
        document
          .querySelector(".row[data-selected]")
          ?.getAttribute("aria-label")
          .startsWith("Message 5, "),
      );
      await page.evaluate(() => {
        location.hash = "#prt_nowhere";
      });
      await toast(page).getByText("No part and no message has the id prt_nowhere.").waitFor();
    }, `#${part}`);
  });

  test("an id far down is looked for while the page goes on", () =>
    visit(async (page) => {
      const content = longSession(20_000);
      const { messages } = JSON.parse(content);
      await drop(page, "long.json", content);
      await page.getByRole("heading", { name: "A long one", level: 1 }).waitFor();
      await settled(page);
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `#${messages[39_999].parts[0].id}`);
      await page.keyboard.press("j");
      await chosen(page).waitFor();
      await page.waitForFunction(() =>
        document
          .querySelector(".row[data-selected]")
          ?.getAttribute("aria-label")
          ?.startsWith("Message 39999, part 0"),
      );
    }));

  test("carry the search, which opens with them", () =>
    visit(async (page) => {
      const field = page.getByRole("search").getByRole("textbox");
      assert.equal(await field.inputValue(), "[Gg]reeting tool:write");
      await page.locator(".search-count", { hasText: /^1 match$/ }).waitFor();
      assert.match(await chosen(page).getAttribute("aria-label"), /^Message 1, part 3:/);
      await page.keyboard.press("k");
      await page.waitForFunction(
        () => location.hash === "#m=1&p=2&q=%5BGg%5Dreeting+tool%3Awrite&regex",
      );
      await clipboard(page, true);
      await page.keyboard.press("y");
      await toast(page).waitFor();
      assert.match((await page.evaluate(() => window.copied))[0], /#m=1&p=2&q=%5BGg/);
    }, "#m=1&p=3&q=[Gg]reeting+tool%3Awrite&regex"));

  test("that lead nowhere say so, and what there is", () =>
    visit(async (page) => {
      for (const [hash, says] of [
        ["#m=99", "There is no message 99: this transcript has messages 0 to 7."],
        ["#m=99999&p=0", "There is no message 99999: this transcript has messages 0 to 7."],
        ["#m=abc", "m=abc is not the number of a message"],
        ["#m=-1", "m=-1 is not the number of a message"],
        ["#m=1e9&p=x", "m=1e9 is not the number of a message"],
        ["#p=3", "part 3 of no message"],
      ]) {
        await page.evaluate((value) => {
          location.hash = value;
        }, hash);
        await toast(page).getByText(says).waitFor();
        assert.equal(await chosen(page).count(), 0, hash);
      }
    }));

  test("to a part that is not there lead to its message, and say so", () =>
    visit(async (page) => {
      await chosen(page).waitFor();
      assert.match(await chosen(page).getAttribute("aria-label"), /^Message 0, user/);
      await toast(page).getByText("Message 0 has no part 7: it has part 0 only.").waitFor();
      await page.evaluate(() => {
        location.hash = "#m=1&p=x";
      });
      await toast(page).getByText("p=x is not the number of a part").waitFor();
      assert.match(await chosen(page).getAttribute("aria-label"), /^Message 1, assistant/);
    }, "#m=0&p=7"));

  test("that name nothing are left alone", () =>
    visit(async (page) => {
      for (const hash of ["#q=", "#=&=", "#regex"]) {
        await page.evaluate((value) => {
          location.hash = value;
        }, hash);
      }
      await quiet(page);
      assert.equal(await chosen(page).count(), 0);
      assert.equal(await page.getByRole("search").count(), 0);
    }));
});

describe("compactions", () => {
  test("] and [ go from one to the next", () =>
    visit(async (page) => {
      const walk = async (key) => {
        await page.keyboard.press(key);
        await chosen(page).waitFor();
        return chosen(page).getAttribute("aria-label");
      };
      const labels = [];
      for (let i = 0; i < 6; i++) labels.push(await walk("]"));
      assert.match(labels[0], /part \d+: compaction, hidden from the model$/);
      assert.match(labels[1], /^Message \d+, assistant, hidden from the model$/);
      assert.ok(new Set(labels).size >= 3, labels.join());
      const last = labels.at(-1);
      assert.notEqual(await walk("["), last);
    }, "?src=samples/long-compaction.json"));
});

describe("pictures and files from elsewhere", () => {
  test("are named with their host, and opened in a tab of their own by a click only", () =>
    visit(async (page) => {
      const far = "https://images.example.org/a/b.png?x=1";
      await drop(
        page,
        "far.json",
        session("Far", [
          message("assistant", [
            text(
              `Look: ![a cat](${far}) and ![bad](javascript:alert(1)) and ![no](//example.org/x)`,
            ),
            { type: "file", mime: "image/png", filename: "far.png", url: far },
            {
              type: "file",
              mime: "text/plain",
              filename: "n.txt",
              url: "http://example.org/n.txt",
            },
            { type: "file", mime: "image/png", filename: "l.png", url: "file:///etc/passwd" },
            tool("shot", {}, { attachments: [{ type: "file", mime: "image/png", url: far }] }),
          ]),
        ]),
      );
      await page.getByRole("heading", { name: "Far", level: 1 }).waitFor();
      await settled(page);
      const links = page.locator(".row a.remote");
      assert.deepEqual(await links.allInnerTexts(), [
        "Open image from images.example.org",
        "Open file from example.org",
        "Open image from images.example.org",
      ]);
      for (const link of await links.all()) {
        assert.equal(await link.getAttribute("target"), "_blank");
        assert.equal(await link.getAttribute("rel"), "noopener noreferrer");
        assert.equal(await link.getAttribute("referrerpolicy"), "no-referrer");
        assert.match(await link.getAttribute("href"), /^https?:\/\/(images\.)?example\.org\//);
      }
      const picture = partRow(page, 0, 0).getByRole("link");
      assert.deepEqual(await picture.allInnerTexts(), ["a cat"]);
      assert.equal(await picture.getAttribute("title"), "Opens images.example.org in a new tab");
      assert.equal(await picture.getAttribute("target"), "_blank");
      assert.equal(await page.locator(".row img").count(), 0);
    }));
});
