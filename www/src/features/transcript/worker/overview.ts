import type { Problem } from "apex-parts";
import { fields, label, number } from "../../../worker/fields";
import { time } from "../../../worker/no_time";
import type { OpenTranscript } from "../../../worker/open_transcript";
import { failure, tokens } from "../../../worker/values";
import { firstWords } from "../../outline/worker";
import { damageOf } from "../../problems/worker/damage";
import { type ProblemFields, problemsOf } from "../../problems/worker/problems";
import { ROLE_USER } from "../model/layout";
import type { Overview } from "../model/overview";
import type { RowMap } from "../model/row_map";
import { compactionFacts } from "./compactions";
import { modelName } from "./message_row";

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
  const start = time(stats.start);
  const end = time(stats.end);
  return {
    name,
    bytes,
    format: label(transcript.format, 40) || "unknown",
    title: label(session?.title) || asked(open) || name,
    model: modelOf(open, session),
    status: statusOf(open),
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    cost: number(stats.cost) ?? 0,
    tokens: tokens(stats.tokens),
    steps: number(stats.steps) ?? 0,
    ...compactionFacts(open),
    layout,
  };
}

/** The facts of a transcript that is still read, whose problems were not looked for yet. */
export function soFar(
  open: OpenTranscript,
  name: string,
  bytes: number,
): Omit<Overview, "problems"> {
  const status: Overview["status"] = { word: "reading", tone: "busy" };
  return { ...facts(open, name, bytes), status, errors: 0, warnings: 0, reading: true };
}

/** So many messages of the user are looked at: the first ones may have nothing that a person wrote. */
const LOOKED_AT = 20;

/** The first words of what the user asked for. */
function asked(open: OpenTranscript): string {
  const { roles } = open.layout;
  let message = roles.indexOf(ROLE_USER);
  for (let looked = 0; message >= 0 && looked < LOOKED_AT; looked++) {
    const words = firstWords(open, message);
    if (words) return label(words, 80);
    message = roles.indexOf(ROLE_USER, message + 1);
  }
  return "";
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
