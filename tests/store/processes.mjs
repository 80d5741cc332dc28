// Scripts of this folder in processes of their own, which tests pause and kill.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Those that run; whatever happens, none outlives its test. */
export class Processes {
  #running = new Set();

  /** Starts a script. `lines`: what it has printed so far, whole lines only; `over` resolves when it is gone. */
  begin(script, ...args) {
    const path = fileURLToPath(new URL(script, import.meta.url));
    const child = spawn(process.execPath, [path, ...args.map(String)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = [];
    let rest = "";
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (data) => {
      const pieces = (rest + data).split("\n");
      // A line whose end has not come may be that of a process killed while it wrote.
      rest = pieces.pop();
      lines.push(...pieces);
    });
    // What is written to a process that was killed goes nowhere.
    child.stdin.on("error", () => {});
    const over = new Promise((resolve) => child.once("close", resolve));
    this.#running.add(child);
    over.then(() => this.#running.delete(child));
    const kill = (signal = "SIGKILL") => child.kill(signal);
    const tell = (line) => child.stdin.write(`${line}\n`);
    return { lines, over, kill, tell, pid: child.pid };
  }

  async end() {
    const running = [...this.#running];
    for (const child of running) child.kill("SIGKILL");
    await Promise.all(
      running.map((child) => new Promise((resolve) => child.once("close", resolve))),
    );
  }
}
