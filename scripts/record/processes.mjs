// How programs are run: on a deadline or a signal they end with all that they started.
import { spawn } from "node:child_process";
import { basename } from "node:path";

/** A command that takes longer than this hangs. They take about two seconds. */
const DEADLINE = 240_000;

/** Kills a program and what it started. */
export function killAll(child) {
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // none is left
  }
}

const running = new Set();
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** A test that is stopped leaves no program behind: their process groups do not end with its own. */
function stop(signal) {
  for (const child of running) killAll(child);
  for (const name of SIGNALS) process.off(name, stop);
  process.kill(process.pid, signal);
}

export function keep(child) {
  if (running.size === 0) for (const name of SIGNALS) process.on(name, stop);
  running.add(child);
}

export function forget(child) {
  running.delete(child);
  if (running.size === 0) for (const name of SIGNALS) process.off(name, stop);
}

/**
 * Runs a program; on the deadline it and what it started are killed.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {object} options
 * @param {string} options.cwd
 * @param {object} options.env
 * @param {number} [options.out] where its standard output goes
 * @param {() => boolean} [options.until] once this holds, the program is interrupted as by Ctrl-C
 */
export function execute(command, args, { cwd, env, out, until }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ["ignore", out ?? "pipe", "pipe"],
      detached: process.platform !== "win32", // a process group, which can be killed whole
    });
    keep(child);
    let hung = false;
    const timer = setTimeout(() => {
      hung = true;
      killAll(child);
    }, DEADLINE);
    const printed = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) {
      child[name]?.setEncoding("utf8").on("data", (text) => {
        printed[name] += text;
      });
    }
    // The group gets it, as from a terminal.
    const watch = until && setInterval(() => until() && process.kill(-child.pid, "SIGINT"), 50);
    const ended = () => {
      clearTimeout(timer);
      clearInterval(watch);
      forget(child);
    };
    child.on("error", (error) => {
      ended();
      reject(error);
    });
    child.on("exit", () => killAll(child)); // otherwise what it started could hold the pipes open
    child.on("close", (code, killedBy) => {
      ended();
      if (hung)
        reject(new Error(`${basename(command)} ${args.join(" ")} did not end:\n${printed.stderr}`));
      else resolve({ code: code ?? killedBy, ...printed });
    });
  });
}
