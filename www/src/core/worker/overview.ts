import type { Problem } from "apex-parts";
import { ROLE_USER } from "../model/layout";
import type { Overview } from "../model/overview";
import type { RowMap } from "../model/row_map";
import { compactionFacts } from "./compactions";
import { fields, label, number } from "./fields";
import { firstWords } from "./first_words";
import { time } from "./no_time";
import type { OpenTranscript } from "./open_transcript";
import { damageOf } from "./problems/damage";
import { type ProblemFields, problemsOf } from "./problems/problems";
import { tokens } from "./values";

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
  return {
    ...facts(open, name, bytes),
    ...problemsOf(open, problems, map, bytes),
    ...(damage === undefined ? {} : { damage }),
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
  return { ...facts(open, name, bytes), errors: 0, warnings: 0, reading: true };
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
  const named = label(model?.id ?? model?.modelID, 80);
  if (named) return named;
  const assistant = open.layout.roles.indexOf(2);
  if (assistant < 0) return "";
  const info = open.info(assistant);
  return label(info.modelID, 80);
}
