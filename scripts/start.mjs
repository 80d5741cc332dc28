// `npm start [-- FILE… | FOLDER… | --follow FILE] [--port N] [--no-open]`: sets up, builds the command and the viewer,
// and runs `apex-parts view` with these arguments.
import { parseArgs } from "node:util";
import { CliError } from "../js/cli/output.mjs";
import { checkedPath } from "../js/cli/view/runs.mjs";
import { buildCommand, compileForCommand } from "./build.mjs";
import { at, main } from "./lib.mjs";
import { setup } from "./setup.mjs";

/** What can be told before anything is built: the first build takes minutes. */
function check(args) {
  const options = { port: { type: "string" }, out: { type: "string", short: "o" } };
  const { values, positionals } = parseArgs({
    args,
    options,
    allowPositionals: true,
    strict: false,
  });
  // A file that is followed may come later.
  if (!values.follow) for (const path of positionals) checkedPath(path);
}

main(async () => {
  const args = process.argv.slice(2);
  // npm changes to the folder of the project; paths are relative to that of the user.
  process.chdir(process.env.INIT_CWD ?? process.cwd());
  try {
    check(args);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error.code;
    return;
  }
  await setup({ meanwhile: compileForCommand });
  await buildCommand();
  process.argv.splice(1, process.argv.length, at("pkg", "cli.mjs"), "view", ...args);
  await import("../pkg/cli.mjs");
});
