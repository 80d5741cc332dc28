// A column of the viewer's list of runs: its entry, the fact that it shows, and where that fact comes from.
import { after, before, changelog } from "./insertion.mjs";
import { spell as spellName } from "./names.mjs";

const FOLDER = "www/src/features/runs";
const COLUMNS = `${FOLDER}/model/columns.ts`;
const FACTS = `${FOLDER}/model/runs.ts`;
const WORKER = `${FOLDER}/worker.ts`;
const TESTS = "tests/viewer/unit/columns.test.mjs";

const OWN = `npm test -- ${TESTS}`;

const names = (project) =>
  [...(project.read(COLUMNS) ?? "").matchAll(/^ {4}id: "(\w+)",$/gm)].map(([, id]) => id);

/** A column is named by one word, as the fields of the facts are: `busyTime`. */
const spell = (given) => {
  const words = spellName(given);
  return { ...words, name: words.camel };
};

/** The facts of a run that are numbers. */
function numbers(project) {
  const [, facts] =
    /export interface RunFacts \{([\s\S]*?)\n\}/.exec(project.read(FACTS) ?? "") ?? [];
  return [...(facts ?? "").matchAll(/^ {2}(\w+)\??: number;$/gm)].map(([, field]) => field);
}

export const column = {
  says: "a column of the viewer's list of runs",
  example: "tokens",
  spell,
  names,
  test: () => OWN,
  places: [
    {
      path: COLUMNS,
      insert: before(
        '  {\n    id: "size",\n',
        `  {
    id: "{{name}}",
    title: "{{title}}",
    width: "5rem",
    from: "wide",
    kind: "number",
    // WRITE: what the cell says; ui/format has costs, durations and bytes
    cell: () => UNKNOWN,
    value: ({ facts }) => facts?.{{name}},
  },
`,
      ),
      shown: OWN,
    },
    {
      path: FACTS,
      insert: after(
        "  failed: number;\n",
        "  /** WRITE: what is counted. */\n  {{name}}?: number;\n",
      ),
      shown: OWN,
    },
    {
      path: WORKER,
      insert: before(
        "    failed,\n",
        "    // WRITE: {{name}}, from the summary or the statistics of the run, or of one of its sessions\n",
      ),
      write: "in `figures`, where the fact comes from",
      shown: OWN,
      // Size and date are the file's.
      has: (project, { name }) =>
        !numbers(project).includes(name) ||
        new RegExp(`\\b${name}\\b`).test(project.read(WORKER) ?? ""),
    },
    {
      path: TESTS,
      insert: before(
        'test("the style sheet names',
        `test("{{name}}: the cell of a run that has it", () => {
  const column = COLUMNS.find(({ id }) => id === "{{name}}");
  const facts = { title: "", format: "pi", model: "", failed: 0, loops: 0, {{name}}: 1234 };
  const run = { id: 0, path: "a.json", size: 1, modified: 0, facts };
  assert.equal(column.cell(run), "WRITE: what the cell of 1234 says");
  assert.equal(column.value(run), 1234);
});

`,
      ),
      shown: OWN,
    },
    {
      path: "CHANGELOG.md",
      insert: changelog("- Viewer: the list of runs has a column {{title}}. WRITE: what it says."),
    },
  ],
};
