import { useMemo } from "preact/hooks";
import { failedIn } from "../../../core/model/failures";
import type { RunStatus, SummaryView } from "../../../core/model/summary";
import type { OpenDocument } from "../../../core/store/document";
import { brief, cost, count, duration } from "../../../ui/format";
import type { Comparison } from "../store/compare";

type Both<T> = readonly [T, T];

interface Measure {
  name: string;
  /** What each came to, in words, and the tone of the words. */
  said: Both<{ words: string; tone?: RunStatus["tone"] }>;
  /** By how much the second differs, in words, and whether that is better. */
  by?: string;
  is?: "better" | "worse";
}

/** Shown on a narrow screen too where they are the same. */
const BRIEF: ReadonlySet<string> = new Set(["Outcome", "Failed"]);

/** What both came to, measure by measure; and of the second, what is better and what is worse. */
export function Judgement({ comparison }: { comparison: Comparison }) {
  const { docs } = comparison;
  const sums = useMemo(() => docs.map(sumsOf) as unknown as Both<Sums>, [docs]);
  const loops = docs.map((doc) => doc.loops?.length) as unknown as Both<number | undefined>;
  // Both come a moment later than the rest.
  const summed = docs.map((doc) => spentOf(doc.summary)) as unknown as Both<Spent>;
  const of = <K extends keyof Sums>(name: K) => [sums[0][name], sums[1][name]] as const;
  const measures: Measure[] = [
    outcome(docs[0].ended, docs[1].ended),
    compared("Failed", of("failed"), count, "less"),
    compared("Loops", loops, count, "less"),
    compared("Files changed", [summed[0].files, summed[1].files], count),
    compared("Busy time", [summed[0].busy, summed[1].busy], duration, "less"),
    compared("Steps", of("steps"), count),
    compared("Cost", of("cost"), cost, "less"),
    compared("Tokens", of("tokens"), brief),
  ];
  return (
    <dl class="judgement" aria-label="What both came to">
      <div class="measure measure-sides">
        <dt>
          <span class="hidden">Of</span>
        </dt>
        <dd>First</dd>
        <dd>Second</dd>
      </div>
      {measures.map(({ name, said, by, is }) => (
        <div
          key={name}
          class="measure"
          data-brief={BRIEF.has(name) || is ? "true" : undefined}
          data-unknown={said.every(({ words }) => words === "—") ? "true" : undefined}
        >
          <dt>{name}</dt>
          <dd class={`measure-value tone-${said[0].tone ?? "none"}`}>{said[0].words}</dd>
          <dd class={`measure-value tone-${said[1].tone ?? "none"}`}>
            {said[1].words}{" "}
            {(by || is) && (
              <span class={`measure-by${is ? ` measure-${is}` : ""}`}>
                {[by, is].filter(Boolean).join(", ")}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const RANKS = { bad: 0, busy: 1, quiet: 1, good: 2 } as const;

function outcome(one: RunStatus | undefined, other: RunStatus | undefined): Measure {
  const by = one && other ? RANKS[other.tone] - RANKS[one.tone] : 0;
  const say = (ended: RunStatus | undefined) =>
    ended ? { words: ended.word, tone: ended.tone } : { words: "—" };
  return {
    name: "Outcome",
    said: [say(one), say(other)],
    ...(by === 0 ? {} : { is: by > 0 ? "better" : "worse" }),
  };
}

/** What is not known is a dash, and compares with nothing. */
function compared(
  name: string,
  values: Both<number | undefined>,
  write: (value: number) => string,
  better?: "less",
): Measure {
  const [one, other] = values;
  const said = values.map((value) => ({ words: value === undefined ? "—" : write(value) }));
  const measure = { name, said: said as unknown as Measure["said"] };
  if (one === undefined || other === undefined || write(one) === write(other)) return measure;
  const by = `${write(Math.abs(other - one))} ${other > one ? "more" : "less"}`;
  if (!better) return { ...measure, by };
  return { ...measure, by, is: other < one ? "better" : "worse" };
}

interface Spent {
  files?: number;
  busy?: number;
}

/** What the summary says; it knows no busy time where the file has no times. */
function spentOf(summary: SummaryView | undefined): Spent {
  if (!summary) return {};
  const { totals, time } = summary;
  return {
    ...(totals.files === undefined ? {} : { files: totals.files }),
    ...(time && time.total > 0 ? { busy: time.busy } : {}),
  };
}

interface Sums {
  failed: number;
  cost: number | undefined;
  tokens: number | undefined;
  steps: number;
}

function sumsOf(doc: OpenDocument): Sums {
  const { tokens, cost, steps } = doc.facts;
  const { input, output, reasoning, cacheRead, cacheWrite } = tokens;
  const all = input + output + reasoning + cacheRead + cacheWrite;
  // No format says of a run that it cost nothing, or took no tokens: then it is not known.
  return {
    failed: failedIn(doc),
    cost: cost === 0 ? undefined : cost,
    tokens: all === 0 ? undefined : all,
    steps,
  };
}
