import { useMemo } from "preact/hooks";
import { errorRows, failedCallRows, failedIn, messageErrorsIn } from "../core/model/failures";
import { type LoopView, loopName } from "../core/model/loops";
import { usePage, useViewer } from "../core/page/hooks";
import type { OpenDocument } from "../core/store/document";
import { count, one } from "../ui/format";

/** How many loops the tooltip has the words of. */
const TOLD = 20;

/** All that went wrong in a transcript, and what is wrong with its file. */
export function useTrouble(doc: OpenDocument) {
  const { facts, map, loops } = doc;
  const failed = useMemo(() => failedCallRows(facts.layout, map), [facts.layout, map]);
  const errors = useMemo(() => errorRows(facts.layout, map), [facts.layout, map]);
  const calls = failedIn(doc);
  const refused = messageErrorsIn(doc);
  const problems = facts.errors + facts.warnings;
  const found = loops?.length ?? 0;
  const words = [
    ...(calls > 0 ? [`${count(calls)} failed`] : []),
    ...(refused > 0 ? [one(refused, "model error")] : []),
    ...(found > 0 ? [one(found, "loop")] : []),
    ...(problems > 0 ? [one(problems, "file problem")] : []),
  ];
  const total = calls + refused + found + problems;
  return { calls, failed, refused, errors, problems, total, words };
}

/** `6 failed · 1 model error · 1 loop · 1 file problem`: a press on one of them goes to its first place, and on. */
export function Trouble({ doc }: { doc: OpenDocument }) {
  const { calls, failed, refused, errors, problems, total } = useTrouble(doc);
  const loops = doc.loops ?? [];
  const isLooking = doc.loops === undefined;
  const starts = loops.flatMap(({ rows }) => rows.slice(0, 1)).sort((a, b) => a - b);
  const parts = [
    calls > 0 && (
      <Places
        key="failed"
        class="trouble-failed tone-bad"
        title={failedTitle(calls, failed.length)}
        rows={failed}
        words={`${count(calls)} failed`}
        isFailure
      />
    ),
    refused > 0 && (
      <Places
        key="errors"
        class="trouble-errors tone-bad"
        title="Messages that ended in an error: go to the first, then to the next"
        rows={errors}
        words={one(refused, "model error")}
        isFailure
      />
    ),
    loops.length > 0 && (
      <Places
        key="loops"
        class="trouble-loops tone-busy"
        title={loops.slice(0, TOLD).map(loopTitle).join("\n")}
        rows={starts}
        words={one(loops.length, "loop")}
      />
    ),
    problems > 0 && <FileProblems key="problems" doc={doc} />,
  ].filter(Boolean);
  return (
    <span class="trouble" aria-busy={isLooking}>
      {parts.flatMap((part, i) => (i > 0 ? [" · ", part] : [part]))}
      {total === 0 && <span class="tone-quiet">{isLooking ? "looking…" : "no trouble"}</span>}
    </span>
  );
}

function failedTitle(calls: number, here: number): string {
  const beside = calls - here;
  const others = beside > 0 ? `; ${count(beside)} of them in other sessions of the file` : "";
  return `Calls that failed: go to the first, then to the next${others}`;
}

/** A count that leads to its places, one after the other. */
function Places(props: {
  class: string;
  title: string;
  rows: number[];
  words: string;
  isFailure?: boolean;
}) {
  const viewer = useViewer();
  const { selected } = usePage();
  const { rows, words, isFailure = false } = props;
  return (
    <button
      type="button"
      class={props.class}
      title={props.title}
      disabled={rows.length === 0}
      onClick={() => viewer.jump(after(rows, selected), isFailure ? { failure: true } : {})}
    >
      {words}
    </button>
  );
}

/** How many problems the file has: a press opens their panel. */
export function FileProblems({ doc }: { doc: OpenDocument }) {
  const viewer = useViewer();
  const { problemsOpen } = usePage();
  const problems = doc.facts.errors + doc.facts.warnings;
  if (problems === 0) return null;
  return (
    <button
      type="button"
      class="problem-count tone-busy"
      title="What is wrong with the file"
      aria-expanded={problemsOpen}
      aria-controls="problems"
      onClick={() => viewer.panels.toggleProblems()}
    >
      {one(problems, "file problem")}
    </button>
  );
}

/** The first of these rows; of one of them, the next. */
function after(rows: ArrayLike<number> & Iterable<number>, selected: number): number {
  const all = [...rows];
  const at = all.indexOf(selected);
  return all[(at + 1) % all.length] ?? -1;
}

const loopTitle = (loop: LoopView) => `${loopName(loop)}. ${loop.message}`;
