/** The self-contained HTML page of a transcript: whatever the transcript says, it executes nothing. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { htmlPage, messageToHtml } from "../../pkg/node.mjs";
import { generate } from "../../scripts/generate.mjs";
import { launch, newPage } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const folder = mkdtempSync(join(tmpdir(), "apex-parts-page-"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");

const EVIL = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  "</pre></details></style></title></textarea><script>alert(1)</script>",
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  '<form id=body><input name=innerHTML autofocus onfocus="alert(1)"></form>',
  "[a](javascript:alert(1)) [b](data:text/html,<script>alert(1)</script>)",
  "![c](https://evil.example/c.png) ![d](javascript:alert(1))",
  '```"><script>alert(1)</script>\nx\n```',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  "<meta http-equiv=refresh content='0;url=https://evil.example'>",
  "<base href=https://evil.example><link rel=stylesheet href=https://evil.example/x.css>",
  "<style>*{background:url(https://evil.example/x)}</style>",
  "\x1b[31m<script>alert(1)</script>\x1b]8;;javascript:alert(1)\x07",
  "--><!--]]><![CDATA[<script>alert(1)</script>",
  "<object data=javascript:alert(1)></object><embed src=https://evil.example/x>",
];

const of = { sessionID: "s", messageID: "m" };
/** A message with this text in every place that has one. */
function message(evil) {
  const time = { start: 1, end: 2 };
  const input = { [evil]: evil, list: [evil] };
  const url = `data:image/png;base64,${evil}`;
  const files = [evil, url, `https://${evil}`].map((url) => ({
    ...{ type: "file", ...of, filename: evil, mime: evil, url },
  }));
  const ended = { input, time, title: evil, metadata: { diff: `+${evil}` } };
  const states = [
    { status: "completed", ...ended, output: evil, attachments: files },
    { status: "error", ...ended, error: evil },
    { status: evil, ...ended },
  ];
  const parts = [
    ...["text", "reasoning"].map((type) => ({ type, text: evil })),
    ...states.map((state) => ({ type: "tool", tool: evil, state })),
    ...files,
    { type: "subtask", agent: evil, description: evil, prompt: evil },
    { type: "agent", name: evil },
    { type: "retry", error: { name: evil, message: evil } },
    { type: "patch", files: [evil] },
    { type: "step-finish", reason: evil, cost: 1 },
    { type: evil, [evil]: evil },
  ];
  const info = { role: "assistant", providerID: evil, modelID: evil, time: { created: 0 } };
  return { info: { ...info, error: { name: evil, data: { message: evil } } }, parts };
}

function write(name, title, messages) {
  const { head, foot } = htmlPage({ title, facts: [title] });
  const path = join(folder, name);
  writeFileSync(path, head + messages.map(messageToHtml).join("") + foot);
  return pathToFileURL(path).href;
}

test("a hostile transcript executes nothing and asks for nothing", async () => {
  for (const [i, evil] of EVIL.entries()) {
    const { page, seen, close } = await newPage(browser);
    const address = write(`evil-${i}.html`, evil, [message(evil)]);
    await page.goto(address);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    await page.waitForTimeout(50);
    const own = seen.requests.filter((url) => url !== address && !url.startsWith("data:image/png"));
    assert.deepEqual(own, [], evil);
    assert.deepEqual(seen.dialogs, [], evil);
    assert.equal(page.url(), address);
    const found = await page.evaluate(() => ({
      elements: document.querySelectorAll(
        "script,iframe,object,embed,form,svg,math,base,link,textarea",
      ).length,
      handlers: [...document.querySelectorAll("*")].flatMap((element) =>
        element.getAttributeNames().filter((name) => name.startsWith("on")),
      ),
      links: [...document.querySelectorAll("a")]
        .map(({ protocol }) => protocol)
        .filter((protocol) => !["https:", "http:", "mailto:", "file:", ":"].includes(protocol)),
      styles: document.querySelectorAll("style").length,
    }));
    assert.deepEqual(found, { elements: 0, handlers: [], links: [], styles: 1 }, evil);
    await close();
  }
});

test("a page is readable: no overflow, no serious finding, light and dark, wide and narrow", async () => {
  const bytes = Buffer.concat([...generate({ format: "opencode-export", bytes: 200_000 })]);
  const address = write("made.html", "A session", JSON.parse(bytes).messages);
  for (const [width, dark] of [
    [1440, false],
    [390, true],
    [390, false],
    [1440, true],
  ]) {
    const { page, seen, close } = await newPage(browser, { width, dark });
    await page.goto(address);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    await page.evaluate(axe);
    const violations = await page.evaluate(async () => {
      const found = await globalThis.axe.run(document, { resultTypes: ["violations"] });
      return found.violations
        .filter(({ impact }) => ["serious", "critical"].includes(impact))
        .map(({ id, nodes }) => [id, nodes[0].html.slice(0, 200), nodes.length]);
    });
    assert.deepEqual(violations, []);
    assert.deepEqual(seen.complaints, []);
    await close();
  }
});
