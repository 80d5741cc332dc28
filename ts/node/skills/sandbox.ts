// Sandbox mode: the script of a skill in a child process with limits and with Node's permission model. A guard
// against mistakes, not a prison for hostile code: docs/skills.md says what it does not stop.

import type { Tool } from "apex-parts:tools";
import fs from "node:fs/promises";
import { deferred } from "../../tools/deferred.ts";
import { PlacesByKey } from "../../tools/places.ts";
import { slashed } from "../file-identity.ts";
import type { SandboxOptions } from "../types.ts";
import { runNode, type ScriptEnd } from "./child.ts";
import { expected, invalid, wholeNumber } from "./errors.ts";
import { linkOutOf, scriptIn } from "./folder.ts";
import { permissionFlags, quietFlags } from "./permission-flags.ts";
import { absolute } from "./places.ts";
import { makeWorkspace, removeWorkspace } from "./workspace.ts";

/** The options with their defaults. */
interface Limits {
  timeout: number;
  memoryMB: number;
  maxBytes: number;
  env: string[];
  allowWrite: string[];
  hasPermission: boolean;
  workspaceRoot: string | undefined;
}

/** A skill whose script runs. */
interface Runnable {
  name: string;
  realDir: string;
}

type Abort = Tool.Abort | undefined;

/** The most bytes of the arguments as JSON. */
const MOST_ARGUMENTS = 64 * 1024;

function textsOf(
  options: SandboxOptions,
  name: "env" | "allowWrite",
  otherwise: string[],
): string[] {
  const value = options[name];
  if (value === undefined) return otherwise;
  if (!Array.isArray(value) || value.some((item) => typeof item !== "string")) {
    throw invalid(`${name} of the sandbox must be a list of strings`);
  }
  return [...value];
}

/** The variables of the script: those that are named and set. Node's own options would undo its permissions. */
function environment(names: string[], own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const name of names) {
    const isOptions = name.toUpperCase() === "NODE_OPTIONS";
    if (!isOptions && process.env[name] !== undefined) env[name] = process.env[name];
  }
  return { ...env, ...own };
}

function argumentsText(args: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(args ?? {}) ?? "{}";
  } catch (error) {
    throw expected(`args cannot be written as JSON: ${(error as Error).message}`);
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_ARGUMENTS) {
    throw expected(`args is ${bytes} bytes as JSON; a script takes at most ${MOST_ARGUMENTS}`);
  }
  return text;
}

/** The folders as the host names them, and where they really are: the model compares paths, not places. */
async function bothNames(folders: string[]): Promise<string[]> {
  const names = folders.map((folder) => absolute(folder));
  const real = await Promise.all(
    names.map(async (name) => slashed(await fs.realpath(name).catch(() => name))),
  );
  return [...new Set([...names, ...real])];
}

const stopped = (name: string) => expected(`Skill ${name} was stopped`);

/** What the model is told of a script that did not end with exit code 0. */
function failure(
  { code, signal, why, stderr }: ScriptEnd,
  { timeout, maxBytes, memoryMB }: Limits,
): string {
  const isFull = why === "memory" || /heap out of memory/.test(stderr);
  if (why === "timeout") return `was stopped after ${timeout} ms`;
  if (why === "output") return `wrote more than ${maxBytes} bytes`;
  if (why === "aborted") return "was stopped";
  if (isFull) return `used more than ${memoryMB} MB of memory`;
  return code === null ? `was ended by ${signal ?? "the system"}` : `failed with exit code ${code}`;
}

/** What a script printed, and the facts of its run. */
interface Ran {
  output: string;
  metadata: Record<string, unknown>;
}

/** Runs scripts, so many at once. */
export class Sandbox {
  #options: Limits;
  #places: PlacesByKey;

  constructor(given?: SandboxOptions) {
    const options: SandboxOptions = { ...given };
    this.#options = {
      timeout: wholeNumber(options.timeout, 60_000, 1),
      memoryMB: wholeNumber(options.memoryMB, 256, 1),
      maxBytes: wholeNumber(options.maxOutputBytes, 1024 * 1024),
      env: textsOf(options, "env", ["PATH"]),
      allowWrite: textsOf(options, "allowWrite", []),
      // Nothing but `false` turns it off.
      hasPermission: options.permission !== false,
      workspaceRoot: options.workspaceRoot,
    };
    if (options.workspaceRoot !== undefined && typeof options.workspaceRoot !== "string") {
      throw invalid("workspaceRoot of the sandbox must be a path");
    }
    this.#places = new PlacesByKey(wholeNumber(options.maxConcurrent, 3, 1));
  }

  /**
   * Runs the script of a skill in its real folder. Gives its output and the facts of the run; rejects with an error
   * that has the same facts as `metadata`.
   */
  async run({ name, realDir }: Runnable, args: unknown, abort: Abort): Promise<Ran> {
    const input = argumentsText(args);
    const waiting = deferred<void>();
    const onAbort = () => waiting.resolve();
    if (abort?.aborted) throw stopped(name);
    abort?.addEventListener("abort", onAbort);
    try {
      const leave = await this.#places.enter("", waiting.promise);
      if (leave === undefined) throw stopped(name);
      try {
        return await this.#runIn({ name, realDir }, input, abort);
      } finally {
        leave();
      }
    } finally {
      abort?.removeEventListener("abort", onAbort);
    }
  }

  async #runIn({ name, realDir }: Runnable, given: string, abort: Abort): Promise<Ran> {
    // Only Node's permissions make a difference between what is inside and what is not.
    const link = this.#options.hasPermission ? await linkOutOf(realDir) : undefined;
    if (link !== undefined) throw expected(`Skill ${name} cannot run in its folder: ${link}`);
    const script = await scriptIn(realDir);
    if (script === undefined) {
      throw expected(
        `Skill ${name} has no script: scripts/execute.js is not a plain file in its folder`,
      );
    }
    const workspace = await makeWorkspace(this.#options.workspaceRoot);
    let end: ScriptEnd;
    let isGone = false;
    try {
      const flags = await this.#flags(realDir, workspace);
      if (abort?.aborted) throw stopped(name);
      end = await this.#start([...flags, script, given], realDir, workspace, abort);
    } finally {
      isGone = await removeWorkspace(workspace);
    }
    const metadata: Ran["metadata"] = {
      exitCode: end.code,
      durationMs: end.durationMs,
      stderr: end.stderr,
    };
    if (end.signal) metadata.signal = end.signal;
    if (!isGone) metadata.workspaceLeft = workspace;
    if (end.why === undefined && end.code === 0) {
      return { output: end.stdout.trim() === "" ? "(no output)" : end.stdout, metadata };
    }
    const headline = `Skill ${name} ${failure(end, this.#options)}`;
    const message = end.stderr.trim();
    throw expected(message === "" ? headline : `${headline}\n\n${message}`, {
      ...metadata,
      stdout: end.stdout,
    });
  }

  async #flags(realDir: string, workspace: string): Promise<string[]> {
    const { memoryMB, hasPermission, allowWrite } = this.#options;
    const heap = `--max-old-space-size=${memoryMB}`;
    if (!hasPermission) return [heap];
    const write = [workspace, ...(await bothNames(allowWrite))];
    return [...permissionFlags({ read: [realDir, ...write], write }), ...quietFlags(), heap];
  }

  #start(args: string[], realDir: string, cwd: string, abort: Abort): Promise<ScriptEnd> {
    const { env, timeout, maxBytes, memoryMB, hasPermission } = this.#options;
    return runNode(args, {
      cwd,
      env: environment(env, { SKILL_DIR: realDir, SKILL_WORKSPACE: cwd }),
      abort,
      timeout,
      maxBytes,
      maxMemory: memoryMB * 1024 * 1024,
      hasChildren: !hasPermission,
    });
  }
}
