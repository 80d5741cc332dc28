import type { Problem } from "apex-parts";
import type { Overview } from "../../model/overview";
import type { ProblemView } from "../../model/problems";
import type { Place, RowMap } from "../../model/row_map";
import { fields, label, number, text } from "../fields";
import type { OpenTranscript } from "../open_transcript";
import { messageOf } from "./message";
import { nearestPlaces, type Places } from "./places";

/** The most problems that the page lists; the totals count all of them. */
const LISTED = 5000;

export type ProblemFields = "errors" | "warnings" | "problems";

/**
 * `bytes`: how many were read. `isGrowing`: more is to come, so that a last step without an end is not a
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

function problemView(problem: unknown, map: RowMap, places: Places): ProblemView {
  const value = fields(problem) ?? {};
  const path = text(value.path) ?? "";
  const offset = number(value.offset);
  return {
    severity: value.severity === "error" ? "error" : "warning",
    rule: label(value.rule, 40),
    path: label(path, 500),
    message: messageOf(value, 1000),
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
