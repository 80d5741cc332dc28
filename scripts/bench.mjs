// `npm run bench [-- NAME…]`: runs every benchmark, or those named, against its peers; fails when a figure falls short of
// its bar. `-- DIR` opens the sessions below a folder. With `-- --write [NAME…]` the figures become those of docs/results.md.
// Quote ratios: machines are noisy.

import { writeFileSync } from "node:fs";
import { asked, benchmarks } from "./benchmarks.mjs";
import { chart } from "./chart.mjs";
import { at, files, main } from "./lib.mjs";
import { provide } from "./needs.mjs";
import { writeResults } from "./results.mjs";

main(async () => {
  const all = files(at("benches")).filter((name) => name.endsWith(".bench.mjs"));
  const from = process.env.INIT_CWD ?? process.cwd();
  const { paths, args, isWriting } = asked(process.argv.slice(2), all, from);
  await provide(["package"]);
  const write = async (results) => {
    await writeResults(results);
    writeFileSync(at("docs", "costs.svg"), chart());
  };
  await benchmarks(paths, { args, write: isWriting ? write : undefined });
});
