/** A browser and the built viewer, served, for the tests of one file. */
import { after, before } from "node:test";
import { launch, visit } from "./browser.mjs";
import { serve } from "./server.mjs";

/** Both start before the file's tests and end after them. */
export function served() {
  let server;
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
