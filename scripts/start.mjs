// `npm start [-- FILE | --follow FILE] [--port N] [--no-open]`: sets up, builds, and serves the viewer.
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
  const file = positionals.length > 0 ? resolve(from, positionals[0]) : undefined;
  const follow = values.follow === undefined ? undefined : resolve(from, values.follow);
  if (positionals.length + (follow === undefined ? 0 : 1) > 1) {
    throw new Error("one FILE at a time");
  }
  // Checked before anything is built: the first build takes minutes.
  if (file !== undefined && !existsSync(file)) throw new Error(`there is no file ${file}`);
  await setup({ meanwhile: compile });
  await build();
  const port = values.port === undefined ? undefined : Number(values.port);
  await run({ port, file, follow, open: !values["no-open"] });
});
