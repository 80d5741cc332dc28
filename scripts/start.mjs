// `npm start [-- FILE… | FOLDER | --follow FILE] [--port N] [--no-open]`: sets up, builds, and serves the
// viewer.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { build, compile } from "./build.mjs";
import { main } from "./lib.mjs";
import { run } from "./serve.mjs";
import { setup } from "./setup.mjs";

main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: "string" },
      follow: { type: "string" },
      "no-open": { type: "boolean" },
    },
  });
  // npm changes to the folder of the project; paths are relative to that of the user.
  const from = process.env.INIT_CWD ?? process.cwd();
  const paths = positionals.map((path) => resolve(from, path));
  const follow = values.follow === undefined ? undefined : resolve(from, values.follow);
  if (follow !== undefined && paths.length > 0) {
    throw new Error("--follow FILE is one file, and no other beside it");
  }
  // Checked before anything is built: the first build takes minutes.
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) throw new Error(`there is no file ${missing}`);
  await setup({ meanwhile: compile });
  await build();
  const port = values.port === undefined ? undefined : Number(values.port);
  await run({ port, paths, follow, open: !values["no-open"] });
});
