// A scan of 500 skills: warm, against a plain search and read of the same files.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scanSkills } from "../pkg/host.mjs";
import { setLogger } from "../pkg/node.mjs";
import { met } from "./lib/bars.mjs";
import { duration } from "./lib/measure.mjs";

setLogger(undefined);
const folder = mkdtempSync(join(tmpdir(), "apex-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const COUNT = 500;
const body = "A line of instructions, as long as they usually are in such files.\n".repeat(100);
for (let i = 0; i < COUNT; i++) {
  const dir = join(folder, `group-${i % 20}`, `skill-${i}`);
  mkdirSync(join(dir, "references"), { recursive: true });
  const head = `name: skill-${i}\ndescription: Does task ${i}. Use when: a task ${i} is asked for.\nlicense: MIT\n`;
  writeFileSync(join(dir, "SKILL.md"), `---\n${head}---\n${body}`);
  writeFileSync(join(dir, "references", "more.md"), body);
}

async function best(work, rounds = 7) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = process.hrtime.bigint();
    await work();
    least = Math.min(least, Number(process.hrtime.bigint() - start));
  }
  return least;
}

function plain() {
  const files = readdirSync(folder, { recursive: true }).filter((name) =>
    name.endsWith("SKILL.md"),
  );
  if (files.length !== COUNT) throw new Error("files are missing");
  for (const name of files) readFileSync(join(folder, name), "utf8");
}

const scanned = await best(async () => {
  const { skills } = await scanSkills([folder]);
  if (skills.length !== COUNT) throw new Error(`${skills.length} skills`);
});
const read = await best(plain);

console.log("\n# A scan of 500 skills of 7 KB");
console.log(`scanSkills ${duration(scanned)} (bar: 1 s) ${met(scanned < 1e9)}`);
console.log(`plain readdir and readFile ${duration(read)}`);
