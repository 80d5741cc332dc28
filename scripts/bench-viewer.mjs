// `npm run bench:viewer [-- SIZE…]`: the viewer's figures, in headless Chromium; fails when one falls short of its bar.
import { benchmarks } from "./benchmarks.mjs";
import { at, main } from "./lib.mjs";
import { provide } from "./needs.mjs";
import { findBrowser } from "./setup.mjs";

main(async () => {
  await provide(["viewer", "browser"]);
  const env = { CHROMIUM_PATH: findBrowser() };
  await benchmarks([at("benches", "viewer.mjs")], { args: process.argv.slice(2), env });
});
