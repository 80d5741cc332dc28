// Shared by the tests of the package: the packed tarball, throw-away projects that install it, and a
// browser.
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { basename, dirname, extname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { isViewer } from "../../scripts/build/package-files.mjs";
import { at, cache, files, root, run } from "../../scripts/lib.mjs";
import { declaredNeeds } from "../../scripts/node-tests.mjs";

export { at, files, root, run };

/** A file of tests/package/fixtures. */
export const fixture = (...parts) =>
  join(dirname(fileURLToPath(import.meta.url)), "fixtures", ...parts);

/** The files to pack; an error while nothing is built. */
function toPack() {
  if (!existsSync(at("pkg", "web.mjs"))) {
    throw new Error("There is no built package: run `npm run build` first.");
  }
  return [at("package.json"), ...files(at("pkg"))];
}

async function packed() {
  const hash = createHash("sha256");
  for (const path of toPack()) hash.update(`${relative(root, path)}\0`).update(readFileSync(path));
  const folder = join(cache, "packed", hash.digest("hex").slice(0, 16));
  if (!existsSync(folder)) {
    // Several test files may do this at once: each packs, and the folder of the first is kept.
    const own = `${folder}.${process.pid}`;
    mkdirSync(own, { recursive: true });
    try {
      const args = ["pack", "--json", "--ignore-scripts", "--silent", "--pack-destination", own];
      writeFileSync(join(own, "list.json"), await run("npm", args, { quiet: true }));
      renameSync(own, folder);
    } catch (error) {
      if (!existsSync(folder)) throw error;
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
    sweep(folder);
  }
  const [{ filename, files: list }] = JSON.parse(await readFile(join(folder, "list.json"), "utf8"));
  return { path: join(folder, filename), files: list.map((file) => file.path).sort() };
}

/** Removes tarballs of older builds, but not those that another process may be using. */
function sweep(folder) {
  const old = Date.now() - 600_000;
  for (const name of readdirSync(dirname(folder))) {
    const path = join(dirname(folder), name);
    // Another process that packs the same may have removed it in the meantime.
    const { mtimeMs = old } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (path !== folder && mtimeMs < old) rmSync(path, { recursive: true, force: true });
  }
}

let once;
/** Packs the package as for publishing; once for each build. */
export function tarball() {
  once ??= packed();
  return once;
}

/** What a test file says that it needs: without the viewer it finds none in its projects. */
const hasViewer = declaredNeeds(process.argv[1]).needs.includes("viewer");

/**
 * Puts the package into a project as `npm install` does, which takes a second and more:
 * tests/package/pack.test.mjs compares the two.
 */
function installIn(folder) {
  const own = join(folder, "node_modules", "apex-parts");
  const { bin, files: listed } = JSON.parse(readFileSync(at("package.json"), "utf8"));
  const filter = (path) => hasViewer || !isViewer(path);
  for (const name of ["package.json", "README.md", ...listed]) {
    cpSync(at(name), join(own, name), { recursive: true, filter });
  }
  mkdirSync(join(folder, "node_modules", ".bin"));
  for (const [name, file] of Object.entries(bin)) {
    chmodSync(join(own, file), 0o755);
    symlinkSync(join("..", "apex-parts", file), join(folder, "node_modules", ".bin", name));
  }
}

/**
 * A new project with these files, in which the package is installed. Its tools (bundlers, compilers) are
 * found in the repository, which contains it.
 */
export async function consumer(name, contents = {}, manifest = {}) {
  toPack();
  // Test files run side by side: each has projects of its own, whatever names others give theirs.
  const folder = join(cache, "consumers", `${basename(process.argv[1], ".test.mjs")}.${name}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const own = { name: `consumer-${name}`, version: "0.0.0", private: true, ...manifest };
  write(folder, { "package.json": JSON.stringify(own, null, 2), ...contents });
  // On Windows npm writes scripts for the commands, not links.
  if (process.platform === "win32") await npmInstall(folder);
  else installIn(folder);
  return folder;
}

/** Installs the tarball in a project, with npm. */
export async function npmInstall(folder) {
  const { path } = await tarball();
  const flags = ["--offline", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
  await run("npm", ["install", ...flags, "--no-package-lock", "--silent", path], {
    quiet: true,
    cwd: folder,
  });
}

/** Writes files, given as `{path: text}`. */
export function write(folder, contents) {
  for (const [name, text] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Runs a file of a project and returns its output, parsed if it is JSON. */
export async function node(folder, ...args) {
  const printed = await run(process.execPath, args, { quiet: true, cwd: folder });
  try {
    return JSON.parse(printed);
  } catch {
    return printed;
  }
}

/** The beginning of a CommonJS script whose `read` lists the modules (.wasm) that are read from files. */
export const LISTS_MODULES = `const fs = require("node:fs");
const read = [];
const { readFileSync } = fs;
fs.readFileSync = (path, ...more) => {
  if (String(path).endsWith(".wasm")) read.push(String(path).split("/").at(-1));
  return readFileSync(path, ...more);
};
`;

/** The package as required by a project's CommonJS files, in this process. */
export const requireFrom = (folder) => createRequire(join(folder, "index.cjs"));

/** The command file of a tool, by package. */
export function tool(name, command = name) {
  const manifest = at("node_modules", name, "package.json");
  const { bin } = createRequire(import.meta.url)(manifest);
  return join(dirname(manifest), typeof bin === "string" ? bin : bin[command]);
}

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
};

/** Serves a folder on a free port of this machine. */
export async function serveFolder(folder) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const name = normalize(pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    try {
      const body = await readFile(join(folder, name));
      response.writeHead(200, {
        "content-type": TYPES[extname(name)] ?? "application/octet-stream",
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** A headless Chromium. What drives it is loaded only here: that takes a moment, and most files need none. */
export async function browser() {
  const { launch } = await import("../chromium.mjs");
  return launch();
}

/**
 * Opens a page and waits until it has set `globalThis.result`: returns that, and the errors and failed
 * requests of the page.
 */
export async function visit(chromium, url) {
  const page = await chromium.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("requestfailed", (request) => complaints.push(`no answer: ${request.url()}`));
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });
  try {
    await page.goto(url);
    await page
      .waitForFunction(() => globalThis.result !== undefined, undefined, { timeout: 10_000 })
      .catch(() => complaints.push("the page gave no result"));
    return { result: await page.evaluate(() => globalThis.result), complaints };
  } finally {
    await page.close();
  }
}
