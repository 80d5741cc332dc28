// The arguments of a call: read, checked, repaired once where the schema says so, and checked again.
import { isObject } from "./boundary.ts";
import { isStandard, schemaOf } from "./schema.mjs";

const MOST_ISSUES = 10;
const SHOWN = 80;

/** What is wrong with the arguments: a message for the model. */
export class ArgumentsError extends Error {}

const cut = (text) => {
  const characters = [...text.slice(0, SHOWN * 2 + 2)];
  return characters.length > SHOWN ? `${characters.slice(0, SHOWN).join("")}…` : text;
};

/** The arguments of a call as given: parsed, or as text. Throws `ArgumentsError`. */
export function readArguments(tool, { input, raw }) {
  const text = typeof input === "string" ? input : input === undefined ? raw : undefined;
  if (text === undefined) {
    if (input === undefined || input === null) return {};
    return checked(tool, input);
  }
  // Some providers send no text at all for a tool without parameters.
  if (text.trim() === "") return {};
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ArgumentsError(
      `The ${tool} tool cannot run: its arguments are not JSON (${cut(String(error?.message))}). Call it again with one JSON object.`,
    );
  }
  return checked(tool, value);
}

function checked(tool, value) {
  if (isObject(value)) return value;
  const what = Array.isArray(value) ? "an array" : value === null ? "null" : `a ${typeof value}`;
  throw new ArgumentsError(
    `The ${tool} tool cannot run: its arguments are ${what}, not an object. Call it again with one JSON object.`,
  );
}

const pathOf = (path) =>
  path.reduce(
    (text, step) =>
      typeof step === "number"
        ? `${text}[${step}]`
        : text === ""
          ? String(step)
          : `${text}.${step}`,
    "",
  );

/** The message for the model that names the issues and the tool's signature. */
function messageOf(tool, issues, signature) {
  const lines = issues.slice(0, MOST_ISSUES).map(({ path, message }) => {
    const where = pathOf(path);
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
function issuesOf(found, own) {
  const issues = Array.isArray(found) ? found : [];
  const mine = new Map((own ?? []).map((issue) => [pathOf(issue.path), issue]));
  return issues.map((issue) => {
    const steps = Array.isArray(issue?.path) ? issue.path : [];
    const path = steps.map((step) => (typeof step === "object" && step !== null ? step.key : step));
    const clean = path.map((step) => (typeof step === "number" ? step : String(step)));
    return (
      mine.get(pathOf(clean)) ?? { path: clean, message: String(issue?.message ?? "not valid") }
    );
  });
}

/** The value with one change at a path; everything beside the path stays the same object. */
function changed(value, path, change) {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  const copy = Array.isArray(value) ? [...value] : { ...value };
  if (rest.length === 0) {
    const made = change(value[step]);
    if (made === undefined) delete copy[step];
    else define(copy, step, made);
  } else {
    define(copy, step, changed(value[step], rest, change));
  }
  return copy;
}

/** Sets a field whatever its name is, `__proto__` too. */
function define(object, name, value) {
  Object.defineProperty(object, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

const REPAIRS = {
  number: Number,
  boolean: (text) => text.toLowerCase() === "true",
  parse: JSON.parse,
  remove: () => undefined,
  wrap: (value) => [value],
};

const SAID = {
  number: "read as a number",
  boolean: "read as a boolean",
  parse: "read as JSON text",
  remove: "null left out",
  wrap: "put into an array",
};

/** The value with every repair that the issues allow, and what was done; undefined if there is none. */
function repaired(value, issues) {
  const done = [];
  let made = value;
  for (const { path, repair } of issues) {
    if (repair === undefined) continue;
    try {
      made = changed(made, path, REPAIRS[repair]);
      done.push(`${pathOf(path)}: ${SAID[repair]}`);
    } catch {
      // It looked like JSON text and is not.
    }
  }
  return done.length === 0 ? undefined : { value: made, done };
}

/** The value as the library converts it, or its issues. */
async function validated(parameters, value) {
  const result = await parameters["~standard"].validate(value);
  return result?.issues ? { issues: result.issues } : { value: result?.value };
}

/**
 * Checks the arguments of a call, and repairs them if they do not fit. Gives what `execute` gets and the list
 * of repairs, at once where a JSON Schema checks them, and a promise where a library does. Throws
 * `ArgumentsError`.
 */
export function checkArguments(tool, definition, value) {
  const schema = schemaOf(tool, definition);
  if (isStandard(definition.parameters)) return checkedByLibrary(tool, definition, schema, value);
  const issues = schema.check(value);
  if (issues === undefined) return { value, repairs: [] };
  const second = repaired(value, issues);
  if (second !== undefined && schema.check(second.value) === undefined) {
    return { value: second.value, repairs: second.done };
  }
  throw refused(tool, definition, schema, issues, value);
}

async function checkedByLibrary(tool, definition, schema, value) {
  const first = await validated(definition.parameters, value);
  if (first.issues === undefined) return { value: first.value, repairs: [] };
  const own = schema.check(value);
  const second = own && repaired(value, own);
  if (second) {
    const again = await validated(definition.parameters, second.value);
    if (again.issues === undefined) return { value: again.value, repairs: second.done };
  }
  throw refused(tool, definition, schema, issuesOf(first.issues, own), value);
}

function refused(tool, definition, { signature }, issues, value) {
  const shown = issues.map(({ repair, ...issue }) => issue);
  let message;
  try {
    message = definition.formatValidationError?.(shown, value);
  } catch {
    // Its own words failed; ours say what is wrong.
  }
  return new ArgumentsError(
    typeof message === "string" && message !== "" ? message : messageOf(tool, shown, signature),
  );
}
