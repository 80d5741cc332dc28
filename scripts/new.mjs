// `npm run new -- KIND NAME`: writes the skeleton of a provider, a format, a rule, a tool or a column, and says what is left.
import { at, main } from "./lib.mjs";
import { formatted, tidy } from "./new/formatting.mjs";
import { KINDS } from "./new/kinds.mjs";
import { PLACES, Plan } from "./new/plan.mjs";
import { Project } from "./new/project.mjs";

const USAGE = `npm run new -- KIND NAME

${Object.entries(KINDS)
  .map(([kind, { says, example }]) => `  ${kind.padEnd(10)}${says}, such as ${example}`)
  .join("\n")}

It writes the skeleton, whose tests fail until it is finished, and lists what is left.`;

main(async () => {
  const [kind, name, ...more] = process.argv.slice(2);
  if (kind === undefined || kind === "--help") return console.log(USAGE);
  if (!Object.hasOwn(KINDS, kind)) {
    throw new Error(`there is no kind "${kind}"; there are: ${Object.keys(KINDS).join(", ")}`);
  }
  const { example, spell, places, names, test } = KINDS[kind];
  if (name === undefined || more.length > 0) {
    throw new Error(`give one name, as in: npm run new -- ${kind} ${example}`);
  }
  const project = new Project(at());
  const words = spell(name);
  if (names(project).includes(words.name)) {
    throw new Error(`there is already a ${kind} ${words.name}`);
  }
  const plan = new Plan(project);
  for (const place of places) plan.add(place, words);
  await plan.write(formatted);
  await tidy(plan.paths);

  console.log(`Written for the ${kind} ${words.name}:`);
  for (const path of plan.paths) console.log(`  ${path}`);
  console.log(`\nLeft:`);
  for (const [index, { where, write, shown }] of plan.left(words).entries()) {
    console.log(`${String(index + 1).padStart(3)}. ${where}: ${write}\n       ${shown}`);
  }
  console.log(`\nBegin with: ${test(words)}`);
  console.log(`What is left at any time: ${PLACES}`);
  console.log("A worked example of each kind: docs/adding.md");
});
