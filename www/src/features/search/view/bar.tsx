import { useEffect, useRef, useState } from "preact/hooks";
import { FILTER_HEADS } from "../../../core/model/query";
import { useOpenDocument, useViewer } from "../../../core/page/hooks";
import { count } from "../../../ui/format";
import { Icon } from "../../../ui/icons";
import type { SearchResults } from "../store/results";
import type { SearchState } from "../store/search";
import { SearchField } from "./field";
import { Highlighter } from "./highlighter";

export function useSearch(): Readonly<SearchState> {
  return useViewer().search.store.state;
}

/** The button in the header, for those who do not know the key. */
export function SearchButton() {
  const { search } = useViewer();
  const { open } = useSearch();
  return (
    <button
      type="button"
      class="button button-icon"
      aria-label="Search"
      aria-expanded={open}
      title="Search (/)"
      onClick={() => (open ? search.close() : search.show())}
    >
      <Icon name="search" />
    </button>
  );
}

/** The bar above the transcript: what is searched for, how much was found, and the way through it. */
export function SearchBar() {
  const { open } = useSearch();
  return open ? <Bar /> : null;
}

function Bar() {
  const { search } = useViewer();
  const [help, setHelp] = useState(false);
  const bar = useRef<HTMLElement>(null);
  const { regex, caseSensitive, found } = useSearch();
  useEffect(() => {
    const marker = new Highlighter(search);
    return () => marker.dispose();
  }, [search]);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      if (help) setHelp(false);
      else search.close();
    } else if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
      search.step(event.shiftKey ? -1 : 1);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const none = !found || found.rows.length === 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: `search` is too new an element for older browsers
    <section role="search" aria-label="Transcript" class="search" ref={bar} onKeyDown={onKey}>
      <div class="search-line">
        <SearchField />
        <Toggle
          label="Match case"
          sign="Aa"
          on={caseSensitive}
          onClick={() => search.change({ caseSensitive: !caseSensitive })}
        />
        <Toggle
          label="Regular expression"
          sign=".*"
          on={regex}
          onClick={() => search.change({ regex: !regex })}
        />
        <Toggle label="Filters" on={help} expands onClick={() => setHelp(!help)} />
        <Count />
        <div class="search-steps">
          <StepButton name="Previous match" keys="Shift+Enter" icon="up" none={none} />
          <StepButton name="Next match" keys="Enter" icon="down" none={none} />
        </div>
        <button
          type="button"
          class="button button-icon search-close"
          aria-label="Close search"
          title="Close search (Esc)"
          onClick={() => search.close()}
        >
          <Icon name="close" />
        </button>
      </div>
      <Note />
      {help && <Filters />}
    </section>
  );
}

interface ToggleProps {
  label: string;
  sign?: string;
  on: boolean;
  /** It opens something instead of changing the search. */
  expands?: boolean;
  onClick: () => void;
}

function Toggle({ label, sign, on, expands, onClick }: ToggleProps) {
  const state = expands ? { "aria-expanded": on } : { "aria-pressed": on };
  return (
    <button
      type="button"
      class="search-toggle"
      aria-label={label}
      title={label}
      onClick={onClick}
      {...state}
    >
      {sign ?? <Icon name="filter" />}
    </button>
  );
}

function StepButton(props: { name: string; keys: string; icon: "up" | "down"; none: boolean }) {
  const { search } = useViewer();
  return (
    <button
      type="button"
      class="button button-icon"
      aria-label={props.name}
      title={`${props.name} (${props.keys})`}
      disabled={props.none}
      onClick={() => search.step(props.icon === "up" ? -1 : 1)}
    >
      <Icon name={props.icon} />
    </button>
  );
}

/** `3 of 128`, said to those who do not see it too. */
function Count() {
  const { found, current, busy } = useSearch();
  const isLate = useLate(busy);
  return (
    <span class="search-count" id="search-count" role="status" data-busy={busy && !isLate}>
      {isLate ? "searching…" : found && counted(found, current)}
    </span>
  );
}

function counted(found: SearchResults, current: number): string {
  const { length } = found.rows;
  if (length === 0) return found.capped ? "none in the first 100,000" : "no matches";
  const all = `${count(length)}${found.capped ? "+" : ""}`;
  if (current >= 0) return `${count(current + 1)} of ${all}`;
  return length === 1 ? "1 match" : `${all} matches`;
}

/** True once something has gone on for a while: what is there at once needs no word. */
function useLate(busy: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!busy) return;
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, [busy]);
  return busy && late;
}

/** What is wrong with the query, or what cannot be seen of the current match. */
function Note() {
  const { mistake, note, unknown } = useSearch();
  if (mistake) {
    return (
      <p class="search-note search-mistake" role="status">
        {mistake.sentence} <span class="quiet">At character {count(mistake.at + 1)}.</span>
      </p>
    );
  }
  if (note) {
    return (
      <p class="search-note" role="status">
        {note}
      </p>
    );
  }
  return unknown ? (
    <p class="search-note search-mistake" role="status">
      Unknown filter <code>{unknown}:</code>; known are{" "}
      {FILTER_HEADS.map((head, i) => (
        <>
          {i > 0 && ", "}
          <code>{head}</code>
        </>
      ))}
      . <span class="quiet">It is searched for as it stands.</span>
    </p>
  ) : null;
}

const FILTERS: [string, string][] = [
  ["tool:bash", "calls of a tool; tool:bash,read is either, tool:web* begins so"],
  [
    "status:error",
    "calls that are pending, running, completed, error, failed or requested; failed messages",
  ],
  ["status:failed", "calls that failed: an error, an exit code, an HTTP status, a time-out"],
  ["exit:101", "calls that ended with this exit code"],
  ["role:user", "user, assistant or other"],
  ["type:reasoning", "text, reasoning, tool, file, patch, … or the name of a custom part"],
  ["agent:build", "messages of an agent"],
  ["cost>0.05", "steps and messages above so many dollars; < below"],
  ["tokens>10k", "steps and messages of so many tokens"],
  ["dur>10s", "parts and messages that took so long: ms, s, m, h"],
  ["-role:user", "everything but this: a minus turns any filter round"],
];

/** What can be written in the field; a click puts it there. */
function Filters() {
  const { search } = useViewer();
  const { toolNames } = useOpenDocument().facts.layout;
  return (
    <div class="search-filters">
      <ul>
        {FILTERS.map(([filter, does]) => (
          <li key={filter}>
            <button type="button" class="filter" onClick={() => search.insert(filter)}>
              {filter}
            </button>
            <span class="quiet">{does}</span>
          </li>
        ))}
      </ul>
      {toolNames.length > 0 && (
        <p>
          <span class="quiet">Tools here</span>
          {toolNames.slice(0, 12).map((name) => (
            <button
              type="button"
              class="filter"
              key={name}
              onClick={() => search.insert(toolFilter(name))}
            >
              {name.slice(0, 40)}
            </button>
          ))}
          {toolNames.length > 12 && (
            <span class="quiet">and {count(toolNames.length - 12)} more</span>
          )}
        </p>
      )}
      <p class="quiet">
        Words are one phrase: <code>exit code</code> finds just that, filters taken out of it. Put
        what is to be taken as it stands in quotation marks; each quoted text is a condition of its
        own, and all have to hold for the same part. <code>/exit [1-9]/</code> is a regular
        expression. Case does not matter unless <b>Aa</b> (Match case) is on. Metadata and ids are
        not searched.
      </p>
    </div>
  );
}

function toolFilter(name: string): string {
  return /[\s,"*]/.test(name) ? `tool:"${name.replaceAll('"', "*")}"` : `tool:${name}`;
}

/** What the outline says of a message's hits. */
export function HitCount({ message }: { message: number }) {
  const hits = useSearch().found?.countOf(message) ?? 0;
  return hits === 0 ? null : (
    <span class="hit-count">
      {count(hits)}
      <span class="hidden"> {hits === 1 ? "match" : "matches"}</span>
    </span>
  );
}
