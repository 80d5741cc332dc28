// A process group: what a command started, signalled together, and looked after until none of it is left.
// A process that left its group (`setsid`) cannot be reached through it.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const isWindows = process.platform === "win32";

/** How long processes may take to be gone after SIGKILL, in milliseconds. */
const SETTLE = 250;

/** The groups that end with this process. */
const running = new Set<ProcessGroup>();

function killAll() {
  for (const group of running) group.signal("SIGKILL");
}

/** The state of each process of a group, by its id; undefined where the system does not say. */
function statesOf(id: number): Map<number, string | undefined> | undefined {
  let names: string[];
  try {
    names = readdirSync("/proc");
  } catch {
    return undefined;
  }
  const states = new Map<number, string | undefined>();
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      // The name of the program is in parentheses, and may have any character.
      const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (Number(group) === id) states.set(Number(name), state);
    } catch {
      // It has ended in the meantime.
    }
  }
  return states;
}

/** Whether a process of the group is more than an entry that nobody has collected; undefined if unknown. */
function hasLiving(id: number): boolean | undefined {
  const states = statesOf(id);
  if (states === undefined || states.size === 0) return undefined;
  return [...states.values()].some((state) => state !== "Z" && state !== "X");
}

/** The ids of the processes of a group; undefined where the system does not say. */
export function groupMembers(id: number): number[] | undefined {
  const states = statesOf(id);
  return states && [...states.keys()];
}

export class ProcessGroup {
  #id: number;
  #isGone = false;

  /** The group that a process leads. It is killed when this process exits, unless released before. */
  constructor(id: number) {
    this.#id = id;
    if (running.size === 0) process.on("exit", killAll);
    running.add(this);
  }

  /** What is left of it lives on. */
  release(): void {
    running.delete(this);
    if (running.size === 0) process.off("exit", killAll);
  }

  signal(name: NodeJS.Signals | 0): void {
    if (this.#isGone) return;
    if (isWindows) {
      // Windows has no groups and no signals: the tree of processes is ended.
      if (name !== 0) execFile("taskkill", ["/pid", String(this.#id), "/T", "/F"], () => {});
      return;
    }
    try {
      process.kill(-this.#id, name);
    } catch {
      // None is left, or none that may be signalled. Never again: the id may soon be that of another group.
      this.#isGone = true;
    }
  }

  #isAlive(): boolean {
    if (isWindows) {
      try {
        return process.kill(this.#id, 0);
      } catch {
        return false;
      }
    }
    this.signal(0);
    if (this.#isGone) return false;
    // In a container whose first process collects no children, what has ended keeps its entry.
    return process.platform !== "linux" || (hasLiving(this.#id) ?? true);
  }

  /** Waits until no process is left; false if some are after so many milliseconds. */
  async #ends(within: number): Promise<boolean> {
    const until = performance.now() + within;
    for (let pause = 5; this.#isAlive(); pause = Math.min(pause * 2, 100)) {
      const left = until - performance.now();
      if (left <= 0) return false;
      await sleep(Math.min(pause, left));
    }
    return true;
  }

  /** SIGTERM, and SIGKILL for what is left after the grace in milliseconds. */
  async stop(grace: number): Promise<void> {
    this.signal("SIGTERM");
    if (await this.#ends(grace)) return;
    this.signal("SIGKILL");
    await this.#ends(SETTLE);
  }
}
