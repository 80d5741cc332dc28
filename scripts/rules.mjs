// The page of all rules and errors, from their catalogue (ts/cli/catalogue/). `npm run docs` writes it.
import { pathToFileURL } from "node:url";
import { at } from "./lib.mjs";

const HEAD = `# Rules and errors

A **problem** describes a fault in the input: \`{ severity, rule, path, message, offset? }\`. A problem of severity
\`error\` makes a value invalid, a \`warning\` does not. Functions throw an **error** of a class that the package exports.
\`name\` says which class it is, also in the types, and \`instanceof\` works for the errors of every entry and copy of the
package, even across ES modules and CommonJS. The message of every problem, and of every error about a rule, ends in the
code of the rule:

\`\`\`text
the output of a completed tool is empty (at /state/output) (BR-09)
\`\`\`

\`apex-parts explain BR-09\` prints a rule, \`apex-parts explain\` lists them all. The tests run every example below; each
returns or throws the code of its section.
`;

const anchor = (code) => code.toLowerCase().replace(/[^a-z0-9_-]/g, "");

/** The table of the codes of a group, in columns of one width. */
function table(rules) {
  const rows = rules.map(({ code, says }) => [
    `[${code}](#${anchor(code)})`,
    says.replaceAll("|", "\\|"),
  ]);
  const all = [["code", "what it says"], ...rows];
  const widths = [0, 1].map((column) => Math.max(...all.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(" | ")} |`;
  const [head, ...rest] = all.map(line);
  return [head, line(widths.map((width) => "-".repeat(width))), ...rest].join("\n");
}

function section(rule, exampleOf) {
  const { code, severity, action, says, cure, source, never } = rule;
  const graded = severity === undefined ? "" : `**Severity**: ${severity}. `;
  const acted = action === undefined ? "" : `**Action**: ${action}. `;
  const example = exampleOf(rule);
  return [
    `### ${code}`,
    says,
    `${graded}${acted}**Cure**: ${cure}`,
    never === undefined ? "" : `**No input breaks it**: ${never}`,
    `**Source**: ${source}.`,
    example === undefined ? "" : `\`\`\`js\n${example}\n\`\`\``,
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

const catalogue = (file) => import(pathToFileURL(at("pkg", "cli", "catalogue", file)).href);

/** The page as Markdown, from the catalogue of the built package. */
export async function rulesPage() {
  const { GROUPS } = await catalogue("index.mjs");
  const { exampleOf } = await catalogue("example.mjs");
  const groups = GROUPS.map(({ title, rules }) =>
    [`## ${title}`, table(rules), ...rules.map((rule) => section(rule, exampleOf))].join("\n\n"),
  );
  return `${[HEAD.trimEnd(), ...groups].join("\n\n")}\n`;
}
