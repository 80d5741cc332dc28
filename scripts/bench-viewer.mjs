// `npm run bench:viewer [-- SIZE…]`: the viewer's figures, in headless Chromium.
import { build, compile } from "./build.mjs";
import { at, main, run } from "./lib.mjs";
import { findBrowser, setup } from "./setup.mjs";

main(async () => {
  await setup({ tests: true, meanwhile: compile });
  await build();
  const env = { CHROMIUM_PATH: findBrowser() };
  await run(process.execPath, [at("benches", "viewer.mjs"), ...process.argv.slice(2)], { env });
});
