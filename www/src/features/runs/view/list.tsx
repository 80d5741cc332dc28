import { useMemo, useRef } from "preact/hooks";
import { ENDINGS } from "../../../core/model/summary";
import { useViewer } from "../../../core/page/hooks";
import { agentTitle } from "../../../ui/agents";
import { cost, count, one } from "../../../ui/format";
import { Icon } from "../../../ui/icons";
import { useRoving } from "../../../ui/list/roving";
import { useVirtual } from "../../../ui/list/virtual";
import { COLUMNS, dated, tracks } from "../model/columns";
import { listed } from "../model/listed";
import { type Run, type RunHits, titleOf } from "../model/runs";
import { countRuns, ownersOf } from "../model/sub_agents";
import { asTrees, type ListedRun } from "../model/tree";
import { Count, QueryNote, RunSearchField } from "./search";

const HEIGHT = 52;
/** They stay above the lines. */
const TITLES_HEIGHT = 32;

const TRACKS = { "--runs-wide": tracks().wide, "--runs-middle": tracks().middle };

/** The runs of a folder: sorted by any column, searched by names and contents, two of them side by side. */
export function RunList() {
  const { runs } = useViewer();
  const { runs: all, name, folder, query, order, hits, ticked, folded } = runs.store.state;
  const owners = useMemo(() => ownersOf(all), [all]);
  const found = useMemo(() => {
    // What was searched for is not folded away.
    return asTrees(listed(all, query, order, hits), query.trim() === "" ? folded : UNFOLDED);
  }, [all, query, order, hits, folded]);
  const isAsked = query.trim() !== "";
  return (
    <main class="pane pane-transcript runs" tabIndex={-1}>
      <header class="runs-head">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        {folder !== undefined && folder !== name && (
          <p class="quiet">
            <bdi>{folder}</bdi>
          </p>
        )}
        <Count
          found={countRuns(isAsked ? found.map(({ run }) => run) : all, owners)}
          of={countRuns(all, owners)}
        />
        <RunSearchField />
        <button
          type="button"
          class="button"
          disabled={ticked.length < 2}
          onClick={() => void runs.compareTicked()}
        >
          <Icon name="second" />
          {ticked.length < 2 ? "Tick two to compare" : "Compare the two"}
        </button>
        <QueryNote />
      </header>
      <Table found={found} />
    </main>
  );
}

const UNFOLDED: ReadonlySet<number> = new Set();

function Table({ found }: { found: ListedRun[] }) {
  const { runs } = useViewer();
  const { order, searching, mistake } = runs.store.state;
  const scroller = useRef<HTMLDivElement>(null);
  const { items, height, virtualizer } = useVirtual(scroller, {
    count: found.length,
    guess: () => new Float32Array(found.length).fill(HEIGHT),
    basis: found.length,
    paddingEnd: 16,
    margin: TITLES_HEIGHT,
  });
  const { stop, ...roving } = useRoving(scroller, {
    ...{ items, virtualizer, count: found.length },
    start: 0,
  });
  return (
    <div class="scroller" ref={scroller}>
      <table class="runs-table" style={TRACKS} aria-label="Runs" aria-rowcount={found.length + 1}>
        <thead>
          <tr class="run run-titles">
            <th scope="col" class="run-tick">
              <span class="hidden">Compare</span>
            </th>
            {COLUMNS.map(({ id, title, from, kind }) => (
              <th
                key={id}
                scope="col"
                class={`run-${id}`}
                data-from={from}
                data-kind={kind}
                aria-sort={order.by !== id ? "none" : order.descending ? "descending" : "ascending"}
              >
                <button type="button" onClick={() => runs.sort(id)}>
                  {title}
                  {order.by === id && <Icon name={order.descending ? "down" : "up"} />}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody class="spacer" style={{ height: `${height}px` }} {...roving}>
          {items.map(({ index, start }) => {
            const line = found[index];
            return (
              line && (
                <Line
                  key={line.run.id}
                  line={line}
                  index={index}
                  start={start}
                  isStop={index === stop}
                />
              )
            );
          })}
        </tbody>
      </table>
      {found.length === 0 && !mistake && (
        <p class="empty">{searching ? "Searching…" : "No run has all of these words."}</p>
      )}
    </div>
  );
}

function Line(props: { line: ListedRun; index: number; start: number; isStop: boolean }) {
  const { line, index, start, isStop } = props;
  const { run, depth, children } = line;
  const { runs } = useViewer();
  const { ticked, hits } = runs.store.state;
  const { error, path } = run;
  const found = hits.get(run.id);
  const title = titleOf(run);
  return (
    <tr class="run" aria-rowindex={index + 2} style={{ transform: `translateY(${start}px)` }}>
      <td class="run-tick">
        <label>
          <span class="hidden">Compare {title}</span>
          <input
            type="checkbox"
            tabIndex={isStop ? 0 : -1}
            checked={ticked.includes(run.id)}
            onChange={() => runs.tick(run.id)}
          />
        </label>
      </td>
      <td class="run-title" data-depth={depth} style={{ "--depth": String(depth) }}>
        {children > 0 && <Fold run={run} children={children} isStop={isStop} />}
        <button
          type="button"
          class="run-open"
          data-roving={index}
          tabIndex={isStop ? 0 : -1}
          onClick={() => void runs.open(run)}
        >
          <strong>
            <bdi>{title}</bdi>
          </strong>
          <span class="quiet">
            {error ? (
              <span class="run-error">{error}</span>
            ) : (
              <>
                {found && <mark class="run-hits">{hitsIn(found)}</mark>}
                <Ending run={run} />
                {run.facts?.forkOf !== undefined && <span class="run-fork">fork</span>}
                <bdi class="run-path">{path}</bdi>
                <span class="run-brief">{briefly(run)}</span>
              </>
            )}
          </span>
        </button>
      </td>
      {COLUMNS.slice(1).map(({ id, from, kind, cell, tone }) => (
        <td key={id} class={`run-${id} ${tone?.(run) ?? ""}`} data-from={from} data-kind={kind}>
          {cell(run)}
        </td>
      ))}
    </tr>
  );
}

/** How a run ended that has not finished; those that have are most, and need no word. */
function Ending({ run: { facts } }: { run: Run }) {
  if (!facts?.ended || facts.ended === "finished") return null;
  const { word, tone } = ENDINGS[facts.ended];
  return <span class={`run-end tone-${tone}`}>{word}</span>;
}

/** Folds the runs of tasks away that are under a run. */
function Fold({ run, children, isStop }: { run: Run; children: number; isStop: boolean }) {
  const { runs } = useViewer();
  const { folded, query } = runs.store.state;
  const isFolded = folded.has(run.id) && query.trim() === "";
  return (
    <button
      type="button"
      class="run-fold"
      tabIndex={isStop ? 0 : -1}
      aria-expanded={!isFolded}
      aria-label={`${one(children, "sub-agent")} of ${titleOf(run)}`}
      title={one(children, "sub-agent")}
      onClick={() => runs.fold(run.id)}
    >
      <Icon name={isFolded ? "chevron" : "down"} />
    </button>
  );
}

/** `12 hits`, `100,000+ hits` */
function hitsIn({ count: found, capped }: RunHits): string {
  return capped ? `${count(found)}+ hits` : one(found, "hit");
}

/** Where there is no room for columns. */
function briefly(run: Run): string {
  const { facts } = run;
  if (!facts) return "";
  const { failed, loops } = facts;
  return [
    // Who ran it stands for a date that is not known: a dash would not say what it is that is not.
    facts.start === undefined ? agentTitle(facts.format) : dated(run),
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(loops > 0 ? [one(loops, "loop")] : []),
    ...(facts.cost === undefined ? [] : [cost(facts.cost)]),
  ].join(" · ");
}

/** Above a run that was opened from the list: the way back. */
export function RunsBar() {
  const { runs } = useViewer();
  const { runs: all, name, shown } = runs.store.state;
  const total = useMemo(() => countRuns(all, ownersOf(all)), [all]);
  if (all.length === 0 || shown) return null;
  return (
    <nav class="runs-bar" aria-label="Runs">
      <button type="button" class="button" onClick={() => runs.back()}>
        <Icon name="list" />
        Back to the runs
      </button>
      <span class="quiet">
        <bdi>{name}</bdi>, {one(total, "run")}
      </span>
    </nav>
  );
}
