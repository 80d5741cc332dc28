// A rule of the validator: a function, its call, cases that break it, and its entry in the catalogue.
import { atEnd, before, changelog } from "./insertion.mjs";
import { inText } from "./project.mjs";

const FOLDER = "crates/validate/src";
const TESTS = `${FOLDER}/validator/tests.rs`;
const CATALOGUE = "ts/cli/catalogue/parts.ts";

const OWN = "cargo test -p apex-parts-validate --lib {{snake}}";

/** The functions of the rules, as `br_01`. */
const names = (project) =>
  [...(project.read(`${FOLDER}/rules.rs`) ?? "").matchAll(/^\/\/\/ ((?:BR|WP|CP)-\d+): /gm)].map(
    ([, code]) => code,
  );

/** A code such as BR-15: its function is `br_15`. */
function spell(given) {
  if (!/^(?:BR-\d\d|(?:WP|CP)-\d)$/.test(given)) {
    throw new Error(
      `"${given}" cannot be the code of a rule: it is such as BR-15 (a part or a message), WP-4 (the parts of a message) or CP-6 (a compaction)`,
    );
  }
  return { name: given, snake: given.toLowerCase().replace("-", "_") };
}

/** The text of a function, which ends with a brace at the beginning of a line. */
const body = (all, name) => new RegExp(`\\n/// ${name}: [\\s\\S]*?\\n}\\n`).exec(all)?.[0] ?? "";

/** The entry goes behind the last one with the same letters. */
function entry(all, { name }) {
  const like = [...all.matchAll(new RegExp(`^ {4}code: "${name.slice(0, 2)}-\\d+",$`, "gm"))];
  if (like.length === 0)
    throw new Error(`${CATALOGUE} has no rule like ${name}; nothing was written`);
  const end = all.indexOf("\n  },\n", like.at(-1).index) + "\n  },\n".length;
  const own = `  {
    code: "${name}",
    severity: "error",
    says: "WRITE: what holds, in one sentence.",
    cure: "WRITE: what to do about it, in one sentence.",
    example: ({ PartValidator }) => PartValidator.validatePart(text({})),
  },
`;
  return all.slice(0, end) + own + all.slice(end);
}

export const rule = {
  says: "a rule of the validator",
  example: "BR-15",
  spell,
  names,
  test: ({ snake }) => `cargo test -p apex-parts-validate --lib ${snake}`,
  places: [
    {
      path: TESTS,
      insert: atEnd(`
#[test]
fn {{snake}}_has_cases() {
    // WRITE: parts that break {{name}}, each with where; and parts that almost do
    let breaks: Vec<(Value, &str)> = Vec::new();
    let keeps: Vec<Value> = Vec::new();
    assert!(!breaks.is_empty() && !keeps.is_empty(), "write cases of {{name}} in ${TESTS}");
    for (more, path) in breaks {
        assert_eq!(of_part(&base(more)), [format!("{{name}} {path}")]);
    }
    for more in keeps {
        assert_eq!(of_part(&base(more)), Vec::<String>::new());
    }
}
`),
      write: "cases that break it, and cases that almost do",
      shown: OWN,
      has: inText(TESTS, (all, { name }) => all.includes(`"${name} `)),
    },
    {
      path: `${FOLDER}/rules.rs`,
      insert: before(
        "/// CP-5: ",
        `/// {{name}}: WRITE: what holds, as the catalogue has it.
pub(crate) fn {{snake}}<V: View, R: Report>(part: &V, path: &Path<'_>, report: &mut R) {
    // WRITE: what breaks the rule; a part without \`type\` does not come here
    let is_broken = part.get(Key::Type).kind() == Kind::Missing;
    if is_broken {
        report.error("{{name}}", path, "WRITE: what is wrong with it, and what it should be");
    }
}

`,
      ),
      shown: OWN,
      write: "its function, which reports it with its code",
      has: inText(`${FOLDER}/rules.rs`, (all, { name }) => /\bfn |\bWp2\b/.test(body(all, name))),
    },
    {
      path: `${FOLDER}/part.rs`,
      insert: before(
        "    let kind = kind.word();\n    let mut status",
        "    // WRITE: only if the rule is about every part; else move this to where its value is walked, also in validator.rs\n    rules::{{snake}}(part, path, report);\n",
      ),
      shown: OWN,
      write: "a call of its function, here or in validator.rs",
      has: (project, { name, snake }) => {
        const own = ["part.rs", "validator.rs"].map((file) => project.read(`${FOLDER}/${file}`));
        // WP-2 is about the order of parts: a value that is kept, not a function.
        const called = name === "WP-2" ? "Wp2::" : `rules::${snake}(`;
        return own.some((all) => all.includes(called));
      },
    },
    {
      path: CATALOGUE,
      insert: entry,
      write: "an entry: what holds, the cure, and an example that breaks it",
      shown: "npm test -- tests/command/explain.test.mjs",
      has: inText(CATALOGUE, (all, { name }) => all.includes(`code: "${name}"`)),
    },
    {
      path: "CHANGELOG.md",
      insert: changelog(
        "- New rule {{name}}. WRITE: what holds, and which files that were valid are not any more.",
      ),
    },
    {
      path: "tests/contract/parts/recorded_sessions.rs",
      write: "nothing, but run it: recorded sessions stay valid",
      shown: "cargo test --test parts",
    },
  ],
};
