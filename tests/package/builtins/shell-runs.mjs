// Runs texts in the real bash, in a throw-away folder in which nothing but harmless programs is found, and
// tells which of them ran the marker.
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The bash of the system. */
export const BASH = ["/bin/bash", "/usr/bin/bash"].find(existsSync);
const FOLDERS = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"];
const PROGRAMS = [
  "bash",
  "sh",
  "dash",
  "env",
  "cat",
  "ls",
  "echo",
  "printf",
  "true",
  "false",
  "xargs",
  "find",
  "nice",
  "nohup",
  "timeout",
  "stdbuf",
  "setsid",
  "head",
  "wc",
  "sort",
  "tr",
  "test",
  "ionice",
  "chrt",
  "taskset",
  "setarch",
  "prlimit",
  "flock",
  "script",
  "git",
];
/** A text that prints nothing for so long does not end: milliseconds. */
const STALL = 3000;

/** Each text is run in a subshell; a byte tells whether the marker ran. */
const DRIVER = `
ulimit -t 2 -f 256 -u "$2" 2>/dev/null
cd "$1/work" || exit
__m=$1/mark/mark
exec 8<&0 </dev/null 9>&1 >/dev/null 2>/dev/null
export FUNCNEST=40
while IFS= read -r -d '' __t <&8; do
  ( exec 8<&- 9>&-; set -- ; eval "$__t" ) </dev/null >/dev/null 2>&1
  if [[ -s $__m ]]; then : >"$__m"; printf 1 >&9; else printf 0 >&9; fi
done
`;
const ALONE = `
ulimit -t 2 -f 256 -u "$2" 2>/dev/null
cd "$1/work" || exit
bash -c "$3" </dev/null >/dev/null 2>&1
`;

/** How many tasks a text's user may have: those that run already count too. */
function mostTasks() {
  let running = 0;
  try {
    for (const name of readdirSync("/proc")) {
      if (/^\d+$/.test(name)) running += tasksOf(name);
    }
  } catch {
    return "unlimited"; // not on Linux
  }
  return String(running + 500);
}

function tasksOf(process) {
  try {
    return readdirSync(`/proc/${process}/task`).length;
  } catch {
    return 1; // it has ended, or is another user's
  }
}

/** Ends a process and its children. */
function kill({ pid }) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** A catalogue of gettext in which the translation of "hello" runs the marker. */
function messageCatalogue() {
  const head = Buffer.alloc(44);
  const message = Buffer.from("hello\0");
  const translation = Buffer.from("$(zap)x\0");
  const numbers = [0x950412de, 0, 1, 28, 36, 0, 44];
  numbers.push(message.length - 1, 44, translation.length - 1, 44 + message.length);
  numbers.forEach((number, at) => {
    head.writeUInt32LE(number, 4 * at);
  });
  return Buffer.concat([head, message, translation]);
}

export class ShellRuns {
  #root;
  #user;

  constructor() {
    this.#root = mkdtempSync(join(tmpdir(), "shell-runs-"));
    // Not as root: a text must not write anywhere else.
    this.#user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    for (const name of ["bin", "work", "mark", "home"]) mkdirSync(join(this.#root, name));
    const bin = join(this.#root, "bin");
    for (const name of PROGRAMS) {
      const folder = FOLDERS.find((path) => existsSync(join(path, name)));
      if (folder !== undefined) symlinkSync(join(folder, name), join(bin, name));
    }
    const mark = join(this.#root, "mark/mark");
    writeFileSync(mark, "");
    writeFileSync(join(bin, "zap"), `#!/bin/sh\necho >>${mark}\n`);
    for (const path of ["", "bin", "bin/zap"]) chmodSync(join(this.#root, path), 0o755);
    chmodSync(mark, 0o666);
    for (const name of ["work", "home", "mark"]) chmodSync(join(this.#root, name), 0o777);
    this.#furnish();
  }

  /** Makes the folder in which texts run as it is at first: a file of an earlier text may be a script. */
  #furnish() {
    const work = join(this.#root, "work");
    for (const name of readdirSync(work))
      rmSync(join(work, name), { recursive: true, force: true });
    writeFileSync(join(work, "a.txt"), "a\n");
    symlinkSync(join(this.#root, "bin"), join(work, "bin"));
    mkdirSync(join(work, "loc/C.UTF-8/LC_MESSAGES"), { recursive: true });
    writeFileSync(join(work, "loc/C.UTF-8/LC_MESSAGES/m.mo"), messageCatalogue());
  }

  #options() {
    const env = {
      PATH: join(this.#root, "bin"),
      HOME: join(this.#root, "home"),
      TMPDIR: join(this.#root, "home"),
      LC_ALL: "C.UTF-8",
      TERM: "dumb",
    };
    return { cwd: join(this.#root, "work"), env, detached: true, ...this.#user };
  }

  /** For each text whether the marker ran. */
  async all(texts) {
    const ran = [];
    while (ran.length < texts.length) await this.#some(texts, ran);
    return ran;
  }

  #some(texts, ran) {
    return new Promise((resolve) => {
      const child = spawn(BASH, ["-c", DRIVER, "driver", this.#root, mostTasks()], {
        ...this.#options(),
        stdio: ["pipe", "pipe", "ignore"],
      });
      let watch = setTimeout(() => kill(child), STALL);
      const end = () => {
        clearTimeout(watch);
        kill(child);
      };
      // It may be gone before it has read everything.
      child.stdin.on("error", () => {});
      child.stdout.on("data", (data) => {
        clearTimeout(watch);
        watch = setTimeout(() => kill(child), STALL);
        for (const byte of data) ran.push(byte === 0x31);
        if (ran.length >= texts.length) end();
      });
      child.on("close", () => {
        end();
        if (ran.length < texts.length) {
          // The text ended the driver, or did not end.
          ran.push(statSync(join(this.#root, "mark/mark")).size > 0);
          truncateSync(join(this.#root, "mark/mark"));
        }
        resolve();
      });
      child.stdin.end(`${texts.slice(ran.length).join("\0")}\0`);
    });
  }

  /** Whether one text runs the marker, in a bash and a folder of its own. */
  one(text) {
    this.#furnish();
    const mark = join(this.#root, "mark/mark");
    truncateSync(mark);
    return new Promise((resolve) => {
      const child = spawn(BASH, ["-c", ALONE, "alone", this.#root, mostTasks(), text], {
        ...this.#options(),
        stdio: "ignore",
      });
      const timer = setTimeout(() => kill(child), STALL);
      child.on("close", () => {
        clearTimeout(timer);
        // What runs in the background has a moment.
        setTimeout(() => {
          kill(child);
          resolve(statSync(mark).size > 0);
        }, 60);
      });
    });
  }

  close() {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
