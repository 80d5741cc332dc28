// `explain`: a rule or an error, by the code in which its messages end.
import type { Group, Rule } from "./catalogue/rule.ts";
import type { Paint } from "./colour.ts";
import { painter } from "./colour.ts";
import type { Values } from "./options.ts";
import { CliError, print } from "./output.ts";

/** A rule as data. */
const asData = (group: string, rule: Rule, example: string | undefined) => {
  const { code, severity, action, says, cure, source, never } = rule;
  return { code, group, severity, action, says, cure, source, never, example };
};

/** A string with its lines indented. */
const indented = (text: string) => text.replace(/^(?=.)/gm, "  ");

/** The text behind a word, in lines of at most 96 characters. */
function paragraph(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + 1 + word.length > 96) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}

function printRule(rule: Rule, group: string, example: string | undefined, paint: Paint): void {
  const { code, severity, action, says, cure, source, never } = rule;
  const grade = severity ?? action;
  print(`${paint("match", code)}${grade === undefined ? "" : `  ${grade}`}`);
  print(`${paragraph(says)}\n`);
  print(paragraph(`Cure: ${cure}`));
  print(`Source: ${source} (group: ${group})`);
  if (example === undefined) {
    if (never !== undefined) print(paragraph(`No input breaks it: ${never}`));
    return;
  }
  print("\nThis breaks it:\n");
  print(indented(example));
}

function printList(groups: readonly Group[], paint: Paint): void {
  for (const [i, { title, rules }] of groups.entries()) {
    print(`${i > 0 ? "\n" : ""}${title}`);
    const width = Math.max(...rules.map(({ code }) => code.length));
    for (const { code, says } of rules) {
      const name = paint("match", code) + " ".repeat(width - code.length);
      print(`  ${name}  ${says}`);
    }
  }
  print("\napex-parts explain CODE explains one of them: an example that breaks it, and the cure");
}

export async function explain(
  first: string | undefined,
  { json }: Values,
  rest: readonly string[],
): Promise<number> {
  const { GROUPS, nearest, ruleOf } = await import("./catalogue/index.ts");
  const { exampleOf } = await import("./catalogue/example.ts");
  const paint = painter(process.stdout);
  const codes = first === undefined ? [] : [first, ...rest];
  const chosen = codes.map((code) => {
    // As a message ends: `(BR-09)`.
    const rule = ruleOf(code.replace(/^\((.*)\)$/, "$1"));
    if (rule !== undefined) return rule;
    const near = nearest(code).join(", ");
    throw new CliError(
      `unknown code ${code}; the closest: ${near}. apex-parts explain lists all`,
      2,
    );
  });
  const groupOf = (rule: Rule) => GROUPS.find(({ rules }) => rules.includes(rule))?.title ?? "";
  if (json) {
    const data = (rule: Rule) => asData(groupOf(rule), rule, exampleOf(rule));
    const all = GROUPS.flatMap(({ rules }) => rules);
    const [only] = chosen;
    const list = chosen.length > 0 ? chosen : all;
    const output = only && chosen.length === 1 ? data(only) : list.map(data);
    print(JSON.stringify(output, null, 2));
  } else if (chosen.length === 0) {
    printList(GROUPS, paint);
  } else {
    for (const [i, rule] of chosen.entries()) {
      if (i > 0) print("");
      printRule(rule, groupOf(rule), exampleOf(rule), paint);
    }
  }
  return 0;
}
