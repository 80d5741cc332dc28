/** `--follow`: a file that is shown while it is written. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, newPage, partRow, thereAre, words } from "./browser.mjs";
import { serve } from "./server.mjs";
import { begin, delta, wait } from "./streaming.mjs";

const COMMAND = fileURLToPath(new URL("../../pkg/cli.mjs", import.meta.url));

let browser;
let folder;

before(async () => {
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), "follow-"));
});
after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

const status = (page) => page.locator(".facts .status");

describe("a file that is followed", () => {
  const LINE = (i) => delta("text", { textDelta: `Line ${i}. ` });

  async function served(file, run, options) {
    const said = [];
    const server = await serve({ follow: file, say: (words) => said.push(words), ...options });
    const { page, seen, close } = await newPage(browser);
    try {
      await page.goto(server.url);
      await run(page, { said, server });
      assert.deepEqual(seen.complaints, []);
    } finally {
      await close();
      await server.close();
    }
  }

  const answer = (page) => page.locator('.row[aria-label*=": text"]');
  const shows = (page, text) => answer(page).getByText(text).first().waitFor();

  const gone = (page, text) =>
    page.waitForFunction((words) => !document.body.textContent.includes(words), text);

  test("shows what it holds, what is appended, and half a line once it is whole", async () => {
    const file = join(folder, "run 1 & more.sse");
    writeFileSync(file, begin() + LINE(1));
    await served(file, async (page) => {
      await shows(page, "Line 1.");
      const line = LINE(2);
      appendFileSync(file, line.slice(0, 40));
      await wait(400);
      appendFileSync(file, line.slice(40) + LINE(3));
      await shows(page, "Line 1. Line 2. Line 3.");
      assert.match(await words(page.locator(".header-title p")), /run 1 & more\.sse/);
    });
  });

  test("begins anew when it is cut short, written over, or replaced", async () => {
    const file = join(folder, "run.sse");
    writeFileSync(file, begin() + LINE(1) + LINE(2));
    await served(file, async (page) => {
      await shows(page, "Line 1. Line 2.");
      truncateSync(file, 0);
      await page.locator(".nothing-yet").waitFor();
      appendFileSync(file, begin() + LINE(7));
      await shows(page, "Line 7.");
      await gone(page, "Line 1.");
      // Longer than before at once, so that its size alone does not tell.
      writeFileSync(file, begin("other") + LINE(20) + LINE(21) + LINE(22) + LINE(23));
      await shows(page, "Line 20. Line 21. Line 22. Line 23.");
      await gone(page, "Line 7.");
      const next = join(folder, "next.sse");
      writeFileSync(next, begin() + LINE(30));
      renameSync(next, file);
      await shows(page, "Line 30.");
      await gone(page, "Line 20.");
      appendFileSync(file, LINE(31));
      await shows(page, "Line 30. Line 31.");
      assert.equal(await words(status(page)), "live");
    });
  });

  test("is waited for where it is not there yet", async () => {
    const file = join(folder, "later.sse");
    await served(file, async (page, { said }) => {
      assert.deepEqual(said, [`${file} does not exist yet: waiting for it.`]);
      await page.locator(".nothing-yet").waitFor();
      writeFileSync(file, begin() + LINE(1));
      await shows(page, "Line 1.");
    });
    await assert.rejects(
      serve({ follow: join(folder, "no", "x.sse") }),
      /its folder does not exist/,
    );
    await assert.rejects(serve({ follow: folder }), /it is a folder/);
  });

  test("is never cached, and no other file comes with it", async () => {
    const file = join(folder, "run.sse");
    const server = await serve({ follow: file });
    try {
      const asked = (path) =>
        new Promise((done) => {
          const request = get(new URL(path, server.url), (response) => {
            done(response);
            request.destroy();
          });
        });
      const followed = await asked("/follow/1/run.sse");
      assert.equal(followed.statusCode, 200);
      assert.equal(followed.headers["cache-control"], "no-store");
      for (const path of [
        "/follow/1/next.sse",
        "/follow/2/run.sse",
        "/follow/",
        "/follow/..%2frun.sse",
        "/files/1/run.sse",
      ]) {
        assert.equal((await asked(path)).statusCode, 404, path);
      }
    } finally {
      await server.close();
    }
  });

  test("is named on the command line", async () => {
    const file = join(folder, "named.sse");
    const child = spawn(process.execPath, [COMMAND, "view", "--port", "0", "--follow", file]);
    try {
      const [[address], [waiting]] = await Promise.all([
        once(child.stdout, "data"),
        once(child.stderr, "data"),
      ]);
      assert.equal(String(waiting), `${file} does not exist yet: waiting for it.\n`);
      assert.match(
        String(address),
        /^http:\/\/127\.0\.0\.1:\d+\/\?t=[\da-f]{32}&live=follow\/1\/named\.sse\n$/,
      );
    } finally {
      child.kill("SIGINT");
    }
    const [code] = await once(child, "exit");
    assert.equal(code, 0);
  });

  test("when the server stops, the page says that it broke off", async () => {
    const file = join(folder, "stop.sse");
    writeFileSync(file, begin() + LINE(1));
    const server = await serve({ follow: file });
    const { page, close } = await newPage(browser);
    await page.goto(server.url);
    await shows(page, "Line 1.");
    await server.close();
    await page.getByRole("alert").waitFor();
    assert.match(await words(page.getByRole("alert")), /broke off/);
    await thereAre(partRow(page, 0, 0), 1);
    await close();
  });
});
