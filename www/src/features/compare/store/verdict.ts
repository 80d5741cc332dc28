import type { Fork } from "../../../../../ts/cli/comparison/fork.ts";
import { isSameRequest } from "../../../../../ts/cli/comparison/request.ts";
import { endedBadly, ROLE_USER } from "../../../core/model/layout";
import { PART_CODE } from "../../../core/model/parts";
import type { Row } from "../../../core/model/rows";
import { isTaskTool } from "../../../core/model/tasks";
import type { ToolView } from "../../../core/model/tools";
import type { OpenDocument } from "../../../core/store/document";
import { one } from "../../../ui/format";
import type { JsonNode } from "../../../ui/values";
import type { ComparedDocuments } from "./pairing";

/** What two transcripts side by side come to, in sentences. */
export interface Verdict {
  /** They were asked different things: what each was. Undefined where it was the same. */
  tasks?: [string, string];
  /** Up to where they are the same, and what each does then. */
  fork?: string;
}

const LONGEST = 80;

export async function verdictOf(docs: ComparedDocuments, fork: Fork | undefined): Promise<Verdict> {
  const [left, right] = await Promise.all(docs.map(taskOf));
  const differ = left && right && !isSameRequest(left, right);
  return {
    ...(differ ? { tasks: [shortened(left), shortened(right)] } : {}),
    ...(fork ? { fork: await sentence(docs, fork) } : {}),
  };
}

async function sentence(docs: ComparedDocuments, fork: Fork): Promise<string> {
  const { steps, callSteps, calls } = fork;
  if (calls.every((call) => call < 0)) {
    const began = steps === 0 ? "the first step on" : `step ${steps + 1} on`;
    return `Both make the same calls; what is said, or what came of them, differs from ${began}.`;
  }
  const does = await Promise.all(
    docs.map((doc, side) => actionOf(doc, calls[side] ?? -1, fork.repeats[side] ?? false)),
  );
  const [first, second] = does;
  const then =
    first === second ? `each ${first}, in its own way` : `the first ${first}, the second ${second}`;
  if (callSteps === 0) return `Different from the first step on: ${then}.`;
  if (callSteps === steps) return `The same up to step ${steps}; then ${then}.`;
  const whole = steps === 0 ? "" : `The same up to step ${steps}, and the `;
  return `${whole || "The "}same calls up to step ${callSteps}; then ${then}.`;
}

async function rowAt(doc: OpenDocument, row: number): Promise<Row | undefined> {
  const [found] = await doc.client.call("rows", row, row + 1);
  return found;
}

/** What a side does next: `edits main.rs`. */
async function actionOf(doc: OpenDocument, part: number, repeats: boolean): Promise<string> {
  if (part < 0) return hasCalls(doc) ? "makes no more calls" : "makes no call";
  const row = await rowAt(doc, rowOfPart(doc, part));
  if (row?.kind !== "part" || row.view.type !== "tool") return "goes on";
  const fails = endedBadly(doc.facts.layout.statuses[part] ?? 0) ? ", which fails" : "";
  return `${deed(row.view, repeats)}${fails}`;
}

function hasCalls({ facts }: OpenDocument): boolean {
  return facts.layout.types.includes(PART_CODE.tool);
}

function rowOfPart(doc: OpenDocument, part: number): number {
  const { firstPart, messages } = doc.map;
  let low = 0;
  let high = messages - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((firstPart[middle] ?? 0) <= part) low = middle;
    else high = middle - 1;
  }
  return doc.map.row(low, part - (firstPart[low] ?? 0));
}

function deed({ tool, title, body }: ToolView, repeats: boolean): string {
  const again = repeats ? " again" : "";
  switch (body.kind) {
    case "shell": {
      const command = shortened(body.command.head.trim().split("\n", 1)[0] ?? "");
      return command ? `${repeats ? "repeats" : "runs"} \`${command}\`` : `runs a command${again}`;
    }
    case "edit":
      return `edits ${fileOf(body.path, title)}${again}`;
    case "write":
      return `writes ${fileOf(body.path, title)}${again}`;
    case "read":
      return `reads ${fileOf(body.path, title)}${again}`;
    case "search": {
      const wanted = fieldOf(body.input, "pattern");
      return wanted ? `searches for \`${shortened(wanted)}\`${again}` : `searches${again}`;
    }
    case "web": {
      const wanted = fieldOf(body.input, "url") || fieldOf(body.input, "query");
      return wanted ? `asks the web for ${shortened(wanted)}${again}` : `asks the web${again}`;
    }
    case "todos":
      return `writes its list of todos${again}`;
    default:
      return isTaskTool(tool) ? `starts a task${again}` : `calls ${tool}${again}`;
  }
}

function fileOf(path: string, title: string): string {
  return shortened((path || title).split(/[\\/]/).pop() || "a file");
}

function fieldOf(value: JsonNode, name: string): string {
  if (typeof value !== "object" || value === null || value.kind !== "object") return "";
  const found = value.entries.find(([key]) => key === name)?.[1];
  return typeof found === "string" ? found : "";
}

/** So many messages of the user, and parts of one, are looked at for what a person wrote. */
const LOOKED_AT = 8;

/** The first words of a person. */
async function taskOf(doc: OpenDocument): Promise<string> {
  const { roles } = doc.facts.layout;
  let message = roles.indexOf(ROLE_USER);
  for (let looked = 0; message >= 0 && looked < LOOKED_AT; looked++) {
    const header = doc.map.header(message);
    const end = header + 1 + Math.min(doc.map.parts(message), LOOKED_AT);
    for (const row of await doc.client.call("rows", header + 1, end)) {
      if (row.kind !== "part" || row.view.type !== "text") continue;
      if (row.view.first && row.view.said) return row.view.first;
    }
    message = roles.indexOf(ROLE_USER, message + 1);
  }
  return "";
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1).trimEnd()}…` : text;
}

/** `12 steps the same` */
export function sameWords({ steps, messages }: { steps: number; messages: number }): string {
  if (steps > 0) return `${one(steps, "step")} the same`;
  return messages > 0 ? `${one(messages, "message")} the same` : "The same here";
}
