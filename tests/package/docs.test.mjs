// Every block of code in README.md and docs/: programs compile under `strict` with the packed package and run,
// with what their comments say of a line; commands and flags exist; JSON is JSON. A block is left out only by a
// comment directly above it that says why (`<!-- not run: … -->`, `<!-- not compiled: … -->`), or that names the
// test that runs it (`<!-- run by: … -->`).
// Needs: viewer.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { noRedis, startRedis } from "../store/redis.mjs";
import { commands, wrong } from "./docs/commands.mjs";
import { page, pageNames } from "./docs/pages.mjs";
import { programs } from "./docs/programs.mjs";
import { at, consumer, run, tool, write } from "./helper.mjs";

const here = (...parts) => join(dirname(fileURLToPath(import.meta.url)), "docs", ...parts);
const CODE = ["js", "ts", "mjs", "mts"];
const LANGUAGES = [...CODE, "diff", "sh", "json", "html", "text"];

const pages = pageNames().map(page);
const blocks = pages.flatMap((one) => one.blocks);
/** Those that no other test runs. */
const ours = blocks.filter(({ marker }) => marker !== "run by");
const where = ({ page, line }) => `${page}:${line}`;
const compiled = (block) =>
  CODE.includes(block.language) && !["not compiled", "run by"].includes(block.marker);

const OPTIONS = {
  strict: true,
  // `exactOptionalPropertyTypes` and the like are settings of a program; `strict` is what most have.
  module: "nodenext",
  target: "es2023",
  lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable", "ESNext.Disposable"],
  types: ["node"],
  // The declarations of other packages are not tested here; those of ours are in types.test.mjs.
  skipLibCheck: true,
  inlineSourceMap: true,
  outDir: "out",
  rootDir: ".",
};

let folder;
let made = [];
let errors = "";

/** The places of a page in place of those of the programs that were made of it. */
function inPages(text) {
  return text.replaceAll(/[\w./-]*programs\/([\w.-]+)\.mts[:(](\d+)/g, (all, stem, line) => {
    const program = made.find((one) => one.stem === stem);
    return program?.places[Number(line) - 1] || all;
  });
}

before(async () => {
  made = pages.flatMap((one) =>
    programs({ ...one, blocks: one.blocks.filter(compiled) }, here("preambles")),
  );
  folder = await consumer("docs", {
    "tsconfig.json": JSON.stringify({ compilerOptions: OPTIONS }),
  });
  write(folder, Object.fromEntries(made.map(({ stem, text }) => [`programs/${stem}.mts`, text])));
  cpSync(here("shown.mts"), join(folder, "shown.mts"));
  cpSync(here("ambient.d.ts"), join(folder, "ambient.d.ts"));
  // What blocks start with npx is installed, as far as npx can tell.
  const server = join("node_modules", "@modelcontextprotocol", "server-filesystem");
  mkdirSync(join(folder, dirname(server)), { recursive: true });
  symlinkSync(at(server), join(folder, server));
  const flags = ["--pretty", "false", "-p", "."];
  errors = await new Promise((resolve) =>
    execFile(
      process.execPath,
      [tool("typescript7", "tsc"), ...flags],
      { cwd: folder, maxBuffer: 1 << 26 },
      (_, stdout, stderr) => resolve(stdout + stderr),
    ),
  );
});

test("every block says its language, and what is left out says why", (t) => {
  for (const block of blocks) {
    if (block.marker === "run by" && block.page.startsWith("docs/environments/")) continue;
    assert.ok(LANGUAGES.includes(block.language), `${where(block)}: "${block.language}"`);
    if (block.marker === "run by") {
      assert.ok(existsSync(at(block.why)), `${where(block)}: no file ${block.why}`);
    } else if (block.marker) t.diagnostic(`${where(block)} is ${block.marker}: ${block.why}`);
  }
});

test("every program compiles under strict", () => {
  assert.equal(inPages(errors), "");
});

test("what is called JavaScript is JavaScript", async () => {
  for (const block of ours.filter(({ language }) => ["js", "mjs"].includes(language))) {
    await assert.doesNotReject(transform(block.text, { loader: "js" }), where(block));
  }
});

test("JSON is JSON", () => {
  for (const block of ours.filter(({ language }) => language === "json")) {
    assert.doesNotThrow(() => JSON.parse(block.text), where(block));
  }
});

test("commands, their flags, scripts and files exist", async () => {
  const help = await run(process.execPath, [at("pkg", "cli.mjs"), "--help"], { quiet: true });
  const { scripts } = JSON.parse(readFileSync(at("package.json"), "utf8"));
  for (const block of ours.filter(({ language }) => language === "sh")) {
    for (const { words, line } of commands(block)) {
      const found = wrong(words, { help, scripts });
      assert.deepEqual(found, [], `${block.page}:${line}: ${words.join(" ")}`);
    }
  }
});

const streamed = (...of) => readFileSync(at("tests", "fixtures", ...of));
/** Events without names. */
const sse = (...events) =>
  events.map((one) => `data: ${typeof one === "string" ? one : JSON.stringify(one)}\n\n`).join("");
const CHUNKS = [
  { type: "start", messageId: "msg_3" },
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: "Hello" },
  { type: "text-end", id: "0" },
  { type: "finish", finishReason: "stop" },
];
/** What blocks ask, by address: each always streams the same answer. */
const ANSWERS = {
  "/v1/messages": streamed("streams", "blocks.anthropic.sse"),
  "/api/chat": sse(...CHUNKS, "[DONE]"),
  "/bridge": sse(
    { requestId: "req_1" },
    { reasoning_content: "Look.", content: null, step_number: 0, iteration: 0 },
    { reasoning_content: null, content: "Hello", step_number: 0, iteration: 0 },
    "[DONE]",
  ),
  "/event": streamed("formats", "opencode-events.txt"),
};
const model = createServer(({ url }, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(ANSWERS[url]);
});
let redis;
const env = { ...process.env, npm_config_offline: "true" };
before(async () => {
  await new Promise((resolve) => model.listen(0, "127.0.0.1", resolve));
  env.OPENCODE_URL = `http://127.0.0.1:${model.address().port}`;
  env.MODEL_URL = `${env.OPENCODE_URL}/v1/messages`;
  env.APEX_BRIDGE_URL = `${env.OPENCODE_URL}/bridge`;
  env.AI_SDK_URL = `${env.OPENCODE_URL}/api/chat`;
  if (noRedis) return;
  redis = await startRedis();
  env.REDIS_URL = `redis://127.0.0.1:${redis.port}`;
});
after(async () => {
  model.close();
  await redis?.stop();
});

/** Files that blocks read, by the names that they use; in the first is what the pages search for. */
const PLACE = {
  "session.json": ["formats", "codex.txt"],
  "session.jsonl": ["formats", "claude-code.txt"],
  "export.json": ["formats", "opencode-export.txt"],
  "stream.sse": ["streams", "blocks.anthropic.sse"],
  "runs/first.jsonl": ["formats", "codex.txt"],
};
/** Files that commands read. */
const TEXTS = {
  "summary.md": "## Objective\nRepair it.\n",
  "skills/pdf-tools/SKILL.md": "---\nname: pdf-tools\ndescription: Reads PDFs\n---\n# Do it\n",
  "src/app.ts": "export {};\n",
  "a.txt": "one\n",
  a: "1\n",
};

test("the commands of the package are understood: none ends with 2", async () => {
  const cli = join(folder, "node_modules", "apex-parts", "pkg", "cli.mjs");
  const cwd = place("commands");
  write(cwd, TEXTS);
  const shell = ours.filter(({ language, marker }) => language === "sh" && !marker);
  const all = shell.flatMap((block) =>
    commands(block).map((command) => ({ ...command, page: block.page })),
  );
  let count = 0;
  for (const { words, line, page } of all) {
    const args = words.slice(words.indexOf("apex-parts") + 1);
    const isOurs = words[0] === "apex-parts" || (words[0] === "npx" && words[1] === "apex-parts");
    if (!isOurs) continue;
    count++;
    const { code, said } = await new Promise((resolve) => {
      const child = execFile(process.execPath, [cli, ...args], { cwd }, (error, out, err) =>
        resolve({ code: error?.code ?? 0, said: out + err }),
      );
      child.stdin.end();
      // The viewer runs until it is stopped.
      child.stdout.on("data", (chunk) => {
        if (/^http:\/\/127\.0\.0\.1:/.test(chunk)) child.kill("SIGINT");
      });
    });
    assert.ok(code === 0 || code === 1, `${page}:${line}: ${words.join(" ")}\n${said}`);
  }
  assert.ok(count > 20, `${count}`);
});

/** Makes the folder in which something of a page runs. */
function place(name) {
  const cwd = join(folder, "places", name);
  mkdirSync(cwd, { recursive: true });
  for (const [file, of] of Object.entries(PLACE)) write(cwd, { [file]: streamed(...of) });
  return cwd;
}

/** Runs a program in a folder of its own, and returns what it printed; rejects if it fails or does not end. */
function ran({ stem }) {
  const cwd = place(stem);
  const file = join(folder, "out", "programs", `${stem}.mjs`);
  const child = spawn(process.execPath, ["--enable-source-maps", file], { cwd, env });
  const hung = setTimeout(() => child.kill(), 60_000);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.on("close", (code, signal) => {
      clearTimeout(hung);
      if (code === 0) resolve(output);
      else reject(new Error(`it ended with ${code ?? signal}:\n${inPages(output)}`));
    });
  });
}

describe("every page runs", { concurrency: Math.min(4, availableParallelism()) }, () => {
  for (const one of pages) {
    const runs = one.blocks.filter((block) => compiled(block) && !block.marker);
    if (runs.length === 0) continue;
    const skip = runs.some(({ text }) => text.includes('from "redis"')) && noRedis;
    test(one.name, { skip }, async (t) => {
      const stem = one.name.replace(/\.md$/, "").replaceAll("/", "-");
      const own = made.filter((one) => one.runs && one.stem.replace(/-\d+$/, "") === stem);
      assert.ok(own.length > 0);
      for (const program of own) {
        const output = await ran(program);
        if (process.env.SHOW) t.diagnostic(output);
      }
    });
  }
});

test("docs/streams.md lists the payload of each kind of delta, as the types have it", () => {
  const declared = readFileSync(at("pkg", "index.d.ts"), "utf8");
  const [, union] = /export type MessageDelta = ([\s\S]*?\}\));/.exec(declared);
  const types = new Map();
  for (const [, kinds, fields] of union.matchAll(/\{ kind: ([^;]+); payload: \{(.*?)\} \}/g)) {
    const names = [...fields.matchAll(/(?:^|;) (\w+)(\??):/g)].map(([, name, mark]) => name + mark);
    for (const [, kind] of kinds.matchAll(/"(\w+)"/g)) types.set(kind, names);
  }
  const told = new Map();
  const text = readFileSync(at("docs", "streams.md"), "utf8");
  for (const [, kinds, fields] of text.matchAll(
    /^\| ((?:`\w+`(?:, )?)+) +\| ((?:`\w+`\??(?:, )?)+) +\|$/gm,
  )) {
    const names = fields
      .trim()
      .split(", ")
      .map((field) => field.replaceAll("`", ""));
    for (const [, kind] of kinds.matchAll(/`(\w+)`/g)) told.set(kind, names);
  }
  assert.ok(types.size >= 9, [...types.keys()].join());
  assert.deepEqual(told, types);
});
