// `npm run screenshots [-- FOLDER]`: takes pictures of the viewer's states, for review.
import { parseArgs } from "node:util";
import { build, compile } from "./build.mjs";
import { at, main, run } from "./lib.mjs";
import { findBrowser, setup } from "./setup.mjs";

main(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [folder = at(".cache", "screenshots")] = positionals;
  await setup({ tests: true, meanwhile: compile });
  await build();
  const env = { CHROMIUM_PATH: findBrowser() };
  await run(process.execPath, [at("tests", "viewer", "screenshots.mjs"), folder], { env });
  console.log(`written to ${folder}`);
});
