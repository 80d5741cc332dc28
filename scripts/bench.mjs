// `npm run bench [-- NAME…]`: runs every benchmark, or those named, against its peers; fails when a figure falls short of
// its bar. Quote ratios: machines are noisy.
import { benchmarks, chosen } from "./benchmarks.mjs";
import { at, files, main } from "./lib.mjs";
import { provide } from "./needs.mjs";

main(async () => {
  const all = files(at("benches")).filter((name) => name.endsWith(".bench.mjs"));
  const some = chosen(all, process.argv.slice(2));
  await provide(["package"]);
  await benchmarks(some);
});
