import { endedBadly, STATUS_NAMES } from "../../core/model/layout";
import { PART_TYPES } from "../../core/model/parts";
import type { RowMap } from "../../core/model/row_map";
import { taskTools } from "../../core/model/tasks";
import { callStatus } from "../../core/worker/call_status";
import type { Calls, Desk } from "../../core/worker/desk";
import { type Fields, fields, label, list, text } from "../../core/worker/fields";
import { time } from "../../core/worker/no_time";
import type { OpenTranscript } from "../../core/worker/open_transcript";
import { sessionOfTask } from "../../core/worker/sessions";
import { spanOf } from "../../core/worker/values";
import { RANK_RUNNING, RANK_SPAN, rankOf } from "./model/ranks";
import type { Track } from "./model/tracks";

/** This many sessions of tasks have a place in the timeline, and this many bars of each. */
const SESSIONS = 100;
const BARS = 20_000;
/** This many calls of tools that start tasks are looked at. */
const CALLS = 1000;

/** The sessions of tasks, which are drawn beside the one that is shown. They have no rows. */
function tracks(open: OpenTranscript, map: RowMap): Track[] {
  const { transcript, layout } = open;
  const shown = new Set(layout.sessions);
  const beside = transcript.sessions.filter((_, place) => !shown.has(place)).slice(0, SESSIONS);
  if (beside.length === 0) return [];
  const calls = callsOf(open, map);
  return beside.flatMap(({ id }) => {
    const messages = transcript.messagesOf(id).map((message) => fields(message) ?? {});
    const track = trackOf(messages, transcript.holdsResults);
    return track ? [{ ...track, row: calls.get(id) ?? -1 }] : [];
  });
}

function trackOf(messages: Fields[], holdsResults: boolean): Omit<Track, "row"> | undefined {
  let agent = "";
  let calls = 0;
  let failed = 0;
  const starts: number[] = [];
  const ends: number[] = [];
  const ranks: number[] = [];
  const add = (start: number | undefined, end: number | undefined, rank: number) => {
    if (start === undefined || starts.length >= BARS) return;
    starts.push(start);
    ends.push(end ?? (rank === RANK_RUNNING ? Number.NaN : start));
    ranks.push(rank);
  };
  for (const message of messages) {
    const info = fields(message.info) ?? {};
    if (info.role === "assistant") agent = label(info.agent, 60) || agent;
    const times = fields(info.time);
    add(time(times?.created), time(times?.completed), RANK_SPAN);
    if (info.role === "user") continue;
    for (const value of list(message.parts)) {
      const part = fields(value) ?? {};
      const type = text(part.type) ?? "";
      const code = (PART_TYPES as readonly string[]).indexOf(type);
      const state = fields(part.state);
      const status = type === "tool" ? statusCode(part, holdsResults) : 0;
      if (type === "tool") calls++;
      if (endedBadly(status)) failed++;
      const { start, end } = spanOf(state?.time ?? part.time);
      const rank = rankOf(code, status);
      if (rank > RANK_SPAN) add(start, end, rank);
    }
  }
  if (starts.length === 0) return undefined;
  return {
    agent: agent || "task",
    calls,
    failed,
    starts: Float64Array.from(starts),
    ends: Float64Array.from(ends),
    ranks: Uint8Array.from(ranks),
  };
}

/** As `layout().statuses` has it. */
function statusCode(part: Fields, holdsResults: boolean): number {
  const status = callStatus(part, holdsResults);
  return status === undefined ? 0 : STATUS_NAMES.indexOf(status);
}

/** The rows of the calls that started sessions, by the session. */
function callsOf(open: OpenTranscript, map: RowMap): Map<string, number> {
  const { layout } = open;
  const tasks = taskTools(layout.toolNames);
  const found = new Map<string, number>();
  if (tasks.length === 0) return found;
  let looked = 0;
  for (let message = 0; message < map.messages && looked < CALLS; message++) {
    const first = map.firstPart[message] ?? 0;
    for (let part = 0; part < map.parts(message); part++) {
      if (!tasks.includes(layout.tools[first + part] ?? 0)) continue;
      looked++;
      const session = sessionOfTask(fields(open.part(message, part).state) ?? {});
      if (session !== undefined) found.set(session, map.row(message, part));
    }
  }
  return found;
}

export const timeline = (desk: Desk): Calls<"tracks"> => ({
  tracks: () => (desk.open ? tracks(desk.open, desk.rows.map) : []),
});
