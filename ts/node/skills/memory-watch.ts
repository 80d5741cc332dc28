// How much memory processes have: the heap of V8 can be limited, what is outside of it (buffers) only watched.
import { readFile } from "node:fs/promises";
import { groupMembers } from "../process-group.ts";

const INTERVAL = 250;

/** How many bytes of a process these lines of its status count; 0 if it has ended. */
async function bytesOf(pid: number, lines: string[]): Promise<number> {
  try {
    // In kilobytes; statm counts pages, whose size differs between machines.
    const status = await readFile(`/proc/${pid}/status`, "latin1");
    return lines.reduce((sum, line) => {
      return sum + Number(new RegExp(`^${line}:\\s+(\\d+) kB$`, "m").exec(status)?.[1] ?? 0) * 1024;
    }, 0);
  } catch {
    return 0;
  }
}

/** The resident set of a script, and what those that it started have for themselves: programs are shared. */
async function residentOf(pid: number, group: number[]): Promise<number> {
  const others = group.filter((one) => one !== pid);
  const sizes = await Promise.all([
    bytesOf(pid, ["VmRSS"]),
    ...others.map((one) => bytesOf(one, ["RssAnon", "RssShmem"])),
  ]);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Calls `onTooMuch` once when a process has more than so many bytes, with `isGroup` all of its group together. Linux
 * only: elsewhere nothing is watched. Gives the function that ends it.
 */
export function watchMemory(
  pid: number,
  most: number,
  isGroup: boolean,
  onTooMuch: () => void,
): () => void {
  if (process.platform !== "linux") return () => {};
  let isOver = false;
  let timer: NodeJS.Timeout;
  async function look(): Promise<void> {
    const size = await residentOf(pid, isGroup ? (groupMembers(pid) ?? []) : []);
    if (isOver) return;
    if (size > most) onTooMuch();
    else timer = setTimeout(look, INTERVAL);
  }
  timer = setTimeout(look, INTERVAL);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
