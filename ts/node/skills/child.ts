// A script in a process of its own, from its start until nothing of it is left.

import type { Tool } from "apex-parts:tools";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { setImmediate as poll, setTimeout as sleep } from "node:timers/promises";
import { deferred } from "../../tools/deferred.ts";
import { ProcessGroup } from "../process-group.ts";
import { watchMemory } from "./memory-watch.ts";
import { Head, Tail } from "./script-output.ts";

/** A process with two outputs. */
type Child = ChildProcessByStdio<null, Readable, Readable>;
/** Why a script was stopped. */
type Why = "aborted" | "timeout" | "output" | "memory";

/** How a script has ended. */
export interface ScriptEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  why: Why | undefined;
  stdout: string;
  stderr: string;
  durationMs: number;
}

/** What a script may use. */
export interface ScriptLimits {
  cwd: string;
  env: NodeJS.ProcessEnv;
  abort: Tool.Abort | undefined;
  timeout: number;
  maxBytes: number;
  maxMemory: number;
  hasChildren: boolean;
}

/** The time between SIGTERM and SIGKILL, in milliseconds. */
const GRACE = 2000;
/** How long an output that something else holds open must be silent after the end, in milliseconds. */
const SILENCE = 250;
/** The longest time of a timer. */
const LONGEST = 2 ** 31 - 1;
/** How much of the end of stderr is kept, in bytes. */
const STDERR = 4096;

/** Resolves when a child runs, rejects if it cannot be started. */
const started = (child: Child) =>
  new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });

class Script {
  #child: Child;
  #group: ProcessGroup;
  #stdout: Head;
  #stderr = new Tail(STDERR);
  #most: number;
  /** How often something was printed. */
  #heard = 0;
  #exit: Pick<ScriptEnd, "code" | "signal"> | undefined;
  /** Why it was stopped. */
  #why: Why | undefined;
  /** Resolves when it has ended and its outputs are closed. */
  #closed = deferred<void>();
  /** Aborted then: nothing is waited for any more. */
  #over = new AbortController();
  /** What it left behind is being stopped. */
  #ending: Promise<void> | undefined;

  constructor(child: Child, most: number) {
    this.#child = child;
    this.#group = new ProcessGroup(child.pid as number); // it has started
    this.#most = most;
    this.#stdout = new Head(most);
    child.on("error", () => {});
    this.#listen(child.stdout, this.#stdout);
    this.#listen(child.stderr, this.#stderr);
    child.once("exit", (code, signal) => {
      this.#exit = { code, signal };
      this.#ending ??= this.#finish();
    });
    child.once("close", () => this.#close());
  }

  #listen(stream: Readable, kept: Head | Tail): void {
    // An output that cannot be read is one that is closed.
    stream.on("error", () => {});
    stream.on("data", (bytes: Buffer) => {
      this.#heard++;
      kept.push(bytes);
      if (kept.total > this.#most) this.stop("output");
    });
  }

  #close() {
    this.#over.abort();
    this.#closed.resolve();
  }

  /** Waits, unless its outputs are closed. */
  #pause() {
    const { signal } = this.#over;
    return sleep(SILENCE, undefined, { signal }).catch(() => {});
  }

  /** Stops all of its group; the first reason counts. */
  stop(why: Why): void {
    if (this.#why !== undefined || this.#over.signal.aborted) return;
    this.#why = why;
    // Where it has ended by itself, what it left behind is being stopped already.
    if (this.#ending) this.#destroy();
    else this.#ending = this.#kill();
  }

  async #kill() {
    await this.#group.stop(GRACE);
    // The rest of the output; a process that left the group may hold it open, and print for ever.
    await this.#pause();
    this.#destroy();
    // What cannot be killed, because the system waits for a device, is not waited for.
    if (this.#exit === undefined) {
      this.#child.unref();
      this.#close();
    }
  }

  /** The script itself has ended: what it started in its group ends with it. */
  async #finish() {
    // Windows knows no groups: what a process has started cannot be found once it has ended.
    if (process.platform !== "win32") await this.#group.stop(GRACE);
    // A process that left the group may hold the outputs open. What was printed is read before they are closed, also
    // by a host that was busy until now.
    for (let heard = -1; heard !== this.#heard; ) {
      heard = this.#heard;
      await this.#pause();
      await poll();
    }
    this.#destroy();
  }

  #destroy() {
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  /** How it has ended, once nothing of it is left. */
  async end(): Promise<Omit<ScriptEnd, "durationMs">> {
    await this.#closed.promise;
    await this.#ending;
    this.#group.release();
    const { code, signal } = this.#exit ?? { code: null, signal: null };
    const [stdout, stderr] = [this.#stdout.text(), this.#stderr.text()];
    return { code, signal, why: this.#why, stdout, stderr };
  }
}

/**
 * Runs Node with these arguments. Gives its exit code or signal, what it printed, how long it took, and in `why` the
 * reason for which it was stopped: `aborted`, `timeout`, `output` or `memory`.
 */
export async function runNode(
  args: string[],
  { cwd, env, abort, timeout, maxBytes, maxMemory, hasChildren }: ScriptLimits,
): Promise<ScriptEnd> {
  const from = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    // Standard input is at its end.
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  if (child.pid === undefined) await started(child);
  const script = new Script(child, maxBytes);
  const onAbort = () => script.stop("aborted");
  const timer = setTimeout(() => script.stop("timeout"), Math.min(timeout, LONGEST));
  const unwatch = watchMemory(child.pid as number, maxMemory, hasChildren, () =>
    script.stop("memory"),
  );
  abort?.addEventListener("abort", onAbort);
  if (abort?.aborted) onAbort();
  try {
    const end = await script.end();
    return { ...end, durationMs: Math.round(performance.now() - from) };
  } finally {
    clearTimeout(timer);
    unwatch();
    abort?.removeEventListener("abort", onAbort);
  }
}
