// The tool `skill`: gives a model the instructions of a skill, or runs its script.
// By its default: Node finds no names in this CommonJS file.
import glueOfModule from "apex-parts:glue";
import { Skill, type SkillDocument, type SkillInfo, type Tool } from "apex-parts:tools";
import fs from "node:fs/promises";
import { withVisible } from "../../tools/visible.ts";
import { type Failure, slashed } from "../file-identity.ts";
import type { SkillToolOptions } from "../types.ts";
import { expected, invalid, reading, type ToolError, wholeNumber } from "./errors.ts";
import { filesOf, scriptIn } from "./folder.ts";
import { nameKey, notFound } from "./names.ts";
import { baseName, isInside, whyUnreadable } from "./places.ts";
import { Sandbox } from "./sandbox.ts";
import { readSkillFile } from "./skill-file.ts";

/** The default of a CommonJS file is all that it exports, not what the types say of a module. */
const glue = glueOfModule as unknown as typeof import("apex-parts:glue");

type Schema = NonNullable<Tool.Definition["jsonSchema"]>;
type ByName = Map<string, SkillInfo>;
type Wrap = NonNullable<SkillToolOptions["wrap"]>;
/** A skill as it is in its file now. */
interface Now {
  document: SkillDocument;
  realDir: string;
  realRoot: string;
}
/** The options with their defaults. */
interface Options {
  maxChars: number;
  wrap: Wrap;
  sandbox: SkillToolOptions["sandbox"];
  onLoad: SkillToolOptions["onLoad"];
}
/** What a model gives: nothing of it is certain. */
type Args = { name?: unknown; args?: unknown } | null | undefined;

/** Up to how many names are listed in the schema of the tool. */
const MOST_IN_SCHEMA = 100;

const ABOUT = `Loads a skill: instructions for a task, with the files that belong to them. When a task fits the description of a skill below, call this tool with its name first and follow the instructions that it returns; once is enough. A skill may also be a script, which runs with args and returns its output.`;

const NONE = "No skills are available.";

/** The first skill of each name that a model may call. */
function callable(skills: readonly SkillInfo[]): ByName {
  const byName: ByName = new Map();
  for (const skill of skills) {
    const { name, valid, modelInvocable }: Partial<SkillInfo> = skill ?? {};
    if (typeof name !== "string" || name === "" || valid === false || modelInvocable === false)
      continue;
    if (!byName.has(nameKey(name))) byName.set(nameKey(name), skill);
  }
  return byName;
}

const namesOf = (byName: ByName) => [...byName.values()].map(({ name }) => name);

/** The facts of a skill for the metadata of a call. */
const factsOf = (
  { name, dir, location }: SkillInfo,
  { allowedTools }: SkillDocument,
  mode: "direct" | "sandbox",
) => ({
  ...{ name, dir, location, mode, allowedTools },
  // Instructions are needed until the end: compaction leaves them.
  ...(mode === "direct" ? { keep: true } : {}),
});

/** The skill as it is in its file now. */
async function readAgain({ name, dir, location, root }: SkillInfo): Promise<Now> {
  try {
    const realRoot = slashed(await fs.realpath(root ?? dir));
    const realDir = slashed(await fs.realpath(dir));
    const bytes = await readSkillFile(location, realRoot);
    if (!isInside(realDir, realRoot)) throw new Error("its folder leads out of its root");
    const document = Skill.parse(bytes, { dirName: baseName(dir) });
    return { document, realDir, realRoot };
  } catch (error) {
    // What Node throws, or this package.
    const why =
      (error as Failure).code === "EXDEV" ? "it leads out of its root" : whyUnreadable(error);
    throw expected(`Skill ${name} cannot be read: ${location}: ${why}`);
  }
}

function assertUsable(
  { name, location }: SkillInfo,
  { valid, problems, extra }: SkillDocument,
): void {
  if (!valid) {
    const { message } = problems.find(({ severity }) => severity === "error") ?? {
      message: undefined,
    };
    throw expected(`Skill ${name} can no longer be used: ${location}: ${message}`);
  }
  if (String(extra["disable-model-invocation"]).toLowerCase() === "true") {
    throw expected(`Skill ${name} may no longer be called by a model: its file says so`);
  }
}

async function direct(
  skill: SkillInfo,
  { document, realDir, realRoot }: Now,
  wrap: Wrap,
): Promise<Tool.Result> {
  const main = baseName(skill.location);
  const { name, dir } = skill;
  // Nobody reads the names of the files then.
  const { files, filesCut } =
    wrap === "never"
      ? { files: [], filesCut: false }
      : await filesOf({ dir, realDir, main, realRoot });
  return {
    title: `Loaded skill: ${name}`,
    output: glue.toolsSkillDirect(document.body, name, dir, files, filesCut, wrap),
    metadata: { skill: factsOf(skill, document, "direct") },
  };
}

async function script(
  skill: SkillInfo,
  { document, realDir }: Now,
  args: unknown,
  sandbox: Sandbox,
  context: Tool.Context | undefined,
): Promise<Tool.Result> {
  const facts = { skill: factsOf(skill, document, "sandbox") };
  try {
    const { output, metadata } = await sandbox.run(
      { name: skill.name, realDir },
      args,
      context?.abort,
    );
    return { title: `Ran skill: ${skill.name}`, output, metadata: { ...facts, ...metadata } };
  } catch (error) {
    // A registry puts what is known of the run into the error state of the call.
    const failed = error as ToolError;
    throw Object.assign(failed, { metadata: { ...facts, ...failed.metadata } });
  }
}

/** Whether the script of a skill is run. That one which asks for it cannot be run is never passed over. */
async function runsScript(
  { name, runs }: SkillInfo,
  { document, realDir }: Now,
  sandbox: Sandbox | undefined,
): Promise<boolean> {
  const isMeant = runs === "sandbox" && document.mode !== "direct";
  if (isMeant && sandbox !== undefined) return true;
  if (document.mode !== "sandbox") return false;
  let why = "scripts are turned off here";
  if (!isMeant) {
    why =
      (await scriptIn(realDir)) === undefined
        ? "its folder has no plain file scripts/execute.js"
        : "the scripts of its root may not be run";
  }
  throw expected(`Skill ${name} is to run in the sandbox (mode: sandbox), but ${why}`);
}

class SkillTool {
  #skills: () => readonly SkillInfo[];
  #options: Options;
  #sandbox: Sandbox | undefined;
  /** The schema for the names it was made for, so that it is compiled once. */
  #schema: { key: string; parameters: Schema } = { key: "", parameters: {} };

  constructor(skills: () => readonly SkillInfo[], options: Options) {
    this.#skills = skills;
    this.#options = options;
    if (options.sandbox !== false) this.#sandbox = new Sandbox(options.sandbox);
  }

  #callable() {
    const skills = this.#skills();
    if (!Array.isArray(skills))
      throw invalid("the function passed to skillTool must return a list of skills");
    return callable(skills);
  }

  #parametersFor(names: string[], areAllListed: boolean): Schema {
    const key = JSON.stringify([names, areAllListed]);
    if (this.#schema.key !== key) {
      const name: { type: string; description: string; enum?: string[] } = {
        type: "string",
        description: "The name of the skill.",
      };
      // A name that the list has no room for can be called all the same.
      if (areAllListed && names.length > 0 && names.length <= MOST_IN_SCHEMA) name.enum = names;
      const args = {
        anyOf: [{ type: "object" }, { type: "string" }],
        description: "The arguments of a skill that runs a script.",
      };
      const parameters = { type: "object", properties: { name, args }, required: ["name"] };
      this.#schema = { key, parameters };
    }
    return this.#schema.parameters;
  }

  definition(): Tool.Definition {
    const byName = this.#callable();
    const names = namesOf(byName);
    const { maxChars } = this.#options;
    const { text, hidden } = Skill.listing([...byName.values()], { maxChars });
    return {
      description: names.length === 0 ? NONE : `${ABOUT}\n\n${text}`,
      parameters: this.#parametersFor(names, hidden.length === 0),
      execute: withVisible(
        (args: Args, context: Tool.Context) => this.#execute(args, context),
        glue.toolsVisible,
      ),
      formatValidationError: (_issues, args) => {
        const { name } = { ...(args as Args) };
        // A registry has its own text where this gives none, which the type leaves out.
        if (typeof name !== "string" || byName.has(nameKey(name)))
          return undefined as unknown as string;
        return notFound(name, names);
      },
    };
  }

  async #execute(given: Args, context: Tool.Context): Promise<Tool.Result> {
    const { name, args }: NonNullable<Args> = { ...given };
    const byName = this.#callable();
    const skill = byName.get(nameKey(name));
    if (skill === undefined) throw expected(notFound(String(name), namesOf(byName)));
    const now = await readAgain(skill);
    assertUsable(skill, now.document);
    const isScript = await runsScript(skill, now, this.#sandbox);
    // A script runs only where there is a sandbox.
    const result =
      isScript && this.#sandbox
        ? await script(skill, now, args, this.#sandbox, context)
        : await direct(skill, now, this.#options.wrap);
    this.#tellLoaded(skill.name);
    return result;
  }

  #tellLoaded(name: string): void {
    try {
      this.#options.onLoad?.(name);
    } catch (error) {
      // The skill was loaded; that the host made nothing of it is for the host to see.
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }
}

/**
 * The tool `skill`, which gives a model the instructions of a skill, or runs its script.
 * @param skills - Gives the skills; asked before each call.
 * @param options - The length of the listing, and how scripts run.
 * @returns The tool, for `ToolRegistry.register`.
 * @example
 * ```ts
 * import { skillTool } from "apex-parts/node";
 *
 * skillTool(() => []).id; // "skill"
 * ```
 */
export function skillTool(
  skills: () => readonly SkillInfo[],
  options?: SkillToolOptions,
): Tool.Info {
  if (typeof skills !== "function") {
    throw invalid("skillTool needs a function that returns the skills");
  }
  const tool = reading(() => {
    const { maxChars, wrap = "auto", sandbox, onLoad } = options ?? {};
    if (!["auto", "always", "never"].includes(wrap)) {
      throw invalid(`wrap must be auto, always or never, not ${String(wrap)}`);
    }
    const most = wholeNumber(maxChars, 8000);
    return new SkillTool(skills, { maxChars: most, wrap, sandbox, onLoad });
  });
  return { id: "skill", init: async () => tool.definition() };
}
