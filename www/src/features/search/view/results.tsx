import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useOpenDocument, useViewer } from "../../../core/page/hooks";
import { cost, count, duration, one } from "../../../ui/format";
import { useRoving } from "../../../ui/list/roving";
import { useVirtual } from "../../../ui/list/virtual";
import type { HitView } from "../model/hits";
import type { SearchResults } from "../store/results";
import { useSearch } from "./bar";

const HEAD = 30;
const LINE = 48;

/** What a search has found, in the column at the side. */
export function ResultsPane({ switcher }: { switcher: ComponentChildren }) {
  const { found } = useSearch();
  return (
    <nav class="pane pane-outline" aria-label="Search results">
      <div class="pane-title">
        <h2>Results</h2>
        {switcher}
      </div>
      {found && <Results key={found.id} found={found} />}
    </nav>
  );
}

/** The same, message by message. */
function Results({ found }: { found: SearchResults }) {
  const { search } = useViewer();
  const { current } = useSearch();
  const scroller = useRef<HTMLDivElement>(null);
  const { lines } = found;
  const { items, height, virtualizer } = useVirtual(scroller, {
    count: lines.length,
    guess: () => Float32Array.from(lines, (hit) => (hit < 0 ? HEAD : LINE)),
    overscan: 10,
    paddingEnd: 16,
  });
  const shown = items.map(({ index }) => lines[index] ?? 0).filter((hit) => hit >= 0);
  const first = shown[0];
  const last = shown.at(-1);
  useEffect(() => {
    if (first !== undefined && last !== undefined) found.hits.want(first, last);
  }, [found, first, last]);
  useEffect(() => {
    if (current >= 0) virtualizer.scrollToIndex(found.lineOf(current), { align: "auto" });
  }, [virtualizer, found, current]);
  const { stop, ...roving } = useRoving(scroller, {
    ...{ items, virtualizer, count: lines.length },
    start: current >= 0 ? found.lineOf(current) : 0,
    isStop: (index) => (lines[index] ?? -1) >= 0,
  });
  if (lines.length === 0) {
    return <p class="empty">Nothing in this transcript matches.</p>;
  }
  return (
    <div class="scroller" ref={scroller}>
      <ol class="spacer" style={{ height: `${height}px` }} {...roving}>
        {items.map(({ index, start }) => {
          const hit = lines[index] ?? 0;
          return (
            <li
              key={index}
              class="result-item"
              style={{ transform: `translateY(${start}px)` }}
              aria-posinset={index + 1}
              aria-setsize={lines.length}
            >
              {hit < 0 ? (
                <MessageLine found={found} message={-1 - hit} />
              ) : (
                <Result
                  view={found.hits.get(hit)}
                  part={found.doc.map.place(found.rows[hit] ?? 0).part}
                  current={hit === current}
                  index={index}
                  isStop={index === stop}
                  onClick={() => search.go(hit)}
                />
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function MessageLine({ found, message }: { found: SearchResults; message: number }) {
  const role = ["Other", "User", "Assistant"][useOpenDocument().facts.layout.roles[message] ?? 0];
  const hits = found.countOf(message);
  return (
    <h3 class="result-message">
      <span class="outline-number">{message}</span>
      {role}
      <span class="hit-count">
        {count(hits)}
        <span class="hidden"> {hits === 1 ? "match" : "matches"}</span>
      </span>
    </h3>
  );
}

interface ResultProps {
  view: HitView | undefined;
  part: number;
  current: boolean;
  index: number;
  isStop: boolean;
  onClick: () => void;
}

function Result({ view, part, current, index, isStop, onClick }: ResultProps) {
  return (
    <button
      type="button"
      class="result"
      aria-current={current ? "true" : undefined}
      data-roving={index}
      tabIndex={isStop ? 0 : -1}
      // What it says is on its way.
      aria-label={view ? undefined : "Match"}
      onClick={onClick}
    >
      <span class="result-place">
        {view ? view.kind : "\u00a0"}
        <span>{view && placeName(view, part)}</span>
      </span>
      {view && view.field !== "" && (
        <span class="result-words">
          {view.before && (
            <span class="result-before">
              <span>{view.before}</span>
            </span>
          )}
          <mark>{view.words}</mark>
          <span class="result-behind">{view.behind}</span>
        </span>
      )}
      {view && view.field === "" && (
        <span class="result-words">
          {view.matched?.map(({ name, value }) => (
            <mark key={name} class="result-fact">
              {factWords(name, value)}
            </mark>
          ))}
          <span class="result-behind">{view.behind}</span>
        </span>
      )}
    </button>
  );
}

/** What a filter chose the row by, as it is written elsewhere on the page. */
function factWords(name: string, value: string | number): string {
  if (typeof value === "string") return value;
  if (name === "cost") return cost(value);
  if (name === "dur") return duration(value);
  return name === "tokens" ? one(value, "token") : `${name} ${value}`;
}

function placeName({ field }: HitView, part: number): string {
  if (part < 0) return "message";
  return field === "" ? `part ${part}` : fieldName(field);
}

/** `/state/input/command` is `input command`; the text of a text is not named. */
function fieldName(pointer: string): string {
  if (pointer === "/text") return "";
  return pointer
    .replace(/^\/(?:state\/)?/, "")
    .replaceAll("/", " ")
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}
