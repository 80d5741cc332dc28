// The pages of docs/environments: what they say to write, to run and to expect, and the table of them. The tests
// do what the pages say, so an example stands once.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fences } from "./fences.mjs";
import { at, cache, isMain, main } from "./lib.mjs";
import { aligned } from "./markdown.mjs";

const docs = at("docs", "environments");
const index = join(docs, "README.md");
const RESULTS = join(cache, "environments.json");

/** What a page does: ```` ```js main.js ````, ```` ```sh ````, ```` ```text console of dist/index.html ````. */
function stepsOf(text) {
  return fences(text, index).map(({ language, info, text: content }) => {
    if (language === "sh") return { commands: content.trimEnd().split("\n") };
    if (language === "text") return { expected: content.trimEnd(), of: info || "output" };
    return { file: info || undefined, content };
  });
}

/** What npm installs for an environment besides the package, as on the page. */
const packagesOf = (steps) =>
  steps
    .flatMap(({ commands = [] }) => commands)
    .filter((line) => line.startsWith("npm install "))
    .flatMap((line) => line.split(" ").slice(2))
    .filter((name) => name !== "apex-parts");

/** The packages of a page that have another name in this repository, which has two versions of them. */
const ALIASES = { typescript: "typescript7", "typescript@5": "typescript" };

/** The folder of a package in this repository, from its name on a page. */
export const folderOf = (spec) => at("node_modules", ALIASES[spec] ?? spec);

function versionOf(spec) {
  const manifest = JSON.parse(readFileSync(join(folderOf(spec), "package.json"), "utf8"));
  return `${spec.replace(/@\d+$/, "")} ${manifest.version}`;
}

const anchor = (title) =>
  title
    .toLowerCase()
    .replace(/[^\w -]/g, "")
    .replaceAll(" ", "-");

/** A section of a page: one environment. */
function environmentOf(page, text, intro) {
  const title = text.slice(3, text.indexOf("\n"));
  const steps = stepsOf(text);
  const settings = /^Settings: (.*)\.$/m.exec(text)?.[1];
  const first = steps.find(({ expected }) => expected !== undefined);
  if (settings === undefined || first === undefined) {
    throw new Error(`${page}: "${title}" says no settings, or not what is printed`);
  }
  const packages = [...new Set(packagesOf([...intro, ...steps]))];
  const used = packages.map(versionOf);
  if (used.length === 0) used.push("Node 20 or newer");
  if (/^console|^body/.test(first.of)) used.push("Chromium");
  return { page, title, steps, settings, packages, used, prints: first.expected };
}

/**
 * The pages with their environments. The files of `intro` belong to every environment of the page; if it has
 * commands, these run once for all of them.
 */
export function pages() {
  return readdirSync(docs)
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .sort()
    .map((name) => {
      const [head, ...sections] = readFileSync(join(docs, name), "utf8").split(/^(?=## )/m);
      const intro = stepsOf(head);
      return { name, intro, environments: sections.map((s) => environmentOf(name, s, intro)) };
    });
}

/** The table; `result` tells what became of an environment. */
export function table(result) {
  const rows = pages().flatMap(({ environments }) =>
    environments.map((environment) => [
      `[${environment.title}](${environment.page}#${anchor(environment.title)})`,
      environment.used.join(", "),
      result(environment),
      environment.settings,
      `\`${environment.prints}\``,
    ]),
  );
  return aligned([["environment", "with", "result", "settings", "first printed part"], ...rows]);
}

/** What the index says of every environment that a test runs. */
export const WORKS = "works";

export const indexText = () => readFileSync(index, "utf8");

/** What the index says was not tried, as its table. */
export const notTried = () =>
  /^## Not tried here\n[\s\S]*?(^\|[\s\S]*?)\n*$/m.exec(indexText())?.[1];

/** Records what became of the environments in a run of the tests. */
export const record = (results) => writeFileSync(RESULTS, JSON.stringify(results));

/** The table of the last run of the tests. */
export function lastRun() {
  const results = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")) : {};
  return `${table(({ title }) => results[title] ?? "not run")}\n\n${notTried() ?? ""}`;
}

// `node scripts/environments.mjs` writes the table into the index.
if (isMain(import.meta)) {
  main(async () => {
    const between = /(<!-- table -->\n)[\s\S]*?(\n<!-- \/table -->)/;
    const text = indexText().replace(
      between,
      (_, begin, end) => `${begin}\n${table(() => WORKS)}\n${end}`,
    );
    writeFileSync(index, text);
  });
}
