// A definition as a server lists it: read once, as JSON, so that what was looked at is what counts later.
import { toolsMcpDefinition } from "apex-parts:glue";
import { problem } from "../problem.ts";
import { isObject } from "../tools/boundary.ts";
import { messageOf } from "../tools/errors.ts";

const text = (value) => (typeof value === "string" ? value : undefined);
const object = (value) => (isObject(value) ? value : undefined);

/** What of a definition that JSON does not take can be used: its name. */
function named(tool) {
  try {
    return { name: text(tool.name) };
  } catch {
    return {};
  }
}

const leftOut = (rule, message) => ({
  parameters: '{"type":"object","properties":{}}',
  fingerprint: "",
  isLeftOut: true,
  needsTask: false,
  problems: [problem("error", rule, message)],
});

/** What the definition is for a model; what cannot be read is left out with a problem. */
export function readDefinition(tool, schema) {
  let json;
  let definition;
  let read;
  try {
    json = JSON.stringify(tool);
    definition = JSON.parse(json);
  } catch (error) {
    definition = named(tool);
    json = undefined;
    read = leftOut("MT-7", `the definition cannot be read: ${messageOf(error)}`);
  }
  if (!isObject(definition)) {
    definition = {};
    read = leftOut("MT-7", "the definition is not an object");
  }
  try {
    read ??= toolsMcpDefinition(json, schema);
  } catch (error) {
    read = leftOut("MT-6", `the definition cannot be read: ${messageOf(error)}`);
  }
  return {
    json,
    definition,
    name: definition.name,
    description: read.description ?? "",
    title: text(definition.title) ?? text(object(definition.annotations)?.title),
    annotations: object(definition.annotations),
    outputSchema: object(definition.outputSchema),
    parameters: JSON.parse(read.parameters),
    fingerprint: read.fingerprint,
    isLeftOut: read.isLeftOut,
    needsTask: read.needsTask,
    problems: read.problems,
  };
}
