/** Work instead of time: what a machine that is busy with something else makes no longer. */

/** The processor time that this process spends while something runs, in ms. */
export function workOf(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
