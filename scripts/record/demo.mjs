// Where recordings are made: a folder whose paths are as long as the ones that stand in a recording, so that sizes and
// cuts are the same for both.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCode } from "./place.mjs";

/** The home folder of a recording; the workspace is `demo` in it. */
export const DEMO_HOME = "/home/dev";

/** Calls what was put off, the last first. */
export async function withCleanUp(work) {
  const last = [];
  try {
    return await work({ after: (task) => last.unshift(task) });
  } finally {
    for (const task of last) await task();
  }
}

/** A home of this machine that is as long as the recorded one, for the duration of some work. */
export function newHome(t) {
  if (process.platform === "win32") throw new Error("recordings are made where there is a /tmp");
  for (;;) {
    const home = join("/tmp", Math.random().toString(36).slice(2, 6).padEnd(4, "0"));
    try {
      mkdirSync(home);
      t.after(() => rmSync(home, { recursive: true, force: true }));
      return home;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
  }
}

/** Makes a repository of a folder: one commit that is the same each time. */
export function commitAll(folder) {
  const date = "2026-01-12T09:30:00Z";
  const name = { GIT_AUTHOR_NAME: "dev", GIT_COMMITTER_NAME: "dev" };
  const mail = { GIT_AUTHOR_EMAIL: "dev@example.com", GIT_COMMITTER_EMAIL: "dev@example.com" };
  const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const own = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const env = { PATH: process.env.PATH, ...name, ...mail, ...dates, ...own };
  const git = (...args) => execFileSync("git", args, { cwd: folder, env, stdio: "pipe" });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message=A start");
}

/** The small project of the sessions. */
export function smallProject(folder) {
  writeFileSync(
    join(folder, "hello.py"),
    'def greet(name):\n    return "Hello " + name\n\nprint(greet("world"))\n',
  );
  writeFileSync(join(folder, "README.md"), "# Demo\n\nA small workspace.\n");
  commitAll(folder);
}

/**
 * An OpenCode in such a folder.
 *
 * @param {{ after(work: () => unknown): void }} t
 * @param {object} options as of `openCode`
 * @param {(cwd: string) => void} furnish fills the workspace
 */
export async function demo(t, options, furnish = smallProject) {
  const home = newHome(t);
  const cwd = join(home, "demo");
  mkdirSync(cwd);
  furnish(cwd);
  const place = await openCode(t, { ...options, folder: home, home, cwd });
  // The model's port is another each time.
  const recorded = (text) =>
    text.replaceAll(home, DEMO_HOME).replace(/(?<=\b127\.0\.0\.1:)\d+/g, "4100");
  return { ...place, home, recorded };
}

/** A folder for the duration of some work. */
export function temporary(t, name) {
  const folder = mkdtempSync(join("/tmp", `${name}-`));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
