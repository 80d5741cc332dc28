// The program of `opencode-ai` for this machine, and how programs are run: on a deadline or a signal they end with all
// that they started.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { at } from "../lib.mjs";

/** A command that takes longer than this hangs. They take about two seconds. */
const DEADLINE = 240_000;

/** The packages that may hold the program for this machine, the most likely first. */
function packages() {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const base = `opencode-${system}-${process.arch}`;
  return ["", "-baseline", "-musl", "-baseline-musl"].map((kind) => base + kind);
}

/** The programs that are installed: OPENCODE_PATH, or those that came with `opencode-ai`. */
export function programs() {
  const { OPENCODE_PATH: own } = process.env;
  if (own) return [own];
  // The program is taken from the package of the platform: nothing here depends on an install script.
  const { resolve } = createRequire(at("package.json"));
  const list = [];
  for (const name of packages()) {
    try {
      const folder = dirname(resolve(`${name}/package.json`));
      list.push(join(folder, "bin", process.platform === "win32" ? "opencode.exe" : "opencode"));
    } catch {
      // not for this machine, or not installed
    }
  }
  return list.filter(existsSync);
}

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

/** Runs a program; on the deadline it and what it started are killed. */
export function execute(command, args, { cwd, env, out }) {
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
    const ended = () => {
      clearTimeout(timer);
      forget(child);
    };
    child.on("error", (error) => {
      ended();
      reject(error);
    });
    child.on("exit", () => killAll(child)); // otherwise what it started could hold the pipes open
    child.on("close", (code, signal) => {
      ended();
      if (hung) reject(new Error(`opencode ${args.join(" ")} did not end:\n${printed.stderr}`));
      else resolve({ code: code ?? signal, ...printed });
    });
  });
}
