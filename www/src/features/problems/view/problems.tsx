import { useRef } from "preact/hooks";
import type { ProblemView } from "../../../core/model/problems";
import { useOpenDocument, useViewer } from "../../../core/page/hooks";
import { count, one } from "../../../ui/format";
import { Icon } from "../../../ui/icons";
import { useRoving } from "../../../ui/list/roving";
import { useVirtual } from "../../../ui/list/virtual";

/** What the validator found, each with a way to its place. */
export function Problems() {
  const viewer = useViewer();
  const doc = useOpenDocument();
  const { errors, warnings, problems } = doc.facts;
  const left = errors + warnings - problems.length;
  return (
    <aside class="pane pane-problems" id="problems" aria-label="Problems">
      <header class="pane-title">
        <h2>Problems</h2>
        <span class="quiet">
          {one(errors, "error")}, {one(warnings, "warning")}
          {left > 0 && `; the first ${count(problems.length)} are listed`}
        </span>
        <button
          type="button"
          class="button button-icon only-wide"
          aria-label="Close problems"
          onClick={() => viewer.panels.toggleProblems()}
        >
          <Icon name="close" />
        </button>
      </header>
      {problems.length === 0 ? (
        <p class="empty">The validator found no problems.</p>
      ) : (
        <List key={doc.id} problems={problems} />
      )}
    </aside>
  );
}

function List({ problems }: { problems: ProblemView[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const { items, height, virtualizer } = useVirtual(scroller, {
    count: problems.length,
    guess: () => new Float32Array(problems.length).fill(48),
    paddingEnd: 12,
  });
  const isStop = (index: number) => (problems[index]?.row ?? -1) >= 0;
  const count = problems.length;
  const { stop, ...roving } = useRoving(scroller, { items, virtualizer, count, start: 0, isStop });
  return (
    <div class="scroller" ref={scroller} style={{ height: `${height}px` }}>
      <ul class="spacer" style={{ height: `${height}px` }} {...roving}>
        {items.map(({ index, start }) => {
          const problem = problems[index];
          return (
            problem && (
              <li
                key={index}
                ref={virtualizer.measureElement}
                data-index={index}
                class="problem-item"
                style={{ transform: `translateY(${start}px)` }}
                aria-posinset={index + 1}
                aria-setsize={problems.length}
              >
                <ProblemLine problem={problem} index={index} isStop={index === stop} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

interface LineProps {
  problem: ProblemView;
  index: number;
  isStop: boolean;
}

function ProblemLine({ problem, index, isStop }: LineProps) {
  const viewer = useViewer();
  const words = <ProblemWords problem={problem} />;
  if (problem.row < 0) return <div class="problem">{words}</div>;
  return (
    <button
      type="button"
      class="problem"
      data-roving={index}
      tabIndex={isStop ? 0 : -1}
      onClick={() => {
        viewer.store.set({ tab: "problems" });
        viewer.jump(problem.row);
      }}
    >
      {words}
    </button>
  );
}

export function ProblemWords({ problem }: { problem: ProblemView }) {
  const { severity, rule, message, path, offset } = problem;
  return (
    <>
      <span class={`severity severity-${severity}`}>
        <Icon name="warning" />
        <span class="hidden">{severity}</span>
      </span>
      <span class="rule">{rule}</span>
      <span class="problem-message">{message}</span>
      <span class="problem-place">
        {[path, offset === undefined ? "" : `byte ${count(offset)}`].filter(Boolean).join(" · ")}
      </span>
    </>
  );
}
