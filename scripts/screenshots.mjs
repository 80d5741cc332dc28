// `npm run screenshots [-- FOLDER]`: takes pictures of the viewer's states, for review.
import { parseArgs } from "node:util";
import { at, main, run } from "./lib.mjs";
import { provide } from "./needs.mjs";

main(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [folder = at(".cache", "screenshots")] = positionals;
  await provide(["viewer", "browser"]);
  await run(process.execPath, [at("tests", "viewer", "screenshots.mjs"), folder]);
  console.log(`written to ${folder}`);
});
