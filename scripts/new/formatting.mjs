// Written files look as their formatters write them, so that only what is left to write is red.
import { spawn } from "node:child_process";
import { at, environment, run } from "../lib.mjs";

/** A text as rustfmt formats it. */
function rustfmt(text) {
  const flags = ["--edition", "2024", "--config-path", at()];
  const child = spawn("rustfmt", flags, { env: environment(), stdio: ["pipe", "pipe", "pipe"] });
  return new Promise((resolve, reject) => {
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    child.on("error", (error) =>
      reject(new Error(`rustfmt could not be started: ${error.message}`)),
    );
    child.on("close", (code) => {
      if (code === 0) return resolve(out);
      reject(new Error(`rustfmt ended with ${code}; nothing was written\n${err}`));
    });
    child.stdin.end(text);
  });
}

/** The text of a file as it is written: Rust is formatted before anything is written. */
export const formatted = (path, text) => (path.endsWith(".rs") ? rustfmt(text) : text);

/** Formats what was written, other than Rust, if the formatter is installed. */
export async function tidy(paths) {
  const own = paths.filter((path) => /\.(?:mjs|ts|tsx|md)$/.test(path));
  try {
    await run("biome", ["check", "--write", ...own], { quiet: true });
  } catch (error) {
    console.log(`npx biome check --write did not succeed: ${error.message}\n`);
  }
}
