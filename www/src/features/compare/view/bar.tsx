import { useViewer } from "../../../core/page/hooks";
import { one } from "../../../ui/format";
import { Icon } from "../../../ui/icons";
import type { CompareState, Comparison } from "../store/compare";
import type { Verdict } from "../store/verdict";
import { Judgement } from "./judgement";

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
      <VerdictWords verdict={comparison.verdict} />
      <Judgement comparison={comparison} />
      <div class="compare-heads">
        <Head comparison={comparison} side={0} />
        <Head comparison={comparison} side={1} />
      </div>
    </header>
  );
}

/** Up to where they are the same, and whether they were asked the same at all. */
function VerdictWords({ verdict: { tasks, fork } }: { verdict: Verdict }) {
  if (!tasks && !fork) return null;
  return (
    <div class="compare-verdict">
      {tasks && (
        <p class="compare-tasks">
          <Icon name="warning" />
          <span>
            These two were asked different things: “{tasks[0]}” and “{tasks[1]}”.
          </span>
        </p>
      )}
      {fork && <p>{withCode(fork)}</p>}
    </div>
  );
}

/** What stands between backticks is code. */
function withCode(words: string) {
  return words.split("`").map((piece, i) => (i % 2 === 1 ? <code key={i}>{piece}</code> : piece));
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
  return (
    <div class="compare-head">
      <h2>
        <span class="chip">{side === 0 ? "First" : "Second"}</span>
        <span class="compare-title">{facts.title}</span>
        <span class="compare-name">{facts.name}</span>
      </h2>
    </div>
  );
}
