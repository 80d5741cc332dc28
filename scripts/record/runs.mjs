// Runs of today's agents, driven offline by a scripted model: a folder for each, with the files that the program kept of it.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { DEMO_HOME, newHome, smallProject, withCleanUp } from "./demo.mjs";
import { installed } from "./installed.mjs";
import { scriptedModel } from "./model.mjs";
import { execute } from "./processes.mjs";
import { claudeCode } from "./programs/claude-code.mjs";
import { codex } from "./programs/codex.mjs";
import { copilotCli } from "./programs/copilot-cli.mjs";
import { withoutForeign } from "./programs/foreign.mjs";
import { geminiCli } from "./programs/gemini-cli.mjs";
import { pi } from "./programs/pi.mjs";
import { noTrace, write } from "./written.mjs";

/**
 * @typedef {object} Program
 * @property {string} command what is run
 * @property {Record<string, string>} packages what is installed, with versions
 * @property {(place: { home: string, model: object }) => object} setUp furnishes a home and gives more of the environment
 * @property {(prompt: string, of?: { session?: string, forks?: boolean }) => string[]} args of a prompt; to a session, or
 *   to a fork of it
 * @property {(home: string) => string} folder where it keeps sessions
 * @property {(path: string) => boolean} isKept whether a file there, by its relative path, belongs to a session
 * @property {(record: object) => boolean} isTalk whether a record has words of the conversation
 * @property {(path: string, text: string) => string} idOf the id of a session, from its main file
 * @property {Record<string, Session>} sessions
 */

/**
 * @typedef {object} Session
 * @property {import("./model.mjs").Scripted[] | Record<string, import("./model.mjs").Scripted[]>} answers
 * @property {(user: User) => Promise<void>} play
 */

/**
 * @typedef {object} User
 * @property {(prompt: string, of?: object) => Promise<void>} ask a prompt, to the end of its turn
 * @property {(prompt: string, file: string) => Promise<void>} interrupt a prompt that is interrupted once the file is there
 * @property {() => string} id of the session that was kept first
 * @property {string} cwd
 */

/** Today's agents. Those of OpenCode have a kind of their own. */
const PROGRAMS = {
  "claude-code": claudeCode,
  codex,
  "copilot-cli": copilotCli,
  "gemini-cli": geminiCli,
  pi,
};

/** Claude Code and pi want a newer Node than this project does. */
const NODE = { node: "24.21.0" };

/** The files below a folder that belong to sessions, the oldest first. */
function kept(program, home) {
  const root = program.folder(home);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => program.isKept(path) && statSync(join(root, path)).isFile())
    .map((path) => ({ path: join(root, path), born: statSync(join(root, path)).birthtimeMs }))
    .sort((a, b) => a.born - b.born)
    .map(({ path }) => path);
}

/** Records a run into a folder. */
async function recordRun(folder, program, session, bin) {
  await withCleanUp(async (t) => {
    const home = newHome(t);
    const cwd = join(home, "demo");
    mkdirSync(cwd);
    mkdirSync(join(home, "tmp"));
    smallProject(cwd);
    const answers = typeof session.answers === "function" ? session.answers(cwd) : session.answers;
    const model = await scriptedModel(answers);
    t.after(() => model.close());
    const env = {
      ...{ PATH: [bin, process.env.PATH].join(delimiter), HOME: home, TMPDIR: join(home, "tmp") },
      ...program.setUp({ home, model }),
    };
    const run = async (prompt, of, until) => {
      const args = program.args(prompt, of);
      const { code, stderr } = await execute(join(bin, program.command), args, { cwd, env, until });
      if (!until && code !== 0 && !session.fails) {
        throw new Error(`${program.command} ${args.join(" ")} ended with ${code}:\n${stderr}`);
      }
    };
    await session.play({
      ...{ cwd, ask: run },
      // Copilot writes its file a moment after the command has begun.
      interrupt: (prompt, file) =>
        run(prompt, {}, () => existsSync(join(cwd, file)) && kept(program, home).length > 0),
      id() {
        const [path] = kept(program, home);
        return program.idOf(path, readFileSync(path, "utf8"));
      },
    });
    if (model.left.length > 0) {
      throw new Error(`${folder}: ${JSON.stringify(model.left)} was not asked for`);
    }
    const names = (text) =>
      text
        .replaceAll(home, DEMO_HOME)
        // Claude Code and pi make a name of a path.
        .replaceAll(home.replaceAll("/", "-"), DEMO_HOME.replaceAll("/", "-"))
        .replace(/(?<=\b127\.0\.0\.1:)\d+/g, "4100");
    const paths = kept(program, home);
    if (paths.length === 0) throw new Error(`${folder}: ${program.command} has kept nothing`);
    const root = dirname(paths[0]);
    for (const path of paths) {
      const text = withoutForeign(readFileSync(path, "utf8"), program.isTalk);
      write(join(folder, relative(root, path)), noTrace(names(text)));
    }
  });
}

/** Records the runs into a folder. */
export async function recordRuns(folder, only) {
  for (const [name, program] of Object.entries(PROGRAMS)) {
    const sessions = Object.entries(program.sessions).filter(
      ([session]) => !only || only.test(`${name}.${session}`),
    );
    if (sessions.length === 0) continue;
    await withCleanUp(async (t) => {
      const found = await installed(t, { ...NODE, ...program.packages }, { hasScripts: true });
      const bin = join(found.folder, "node_modules", ".bin");
      for (const [session, script] of sessions) {
        await recordRun(join(folder, `${name}.${session}`), program, script, bin);
      }
    });
  }
}
