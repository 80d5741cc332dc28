// Applies docs/guides/apex-bridge.md to a checkout of apex-bridge, section by section, and runs its compiler and its
// tests before and after each: `node scripts/bridge.mjs CHECKOUT`. The checkout has its packages installed; it is
// copied, and stays as it is. Run it before every change of the guide.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { patched, slicesOf } from "./bridge/guide.mjs";
import { at, run } from "./lib.mjs";

const [given, ...names] = process.argv.slice(2);
const checkout = given && resolve(given);
if (!checkout || !existsSync(join(checkout, "node_modules"))) {
  console.error(
    "Usage: node scripts/bridge.mjs CHECKOUT [SECTION …]\nCHECKOUT is a clone of apex-bridge in which `npm ci` has run; with SECTION only the sections whose names contain one of these words.",
  );
  process.exit(2);
}

const copy = mkdtempSync(join(tmpdir(), "bridge-"));
const inCopy = (...parts) => join(copy, ...parts);

/** Copies the sources; packages are links, so that ours can be put beside them. */
async function copySources() {
  const left = [".git", "node_modules"];
  for (const name of readdirSync(checkout).filter((name) => !left.includes(name))) {
    cpSync(join(checkout, name), inCopy(name), { recursive: true });
  }
  mkdirSync(inCopy("node_modules"));
  for (const name of readdirSync(join(checkout, "node_modules"))) {
    if (name !== "apex-parts")
      symlinkSync(join(checkout, "node_modules", name), inCopy("node_modules", name));
  }
  const [{ filename }] = JSON.parse(
    await run("npm", ["pack", "--json", "--pack-destination", copy], { quiet: true }),
  );
  await run("tar", ["xzf", filename], { quiet: true, cwd: copy });
  cpSync(inCopy("package"), inCopy("node_modules", "apex-parts"), { recursive: true });
  rmSync(inCopy("package"), { recursive: true });
  rmSync(inCopy(filename));
  await run("git", ["init", "-q"], { cwd: copy });
  writeFileSync(inCopy(".git", "info", "exclude"), "node_modules\n");
  await commit("before");
}

const git = (...args) =>
  run("git", ["-c", "user.name=guide", "-c", "user.email=guide@localhost", ...args], {
    quiet: true,
    cwd: copy,
  });

async function commit(message) {
  await git("add", "-A");
  await git("commit", "-qm", message, "--allow-empty");
}

function apply({ blocks }) {
  for (const { kind, path, text } of blocks) {
    const file = inCopy(path);
    if (kind === "remove") {
      rmSync(file);
      continue;
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, kind === "write" ? text : patched(readFileSync(file, "utf8"), text, path));
  }
}

/** What a program of the checkout prints, whether it fails or not. */
const output = (program, ...args) =>
  run(process.execPath, [inCopy("node_modules", ...program), ...args], {
    quiet: true,
    cwd: copy,
  }).catch(({ message }) => message);

async function typeErrors() {
  const lines = (await output(["typescript", "bin", "tsc"], "--noEmit", "--pretty", "false")).split(
    "\n",
  );
  // Without the position, which moves with the lines above.
  return lines
    .filter((line) => /error TS\d+/.test(line))
    .map((line) => line.replace(/\(\d+,\d+\)/, ""));
}

const RUNNERS = {
  vitest: [["vitest", "vitest.mjs"], "run", "--reporter=json"],
  // Its tests leave timers behind, so that jest would never end.
  jest: [["jest", "bin", "jest.js"], "--json", "--forceExit"],
};

/** The tests that failed since the last line of the table. */
const failed = [];

/** How many tests pass and fail with a runner. */
async function testCounts(runner, ...only) {
  const file = inCopy(".results.json");
  await output(...RUNNERS[runner], `--outputFile=${file}`, ...only);
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(file, "utf8"));
  rmSync(file);
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  for (const { status, fullName } of tests) if (status === "failed") failed.push(fullName);
  return `${numPassedTests} / ${numFailedTests}`;
}

async function linesChanged() {
  const rows = (await git("diff", "--numstat", "HEAD~1", "HEAD"))
    .trim()
    .split("\n")
    .filter(Boolean);
  const sums = rows.map((row) => row.split("\t").slice(0, 2).map(Number));
  return [1, 0].map((column) => sums.reduce((sum, row) => sum + row[column], 0));
}

function line(...cells) {
  console.log(`| ${cells.join(" | ")} |`);
  for (const name of failed.splice(0)) console.log(`failed: ${name}`);
}

/** How many tests of the service itself pass and fail, after all sections. */
async function serviceCounts() {
  mkdirSync(inCopy("guide"));
  cpSync(at("scripts", "bridge", "service.mjs"), inCopy("guide", "service.test.js"));
  process.env.MCP_SERVER = at(
    ...["node_modules", "@modelcontextprotocol", "server-filesystem", "dist", "index.js"],
  );
  return testCounts("vitest", "guide");
}

await copySources();
const before = await typeErrors();
line(
  "section",
  "lines gone",
  "lines come",
  "new errors of tsc",
  "vitest: passed / failed",
  "jest: passed / failed",
);
line(...Array.from({ length: 6 }, () => "---"));
/** What is counted before the first section and after the last: jest compiles every test again. */
const whole = async () => [await testCounts("vitest"), await testCounts("jest")];
line("before", "", "", `(${before.length} before)`, ...(await whole()));
const slices = slicesOf(readFileSync(at("docs", "guides", "apex-bridge.md"), "utf8")).filter(
  ({ name }) => names.length === 0 || names.some((word) => name.includes(word)),
);
let wrong = 0;
for (const slice of slices) {
  apply(slice);
  await commit(slice.name);
  const errors = (await typeErrors()).filter((error) => !before.includes(error));
  wrong += errors.length;
  line(slice.name, ...(await linesChanged()), errors.length, await testCounts("vitest"), "");
  for (const error of errors) console.log(error);
}
line("after", "", "", "", ...(await whole()));
const isWhole = names.length === 0;
if (isWhole)
  line("the service (scripts/bridge/service.mjs)", "", "", "", await serviceCounts(), "");
console.log(`The copy is ${copy}: a commit a section.`);
process.exitCode = wrong > 0 || slices.length === 0 ? 1 : 0;
