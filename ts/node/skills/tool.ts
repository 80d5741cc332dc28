// The tool `skill`: gives a model the instructions of a skill, or runs its script.
// By its default: Node finds no names in this CommonJS file.
import glue from "apex-parts:glue";
import { Skill } from "apex-parts:tools";
import fs from "node:fs/promises";
import { withVisible } from "../../tools/visible.ts";
import { slashed } from "../file-identity.ts";
import { expected, invalid, reading, wholeNumber } from "./errors.ts";
import { filesOf, scriptIn } from "./folder.ts";
import { nameKey, notFound } from "./names.ts";
import { baseName, isInside, whyUnreadable } from "./places.ts";
import { Sandbox } from "./sandbox.ts";
import { readSkillFile } from "./skill-file.ts";

/** Up to how many names are listed in the schema of the tool. */
const MOST_IN_SCHEMA = 100;

const ABOUT = `Loads a skill: instructions for a task, with the files that belong to them. When a task fits the description of a skill below, call this tool with its name first and follow what it gives; once is enough. A skill may also be a script, which runs with args and gives its output.`;

const NONE = "No skills are available.";

/** The first skill of each name that a model may call. */
function callable(skills) {
  const byName = new Map();
  for (const skill of skills) {
    const { name, valid, modelInvocable } = skill ?? {};
    if (typeof name !== "string" || name === "" || valid === false || modelInvocable === false)
      continue;
    if (!byName.has(nameKey(name))) byName.set(nameKey(name), skill);
  }
  return byName;
}

const namesOf = (byName) => [...byName.values()].map(({ name }) => name);

/** The facts of a skill for the metadata of a call. */
const factsOf = ({ name, dir, location }, { allowedTools }, mode) => ({
  ...{ name, dir, location, mode, allowedTools },
  // Instructions are needed until the end: compaction leaves them.
  ...(mode === "direct" ? { keep: true } : {}),
});

/** The skill as it is in its file now. */
async function readAgain({ name, dir, location, root }) {
  try {
    const realRoot = slashed(await fs.realpath(root ?? dir));
    const realDir = slashed(await fs.realpath(dir));
    const bytes = await readSkillFile(location, realRoot);
    if (!isInside(realDir, realRoot)) throw new Error("its folder leads out of its root");
    const document = Skill.parse(bytes, { dirName: baseName(dir) });
    return { document, realDir, realRoot };
  } catch (error) {
    const why = error.code === "EXDEV" ? "it leads out of its root" : whyUnreadable(error);
    throw expected(`Skill ${name} cannot be read: ${location}: ${why}`);
  }
}

function assertUsable({ name, location }, { valid, problems, extra }) {
  if (!valid) {
    const { message } = problems.find(({ severity }) => severity === "error") ?? {};
    throw expected(`Skill ${name} cannot be used any more: ${location}: ${message}`);
  }
  if (String(extra["disable-model-invocation"]).toLowerCase() === "true") {
    throw expected(`Skill ${name} may not be called by a model any more: its file says so`);
  }
}

async function direct(skill, { document, realDir, realRoot }, wrap) {
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

async function script(skill, { document, realDir }, args, sandbox, context) {
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
    throw Object.assign(error, { metadata: { ...facts, ...error.metadata } });
  }
}

/** Whether the script of a skill is run. That one which asks for it cannot be run is never passed over. */
async function runsScript({ name, runs }, { document, realDir }, sandbox) {
  const isMeant = runs === "sandbox" && document.mode !== "direct";
  if (isMeant && sandbox !== undefined) return true;
  if (document.mode !== "sandbox") return false;
  let why = "scripts are turned off here";
  if (!isMeant) {
    why =
      (await scriptIn(realDir)) === undefined
        ? "there is no plain file scripts/execute.js in its folder"
        : "the scripts of its root may not be run";
  }
  throw expected(`Skill ${name} is to run in the sandbox (mode: sandbox), but ${why}`);
}

class SkillTool {
  #skills;
  #options;
  #sandbox;
  /** The schema for the names it was made for, so that it is compiled once. */
  #schema = { key: undefined, parameters: undefined };

  constructor(skills, options) {
    this.#skills = skills;
    this.#options = options;
    if (options.sandbox !== false) this.#sandbox = new Sandbox(options.sandbox);
  }

  #callable() {
    const skills = this.#skills();
    if (!Array.isArray(skills)) throw invalid("the function of skillTool gives a list of skills");
    return callable(skills);
  }

  #parametersFor(names, areAllListed) {
    const key = JSON.stringify([names, areAllListed]);
    if (this.#schema.key !== key) {
      const name = { type: "string", description: "The name of the skill." };
      // A name that the list has no room for can be called all the same.
      if (areAllListed && names.length > 0 && names.length <= MOST_IN_SCHEMA) name.enum = names;
      const args = {
        anyOf: [{ type: "object" }, { type: "string" }],
        description: "What a skill that runs a script gets as its arguments.",
      };
      const parameters = { type: "object", properties: { name, args }, required: ["name"] };
      this.#schema = { key, parameters };
    }
    return this.#schema.parameters;
  }

  definition() {
    const byName = this.#callable();
    const names = namesOf(byName);
    const { maxChars } = this.#options;
    const { text, hidden } = Skill.listing([...byName.values()], { maxChars });
    return {
      description: names.length === 0 ? NONE : `${ABOUT}\n\n${text}`,
      parameters: this.#parametersFor(names, hidden.length === 0),
      execute: withVisible((args, context) => this.#execute(args, context), glue.toolsVisible),
      formatValidationError: (_issues, args) => {
        if (typeof args?.name !== "string" || byName.has(nameKey(args.name))) return undefined;
        return notFound(args.name, names);
      },
    };
  }

  async #execute(given, context) {
    const { name, args } = { ...given };
    const byName = this.#callable();
    const skill = byName.get(nameKey(name));
    if (skill === undefined) throw expected(notFound(String(name), namesOf(byName)));
    const now = await readAgain(skill);
    assertUsable(skill, now.document);
    const isScript = await runsScript(skill, now, this.#sandbox);
    const result = isScript
      ? await script(skill, now, args, this.#sandbox, context)
      : await direct(skill, now, this.#options.wrap);
    this.#tellLoaded(skill.name);
    return result;
  }

  #tellLoaded(name) {
    try {
      this.#options.onLoad?.(name);
    } catch (error) {
      // The skill was loaded; that the host made nothing of it is for the host to see.
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }
}

/** The tool `skill` over what a function gives: it is asked again at each call. */
export function skillTool(skills, options) {
  if (typeof skills !== "function") {
    throw invalid("skillTool takes a function that gives the skills");
  }
  const tool = reading(() => {
    const { maxChars, wrap = "auto", sandbox, onLoad } = options ?? {};
    if (!["auto", "always", "never"].includes(wrap)) {
      throw invalid(`wrap is auto, always or never, not ${String(wrap)}`);
    }
    const most = wholeNumber(maxChars, 8000);
    return new SkillTool(skills, { maxChars: most, wrap, sandbox, onLoad });
  });
  return { id: "skill", init: async () => tool.definition() };
}
