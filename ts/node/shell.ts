// The shell of a machine: commands in process groups of their own, and programs without a shell.

import type { Shell, ShellEnd } from "apex-parts:tools";
import { type ChildProcessByStdio, spawn as start } from "node:child_process";
import { delimiter, join } from "node:path";
import type { Readable } from "node:stream";
import { ProcessGroup } from "./process-group.ts";
import { isProgram } from "./program.ts";

type Run = Shell["run"];
type Spawn = NonNullable<Shell["spawn"]>;
/** A process with two outputs. */
type Child = ChildProcessByStdio<null, Readable, Readable>;
type Exit = { exit: number | null; signal: NodeJS.Signals | null };
/** The shell of a machine, and the arguments before a command. */
interface Program {
  name: string;
  file: string;
  args: string[];
}

const isWindows = process.platform === "win32";

/** How long the output must be silent after the shell has exited, in milliseconds. */
const SILENCE = 250;
/** The time between SIGTERM and SIGKILL, in milliseconds. */
const GRACE = 3000;
/** The same on abort: a call that is aborted has three seconds for all, and then its result is lost. */
const ABORT_GRACE = 2500;
/** The longest time of a timer. */
const LONGEST = 2 ** 31 - 1;
/** The pause between two reads of output that nobody wants. */
const DRAIN_PAUSE = 20;
const MAX_STDERR = 64 * 1024;

// ── Which shell ─────────────────────────────────────────────────────────────────────────────────

const onPath = () => (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");

/** The first of these files that can be run. */
const firstOf = (paths: string[]) => paths.find(isProgram);

function windowsShell(): Program {
  const { ProgramFiles, ProgramW6432, LOCALAPPDATA, SystemRoot } = process.env;
  const roots = [
    ProgramFiles,
    ProgramW6432,
    LOCALAPPDATA && join(LOCALAPPDATA, "Programs"),
  ].flatMap((folder) => (folder ? join(folder, "Git") : []));
  // git.exe is in `cmd` or `bin`. The bash.exe of Windows itself runs Linux, which has other paths.
  const beside = onPath()
    .filter((folder) => isProgram(join(folder, "git.exe")))
    .map((folder) => join(folder, ".."));
  const bash = firstOf([...beside, ...roots].map((folder) => join(folder, "bin", "bash.exe")));
  if (bash) return { name: "bash", file: bash, args: ["-c", "--"] };
  const system = join(SystemRoot ?? "C:\\Windows", "System32", "WindowsPowerShell", "v1.0");
  const file = firstOf([
    ...onPath().map((folder) => join(folder, "pwsh.exe")),
    join(system, "powershell.exe"),
  ]);
  const args = ["-NoProfile", "-NonInteractive", "-Command"];
  return { name: "powershell", file: file ?? "powershell.exe", args };
}

function unixShell(): Program {
  const folders = ["/bin", "/usr/bin", "/usr/local/bin", ...onPath()];
  const bash = firstOf(folders.map((folder) => join(folder, "bash")));
  if (bash) return { name: "bash", file: bash, args: ["-c", "--"] };
  return { name: "sh", file: "/bin/sh", args: ["-c", "--"] };
}

let cachedShell: Program | undefined;
/** The shell of this machine: its name, its file, and the arguments before the command. */
function shellHere(): Program {
  cachedShell ??= isWindows ? windowsShell() : unixShell();
  return cachedShell;
}

/** The program and the arguments that run a command. */
function invocation(command: string): [file: string, args: string[]] {
  const { file, args } = shellHere();
  if (isWindows) return [file, [...args, command]];
  // One pipe for both outputs: in two, what is written to one could overtake the other.
  return ["/bin/sh", ["-c", 'exec "$0" "$@" 2>&1', file, ...args, command]];
}

// ── A command ───────────────────────────────────────────────────────────────────────────────────

/** Resolves when a child runs, rejects if it cannot be started. */
const started = (child: Child) =>
  new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });

/** Reads what a process in the background still prints, slowly, and drops it: a full pipe would stop it. */
function drain(stream: Readable & { unref?(): void }): void {
  if (stream.destroyed) return;
  stream.removeAllListeners("data");
  stream.unref?.();
  stream.on("data", () => {
    stream.pause();
    setTimeout(() => stream.resume(), DRAIN_PAUSE).unref();
  });
}

/** A command that runs, until it ends by itself or is stopped. */
class Command {
  #child: Child;
  #group: ProcessGroup;
  #streams: Readable[];
  #onOutput: Parameters<Run>[1]["onOutput"];
  /** The exit code and the signal of the shell, once it has exited. */
  #exit: Exit | undefined;
  #isClosed = false;
  #closed: Promise<void>;
  #silence: NodeJS.Timeout | undefined;
  /** How often there was output. */
  #heard = 0;
  /** Why it was stopped. */
  #stopped: Partial<ShellEnd> | undefined;
  #failure: { error: unknown } | undefined;
  #resolve!: () => void;
  #ended = new Promise<void>((resolve) => {
    this.#resolve = resolve;
  });

  constructor(child: Child, onOutput: Parameters<Run>[1]["onOutput"]) {
    this.#child = child;
    this.#group = new ProcessGroup(child.pid as number); // it has started
    this.#onOutput = onOutput;
    this.#streams = [child.stdout, child.stderr];
    child.stdout.on("data", (bytes: Buffer) => this.#take(bytes, "stdout"));
    child.stderr.on("data", (bytes: Buffer) => this.#take(bytes, "stderr"));
    // An output that cannot be read is one that is closed.
    for (const stream of this.#streams) stream.on("error", () => {});
    child.on("error", () => {});
    child.once("exit", (exit, signal) => {
      this.#exit = { exit, signal };
      this.#silence = setTimeout(() => this.#listen(), SILENCE);
    });
    this.#closed = new Promise<void>((resolve) => {
      child.once("close", () => {
        this.#isClosed = true;
        resolve();
        this.#quiet();
      });
    });
  }

  #take(bytes: Buffer, stream: "stdout" | "stderr"): void {
    this.#heard++;
    this.#silence?.refresh();
    try {
      this.#onOutput(bytes, stream);
    } catch (error) {
      this.#failure ??= { error };
      this.#onOutput = () => {};
      this.stop({}, 0);
    }
  }

  /** It was silent; but after a long pause of this process, the output waits to be read first. */
  #listen(): void {
    const heard = this.#heard;
    setImmediate(() => {
      if (heard === this.#heard) this.#quiet();
    });
  }

  /** No more output is waited for. */
  #quiet(): void {
    // While it is being stopped, processes may live that have no output.
    if (this.#stopped === undefined) this.#resolve();
  }

  /** Stops all of it, and what it printed until then counts. */
  async stop(why: Partial<ShellEnd>, grace: number): Promise<void> {
    if (this.#stopped !== undefined) return;
    this.#stopped = why;
    await this.#group.stop(grace);
    // The rest of the output. A process that left the group may hold it open, and print for ever.
    const late = setTimeout(this.#resolve, SILENCE);
    await this.#closed;
    clearTimeout(late);
    this.#resolve();
  }

  /** How it has ended. */
  async end(): Promise<ShellEnd> {
    await this.#ended;
    clearTimeout(this.#silence);
    this.#group.release();
    this.#onOutput = () => {};
    const isOpen = !this.#isClosed && this.#stopped === undefined;
    for (const stream of this.#streams) {
      if (isOpen) drain(stream);
      else stream.destroy();
    }
    if (this.#exit === undefined) this.#child.unref();
    if (this.#failure) throw this.#failure.error;
    const { exit, signal } = this.#exit ?? { exit: null, signal: "SIGKILL" };
    const end: ShellEnd = { exit };
    if (signal) end.signal = signal;
    if (isOpen) end.detached = true;
    return { ...end, ...this.#stopped };
  }
}

function environment(cwd: string, home: string | undefined): NodeJS.ProcessEnv {
  const variables: NodeJS.ProcessEnv = { ...process.env };
  if (home !== undefined) variables.HOME = home;
  if (isWindows) return variables;
  // What `.`, `cd -` and `cd NAME` lead to must follow from the command and its directory alone.
  variables.PWD = cwd;
  delete variables.OLDPWD;
  delete variables.CDPATH;
  return variables;
}

async function run(
  home: string | undefined,
  command: string,
  { cwd, timeoutMs, abort, onOutput }: Parameters<Run>[1],
): Promise<ShellEnd> {
  if (abort?.aborted) return { exit: null, aborted: true };
  const [file, args] = invocation(command);
  const child = start(file, args, {
    cwd,
    env: environment(cwd, home),
    stdio: ["ignore", "pipe", "pipe"],
    detached: !isWindows,
    windowsHide: true,
  });
  if (child.pid === undefined) await started(child);
  const running = new Command(child, onOutput);
  const onAbort = () => running.stop({ aborted: true }, ABORT_GRACE);
  abort?.addEventListener("abort", onAbort);
  const timer = setTimeout(
    () => running.stop({ timedOut: true }, GRACE),
    Math.min(timeoutMs ?? LONGEST, LONGEST),
  );
  try {
    return await running.end();
  } finally {
    clearTimeout(timer);
    abort?.removeEventListener("abort", onAbort);
  }
}

// ── A program ───────────────────────────────────────────────────────────────────────────────────

async function spawn(
  ...[program, args, { cwd, abort, onOutput }]: Parameters<Spawn>
): ReturnType<Spawn> {
  if (abort?.aborted) return { exit: null, signal: "SIGKILL", stderr: "" };
  const child = start(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  if (child.pid === undefined) await started(child);
  const closed = new Promise<Exit>((resolve) => {
    child.once("close", (exit, signal) => resolve({ exit, signal }));
  });
  child.on("error", () => {});
  let isStopped = false;
  let failure: { error: unknown } | undefined;
  const stop = () => {
    isStopped = true;
    child.kill("SIGKILL");
    // What it started may hold them open.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  child.stdout.on("data", (bytes: Buffer) => {
    if (isStopped) return;
    try {
      if (onOutput(bytes) === false) stop();
    } catch (error) {
      failure = { error };
      stop();
    }
  });
  const output: Buffer[] = [];
  let size = 0;
  child.stderr.on("data", (bytes: Buffer) => {
    if (size < MAX_STDERR) output.push(bytes.subarray(0, MAX_STDERR - size));
    size += bytes.length;
  });
  for (const stream of [child.stdout, child.stderr]) stream.on("error", () => {});
  abort?.addEventListener("abort", stop);
  try {
    const { exit, signal } = await closed;
    if (failure) throw failure.error;
    // A character that the limit cuts is left out.
    const stderr = new TextDecoder().decode(Buffer.concat(output), { stream: size > MAX_STDERR });
    return { exit, ...(signal && { signal }), stderr };
  } finally {
    abort?.removeEventListener("abort", stop);
  }
}

/** The shell of this machine. `home`: what `~` is to it, the user's own directory unless given. */
export function nodeShell({ home }: { home?: string } = {}): Shell {
  return {
    get name() {
      return shellHere().name;
    },
    run: (command, options) => run(home, command, options),
    environment: (cwd) => environment(cwd, home),
    spawn,
  };
}
