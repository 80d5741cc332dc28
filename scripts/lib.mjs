// Shared by the scripts of the project: paths, and running commands.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");
export const tools = join(root, ".tools");
export const cache = join(root, ".cache");

/** An absolute path of something in the project. */
export const at = (...parts) => join(root, ...parts);

/** The file of a program in .tools. */
export const toolFile = (name) =>
  join(tools, "bin", process.platform === "win32" ? `${name}.exe` : name);

/** The folder with the commands of npm packages. */
const BIN = ["node_modules", ".bin"];

/** The environment of every command: the tools of the project come first in PATH. */
export function environment(extra = {}) {
  const path = [join(tools, "bin"), at(...BIN), process.env.PATH].join(delimiter);
  return { ...process.env, PATH: path, ...extra };
}

/** How a command is started: npm by its own program, because Windows does not start a `.cmd` without a shell. */
function started(command) {
  const { npm_execpath: npm } = process.env;
  return command === "npm" && npm?.endsWith(".js") ? [process.execPath, npm] : [command];
}

/**
 * Runs a command. Resolves to what it printed when `quiet`, else to "" with its output shown.
 * Rejects when it fails.
 */
export function run(command, args, { quiet = false, cwd = root, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const shown = quiet ? "pipe" : "inherit";
    const stdio = ["ignore", shown, shown];
    const [program, ...before] = started(command);
    // On Windows the commands of npm packages are scripts, which only a shell starts.
    const shell = process.platform === "win32" && existsSync(at(...BIN, `${command}.cmd`));
    const child = spawn(program, [...before, ...args], {
      cwd,
      env: environment(env),
      stdio,
      shell,
    });
    let out = "";
    let err = "";
    child.stdout?.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr?.on("data", (chunk) => {
      err += chunk;
    });
    child.on("error", (error) => {
      reject(new Error(`${command} could not be started: ${error.message}`));
    });
    child.on("close", (code, signal) => {
      if (code === 0) return resolve(out);
      const detail = quiet ? `\n${(out + err).slice(-4000)}` : "";
      reject(new Error(`${[command, ...args].join(" ")} ended with ${code ?? signal}${detail}`));
    });
  });
}

/** Prints what a script is doing. */
export function say(text) {
  console.log(`\n▸ ${text}`);
}

/** Every file below these paths, sorted. */
export function files(...paths) {
  const list = [];
  for (const path of paths) {
    if (!existsSync(path)) continue;
    if (statSync(path).isDirectory()) {
      list.push(...files(...readdirSync(path).map((name) => join(path, name))));
    } else list.push(path);
  }
  return list.sort();
}

/** Runs the main function of a script; an error is printed as one sentence, with exit code 1. */
export function main(work) {
  work().catch((error) => {
    console.error(`\n✗ ${error.message}`);
    process.exitCode = 1;
  });
}

/** Whether this file was started as a script, not imported. */
export const isMain = (meta) => process.argv[1] === fileURLToPath(meta.url);
