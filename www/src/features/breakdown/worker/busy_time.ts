import { PART_CODE } from "../../parts/model";
import { type Layout, ROLE_USER } from "../../transcript/model/layout";
import type { BusyTime } from "../model";

/** The tools that ask a person. The names are those by which the module's summary knows them. */
const ASKING =
  /^(?:question|askuserquestion|ask_user|ask_user_question|ask_followup_question|request_user_input|ask_human)$/i;

interface RunSpan {
  from: number;
  to: number;
}

/**
 * How much of a stretch of time the model, tools and a person took, as the module's summary counts for the whole:
 * where calls run at once that time counts once, and what lies between a turn and the next request is idle.
 * Undefined where no message of it has a time.
 */
export function busyTime(layout: Layout, start: number, end: number): BusyTime | undefined {
  const { created, completed, firstPart, roles, starts, ends, tools, types } = layout;
  const asking = layout.toolNames.map((name) => ASKING.test(name));
  const sums: BusyTime = { model: 0, tools: 0, waiting: 0 };
  let isTimed = false;
  let turn: RunSpan | undefined;
  let calls: RunSpan[] = [];
  let asked: RunSpan[] = [];
  const within = (ms: number) => Math.min(end, Math.max(start, ms));
  const note = (ms: number) => {
    if (!(ms > 0)) return;
    turn = turn
      ? { from: Math.min(turn.from, ms), to: Math.max(turn.to, ms) }
      : { from: ms, to: ms };
  };
  const finish = () => {
    if (turn && turn.to >= start && turn.from <= end) {
      isTimed = true;
      const length = within(turn.to) - within(turn.from);
      const run = union(calls);
      const all = union([...calls, ...asked]);
      sums.tools += run;
      sums.waiting += all - run;
      sums.model += Math.max(0, length - all);
    }
    turn = undefined;
    calls = [];
    asked = [];
  };
  for (let message = 0; message < roles.length; message++) {
    if (roles[message] === ROLE_USER) finish();
    note(created[message] ?? Number.NaN);
    note(completed[message] ?? Number.NaN);
    for (let part = firstPart[message] ?? 0; part < (firstPart[message + 1] ?? 0); part++) {
      if (types[part] !== PART_CODE.tool) continue;
      const [from, to] = [starts[part] ?? Number.NaN, ends[part] ?? Number.NaN];
      note(from);
      note(to);
      if (!(to > from) || to < start || from > end) continue;
      const list = asking[(tools[part] ?? 0) - 1] ? asked : calls;
      list.push({ from: within(from), to: within(to) });
    }
  }
  finish();
  return isTimed ? sums : undefined;
}

/** How long at least one of these spans lasts. */
function union(spans: RunSpan[]): number {
  let sum = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { from, to } of spans.sort((a, b) => a.from - b.from)) {
    if (to <= until) continue;
    sum += to - Math.max(from, until);
    until = to;
  }
  return sum;
}
