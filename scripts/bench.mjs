// `npm run bench`: runs every benchmark against its peers. Quote ratios: machines are noisy.
import { build, compile } from "./build.mjs";
import { at, files, main, run } from "./lib.mjs";
import { setup } from "./setup.mjs";

main(async () => {
  await setup({ meanwhile: compile });
  await build({ viewer: false });
  for (const file of files(at("benches")).filter((name) => name.endsWith(".bench.mjs"))) {
    await run(process.execPath, ["--expose-gc", file]);
  }
});
