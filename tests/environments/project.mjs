// A throw-away project that does what a page of docs/environments says.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { basename, delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { folderOf } from "../../scripts/environments.mjs";
import { environment } from "../../scripts/lib.mjs";
import { consumer, run, serveFolder, tool, write } from "../package/helper.mjs";

/** No telemetry, no look for updates, no colours; what tools keep stays in the project. */
const variables = (folder) => ({
  CI: "1",
  NO_COLOR: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  WRANGLER_SEND_METRICS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  DENO_NO_UPDATE_CHECK: "1",
  DENO_DIR: join(folder, ".deno"),
  XDG_CONFIG_HOME: join(folder, ".config"),
  PATH: [join(folder, "node_modules", ".bin"), environment().PATH].join(delimiter),
});

/** How long a page of a browser may take until it prints, in milliseconds. */
const timeout = 60_000;

/** A port that was free a moment ago. */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A page on its origin, without the port that only this run has. */
const withoutPort = (text) =>
  text.replace(/http:\/\/(?:127\.0\.0\.1|localhost):\d+/g, "http://localhost");

/** What a page of a browser prints first: with `console.log`, or as an error that nobody caught. */
async function printed(chromium, url) {
  const page = await chromium.newPage();
  const seen = [];
  page.on("console", (message) => seen.push(message.text()));
  try {
    const logged = page.waitForEvent("console", { predicate: (m) => m.type() === "log", timeout });
    const thrown = page.waitForEvent("pageerror", { timeout });
    const first = Promise.any([
      logged.then((m) => m.text()),
      thrown.then(({ message }) => message),
    ]);
    await page.goto(url);
    return withoutPort(await first);
  } catch (error) {
    throw new Error(`${url} printed nothing but ${JSON.stringify(seen)}`, { cause: error });
  } finally {
    await page.close();
  }
}

/** The text that a page of a browser shows as it is: its first `<pre>`, which the browser makes for JSON. */
async function shown(chromium, url) {
  const page = await chromium.newPage();
  try {
    await page.goto(url);
    return await page.textContent("pre");
  } finally {
    await page.close();
  }
}

export class Project {
  #folder;
  #variables;
  #chromium;
  #output = "";
  #failed = false;
  #server;

  /** Installs the packed package into a folder of its own; `chromium` gives the browser when it is needed. */
  static async create(title, chromium) {
    const project = new Project();
    const name = title.toLowerCase().replace(/\W+/g, "-");
    project.#folder = await consumer(`environment-${name}`);
    project.#variables = variables(project.#folder);
    project.#chromium = chromium;
    return project;
  }

  /** Does the steps of a page, in their order. */
  async follow(steps) {
    for (const [i, { file, content, commands, expected, of }] of steps.entries()) {
      if (file !== undefined) write(this.#folder, { [file]: content });
      else if (commands !== undefined) await this.#commands(commands, steps[i + 1]?.of);
      else await this.#expect(expected, of);
    }
  }

  /** Runs the lines of a block; if a server is expected, the last one starts it. */
  async #commands(lines, of = "output") {
    await this.close();
    this.#output = "";
    for (const [i, line] of lines.entries()) {
      if (line.startsWith("npm install ")) this.#install(line.split(" ").slice(2));
      else if (i === lines.length - 1 && of.includes("http:")) await this.#serve(line);
      else await this.#run(line, of === "error");
    }
  }

  async #run(line, mayFail) {
    const command = `${line.replace(/^npx /, "")} 2>&1`;
    const options = { quiet: true, cwd: this.#folder, env: this.#variables };
    try {
      this.#output = await run("sh", ["-c", command], options);
      this.#failed = false;
    } catch (error) {
      if (!mayFail) throw error;
      this.#output = error.message;
      this.#failed = true;
    }
  }

  /** Tools are found in the repository, which contains the project. It has two compilers: the page's becomes the project's. */
  #install(specs) {
    for (const spec of specs) {
      const [name] = spec.split(/(?<=.)@/);
      const from = folderOf(spec);
      if (name === "apex-parts") continue;
      assert.ok(existsSync(from), `${spec} of the page is among the packages of the repository`);
      if (name !== "typescript") continue;
      const modules = join(this.#folder, "node_modules");
      mkdirSync(join(modules, ".bin"), { recursive: true });
      symlinkSync(from, join(modules, name));
      symlinkSync(tool(basename(from), "tsc"), join(modules, ".bin", "tsc"));
    }
  }

  /** Starts a server and waits until it answers. */
  async #serve(line) {
    const port = await freePort();
    const child = spawn("sh", ["-c", `exec ${line.replace(/^npx /, "")} --port ${port}`], {
      cwd: this.#folder,
      env: environment(this.#variables),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const ended = new Promise((resolve) => child.on("close", resolve));
    const server = { child, ended, url: `http://localhost:${port}/`, said: "" };
    this.#server = server;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        server.said += chunk;
      });
    }
    const answers = () =>
      fetch(server.url).then(
        () => true,
        () => false,
      );
    while (!(await answers())) {
      assert.equal(child.exitCode, null, `${line} ended:\n${server.said}`);
      await sleep(50);
    }
  }

  async #expect(expected, of) {
    if (of === "output" || of === "error") {
      assert.equal(this.#failed, of === "error", this.#output);
      const lines = this.#output.split("\n").map((line) => line.trim());
      for (const line of expected.split("\n")) {
        assert.ok(lines.includes(line.trim()), `"${line}" in what was printed:\n${this.#output}`);
      }
      return;
    }
    const [, what, place] = /^(console|body) of (.*)$/.exec(of);
    const look = what === "console" ? printed : shown;
    const chromium = await this.#chromium();
    if (place.startsWith("http:")) {
      const path = new URL(place).pathname.slice(1);
      assert.equal(await look(chromium, this.#server.url + path), expected, this.#server.said);
      return;
    }
    const [folder, page] = place.split("/");
    const { url, close } = await serveFolder(join(this.#folder, folder));
    try {
      assert.equal(await look(chromium, url + page), expected);
    } finally {
      await close();
    }
  }

  /** Ends the server, with the processes that it started. */
  async close() {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined || server.child.exitCode !== null) return;
    process.kill(-server.child.pid, "SIGTERM");
    await server.ended;
  }
}
