import { callSubject, type Part, saidText } from "apex-parts";
import type { Filter } from "../../../core/model/query";
import { type Fields, fields, firstLine, label, number, text } from "../../../core/worker/fields";
import { time } from "../../../core/worker/no_time";
import { failure, spanOf, tokens } from "../../../core/worker/values";
import type { HitView } from "../model/hits";

type MatchedFact = NonNullable<HitView["matched"]>[number];

/** What of a row the filters chose it by. A filter that is turned round chose by what is not there. */
export function matchedFacts(
  filters: readonly Filter[],
  value: Fields,
  info: Fields,
  part: number,
): MatchedFact[] {
  return filters
    .filter(({ negated }) => !negated)
    .flatMap(({ name }): MatchedFact[] => {
      const found = factOf(name, value, info, part);
      return found === undefined || found === "" ? [] : [{ name, value: found }];
    });
}

function factOf(
  name: string,
  value: Fields,
  info: Fields,
  part: number,
): string | number | undefined {
  const state = fields(value.state);
  switch (name) {
    case "tool":
      return label(value.tool, 40);
    case "type":
      return part < 0 ? undefined : label(value.type, 40);
    case "status":
      return part < 0 ? "error" : label(state?.status, 40);
    case "exit":
      return number(fields(state?.metadata)?.exit);
    case "role":
      return label(info.role, 40);
    case "agent":
      return label(info.agent, 40);
    case "cost":
      return number(value.cost) ?? number(info.cost);
    case "tokens": {
      const all = tokens(value.tokens ?? info.tokens);
      return all.input + all.output + all.reasoning + all.cacheRead + all.cacheWrite;
    }
    case "dur":
      return part < 0 ? lengthOf(info) : spanLength(state?.time ?? value.time);
    default:
      return undefined;
  }
}

function lengthOf(info: Fields): number | undefined {
  const times = fields(info.time);
  const [start, end] = [time(times?.created), time(times?.completed)];
  return start === undefined || end === undefined ? undefined : end - start;
}

function spanLength(time: unknown): number | undefined {
  const { start, end } = spanOf(time);
  return start === undefined || end === undefined ? undefined : end - start;
}

/** So many bytes of a text are looked through for its first line. */
const LONGEST = 4096;

/** What a part or a message is about, in a line. */
export function summaryOf(value: Fields, part: number): string {
  if (part < 0) return value.error ? label(failure(value.error).message, 120) : "";
  const state = fields(value.state);
  const whole = value as unknown as Part;
  const told = callSubject(whole)?.text || text(state?.title);
  const said = told ?? saidText(whole, LONGEST) ?? text(value.text) ?? text(value.reason);
  return firstLine(said ?? "", 120);
}
