// The reference: every exported name and the pages of docs/, as static HTML that can be searched and needs no server.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { at, cache } from "./lib.mjs";
import { rulesPage } from "./rules.mjs";

/** The entries of the package: what each is for, and its declarations. */
export const ENTRIES = {
  "apex-parts": [
    "index",
    "Everything that needs no machine: parts, streams, transcripts, loops, tools, skills, MCP, compaction.",
  ],
  "apex-parts/core": [
    "core",
    "What a program that assembles streams needs, in a module a quarter as large. The names are those of `apex-parts`.",
  ],
  "apex-parts/tools": ["tools", "The built-in tools over a host, with skills and MCP."],
  "apex-parts/node": [
    "host",
    "The machine, for Node: files, shell, fetch, ripgrep; skills from folders.",
  ],
  "apex-parts/store": [
    "store",
    "Runs that outlive their process: writers, readers, HTTP, in memory.",
  ],
  "apex-parts/store/redis": ["store-redis", "The same in Redis Streams, over your own client."],
  "apex-parts/viewer": ["viewer", "`<apex-transcript>`: the viewer in a page of yours."],
  "apex-parts/apex-bridge": [
    "apex-bridge",
    "The names of apex-bridge's `message-v2.ts` and `tool-state.ts`, and no others.",
  ],
};

/** Wide tables scroll in themselves, not the page with them. */
const STYLE = `.tsd-typography table {
  display: block;
  max-width: 100%;
  width: max-content;
  overflow-x: auto;
}
`;

const PLAYGROUND = "playground/index.html";
const folder = join(cache, "reference");

/** Writes a file an entry, which gives it its name in the reference; returns the files. */
function entryFiles() {
  rmSync(folder, { recursive: true, force: true });
  const options = {
    ...{ strict: true, module: "nodenext", moduleResolution: "nodenext", target: "es2022" },
    ...{ lib: ["es2023", "dom"], types: [], noEmit: true },
  };
  const paths = Object.entries(ENTRIES).map(([name, [declarations, purpose]]) => {
    const path = join(folder, `${name}.d.ts`);
    const from = JSON.stringify(at("pkg", `${declarations}.js`));
    const all = [`export * from ${from};`];
    if (declarations === "index") all.push(`export { default } from ${from};`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `/**\n * ${purpose}\n * @module ${name}\n */\n${all.join("\n")}\n`);
    return path;
  });
  const config = join(folder, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions: options, files: paths }));
  return { paths, config };
}

const FORGE =
  /https:\/\/(?:github\.com\/apex-parts\/apex-parts\/blob|raw\.githubusercontent\.com\/apex-parts\/apex-parts)\/main\//g;

/** README, whose links are absolute for npm and forges: here they lead to the pages beside it. */
function startPage() {
  const page = join(folder, "README.md");
  const text = readFileSync(at("README.md"), "utf8").replace(/^# .*\n/, "");
  writeFileSync(page, text.replace(FORGE, "../../"));
  return page;
}

function styleSheet() {
  const file = join(folder, "style.css");
  writeFileSync(file, STYLE);
  return file;
}

/**
 * Runs `work` while the page of rules is among those of docs/, where links find it. It is made of the catalogue and not
 * committed; it stays only if it was there before.
 */
async function withRulesPage(work) {
  const page = at("docs", "rules.md");
  const stays = existsSync(page);
  writeFileSync(page, await rulesPage());
  try {
    await work();
  } finally {
    if (!stays) rmSync(page);
  }
}

/**
 * Writes the reference into a folder. Throws if a link leads nowhere or a declaration does not compile.
 *
 * @param {string} out
 */
export const writeReference = (out) => withRulesPage(() => writePages(out));

async function writePages(out) {
  const { Application, PageEvent } = await import("typedoc");
  const { paths, config } = entryFiles();
  const app = await Application.bootstrapWithPlugins({
    name: "apex-parts",
    entryPoints: paths,
    tsconfig: config,
    readme: startPage(),
    projectDocuments: ["*.md", "guides/*.md", "environments/*.md"].map((glob) => at("docs", glob)),
    customCss: styleSheet(),
    favicon: at("www", "public", "icon.svg"),
    navigationLinks: { Playground: PLAYGROUND },
    // Helpers of types: what has them says what they are for.
    intentionallyNotExported: ["Create", "CreateFrom", "SchemaOfType", "SchemaOfAny"],
    // The declarations are generated: there is no source to link to.
    disableSources: true,
    sort: ["kind", "alphabetical"],
    kindSortOrder: [
      "Document",
      "Module",
      "Namespace",
      "Class",
      "Function",
      "Variable",
      "Interface",
      "TypeAlias",
    ],
    highlightLanguages: [
      "diff",
      "js",
      "jsx",
      "ts",
      "tsx",
      "json",
      "jsonc",
      "html",
      "sh",
      "bash",
      "toml",
      "rust",
    ],
    logLevel: "Warn",
  });
  // Links of the navigation are the same text on each page: only from the first does it lead there.
  app.renderer.on(PageEvent.END, (page) => {
    const up = "../".repeat(page.url.split("/").length - 1);
    page.contents = page.contents?.replaceAll(`href="${PLAYGROUND}"`, `href="${up}${PLAYGROUND}"`);
  });
  const project = await app.convert();
  const isRight = project && !app.logger.hasErrors() && !app.logger.hasWarnings();
  if (!isRight) throw new Error("the reference has errors: see above");
  app.validate(project);
  await app.generateDocs(project, out);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) {
    throw new Error("the reference has errors: see above");
  }
}
