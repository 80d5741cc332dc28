// A built-in tool: its file over a host, where it is listed and judged, its tests, and its row in the pages.
import { all, atEndOf, before, changelog, countOneMore, sorted } from "./insertion.mjs";
import { spell } from "./names.mjs";
import { inText } from "./project.mjs";

const FOLDER = "ts/tools/builtins";
const INDEX = `${FOLDER}/index.ts`;
const PERMISSION = "crates/shell/src/permission.rs";
const CALLS = "tests/package/builtins/permissions.test.mjs";
const CARDS = "www/src/core/model/tools.ts";

const OWN = "npm test -- tests/package/builtins/{{name}}.test.mjs";
const CALLED = `npm test -- ${CALLS}`;

/** What a host need not have: the tools that need it are in no count of those that every host has. */
const MORE = ["runTask", "search", "codeSearch"];

/** The ids that the files of the tools define, by the names under which they are exported. */
function defined(project) {
  const files = project.list(FOLDER).filter((name) => name.endsWith(".ts"));
  const texts = files.map((name) => project.read(`${FOLDER}/${name}`)).join("\n");
  const found = texts.matchAll(
    /^export const (\w+Tool) = [^;]*?define(?:<.*?>)?\(\s*"([a-z-]+)"/gm,
  );
  return new Map([...found].map(([, exported, id]) => [exported, id]));
}

/** Of the lines of the list in the index: the exported name of each tool, and what it needs. */
function listed(project) {
  const [, list] =
    /const TOOLS: BuiltIn\[\] = \[([\s\S]*?)\n\];/.exec(project.read(INDEX) ?? "") ?? [];
  const lines = (list ?? "").matchAll(/^ {2}\[(\w+)((?:, "\w+")*)\],$/gm);
  return [...lines].map(([, exported, needs]) => [exported, needs.match(/\w+/g) ?? []]);
}

function names(project) {
  const ids = defined(project);
  const all = [
    ...ids.values(),
    ...listed(project).map(([exported]) => ids.get(exported) ?? exported),
  ];
  return [...new Set(all)];
}

/** Of a name with a hyphen, the line with its second name; the number of lines stands before them. */
function secondName(all, { name, joined }) {
  if (name === joined) return all;
  const [, count] = /const TWO: \[\[&str; 2\]; (\d+)\]/.exec(all) ?? [];
  if (count === undefined) throw new Error(`${PERMISSION} has no TWO; nothing was written`);
  return all
    .replace(`[[&str; 2]; ${count}]`, `[[&str; 2]; ${Number(count) + 1}]`)
    .replace(/(const TWO: [\s\S]*?)\n {4}\];/, `$1\n        ["${name}", "${joined}"],\n    ];`);
}

export const tool = {
  says: "a built-in tool",
  example: "word-count",
  spell,
  names,
  test: ({ name }) => `npm test -- tests/package/builtins/${name}.test.mjs`,
  places: [
    {
      path: `${FOLDER}/{{name}}.ts`,
      template: "tool/tool.ts.txt",
      shown: OWN,
      write: 'a tool that is defined with the id "{{name}}"',
      has: (project, { name }) => [...defined(project).values()].includes(name),
    },
    {
      path: `tests/package/builtins/{{name}}.test.mjs`,
      template: "tool/test.mjs.txt",
      shown: OWN,
      write: "a test that calls it",
      has: (project, { name }) => {
        const folder = "tests/package/builtins";
        // Those two call every tool.
        const shared = ["entries.test.mjs", "permissions.test.mjs"];
        const own = project.list(folder).filter((file) => file.endsWith(".test.mjs"));
        return own.some(
          (file) =>
            !shared.includes(file) && project.read(`${folder}/${file}`).includes(`"${name}"`),
        );
      },
    },
    {
      path: INDEX,
      insert: all(
        sorted(/^import .* from "\.\/.*";$/, 'import { {{camel}}Tool } from "./{{name}}.ts";'),
        before('  [webSearchTool, "search"],\n', '  [{{camel}}Tool, "fs"],\n'),
        // In the comment that lists them.
        before(", and task,", ", {{name}}"),
      ),
      write: "a line in `TOOLS`, with what it needs of a host",
      has: (project, { name }) => {
        const ids = defined(project);
        return listed(project).some(([exported]) => ids.get(exported) === name);
      },
    },
    {
      path: PERMISSION,
      insert: secondName,
      write: "its second name in `other_name`: rules may give either",
      shown: CALLED,
      has: inText(
        PERMISSION,
        (all, { name, joined }) => name === joined || all.includes(`"${name}", "${joined}"`),
      ),
    },
    {
      path: CALLS,
      insert: atEndOf(
        "const CALLS = {",
        "\n};",
        '\n  "{{name}}": { path: "WRITE: arguments of a first call" },',
      ),
      write:
        "a call of it in `CALLS`: what it asks must turn it off (`permission_of` in crates/shell/src/permission.rs)",
      shown: CALLED,
      has: inText(CALLS, (all, { name }) => new RegExp(`^ {2}"?${name}"?: \\{`, "m").test(all)),
    },
    {
      path: "tests/package/builtins/entries.test.mjs",
      insert: (all, { name, joined }) => {
        const added = all.replace(/^const IDS = "[^"]*/m, `$& ${name}`);
        const both = added.replace(/(opencode:\s*"[^"]*) websearch"/, `$1 ${joined} websearch"`);
        if (added === all || both === added) {
          throw new Error("entries.test.mjs lists no tools; nothing was written");
        }
        return both;
      },
      write: "its id in the lists of tools",
      shown: "npm test -- tests/package/builtins/entries.test.mjs",
      has: (project, { name }) => {
        const all = project.read("tests/package/builtins/entries.test.mjs") ?? "";
        const exported = [...defined(project)].find(([, id]) => id === name)?.[0];
        const needs = listed(project).find(([one]) => one === exported)?.[1] ?? [];
        // Of the tools that not every host has, a list there has only one.
        return needs.some((need) => MORE.includes(need)) || new RegExp(`[" ]${name}[" ]`).test(all);
      },
    },
    {
      path: "docs/tools.md",
      insert: before(
        "| `task`        |",
        "| `{{name}}` | `{{joined}}`: WRITE: of what | WRITE: what it does, in a few words |\n",
      ),
      write: "a row: what it asks for, and what it does",
      has: inText("docs/tools.md", (all, { name }) => all.includes(`\n| \`${name}\``)),
    },
    {
      path: CARDS,
      insert: (all, { name, joined }) => {
        const own = name === joined ? `"${name}"` : `"${joined}", "${name}"`;
        return all
          .replace("json: { names: [] }", `json: { names: [${own}] }`)
          .replace(/json: \{ names: \[(?!\])([^\]]*)\] \}/, (whole, names) =>
            names.includes(`"${name}"`) ? whole : `json: { names: [${names}, ${own}] }`,
          );
      },
      write:
        "its names in the row of the card that draws its calls; `json` is the one that shows the input as it is",
      has: inText(CARDS, (all, { name }) => all.includes(`"${name}"`)),
      // Its card is that of the session which it starts.
      except: ["task"],
    },
    { path: "README.md", insert: countOneMore("# built-in tools") },
    {
      path: "CHANGELOG.md",
      insert: changelog(
        "- New built-in tool `{{name}}`. WRITE: what it does, and what it asks for.",
      ),
    },
    {
      path: "ts/glue.d.ts",
      write:
        "only if its rules are in Rust: what src/wasm/api/builtins.rs exports for it (crates/tools/ has the rules); tsc names what is missing",
      shown: "node node_modules/typescript7/bin/tsc -p ts",
    },
  ],
  counts: [
    {
      path: "README.md",
      says: (project) => {
        const isMore = ([, needs]) => needs.some((need) => MORE.includes(need));
        const more = listed(project).filter(isMore).length;
        return `${listed(project).length - more} built-in tools, ${more} more`;
      },
    },
  ],
};
