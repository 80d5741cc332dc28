import type { Problem } from "apex-parts";
import { failure, fields, firstLine, label, number, text, tokens } from "../../../worker/fields";
import type { OpenTranscript } from "../../../worker/open_transcript";
import type { OutlineEntry } from "../../outline/model";
import type { ProblemView } from "../../problems/model";
import { damageOf } from "../../problems/worker/damage";
import type { Places } from "../../problems/worker/places";
import { nearestPlaces } from "../../problems/worker/places";
import { ROLE_USER } from "../model/layout";
import type { Overview } from "../model/overview";
import type { Place, RowMap } from "../model/row_map";
import { modelName } from "./row_maker";

/** The page lists this many problems; the totals count all of them. */
const LISTED = 5000;

/** The facts of the header, the outline and the problems panel. */
export function overview(
  open: OpenTranscript,
  map: RowMap,
  name: string,
  bytes: number,
  lastLine: number,
  problems: Problem[] = open.transcript.problems(),
): Overview {
  const damage = damageOf(problems, map.messages, lastLine);
  open.isCut = damage?.isCut ?? false;
  return {
    ...facts(open, name, bytes),
    ...problemsOf(open, problems, map, bytes),
    ...(damage === undefined ? {} : { damage: damage.sentence }),
  };
}

/** Those that are quick to find. */
export function facts(
  open: OpenTranscript,
  name: string,
  bytes: number,
): Omit<Overview, ProblemFields> {
  const { transcript, layout } = open;
  const session = fields(transcript.session);
  const stats = transcript.stats();
  const start = number(stats.start);
  const end = number(stats.end);
  return {
    name,
    bytes,
    format: label(transcript.format, 40) || "unknown",
    title: label(session?.title) || firstWords(open) || name,
    model: modelOf(open, session),
    status: statusOf(open),
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    cost: number(stats.cost) ?? 0,
    tokens: tokens(stats.tokens),
    steps: number(stats.steps) ?? 0,
    layout,
  };
}

export type ProblemFields = "errors" | "warnings" | "problems";

/**
 * `bytes`: so many were read. `isGrowing`: more is to come, and that the last step has no end yet is no
 * problem.
 */
export function problemsOf(
  open: OpenTranscript,
  found: Problem[],
  map: RowMap,
  bytes: number,
  isGrowing = false,
): Pick<Overview, ProblemFields> {
  const last = map.messages === 0 ? -1 : map.header(map.messages - 1);
  const goesOn = (rule: unknown, path: unknown) =>
    rule === "WP-2" && last >= 0 && rowOf(text(path) ?? "", map) >= last;
  const problems = found.filter(({ rule, path }) => !isGrowing || !goesOn(rule, path));
  const errors = problems.filter((problem) => problem.severity === "error").length;
  const listed = problems.slice(0, LISTED);
  const places = open.places ?? nearestPlaces(open, listed, bytes);
  return {
    errors,
    warnings: problems.length - errors,
    problems: listed.map((problem) => problemView(problem, map, places)),
  };
}

export function outline(
  open: OpenTranscript,
  map: RowMap,
  start: number,
  end: number,
): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  for (let message = Math.max(0, start); message < Math.min(end, map.messages); message++) {
    entries.push(outlineEntry(open, message));
  }
  return entries;
}

function outlineEntry(open: OpenTranscript, message: number): OutlineEntry {
  const calls: string[] = [];
  for (const value of open.parts(message)) {
    const part = fields(value);
    if (part?.type === "text") {
      const title = firstLine(text(part.text) ?? "", 120);
      if (title) return { title, tools: false };
    }
    if (part?.type === "tool" && calls.length < 20) calls.push(label(part.tool, 40) || "tool");
  }
  if (calls.length > 0) return { title: counted(calls), tools: true };
  const error = open.info(message).error;
  if (error) return { title: failure(error).message, tools: false };
  const first = fields(open.parts(message)[0]);
  return { title: label(first?.type, 40) || "empty message", tools: true };
}

/** `bash ×2, read` */
function counted(names: string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => (n > 1 ? `${name} ×${n}` : name)).join(", ");
}

function firstWords(open: OpenTranscript): string {
  const message = open.layout.roles.indexOf(ROLE_USER);
  const entry = message < 0 ? undefined : outlineEntry(open, message);
  return entry && !entry.tools ? label(entry.title, 80) : "";
}

function modelOf(open: OpenTranscript, session: Record<string, unknown> | undefined): string {
  const model = fields(session?.model);
  const named = modelName(model?.providerID, model?.id ?? model?.modelID);
  if (named) return named;
  const assistant = open.layout.roles.indexOf(2);
  if (assistant < 0) return "";
  const info = open.info(assistant);
  return modelName(info.providerID, info.modelID) ?? "";
}

/** How the session ended, from its last message; nobody knows where the end of the file is missing. */
function statusOf(open: OpenTranscript): Overview["status"] {
  if (open.isCut) return { word: "cut off", tone: "busy" };
  const { layout } = open;
  const count = layout.roles.length;
  if (count === 0) return { word: "empty", tone: "quiet" };
  if (layout.statuses.includes(1) || layout.statuses.includes(2)) {
    return { word: "unfinished", tone: "busy" };
  }
  const info = open.info(count - 1);
  if (info.role === "user") return { word: "waiting", tone: "quiet" };
  if (info.error !== undefined && info.error !== null) {
    const aborted = failure(info.error).name === "MessageAbortedError";
    return aborted ? { word: "aborted", tone: "busy" } : { word: "failed", tone: "bad" };
  }
  const completed = number(fields(info.time)?.completed) !== undefined;
  return completed ? { word: "completed", tone: "good" } : { word: "unfinished", tone: "busy" };
}

function problemView(problem: unknown, map: RowMap, places: Places): ProblemView {
  const value = fields(problem) ?? {};
  const path = text(value.path) ?? "";
  const offset = number(value.offset);
  return {
    severity: value.severity === "error" ? "error" : "warning",
    rule: label(value.rule, 40),
    path: label(path, 500),
    message: label(value.message, 1000),
    ...(offset === undefined ? {} : { offset }),
    row: path === "" ? rowOfPlace(places.get(offset ?? -1), map) : rowOf(path, map),
  };
}

/** The place may be one of the past: what is put together can lose parts again. */
function rowOfPlace(place: Place | undefined, map: RowMap): number {
  if (!place) return -1;
  const row = map.row(place.message, place.part);
  return row >= 0 ? row : map.row(place.message);
}

/** `/messages/3/parts/0/state/output`, or the same without `/messages` for an array of messages. */
function rowOf(path: string, map: RowMap): number {
  const found = /^(?:\/messages)?\/(\d+)(?:\/parts\/(\d+))?(?:\/|$)/.exec(path);
  if (!found) return -1;
  const message = Number(found[1]);
  const row = found[2] === undefined ? -1 : map.row(message, Number(found[2]));
  return row >= 0 ? row : map.row(message);
}
