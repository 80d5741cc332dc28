// `skills`: the skills in folders, what is wrong with them, and why others are not among them.
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Problem, SkillInfo, ToolPart } from "apex-parts";
import { generateMessageId, ToolRegistry } from "apex-parts";
import type { SkillRoot } from "apex-parts/node";
import type { Paint } from "./colour.ts";
import { oneLine, painter } from "./colour.ts";
import type { Values } from "./options.ts";
import { CliError, print, unruled } from "./output.ts";
import type { Missed, Root } from "./skills-missed.ts";
import { missed } from "./skills-missed.ts";
import { plural } from "./units.ts";

/** How much of a description is shown. */
const SHOWN = 100;

/** The first words of a string, on one line. */
function beginning(text: string): string {
  const line = oneLine(text);
  const points = [...line];
  return points.length > SHOWN ? `${points.slice(0, SHOWN - 1).join("")}…` : line;
}

/**
 * The folders that were named; else those that agents use. Those of the project are among them, trusted or not:
 * what is listed here is shown to a person, not to a model.
 */
async function rootsOf(dirs: readonly string[]): Promise<SkillRoot[]> {
  const { defaultSkillRoots } = await import("apex-parts/node");
  if (dirs.length > 0) return dirs.map((path) => ({ path: resolve(path), scope: "custom" }));
  return defaultSkillRoots({ cwd: process.cwd(), home: homedir(), trustProject: true });
}

const isThere = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined;

/** The line of a place in a file, given as its bytes before that. */
function lineAt(bytes: Buffer, offset: number): number {
  const before = bytes.subarray(0, offset).toString("latin1");
  return before.split(/\r\n|\r|\n/).length;
}

/** A problem of a file. */
type FileProblem = Problem & { file: string; line?: number };

/** The problems, each with the line in its file if it has a place there. */
async function withLines(problems: readonly FileProblem[]): Promise<FileProblem[]> {
  const files = new Map<string, Buffer | undefined>();
  const list: FileProblem[] = [];
  for (const problem of problems) {
    const { file, offset } = problem;
    if (offset === undefined) {
      list.push(problem);
      continue;
    }
    if (!files.has(file)) files.set(file, await readFile(file).catch(() => undefined));
    const bytes = files.get(file);
    list.push(bytes ? { ...problem, line: lineAt(bytes, offset) } : problem);
  }
  return list;
}

/** A root, and whether it is there. */
type RootThere = SkillRoot & Root;

/** Everything that is known of the skills below some roots. */
interface Looked {
  roots: RootThere[];
  skills: SkillInfo[];
  problems: FileProblem[];
  missed: Missed[];
}

/** Looks for skills below these folders, or the default ones. */
async function look(dirs: readonly string[], values: Values): Promise<Looked> {
  const { scanSkills } = await import("apex-parts/node");
  const wanted = await rootsOf(dirs);
  const roots: RootThere[] = [];
  for (const root of wanted) roots.push({ ...root, isThere: await isThere(root.path) });
  const scan = await scanSkills(wanted, { strict: values.strict === true });
  const problems = await withLines(scan.problems);
  const left = await missed(roots, { ...scan, isDefault: dirs.length === 0 });
  return { roots, skills: scan.skills, problems, missed: left };
}

// ── The list ────────────────────────────────────────────────────────────────────────────────────

const placeOf = ({ file, line }: FileProblem) =>
  oneLine(line === undefined ? file : `${file}:${line}`);

function printSkills(skills: readonly SkillInfo[], paint: Paint): void {
  for (const { name, runs, location, description, modelInvocable, userInvocable } of skills) {
    const not = [
      ...(modelInvocable ? [] : ["not for a model (disable-model-invocation)"]),
      ...(userInvocable ? [] : ["not for a user (user-invocable: false)"]),
    ].join(", ");
    print(`${paint("good", name)} ${runs} ${paint("place", oneLine(location))}`);
    print(`  ${beginning(description)}${not === "" ? "" : `\n  ${not}`}`);
  }
}

function printProblems(problems: readonly FileProblem[], paint: Paint): void {
  for (const problem of problems) {
    const { severity, rule } = problem;
    const colour = severity === "error" ? "bad" : "warning";
    const place = paint("place", placeOf(problem));
    print(`${paint(colour, severity)} ${rule} ${place} ${oneLine(unruled(problem))}`);
  }
}

function printRoots(roots: readonly Root[], skills: readonly SkillInfo[]): void {
  for (const { path, isThere } of roots) {
    const count = skills.filter(({ root }) => root === path).length;
    print(`${oneLine(path)}: ${isThere ? plural(count, "skill") : "not there"}`);
  }
}

async function list(dirs: readonly string[], values: Values): Promise<number> {
  const { roots, skills, problems, missed } = await look(dirs, values);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  if (values.json) {
    // The instructions are what `show` is for.
    const withoutBody = skills.map(({ body, problems, ...skill }) => skill);
    print(JSON.stringify({ roots, skills: withoutBody, problems, missed }, null, 2));
    return errors > 0 ? 1 : 0;
  }
  const paint = painter(process.stdout);
  printSkills(skills, paint);
  if (skills.length > 0) print("");
  printProblems(problems, paint);
  for (const { file, why } of missed) {
    print(`${paint("warning", "not a skill")} ${paint("place", oneLine(file))} ${oneLine(why)}`);
  }
  if (problems.length + missed.length > 0) print("");
  print("Looked in:");
  printRoots(roots, skills);
  const warnings = problems.length - errors;
  print(
    `${plural(skills.length, "skill")}, ${plural(errors, "error")}, ${plural(warnings, "warning")}`,
  );
  return errors > 0 ? 1 : 0;
}

// ── One skill ───────────────────────────────────────────────────────────────────────────────────

/** The call of a model for this skill, as a registry answers it. */
async function called(skills: SkillInfo[], name: string): Promise<ToolPart> {
  const { skillTool } = await import("apex-parts/node");
  const registry = new ToolRegistry();
  registry.register(
    skillTool(() => skills),
    "skill",
  );
  const ids = { callID: "call_1", sessionID: generateMessageId(), messageID: generateMessageId() };
  return registry.execute({ ...ids, tool: "skill", input: { name } });
}

/** What is known of a name that no skill has: the files that may be meant. */
function meant(name: string, { problems, missed }: Looked): string[] {
  const isMeant = ({ file }: { file: string }) => file.split(/[/\\]/).includes(name);
  return [
    ...problems.filter(isMeant).map((problem) => {
      const { severity, rule } = problem;
      return `${severity} ${rule} ${placeOf(problem)} ${unruled(problem)}`;
    }),
    ...missed.filter(isMeant).map(({ file, why }) => `not a skill ${file} ${why}`),
  ].map(oneLine);
}

async function show(name: string, dirs: readonly string[], values: Values): Promise<number> {
  const result = await look(dirs, values);
  const skill = result.skills.find((one) => one.name === name);
  if (skill?.runs === "sandbox" && skill.modelInvocable) {
    const what = `A call to ${name} runs ${skill.dir}/scripts/execute.js and returns what it prints. It is not run here.`;
    print(values.json ? JSON.stringify({ name, runs: "sandbox", dir: skill.dir }, null, 2) : what);
    return 0;
  }
  if (skill && !skill.modelInvocable) {
    const why = `${name} may not be called by a model: disable-model-invocation in ${skill.location}`;
    throw new CliError(why, 1);
  }
  const part = await called(result.skills, name);
  const { state } = part;
  if (state.status !== "completed") {
    const error = state.status === "error" ? state.error : "";
    throw new CliError([error, ...(skill ? [] : meant(name, result))].join("\n"), 1);
  }
  print(values.json ? JSON.stringify(part, null, 2) : state.output);
  return 0;
}

export function skills(
  first: string | undefined,
  values: Values,
  rest: readonly string[],
): Promise<number> {
  if (first !== "show") return list(first === undefined ? [] : [first, ...rest], values);
  const [name, ...dirs] = rest;
  if (name === undefined) throw new CliError("skills show needs the name of a skill", 2);
  return show(name, dirs, values);
}
