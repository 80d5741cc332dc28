/** The Chromium of the tests. */
import { chromium } from "playwright-core";
import { findBrowser } from "../scripts/setup.mjs";

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

function options(flags) {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error("No Chromium found: set CHROMIUM_PATH.");
  return { executablePath, args: [...ARGS, ...flags] };
}

/** A headless Chromium to which processes connect, one after the other. */
export const launchServer = () => chromium.launchServer(options([]));

/**
 * A headless Chromium: that of the runner of the tests, if it has started one (starting takes a second), or a new one;
 * always a new one with flags of its own.
 */
export function launch(...flags) {
  const { CHROMIUM_SERVER: server } = process.env;
  if (server && flags.length === 0) return chromium.connect(server);
  return chromium.launch(options(flags));
}
