import { useMemo } from "preact/hooks";
import { useViewer } from "../../../app/hooks";
import { brief, cost, count, duration, one } from "../../../ui/format";
import { Icon } from "../../../ui/icons";
import { failuresIn } from "../../transcript/model/layout";
import type { Overview } from "../../transcript/model/overview";
import type { CompareState, Comparison } from "../store/compare";

const SHOWN: [CompareState["shown"], string][] = [
  ["both", "Both"],
  ["first", "First"],
  ["second", "Second"],
];

/** What is compared, what each came to, and the ways from difference to difference. */
export function CompareBar({ comparison }: { comparison: Comparison }) {
  const { compare } = useViewer();
  const shown = compare.store.state.shown;
  const { differences } = comparison.pairs;
  const first = differences[0];
  return (
    <header class="compare-bar">
      <div class="compare-tools">
        {first === undefined ? (
          <p class="compare-count">No difference: both say the same.</p>
        ) : (
          <>
            <p class="compare-count">{one(differences.length, "difference")}</p>
            <button type="button" class="button" onClick={() => compare.jump(first)}>
              First difference
            </button>
            <Step name="Previous difference" icon="up" direction={-1} />
            <Step name="Next difference" icon="down" direction={1} />
          </>
        )}
        <fieldset class="compare-shown">
          <legend class="hidden">Which file is shown</legend>
          {SHOWN.map(([name, title]) => (
            <button
              key={name}
              type="button"
              aria-pressed={shown === name}
              onClick={() => compare.show(name)}
            >
              {title}
            </button>
          ))}
        </fieldset>
        <button
          type="button"
          class="button button-icon compare-close"
          aria-label="Close comparison"
          title="Close comparison"
          onClick={() => compare.close()}
        >
          <Icon name="close" />
        </button>
      </div>
      <div class="compare-heads">
        <Head comparison={comparison} side={0} />
        <Head comparison={comparison} side={1} />
      </div>
    </header>
  );
}

function Step(props: { name: string; icon: "up" | "down"; direction: 1 | -1 }) {
  const { compare } = useViewer();
  return (
    <button
      type="button"
      class="button button-icon"
      aria-label={props.name}
      title={`${props.name} (${props.direction === 1 ? "n" : "p"})`}
      onClick={() => compare.move("mark", props.direction)}
    >
      <Icon name={props.icon} />
    </button>
  );
}

function Head({ comparison, side }: { comparison: Comparison; side: 0 | 1 }) {
  const { facts } = comparison.docs[side];
  const sums = useMemo(() => comparison.docs.map((doc) => sumsOf(doc.facts)), [comparison]);
  return (
    <div class="compare-head">
      <h2>
        <span class="chip">{side === 0 ? "First" : "Second"}</span>
        <span class="compare-title">{facts.title}</span>
        <span class="compare-name">{facts.name}</span>
      </h2>
      <dl class="compare-sums">
        {SUMS.map(({ name, write, unit, difference }, i) => {
          const value = sums[side]?.[i] ?? 0;
          const by = side === 1 ? value - (sums[0]?.[i] ?? 0) : 0;
          return (
            <div key={name}>
              <dt class="hidden">{name}</dt>
              <dd>
                {write(value)}
                {unit && ` ${unit}${value === 1 ? "" : "s"}`}
                {by !== 0 && (
                  <span class="compare-by">
                    {by > 0 ? "+" : "−"}
                    {(difference ?? write)(Math.abs(by))}
                  </span>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}

/** What each sum is called, how it is written, and, where that does not say it, of what. */
const SUMS: {
  name: string;
  write: (value: number) => string;
  unit?: string;
  /** How the difference is written, where that is not as the sum is. */
  difference?: (value: number) => string;
}[] = [
  { name: "Cost", write: cost },
  { name: "Tokens", write: brief, unit: "token" },
  { name: "Duration", write: duration },
  { name: "Steps", write: count, unit: "step" },
  { name: "Failed", write: (value) => `${count(value)} failed`, difference: count },
];

function sumsOf({ cost, tokens, start, end, steps, layout }: Overview): number[] {
  const { input, output, reasoning, cacheRead, cacheWrite } = tokens;
  const span = start !== undefined && end !== undefined ? end - start : 0;
  const all = input + output + reasoning + cacheRead + cacheWrite;
  return [cost, all, span, steps, failuresIn(layout)];
}
