// `npm run bench:viewer [-- SIZE…]`: the viewer's figures, in headless Chromium; fails when one falls short of its bar.
import { benchmarks } from "./benchmarks.mjs";
import { at, main } from "./lib.mjs";
import { provide } from "./needs.mjs";

main(async () => {
  await provide(["viewer", "browser"]);
  await benchmarks([at("benches", "viewer.mjs")], { args: process.argv.slice(2) });
});
