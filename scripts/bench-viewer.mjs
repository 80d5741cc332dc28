// `npm run bench:viewer [-- SIZE…]`: the viewer's figures, in headless Chromium; fails when one falls short of its bar.
import { benchmarks } from "./benchmarks.mjs";
import { build, compile } from "./build.mjs";
import { at, main } from "./lib.mjs";
import { findBrowser, setup } from "./setup.mjs";

main(async () => {
  await setup({ tests: true, meanwhile: compile });
  await build();
  const env = { CHROMIUM_PATH: findBrowser() };
  await benchmarks([at("benches", "viewer.mjs")], { args: process.argv.slice(2), env });
});
