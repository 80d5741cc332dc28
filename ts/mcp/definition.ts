// A definition as a server lists it: read once, as JSON, so that what was looked at is what counts later.
import { type JSONSchema, type Problem, toolsMcpDefinition } from "apex-parts:glue";
import { problem } from "../problem.ts";
import { type Fields, isObject } from "../tools/boundary.ts";
import { messageOf } from "../tools/errors.ts";
import type { Server } from "./options.ts";

const text = (value: unknown) => (typeof value === "string" ? value : undefined);
const object = (value: unknown) => (isObject(value) ? value : undefined);

/** What of a definition that JSON does not take can be used: its name. */
function named(tool: unknown): Fields {
  try {
    // A cast: what has no fields throws, and has no name.
    return { name: text((tool as Fields).name) };
  } catch {
    return {};
  }
}

/** What the module reads of a definition. */
type Read = ReturnType<typeof toolsMcpDefinition>;

const leftOut = (rule: string, message: string): Read => ({
  parameters: '{"type":"object","properties":{}}',
  fingerprint: "",
  isLeftOut: true,
  needsTask: false,
  problems: [problem("error", rule, message)],
});

/** What was read of a definition. */
export interface Definition {
  /** The definition; "" where it is no JSON. */
  json: string;
  name: unknown;
  description: string;
  title: string | undefined;
  annotations: Fields | undefined;
  outputSchema: Fields | undefined;
  parameters: JSONSchema;
  /** Of name, description and parameters; "" where it was left out. */
  fingerprint: string;
  isLeftOut: boolean;
  needsTask: boolean;
  problems: Problem[];
}

/** One with a name, which a set or a conversion has checked. */
export type Named = Definition & { name: string };

/** What the definition is for a model; what cannot be read is left out with a problem. */
export function readDefinition(tool: unknown, schema: Server["schema"]): Definition {
  // "": it is not JSON, and the module is not asked.
  let json = "";
  let definition: unknown;
  let read: Read | undefined;
  try {
    json = JSON.stringify(tool);
    definition = JSON.parse(json);
  } catch (error) {
    definition = named(tool);
    json = "";
    read = leftOut("MT-7", `the definition cannot be read: ${messageOf(error)}`);
  }
  const own = isObject(definition) ? definition : {};
  if (own !== definition) {
    read = leftOut("MT-7", "the definition is not an object");
  }
  try {
    read ??= toolsMcpDefinition(json, schema);
  } catch (error) {
    read = leftOut("MT-6", `the definition cannot be read: ${messageOf(error)}`);
  }
  return {
    json,
    name: own.name,
    description: read.description ?? "",
    title: text(own.title) ?? text(object(own.annotations)?.title),
    annotations: object(own.annotations),
    outputSchema: object(own.outputSchema),
    parameters: JSON.parse(read.parameters),
    fingerprint: read.fingerprint,
    isLeftOut: read.isLeftOut,
    needsTask: read.needsTask,
    problems: read.problems,
  };
}
