// `npm start [-- FILE… | FOLDER… | --follow FILE] [--port N] [--no-open]`: sets up, builds the command and the viewer,
// and runs `apex-parts view` with these arguments.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { buildCommand, compileForCommand } from "./build.mjs";
import { at, main } from "./lib.mjs";
import { setup } from "./setup.mjs";

/**
 * A path among the arguments that leads nowhere. This is checked before anything is built, because the first build
 * takes minutes; the command checks the rest.
 */
function missing(args) {
  const options = { port: { type: "string" }, out: { type: "string", short: "o" } };
  const { values, positionals } = parseArgs({
    args,
    options,
    allowPositionals: true,
    strict: false,
  });
  // A file that is followed may come later, and `-` is not a path.
  if (values.follow) return undefined;
  return positionals.find((path) => path !== "-" && !existsSync(path));
}

main(async () => {
  const args = process.argv.slice(2);
  // npm changes to the folder of the project; paths are relative to that of the user.
  process.chdir(process.env.INIT_CWD ?? process.cwd());
  const path = missing(args);
  if (path !== undefined) {
    process.stderr.write(`${path}: no such file\n`);
    process.exitCode = 2;
    return;
  }
  await setup({ meanwhile: compileForCommand });
  await buildCommand();
  process.argv.splice(1, process.argv.length, at("pkg", "cli.mjs"), "view", ...args);
  await import("../pkg/cli.mjs");
});
