// The arguments of a call: read, checked, repaired once where the schema says so, and checked again.
import type { SchemaIssue, Tool } from "apex-parts:glue";
import { type Fields, isObject, kindOf } from "./boundary.ts";
import { messageOf } from "./errors.ts";
import { type CompiledSchema, isStandard, type StandardSchema, schemaOf } from "./schema.ts";

const MOST_ISSUES = 10;
const SHOWN = 80;

/** What is wrong with the arguments: a message for the model. */
export class ArgumentsError extends Error {}

const cut = (text: string) => {
  const characters = [...text.slice(0, SHOWN * 2 + 2)];
  return characters.length > SHOWN ? `${characters.slice(0, SHOWN).join("")}…` : text;
};

/** The arguments of a call as given: parsed, or as text. Throws `ArgumentsError`. */
export function readArguments(
  tool: string,
  { input, raw }: { input?: unknown; raw?: string | undefined },
): Fields {
  const text = typeof input === "string" ? input : input === undefined ? raw : undefined;
  if (text === undefined) {
    if (input === undefined || input === null) return {};
    return checked(tool, input);
  }
  // Some providers send no text at all for a tool without parameters.
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ArgumentsError(
      `The ${tool} tool cannot run: its arguments are not JSON (${cut(messageOf(error))}). Call it again with one JSON object.`,
    );
  }
  return checked(tool, value);
}

function checked(tool: string, value: unknown): Fields {
  if (isObject(value)) return value;
  throw new ArgumentsError(
    `The ${tool} tool cannot run: its arguments are ${kindOf(value)}, not an object. Call it again with one JSON object.`,
  );
}

/** From a value to one in it. */
type Path = readonly (string | number)[];

const written = (path: Path) =>
  path.reduce<string>(
    (text, step) =>
      typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`,
    "",
  );

/** The message for the model that names the issues and the tool's signature. */
function explanation(tool: string, issues: Tool.Issue[], signature: string) {
  const lines = issues.slice(0, MOST_ISSUES).map(({ path, message }) => {
    const where = written(path);
    return where === "" ? `- ${message}` : `- ${where}: ${message}`;
  });
  if (issues.length > MOST_ISSUES) lines.push(`- and ${issues.length - MOST_ISSUES} more`);
  return [
    `The ${tool} tool cannot run with these arguments:`,
    ...lines,
    signature === "" ? "It takes no arguments." : `It takes: ${signature}.`,
    "Call it again with arguments that fit.",
  ].join("\n");
}

/** The issues of a schema library in the form of ours; those of the JSON Schema at the same places say more. */
function issuesOf(given: unknown, own: SchemaIssue[] | undefined): SchemaIssue[] {
  const issues: unknown[] = Array.isArray(given) ? given : [];
  const mine = new Map((own ?? []).map((issue) => [written(issue.path), issue]));
  return issues.map((one) => {
    const issue = isObject(one) ? one : {};
    const steps: unknown[] = Array.isArray(issue.path) ? issue.path : [];
    const path = steps
      .map((step) => (isObject(step) ? step.key : step))
      .map((step) => (typeof step === "number" ? step : String(step)));
    return mine.get(written(path)) ?? { path, message: String(issue.message ?? "not valid") };
  });
}

/** A value that has others, by index or name. */
type Parent = Record<string | number, unknown>;

/** The value with one change at a path; everything beside the path stays the same object. */
function changed(value: unknown, path: Path, change: (value: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  // A cast: an issue has the path of what is there, so the value has something at it.
  const parent = value as Parent;
  // A cast: an array has its elements by index.
  const copy = Array.isArray(value) ? ([...value] as unknown as Parent) : { ...parent };
  if (rest.length === 0) {
    const other = change(parent[step]);
    if (other === undefined) delete copy[step];
    else define(copy, step, other);
  } else {
    define(copy, step, changed(parent[step], rest, change));
  }
  return copy;
}

/** Sets a field whatever its name is, `__proto__` too. */
function define(object: object, name: string | number, value: unknown) {
  Object.defineProperty(object, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

const REPAIRS: Record<NonNullable<SchemaIssue["repair"]>, (value: unknown) => unknown> = {
  number: Number,
  boolean: (text) => String(text).toLowerCase() === "true",
  parse: (text) => JSON.parse(String(text)),
  remove: () => undefined,
  wrap: (value) => [value],
};

/** What a repair is called in the metadata of a call. */
const NAMES: Record<keyof typeof REPAIRS, string> = {
  number: "read as a number",
  boolean: "read as a boolean",
  parse: "read as JSON text",
  remove: "null left out",
  wrap: "put into an array",
};

/** More repairs than these within each other make no sense any more. */
const MOST_ROUNDS = 8;

/**
 * The value with every repair that the issues allow, and what was done; undefined if there is none. What a repair shows
 * is checked and repaired too: a list in a string may have numbers in strings.
 */
function repaired(
  given: unknown,
  first: SchemaIssue[],
  check: (value: unknown) => SchemaIssue[] | undefined,
) {
  const repairs: string[] = [];
  let value = given;
  let issues: SchemaIssue[] | undefined = first;
  for (let round = 0; round < MOST_ROUNDS && issues !== undefined; round++) {
    const before = repairs.length;
    for (const { path, repair } of issues) {
      if (repair === undefined) continue;
      try {
        value = changed(value, path, REPAIRS[repair]);
        repairs.push(`${written(path)}: ${NAMES[repair]}`);
      } catch {
        // It looked like JSON text and is not.
      }
    }
    if (repairs.length === before) break;
    issues = check(value);
  }
  return repairs.length === 0 ? undefined : { value, repairs, fits: issues === undefined };
}

/**
 * The value as the library converts it, or its issues. Only an object with a `value` and without `issues` is a success;
 * everything else is a refusal, whatever it is: some libraries return their issues in an array that has more fields.
 */
async function validated(
  parameters: StandardSchema,
  value: unknown,
): Promise<{ value: unknown } | { issues: unknown }> {
  // A cast: nothing is known of what a library returns.
  const result = (await parameters["~standard"].validate(value)) as unknown;
  const { issues } = typeof result === "object" && result !== null ? (result as Fields) : {};
  if (isObject(result) && issues === undefined && "value" in result) return { value: result.value };
  const isList = Array.isArray(issues) && issues.length > 0;
  return { issues: isList ? issues : [{ message: "the schema does not accept them" }] };
}

/** What `execute` gets, what was repaired, and the patterns that were not checked. */
export interface CheckedArguments {
  value: unknown;
  repairs: string[];
  unchecked: string[];
}

/**
 * Checks the arguments of a call, and repairs them if they do not fit: at once where a JSON Schema checks them, and in
 * a promise where a library does. Throws `ArgumentsError`.
 */
export function checkArguments(
  tool: string,
  definition: Tool.Definition,
  value: unknown,
): CheckedArguments | Promise<CheckedArguments> {
  const schema = schemaOf(tool, definition);
  const { parameters } = definition;
  if (isStandard(parameters)) return checkedByLibrary(tool, definition, parameters, schema, value);
  const patterns = new Set<string>();
  const check = (other: unknown) => schema.check(other, patterns);
  const issues = check(value);
  if (issues === undefined) return { value, repairs: [], unchecked: [...patterns] };
  const second = repaired(value, issues, check);
  if (second?.fits) {
    return { value: second.value, repairs: second.repairs, unchecked: [...patterns] };
  }
  throw refused(tool, definition, schema, issues, value);
}

async function checkedByLibrary(
  tool: string,
  definition: Tool.Definition,
  parameters: StandardSchema,
  schema: CompiledSchema,
  value: unknown,
): Promise<CheckedArguments> {
  const first = await validated(parameters, value);
  // The library checks patterns itself.
  if ("value" in first) return { value: first.value, repairs: [], unchecked: [] };
  const check = (other: unknown) => schema.check(other, new Set());
  const own = check(value);
  const second = own && repaired(value, own, check);
  if (second) {
    const again = await validated(parameters, second.value);
    if ("value" in again) return { value: again.value, repairs: second.repairs, unchecked: [] };
  }
  throw refused(tool, definition, schema, issuesOf(first.issues, own), value);
}

function refused(
  tool: string,
  definition: Tool.Definition,
  { signature }: CompiledSchema,
  issues: SchemaIssue[],
  value: unknown,
) {
  const list = issues.map(({ repair, ...issue }): Tool.Issue => issue);
  let message: unknown;
  try {
    message = definition.formatValidationError?.(list, value);
  } catch {
    // Its own words failed; ours say what is wrong.
  }
  return new ArgumentsError(
    typeof message === "string" && message !== "" ? message : explanation(tool, list, signature),
  );
}
