// A provider's stream: its reader in crates/wire, its streams, and where pages and tests name it.
import { after, all, atEndOf, before, changelog, countOneMore, sorted } from "./insertion.mjs";
import { spell } from "./names.mjs";
import { inText, registryLines } from "./project.mjs";

const CONTRACT = "tests/fixtures/api.d.ts";

const FOLDER = "crates/wire/src/providers";
const STREAMS = "tests/fixtures/streams";
const ASSEMBLE = "crates/assemble/tests/deltas";

const OWN = "cargo test -p apex-parts-wire --lib {{snake}}";
const CASE = "cargo test -p apex-parts-assemble bad_input";
const BUILT = "npm test -- tests/package/deltas.test.mjs";

/** The modules of the registry's lines. */
const names = (project) =>
  registryLines(project, `${FOLDER}/registry.rs`)
    .map(([, type]) => type.split("::"))
    .filter(({ length }) => length === 2)
    .map(([module]) => module.replaceAll("_", "-"));

const quoted = (all, { name }) => all.includes(`\`${name}\``);

/** In any case of letters: the variant of `openai-chat` is `OpenAiChat`. */
const hasCase = (all, { pascal }) => new RegExp(`::${pascal} =>`, "i").test(all);

export const provider = {
  says: "a reader of a provider's stream",
  example: "acme-chat",
  spell,
  names,
  test: ({ snake }) => `cargo test -p apex-parts-wire --lib ${snake}`,
  places: [
    { path: `${FOLDER}/{{snake}}/mod.rs`, template: "provider/mod.rs.txt", shown: OWN },
    { path: `${FOLDER}/{{snake}}/format.rs`, template: "provider/format.rs.txt", shown: OWN },
    { path: `${FOLDER}/{{snake}}/format/tests.rs`, template: "provider/tests.rs.txt", shown: OWN },
    {
      path: `${FOLDER}/mod.rs`,
      insert: sorted(
        /^pub\(crate\) mod (?!output|registry|response_id|failure)\w+;$/,
        "pub(crate) mod {{snake}};",
      ),
      write: "declare the module",
      has: inText(`${FOLDER}/mod.rs`, (all, { snake }) => all.includes(`mod ${snake};`)),
    },
    {
      path: `${FOLDER}/registry.rs`,
      insert: all(
        after("use super::{\n", "    {{snake}},"),
        before(
          "    /// A format for tests only: one module and this line.\n",
          "    /// {{title}}.\n    {{pascal}} => {{snake}}::{{pascal}},\n",
        ),
      ),
    },
    {
      path: `${STREAMS}/text.{{name}}.sse`,
      template: "provider/text.sse.txt",
      write: "a stream of text and a call, as the provider sends it, in a file NAME.{{name}}.sse",
      shown: OWN,
      has: (project, { name }) =>
        project.list(STREAMS).some((file) => file.endsWith(`.${name}.sse`)),
    },
    {
      path: `${STREAMS}/cut/text.{{name}}.sse`,
      template: "provider/cut.sse.txt",
      write: "two responses, of which the second begins before the first has ended",
      shown: "cargo test -p apex-parts-assemble responses",
      has: (project, { name }) =>
        project.list(`${STREAMS}/cut`).some((file) => file.endsWith(`.${name}.sse`)),
      // A response of Ollama begins with any record, so the next one interrupts none.
      except: ["ollama"],
    },
    {
      path: `${ASSEMBLE}/bad_input/mod.rs`,
      insert: after(
        "WireFormat::Provider(format) => match format {\n",
        'Provider::{{pascal}} => r#"WRITE: a record of {{name}} that adds the text LATER"#,\n',
      ),
      write: "a case in `later`: a record that adds the text LATER",
      shown: CASE,
      has: inText(`${ASSEMBLE}/bad_input/mod.rs`, hasCase),
    },
    {
      path: `${ASSEMBLE}/bad_input/sizes.rs`,
      insert: after(
        "let record = match format {\n            Provider",
        '::{{pascal}} => format!(r#"WRITE: a record of {{name}} with the call c{i} of the tool t"#),\n            Provider',
      ),
      write: "a case in `calls_of`: a record with a call",
      shown: CASE,
      has: inText(`${ASSEMBLE}/bad_input/sizes.rs`, hasCase),
    },
    {
      path: "docs/provider-fields.md",
      insert: (all, { name }) =>
        `${all.trimEnd()}\n\n## ${name}\n\n| on the wire | becomes |\n| --- | --- |\n| WRITE: each field | what it becomes |\n`,
      write: "a section `## {{name}}`: each field, and what it becomes",
      has: inText("docs/provider-fields.md", (all, { name }) => all.includes(`\n## ${name}\n`)),
    },
    {
      path: "docs/streams.md",
      insert: after(
        "The formats are `delta` (`MessageDelta`, also one at a time with `push(delta)`), ",
        "`{{name}}`, ",
      ),
      write: "its name, where the formats are listed",
      has: inText("docs/streams.md", quoted),
    },
    {
      path: "docs/transcripts.md",
      insert: after("| `anthropic`, ", "`{{name}}`, "),
      write: "its name in the row of recorded streams",
      has: inText("docs/transcripts.md", quoted),
    },
    {
      path: "README.md",
      insert: all(countOneMore("in # providers' formats"), countOneMore("# formats, files larger")),
    },
    {
      path: "tests/package/deltas.test.mjs",
      insert: atEndOf("const FORMATS = [", "\n];", '\n  "{{name}}",'),
      write: "its name in `FORMATS`",
      shown: BUILT,
      has: inText("tests/package/deltas.test.mjs", (all, { name }) => all.includes(`"${name}"`)),
    },
    {
      path: CONTRACT,
      insert: all(
        after('export type WireFormat = "delta" | ', '"{{name}}" | '),
        after('"messages-sharegpt" | ', '"{{name}}" | '),
      ),
      write: "its name in `WireFormat` and `TranscriptFormat`",
      shown: "npm test -- tests/package/types.test.mjs",
      has: inText(CONTRACT, (all, { name }) => all.split(`"${name}"`).length > 2),
    },
    {
      path: "tests/viewer/streams.test.mjs",
      insert: after("const WRITTEN = {\n", '  "{{name}}": "{{title}}",\n'),
      write: "its title in `WRITTEN`, as `TITLE` in its format.rs has it",
      shown: "npm test -- tests/viewer/streams.test.mjs",
      has: inText("tests/viewer/streams.test.mjs", (all, { name }) =>
        new RegExp(`^ {2}"?${name}"?: "`, "m").test(all),
      ),
    },
    {
      path: "CHANGELOG.md",
      insert: changelog(
        "- New format of streams: `{{name}}`. WRITE: what sends it, and what is read of it.",
      ),
    },
  ],
  counts: [
    {
      path: "README.md",
      says: (project) => `in ${names(project).length} providers' formats`,
    },
  ],
};
