// Skill.parse of 20 KB: once nearly all instructions, once much frontmatter; and the list of 500 skills.
import { Skill } from "../pkg/node.mjs";
import { met } from "./lib/bars.mjs";
import { duration } from "./lib/measure.mjs";

const LINE = "A line of instructions, as long as they usually are in such files.\n";
const head = (more) =>
  `---\nname: pdf-tools\ndescription: "Reads PDFs: text, tables and forms"\n${more}---\n`;
const entries = Array.from({ length: 200 }, (_, i) => `  key-${i}: "some value ${i}"\n`).join("");
const filled = (text) => text + LINE.repeat(Math.ceil((20_000 - text.length) / LINE.length));

function median(work, rounds = 500) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const start = process.hrtime.bigint();
    work();
    times.push(Number(process.hrtime.bigint() - start));
  }
  return times.sort((a, b) => a - b)[rounds >> 1];
}

console.log("\n# Skill.parse of 20 KB");
for (const [name, text] of [
  ["instructions", filled(head(""))],
  ["200 entries of metadata, instructions", filled(head(`metadata:\n${entries}`))],
]) {
  if (!Skill.parse(text).valid) throw new Error("it is a skill");
  const time = median(() => Skill.parse(text));
  console.log(`${name}: ${duration(time)} (bar: 1 ms) ${met(time <= 1e6)}`);
}

const skill = Skill.parse(head(""));
const skills = Array.from({ length: 500 }, (_, i) => ({
  ...skill,
  name: `skill-${i}`,
  description: `Does task ${i}. ${"Use it where that is asked for. ".repeat(i % 9)}`,
  modelInvocable: true,
}));
console.log("\n# Skill.listing of 500 skills");
console.log(`with cut descriptions: ${duration(median(() => Skill.listing(skills), 50))}`);
