// The real OpenCode (npm `opencode-ai`), with a home of its own and a scripted model, and without network: its
// commands `import`, `run` and `export` as a user calls them, and its server.
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { scriptedModel } from "./model.mjs";
import { execute } from "./processes.mjs";
import { programs } from "./program.mjs";
import { startServer } from "./server.mjs";

/** The model of all sessions. */
export const MODEL = { providerID: "mock", modelID: "script" };

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
    // Of its runtime (Bun): a command ends before code that is compiled a second time is worth it.
    BUN_JSC_useDFGJIT: "0",
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
 * @param {import("./model.mjs").Answer[]} [options.answers] of the model, in order
 * @param {object} [options.limit] of the model
 * @param {object} [options.compaction] OpenCode's configuration of it
 * @param {boolean} [options.counts] whether the model counts what it reports
 * @param {object} [options.config] more of OpenCode's configuration
 * @param {Record<string, string>} [options.env] more of its environment
 * @param {string} [options.folder] where everything is; a new one is made otherwise
 * @param {string} [options.home] in it
 * @param {string} [options.cwd] in it: where OpenCode works
 * @param {string} [options.path] a folder of programs that come first
 */
export async function openCode(t, options = {}) {
  const { answers = [], limit = { context: 24_000, output: 8_000 }, compaction = {} } = options;
  const { program, reason } = await findOpenCode();
  if (reason) throw new Error(reason);
  const folder = options.folder ?? realpathSync(mkdtempSync(join(tmpdir(), "opencode-")));
  const model = await scriptedModel(answers, { counts: options.counts });
  const proxy = await closedProxy();
  t.after(async () => {
    await model.close();
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { home = join(folder, "home"), cwd = join(folder, "project") } = options;
  furnish(home);
  mkdirSync(cwd, { recursive: true });

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
    ...options.config,
  };
  const env = environment(home, proxy);
  Object.assign(env, options.env);
  if (options.path) env.PATH = [options.path, env.PATH].join(delimiter);
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
    /** `opencode serve`, until the place goes. */
    serve: () => startServer(t, { program, cwd, env, model: MODEL }),
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
