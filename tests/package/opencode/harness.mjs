// The real OpenCode (npm `opencode-ai`), with a home of its own and a scripted model, and without network: its
// commands `import`, `run` and `export` as a user calls them.
import { spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { at } from "../helper.mjs";
import { scriptedModel } from "./scripted-model.mjs";

/** A command that takes longer than this hangs. They take about two seconds. */
const DEADLINE = 240_000;

/** The model of the sessions here and of the recorded ones. */
export const MODEL = { providerID: "mock", modelID: "script" };

/** The packages that may hold the program for this machine, the most likely first. */
function packages() {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const base = `opencode-${system}-${process.arch}`;
  return ["", "-baseline", "-musl", "-baseline-musl"].map((kind) => base + kind);
}

/** The programs that are installed: OPENCODE_PATH, or those that came with `opencode-ai`. */
function programs() {
  const { OPENCODE_PATH: own } = process.env;
  if (own) return [own];
  // The program is taken from the package of the platform: nothing here depends on an install script.
  const { resolve } = createRequire(at("package.json"));
  const found = [];
  for (const name of packages()) {
    try {
      const folder = dirname(resolve(`${name}/package.json`));
      found.push(join(folder, "bin", process.platform === "win32" ? "opencode.exe" : "opencode"));
    } catch {
      // not for this machine, or not installed
    }
  }
  return found.filter(existsSync);
}

/** Kills a program and what it started. */
function killAll(child) {
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // none is left
  }
}

const running = new Set();
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** A test that is stopped leaves no program behind: their process groups do not end with its own. */
function stop(signal) {
  for (const child of running) killAll(child);
  for (const name of SIGNALS) process.off(name, stop);
  process.kill(process.pid, signal);
}

function keep(child) {
  if (running.size === 0) for (const name of SIGNALS) process.on(name, stop);
  running.add(child);
}

function forget(child) {
  running.delete(child);
  if (running.size === 0) for (const name of SIGNALS) process.off(name, stop);
}

/** Runs a program; on the deadline it and what it started are killed. */
function execute(command, args, { cwd, env, out }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ["ignore", out ?? "pipe", "pipe"],
      detached: process.platform !== "win32", // a process group, which can be killed whole
    });
    keep(child);
    let hung = false;
    const timer = setTimeout(() => {
      hung = true;
      killAll(child);
    }, DEADLINE);
    const printed = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) {
      child[name]?.setEncoding("utf8").on("data", (text) => {
        printed[name] += text;
      });
    }
    const ended = () => {
      clearTimeout(timer);
      forget(child);
    };
    child.on("error", (error) => {
      ended();
      reject(error);
    });
    child.on("exit", () => killAll(child)); // otherwise what it started could hold the pipes open
    child.on("close", (code, signal) => {
      ended();
      if (hung) reject(new Error(`opencode ${args.join(" ")} did not end:\n${printed.stderr}`));
      else resolve({ code: code ?? signal, ...printed });
    });
  });
}

/** A proxy that lets nothing through and keeps what was wanted. */
async function closedProxy() {
  const wanted = [];
  const server = createServer((request, response) => {
    wanted.push(request.url);
    response.writeHead(403).end();
  });
  server.on("connect", (request, socket) => {
    wanted.push(request.url);
    socket.on("error", () => {});
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    wanted,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The environment of a home: nothing of the user's, and nothing that looks something up. */
function environment(home, proxy) {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: join(home, "tmp"),
    OPENCODE_TEST_HOME: home,
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_CLAUDE_CODE: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_EXTERNAL_SKILLS: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_PROJECT_CONFIG: "1",
    OPENCODE_DISABLE_SHARE: "1",
    OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER: "1",
    NO_PROXY: "127.0.0.1,localhost",
  };
  for (const kind of ["CACHE", "CONFIG", "DATA", "STATE"]) {
    env[`XDG_${kind}_HOME`] = join(home, kind.toLowerCase());
  }
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]) {
    env[name] = proxy.url;
    env[name.toLowerCase()] = proxy.url;
  }
  if (process.platform === "win32") {
    Object.assign(env, { USERPROFILE: home, TEMP: env.TMPDIR, SYSTEMROOT: process.env.SYSTEMROOT });
  }
  return env;
}

/**
 * Puts into a new home what makes OpenCode believe that its plugin package is installed: otherwise each command
 * asks the registry for it, and is at times not done before the command ends.
 */
function furnish(home) {
  const folder = join(home, "config", "opencode");
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  mkdirSync(join(home, "tmp"));
  const dependencies = { "@opencode-ai/plugin": "*" };
  const lock = { lockfileVersion: 3, packages: { "": { dependencies } } };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies }));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
}

let found;
/**
 * The program and its version, or `reason`: why there is none. A test that needs it says
 * `{ skip: (await findOpenCode()).reason }`.
 *
 * @returns {Promise<{ program?: string, version?: string, reason?: string }>}
 */
export function findOpenCode() {
  found ??= (async () => {
    const tried = programs();
    const why = [];
    for (const program of tried) {
      const home = mkdtempSync(join(tmpdir(), "opencode-version-"));
      try {
        furnish(home);
        const env = environment(home, { url: "http://127.0.0.1:9" });
        const { code, stdout, stderr } = await execute(program, ["--version"], { cwd: home, env });
        if (code === 0) return { program, version: stdout.trim() };
        why.push(`${program}: ${code} ${stderr.trim()}`);
      } catch (error) {
        why.push(`${program}: ${error.message}`);
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    }
    const reason =
      tried.length === 0
        ? `opencode-ai is not installed for ${process.platform}-${process.arch}`
        : `opencode-ai does not run here: ${why.join("; ")}`;
    return { reason: `left out: ${reason}` };
  })();
  return found;
}

/**
 * An OpenCode with an empty home, which goes with the test.
 *
 * @param {import("node:test").TestContext} t
 * @param {object} [options]
 * @param {import("./scripted-model.mjs").Answer[]} [options.answers] of the model, in order
 * @param {object} [options.limit] of the model
 * @param {object} [options.compaction] OpenCode's configuration of it
 */
export async function openCode(
  t,
  { answers = [], limit = { context: 24_000, output: 8_000 }, compaction = {} } = {},
) {
  const { program, reason } = await findOpenCode();
  if (reason) throw new Error(reason);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "opencode-")));
  const model = await scriptedModel(answers);
  const proxy = await closedProxy();
  t.after(async () => {
    await model.close();
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const [home, cwd] = [join(folder, "home"), join(folder, "project")];
  furnish(home);
  mkdirSync(cwd);

  const { providerID, modelID } = MODEL;
  const name = `${providerID}/${modelID}`;
  const config = {
    model: name,
    small_model: name,
    enabled_providers: [providerID],
    provider: {
      [providerID]: {
        npm: "@ai-sdk/openai-compatible",
        name: providerID,
        options: { baseURL: model.url, apiKey: "none" },
        models: {
          [modelID]: {
            ...{ name: modelID, limit, reasoning: true, attachment: true, tool_call: true },
            modalities: { input: ["text", "image"], output: ["text"] },
          },
        },
      },
    },
    ...{ compaction, autoupdate: false, share: "disabled", snapshot: false, lsp: false },
    ...{ formatter: false, permission: "allow" },
  };
  const env = environment(home, proxy);
  env.OPENCODE_CONFIG_CONTENT = JSON.stringify(config);

  let files = 0;
  const file = (kind) => join(folder, `${++files}.${kind}`);
  const command = (args, options) => execute(program, args, { cwd, env, ...options });

  /** What a command that must succeed printed. */
  async function succeeded(args, options) {
    const { code, stdout, stderr } = await command(args, options);
    if (code !== 0) {
      throw new Error(`opencode ${args.join(" ")} ended with ${code}:\n${stderr}${stdout}`);
    }
    return { stdout, stderr };
  }

  return {
    model,
    /** The folder in which OpenCode works. */
    cwd,
    /** What OpenCode wanted from beyond this machine; nothing of it got out. */
    outside: proxy.wanted,
    /** Any command: `{ code, stdout, stderr }`. */
    command,
    /** `opencode import` of a session `{ info, messages }`, or of a file. */
    async import(session) {
      const path = typeof session === "string" ? session : file("json");
      if (path !== session) await writeFile(path, JSON.stringify(session));
      return succeeded(["import", path]);
    },
    /** `opencode run --session`: one prompt, to the end of its turn. */
    prompt(sessionID, text) {
      // An argument with a blank in it would be sent in quotes; arguments are joined by blanks.
      return succeeded(["run", "--session", sessionID, "--model", name, "--", ...text.split(" ")]);
    },
    /** `opencode export`. Into a file: into a pipe a large session is cut. */
    async export(sessionID) {
      const path = file("json");
      const out = openSync(path, "w");
      try {
        await succeeded(["export", sessionID], { out });
      } finally {
        closeSync(out);
      }
      return JSON.parse(await readFile(path, "utf8"));
    },
  };
}
