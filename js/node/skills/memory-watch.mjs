// How much memory processes have: the heap of V8 can be limited, what is outside of it (buffers) only watched.
import { readFile } from "node:fs/promises";
import { groupMembers } from "../process-group.mjs";

const INTERVAL = 250;

/** The resident set of a process in bytes; 0 if it has none or has ended. */
async function residentOf(pid) {
  try {
    // In kilobytes; statm counts pages, whose size differs between machines.
    const status = await readFile(`/proc/${pid}/status`, "latin1");
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * Calls `onTooMuch` once when a process has more than so many bytes, with `isGroup` all of its group together. Linux
 * only: elsewhere nothing is watched. Gives the function that ends it.
 */
export function watchMemory(pid, most, isGroup, onTooMuch) {
  if (process.platform !== "linux") return () => {};
  let isOver = false;
  let timer;
  async function look() {
    const pids = isGroup ? (groupMembers(pid) ?? [pid]) : [pid];
    const sizes = await Promise.all(pids.map(residentOf));
    if (isOver) return;
    if (sizes.reduce((sum, size) => sum + size, 0) > most) onTooMuch();
    else timer = setTimeout(look, INTERVAL);
  }
  timer = setTimeout(look, INTERVAL);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
