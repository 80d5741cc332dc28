/** A browser and the built viewer, served, for the tests of one file. */
import { after, before } from "node:test";
import { drop, launch, opened, settled, visit } from "./browser.mjs";
import { serve } from "./server.mjs";
import { sample } from "./transcripts.mjs";

/** Takes away what a test has left open: where a file is refused, nothing stays that the next could take for its own. */
async function forget(page) {
  // Both stay for what is opened next.
  const search = page.getByRole("search").getByRole("textbox");
  if ((await search.count()) > 0) {
    await search.fill("");
    await search.press("Escape");
  }
  const inspector = page.getByRole("button", { name: "Close the inspector" });
  if ((await inspector.count()) > 0) await inspector.click();
  await drop(page, "forgotten.txt", "");
  await page.getByRole("alert").getByText("forgotten.txt could not be opened.").waitFor();
}

/** Both start before the file's tests and end after them. */
export function served() {
  let server;
  const shared = new Map();
  const viewer = {
    /** @type {import("playwright-core").Browser | undefined} */
    browser: undefined,
    get url() {
      return server.url;
    },
    /** The address of the sample that most tests are about. */
    get sample() {
      return `${server.url}?src=samples/fix-greeting.json`;
    },
    /** Opens the viewer with that sample, runs a test there, and checks what holds for every page. */
    visit: (options, run) => visit(viewer.browser, { address: viewer.sample, ...options }, run),
    /**
     * As `visit`, with nothing opened, on a page that tests of this file share: opening the viewer costs more than most
     * of them. It is for a test that changes no setting.
     */
    share: async (options, run) => {
      const key = JSON.stringify(options);
      const left = shared.get(key);
      const page = left ?? (await opened(viewer.browser, { address: viewer.url, ...options }));
      // Only a test that passed leaves its page to the next.
      shared.delete(key);
      try {
        if (left) await page.look(forget);
        await page.look(run);
        shared.set(key, page);
      } finally {
        if (!shared.has(key)) await page.close();
      }
    },
    /** As `share`, with the sample opened, by its file. */
    shareSample: (options, run) =>
      viewer.share(options, async (page) => {
        await drop(page, "fix-greeting.json", sample("fix-greeting.json"));
        await page.locator(".header-title p", { hasText: "fix-greeting.json" }).waitFor();
        await settled(page);
        await run(page);
      }),
  };
  before(async () => {
    // The server first: were a browser being launched when it fails, nobody would close it.
    server = await serve();
    viewer.browser = await launch();
  });
  after(async () => {
    await viewer.browser?.close();
    await server?.close();
  });
  return viewer;
}
