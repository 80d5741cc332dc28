// Runs test files, several at a time: each in a process of its own, and those of one worker with one Chromium.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { at, cache, environment, root } from "./lib.mjs";

/** A file that never ends must not take the whole run with it: no file needs a tenth of this. */
const HANGS_MS = 15 * 60_000;

/** How many files run at a time: as many as there are processors, because each keeps one busy. */
const WORKERS = Math.max(2, availableParallelism());

/**
 * @typedef {object} Test
 * @property {string} name
 * @property {boolean} isTest whether it is not a suite
 * @property {boolean} failed
 * @property {string | undefined} skipped why it was left out, if it was
 * @property {number} ms
 *
 * @typedef {object} FileRun
 * @property {string} path
 * @property {Test[]} tests
 * @property {boolean} failed
 * @property {string} output
 * @property {number} seconds
 */

/** Runs test files as they are added. */
export class TestPool {
  #queue = [];
  #idle = [];
  #workers;
  #folder;
  #isClosed = false;

  constructor(size = WORKERS) {
    mkdirSync(cache, { recursive: true });
    this.#folder = mkdtempSync(join(cache, "tests-"));
    this.#workers = Array.from({ length: size }, (_, i) => this.#work(new Worker(this.#folder, i)));
  }

  /**
   * Runs a file after those that were added before.
   *
   * @param {string} path
   * @param {{ env?: Record<string, string>, browser?: boolean }} [options]
   * @returns {Promise<FileRun>}
   */
  run(path, options = {}) {
    return new Promise((resolve, reject) => {
      this.#queue.push({ path, options, resolve, reject });
      this.#idle.shift()?.();
    });
  }

  /** Ends the workers with their browsers, after all that was added. */
  async close() {
    this.#isClosed = true;
    for (const wake of this.#idle.splice(0)) wake();
    await Promise.all(this.#workers);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #work(worker) {
    try {
      for (;;) {
        const job = this.#queue.shift();
        if (job) await worker.run(job.path, job.options).then(job.resolve, job.reject);
        else if (this.#isClosed) return;
        else await new Promise((resolve) => this.#idle.push(resolve));
      }
    } finally {
      await worker.close();
    }
  }
}

/** Runs one file after the other. */
class Worker {
  #events;
  #server;

  constructor(folder, number) {
    this.#events = join(folder, `${number}.jsonl`);
  }

  async run(path, { env = {}, browser = false }) {
    const began = Date.now();
    const own = browser ? await this.#browserEnv() : {};
    const { code, output } = await this.#ran(path, { ...own, ...env });
    const lines = existsSync(this.#events) ? readFileSync(this.#events, "utf8").split("\n") : [];
    rmSync(this.#events, { force: true });
    const tests = lines.filter(Boolean).map((line) => JSON.parse(line));
    const failed = code !== 0 || tests.length === 0 || tests.some((test) => test.failed);
    return { path, tests, failed, output, seconds: (Date.now() - began) / 1000 };
  }

  /** The end of a process that runs a file, and what it printed. */
  #ran(path, env) {
    const reporter = (name, destination) => [
      `--test-reporter=${name}`,
      `--test-reporter-destination=${destination}`,
    ];
    const flags = [
      ...reporter("spec", "stdout"),
      ...reporter(at("scripts", "test-events.mjs"), this.#events),
    ];
    const child = spawn(process.execPath, [...flags, path], {
      cwd: root,
      env: environment(env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const timer = setTimeout(() => {
      output += `\n${relative(root, path)} has not ended after ${HANGS_MS / 60_000} minutes\n`;
      child.kill("SIGKILL");
    }, HANGS_MS);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => {
        clearTimeout(timer);
        resolve({ code, output });
      });
    });
  }

  /** Where tests find the worker's Chromium. It is started for the first file that needs it. */
  async #browserEnv() {
    // One that has crashed fails the test in which it did, and no other.
    if (!this.#server || this.#server.process().exitCode !== null) {
      // Not at the top: on a fresh clone this file is imported before packages are installed.
      const { launchServer } = await import("../tests/chromium.mjs");
      this.#server = await launchServer();
    }
    return { CHROMIUM_SERVER: this.#server.wsEndpoint() };
  }

  async close() {
    await this.#server?.close();
  }
}
