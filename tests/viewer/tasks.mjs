/** What a page's main thread did, from a trace of the browser. */
import assert from "node:assert/strict";

/** Begins to watch; what it gives back ends that, and has all tasks: when each began, how long it was, how much work. In ms. */
export async function watchTasks(browser) {
  await browser.startTracing(undefined, { categories: ["toplevel"] });
  return async () => {
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
    const thread = ({ pid, tid }) => `${pid} ${tid}`;
    const pages = new Set(
      traceEvents
        .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
        .map(thread),
    );
    return traceEvents
      .filter((event) => /RunTask/.test(event.name) && event.tdur > 0 && pages.has(thread(event)))
      .map(({ ts, dur, tdur }) => ({ at: ts / 1000, wall: dur / 1000, cpu: tdur / 1000 }))
      .sort((a, b) => a.at - b.at);
  };
}

export const workOf = (tasks) => tasks.reduce((sum, { cpu }) => sum + cpu, 0);

/** In words: those over 50 ms, by the work done and by the clock. */
export function longOnes(tasks) {
  const long = tasks.filter(({ wall }) => wall > 50);
  const list = long.map(({ cpu, wall }) => `${cpu.toFixed()} (${wall.toFixed()})`);
  return list.join(", ") || "none";
}

/**
 * Nothing holds the page up: by the work done, for by the clock a busy machine makes every task long;
 * and by what part of it is in tasks of over 50 ms, for a slow machine makes one or two of them long.
 */
export function assertShort(tasks) {
  assert.ok(tasks.length > 100, `${tasks.length} tasks seen`);
  const long = workOf(tasks.filter(({ cpu }) => cpu > 50));
  assert.ok(long < 0.1 * workOf(tasks), `${long} of ${workOf(tasks)} ms: ${longOnes(tasks)}`);
}
