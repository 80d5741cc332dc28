// The format of an agent's sessions: its reader in crates/agents, an example, a generator, and where pages name it.
import { after, all, before, changelog, countOneMore, sorted } from "./insertion.mjs";
import { spell } from "./names.mjs";
import { inText, registryLines } from "./project.mjs";
import { provider } from "./provider.mjs";

const FOLDER = "crates/agents/src";
const REGISTRY = "crates/transcript/src/formats/registry.rs";
const RULES = "crates/transcript/tests/transcripts/agent_rules.rs";
const CATALOGUE = "ts/cli/catalogue/formats.ts";
const CONTRACT = "tests/fixtures/api.d.ts";

const OWN = "cargo test -p apex-parts-agents --lib {{snake}}";
const SHARED = "cargo test -p apex-parts-transcript agent";
const BUILT = "npm test -- tests/command/explain.test.mjs";
const TYPES = "npm test -- tests/package/types.test.mjs";
const GENERATED = "npm test -- tests/command/generate.test.mjs";

/** The lines of the registry, without the format that only tests have. */
const lines = (project) =>
  registryLines(project, REGISTRY).filter(([, type]) => !type.startsWith("super::"));

const kebab = (pascal) => pascal.replace(/(?<=.)[A-Z]/g, "-$&").toLowerCase();

/** A line `Pi => Pi,` is of a format of an agent; the other formats are in modules of the registry's crate. */
const names = (project) =>
  lines(project)
    .filter(([variant, type]) => variant === type)
    .map(([variant]) => kebab(variant));

const arms = (count) =>
  inText(RULES, (all, { pascal }) => all.split(`Format::${pascal}`).length > count);

/** The title that the format's module declares, if it does. */
function titleOf(project, { snake }) {
  const files = project.list(`${FOLDER}/${snake}`).filter((name) => name.endsWith(".rs"));
  const all = files.map((name) => project.read(`${FOLDER}/${snake}/${name}`)).join("\n");
  return /const TITLE: &'static str = "([^"]+)"/.exec(all)?.[1];
}
const titled = (path) => (project, words) => {
  const title = titleOf(project, words);
  return title !== undefined && (project.read(path) ?? "").includes(title);
};

export const format = {
  says: "a reader of an agent's sessions",
  example: "acme-cli",
  spell,
  names: (project) => [...names(project), ...provider.names(project)],
  own: names,
  test: ({ snake }) => `cargo test -p apex-parts-agents --lib ${snake}`,
  places: [
    { path: `${FOLDER}/{{snake}}/mod.rs`, template: "format/mod.rs.txt", shown: OWN },
    { path: `${FOLDER}/{{snake}}/reader.rs`, template: "format/reader.rs.txt", shown: OWN },
    { path: `${FOLDER}/{{snake}}/reader/tests.rs`, template: "format/tests.rs.txt", shown: OWN },
    {
      path: `${FOLDER}/lib.rs`,
      insert: all(
        sorted(/^(?:pub )?mod (?!tests)\w+;$/, "mod {{snake}};"),
        sorted(/^pub use \w+::.+;$/, "pub use {{snake}}::{{pascal}};"),
      ),
      write: "declare the module, and export the format",
      has: inText(`${FOLDER}/lib.rs`, (all, { snake }) =>
        [`mod ${snake};`, `pub use ${snake}::`].every((line) => all.includes(line)),
      ),
    },
    {
      path: REGISTRY,
      insert: all(
        after("use apex_parts_agents::{\n", "    {{pascal}},"),
        before(
          "    /// Messages of Anthropic's Messages API.\n",
          "    /// A session of {{title}}.\n    {{pascal}} => {{pascal}},\n",
        ),
      ),
    },
    {
      path: "tests/fixtures/formats/{{name}}.txt",
      template: "format/example.txt",
      write: "an example of at least 700 bytes: messages, calls and results, tokens",
      shown: SHARED,
    },
    {
      path: RULES,
      insert: all(
        after(
          "        let new = match format {\n",
          '            Format::{{pascal}} => vec![json!({"WRITE: a record of a type that {{name}} does not have yet": 0})],\n',
        ),
        after(
          "        let expected = match format {\n",
          "            Format::{{pascal}} => [0.0, 0.0, 0.0, 0.0, -1.0], // WRITE: the tokens in the example of {{name}}\n",
        ),
      ),
      write:
        "a case in `records_of_tomorrow_are_left_out`, and one in `sums_of_the_run_are_the_files_or_those_of_the_steps`",
      shown: SHARED,
      has: arms(2),
    },
    {
      path: "scripts/generate/agents/{{name}}.mjs",
      template: "format/generator.mjs.txt",
      write: "how a generated session is written in this format",
      shown: GENERATED,
      // Its sessions are written by hand.
      except: ["claude-code"],
    },
    {
      path: "scripts/generate/agents/index.mjs",
      insert: all(
        sorted(/^import .* from "\.\/.*";$/, 'import { {{camel}} } from "./{{name}}.mjs";'),
        before("};", '  "{{name}}": {{camel}},\n'),
      ),
      write: "a line for its generator",
      shown: GENERATED,
      has: inText("scripts/generate/agents/index.mjs", (all, { name }) =>
        all.includes(`/${name}.mjs"`),
      ),
      except: ["claude-code"],
    },
    {
      path: CATALOGUE,
      insert: before(
        "];\n\nexport const FORMATS",
        `  {
    code: "{{name}}",
    says: "In a session of {{title}} each result has its call, and each call has one result.",
    cure: SHOWN,
    example: ({ Transcript }) => {
      const result = { type: "WRITE: a result of {{name}} without its call" };
      return Transcript.open(bytes(JSON.stringify(result)), { format: "{{name}}" });
    },
  },
`,
      ),
      write: "an entry: a warning about a session has the format's name as its code",
      shown: BUILT,
      has: inText(CATALOGUE, (all, { name }) => all.includes(`code: "${name}"`)),
    },
    {
      path: "docs/transcripts.md",
      insert: before(
        "| `gemini-cli` ",
        "| `{{name}}` | sessions of {{title}}, WRITE: as lines, or as one JSON object | assembled |\n",
      ),
      write: "a row, or its name in a row",
      has: inText("docs/transcripts.md", (all, { name }) => all.includes(`\`${name}\``)),
    },
    {
      path: "docs/building.md",
      insert: after("`gemini-cli`, `copilot-cli`, `pi`, ", "`{{name}}`, "),
      write: "its name among the formats that can be generated",
      has: inText("docs/building.md", (all, { name }) => all.includes(`\`${name}\``)),
    },
    {
      path: "crates/agents/README.md",
      insert: after("Codex, Gemini CLI, Copilot CLI, ", "{{title}}, "),
      write: "its title, where the formats are listed",
      has: titled("crates/agents/README.md"),
    },
    {
      path: "crates/agents/Cargo.toml",
      insert: after("Codex, Gemini CLI, Copilot CLI, ", "{{title}}, "),
      write: "its title in the description",
      has: titled("crates/agents/Cargo.toml"),
    },
    {
      path: CONTRACT,
      insert: after('"messages" | "deltas" | ', '"{{name}}" | '),
      write: "its name in `TranscriptFormat`",
      shown: TYPES,
      has: inText(CONTRACT, (all, { name }) => all.includes(`"${name}"`)),
    },
    { path: "README.md", insert: countOneMore("# formats, files larger") },
    {
      path: "CHANGELOG.md",
      insert: changelog(
        "- New transcript format: `{{name}}`, sessions of {{title}}. WRITE: what is read of them.",
      ),
    },
  ],
  counts: [
    {
      path: "README.md",
      // The formats of files, recorded deltas, and the streams of providers.
      says: (project) =>
        `${lines(project).length + 1 + provider.names(project).length} formats, files larger`,
    },
  ],
};
