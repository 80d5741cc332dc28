// The result of a call, as the result of a tool.
import type { Tool } from "apex-parts:glue";
import { problem } from "../problem.ts";
import { type Fields, isObject } from "../tools/boundary.ts";
import { mcpContentToParts } from "./content.ts";
import { McpCallError } from "./errors.ts";
import type { Call } from "./options.ts";
import { read } from "./plain.ts";
import type { McpResultContext } from "./types.ts";

/** The most bytes of structured content in the metadata. */
const MOST_STRUCTURED = 64 * 1024;
const MOST_ANNOTATIONS = 1000;

/** A value of the server's, read; undefined if it is not JSON, or too large. */
function copied(value: unknown): unknown {
  if (value === undefined) return undefined;
  try {
    // Base64 of megabytes is not written first to find that it is too large.
    let units = 0;
    const json = JSON.stringify(value, (_name, item) => {
      if (typeof item === "string") units += item.length;
      if (units > MOST_STRUCTURED) throw new RangeError("too large");
      return item;
    });
    const isLarge =
      json.length > MOST_STRUCTURED || new TextEncoder().encode(json).length > MOST_STRUCTURED;
    return isLarge ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The annotations of items, which are kept and not acted on. */
function annotationsOf(result: Fields) {
  const list: { item: number; annotations: Fields }[] = [];
  try {
    const { content } = result;
    if (!Array.isArray(content)) return list;
    const count = Math.min(content.length, MOST_ANNOTATIONS);
    for (let item = 0; item < count; item++) {
      const annotations = copied(content[item]?.annotations);
      if (isObject(annotations)) list.push({ item, annotations });
    }
  } catch {
    // What cannot be read is the content's to tell.
  }
  return list;
}

/** The result of a tool. Throws the error of a call if the server says that it failed. */
export function toolResult(call: Call, result: unknown, about: McpResultContext): Tool.Result {
  const parts = mcpContentToParts(result, about);
  const mcp: Fields = { clientName: call.clientName, toolName: call.toolName };
  if (isObject(result)) {
    const content = read(result, "structuredContent");
    const structured = copied(content === undefined ? read(result, "toolResult") : content);
    if (structured !== undefined) mcp.structuredContent = structured;
    const annotations = annotationsOf(result);
    if (annotations.length > 0) mcp.annotations = annotations;
  }
  for (const name of ["resources", "links", "problems"] as const) {
    if (parts[name].length > 0) mcp[name] = parts[name];
  }
  const { output, isError, attachments, invisible, problems } = parts;
  const metadata = invisible === undefined ? { mcp } : { mcp, invisible };
  if (isError) {
    if (attachments.length > 0) {
      const message = `an error cannot have files: ${attachments.length} left out`;
      const more = problem("warning", "MC-7", message, "/content");
      mcp.problems = [...problems, more];
    }
    throw new McpCallError("tool", output, metadata, true);
  }
  const answer: Tool.Result = { title: call.title, output, metadata };
  if (attachments.length > 0) answer.attachments = attachments;
  return answer;
}
