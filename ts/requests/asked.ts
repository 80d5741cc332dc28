// The options of a request, checked, and what its format has to know.
import type { JSONSchema, Problem } from "apex-parts:glue";
import { problem } from "../problem.ts";
import { type Fields, invalid, isObject } from "../tools/boundary.ts";
import { toolName } from "./ids.ts";
import type { RequestFormat, RequestOptions, RequestTool } from "./types.ts";
import { jsonValue, wellFormed } from "./well-formed.ts";

/** A tool with the name that the provider takes. */
export interface AskedTool {
  name: string;
  description?: string;
  schema: JSONSchema;
  strict?: boolean;
}
/** The options that have a value when they are left out. */
type FilledOption =
  | "provider"
  | "tools"
  | "system"
  | "stream"
  | "cache"
  | "foreignReasoning"
  | "store"
  | "repair";
/** The options, with what is left out filled in. */
type FilledOptions = RequestOptions & Required<Pick<RequestOptions, FilledOption>>;
/** The same, with what the format has to know. */
export interface AskedRequest
  extends Omit<FilledOptions, "messages" | "tools" | "system" | "onProblem"> {
  format: RequestFormat;
  tools: AskedTool[];
  system: string[];
  report: (problem: Problem) => void;
  /** The name of a tool as the provider takes it. */
  nameOf(tool: string): string;
}

const isText = (value: unknown) => typeof value === "string";
const isFlag = (value: unknown) => typeof value === "boolean";

/** What each option has to be, and what it is when it is left out. */
const OPTIONS: {
  [option in keyof RequestOptions]-?: [
    isGood: (value: unknown) => boolean,
    wanted: string,
    ...(option extends FilledOption ? [FilledOptions[option]] : []),
  ];
} = {
  model: [isText, "a string"],
  messages: [(value) => typeof value === "object" && value !== null, "an array or a transcript"],
  provider: [isText, "a string", ""],
  tools: [Array.isArray, "an array", []],
  system: [
    (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
    "a string or an array of strings",
    [],
  ],
  maxTokens: [(value) => Number.isInteger(value) && Number(value) > 0, "an integer above 0"],
  stream: [isFlag, "a boolean", true],
  cache: [isFlag, "a boolean", false],
  foreignReasoning: [
    (value) => value === "drop" || value === "text",
    'either "drop" or "text"',
    "drop",
  ],
  store: [isFlag, "a boolean", false],
  repair: [isFlag, "a boolean", true],
  onProblem: [(value) => typeof value === "function", "a function"],
};

/** The options, checked and filled in. */
function filled(options: RequestOptions): FilledOptions {
  const given: Fields = { ...options };
  for (const [name, [isGood, wanted, otherwise]] of Object.entries(OPTIONS)) {
    const isNeeded = name === "model" || name === "messages";
    if ((isNeeded || given[name] !== undefined) && !isGood(given[name]))
      throw invalid(`${name} must be ${wanted}`);
    given[name] ??= otherwise;
  }
  // A cast: each was checked.
  return given as unknown as FilledOptions;
}

function checkTool(tool: unknown, at: number): asserts tool is RequestTool {
  const wrong = (what: string) => invalid(`tools[${at}]${what}`);
  if (!isObject(tool)) throw wrong(" must be {name, description, inputSchema}");
  if (typeof tool.name !== "string" || tool.name === "")
    throw wrong(".name must be a string that is not empty");
  const { description, inputSchema, strict } = tool;
  if (description !== undefined && !isText(description))
    throw wrong(".description must be a string");
  if (inputSchema !== undefined && typeof inputSchema !== "boolean" && !isObject(inputSchema))
    throw wrong(".inputSchema must be a JSON Schema");
  if (strict !== undefined && typeof strict !== "boolean") throw wrong(".strict must be a boolean");
}

/** The schema of an input without its `$schema`, which providers refuse. */
function schemaOf(given: JSONSchema | undefined): JSONSchema {
  // A cast: it is JSON already, or cannot be sent.
  const schema = jsonValue(given) as JSONSchema | undefined;
  if (!isObject(schema)) return { type: "object", properties: {} };
  const { $schema, ...rest } = schema;
  return $schema === undefined ? schema : rest;
}

/** Checks the options of a request: throws for one that is not what it has to be. */
export function askedOf(
  format: RequestFormat,
  options: RequestOptions,
  report: (problem: Problem) => void,
): AskedRequest {
  const { model, provider, tools, system, maxTokens, ...flags } = filled(options);
  const names = new Map<string, string>();
  const nameOf = (tool: string) => {
    let name = names.get(tool);
    if (name !== undefined) return name;
    name = toolName(tool, format);
    names.set(tool, name);
    if (name !== tool) {
      const from = JSON.stringify(tool.slice(0, 80));
      const message = `the provider refuses ${from} as the name of a tool: it is sent as ${name}`;
      report(problem("warning", "RQ-5", message));
    }
    return name;
  };
  const { stream, cache, store, foreignReasoning, repair } = flags;
  return {
    ...{ format, model, provider },
    tools: tools.map((tool, at) => {
      checkTool(tool, at);
      const { name, description, inputSchema, strict } = tool;
      return {
        name: nameOf(wellFormed(name)),
        ...(description !== undefined && { description: wellFormed(description) }),
        schema: schemaOf(inputSchema),
        ...(strict !== undefined && { strict }),
      };
    }),
    system: [system]
      .flat()
      .map(wellFormed)
      .filter((text) => text !== ""),
    ...{ stream, cache, store, foreignReasoning, repair },
    ...(maxTokens !== undefined && { maxTokens }),
    ...{ report, nameOf },
  };
}
