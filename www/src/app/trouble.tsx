import { useMemo } from "preact/hooks";
import type { LoopView } from "../features/loops/model";
import { loopName } from "../features/loops/view";
import { failedRows } from "../features/transcript/model/failures";
import type { OpenDocument } from "../features/transcript/store/document";
import { count, one } from "../ui/format";
import { usePage, useViewer } from "./hooks";

/** How many loops the tooltip has the words of. */
const TOLD = 20;

/** All that went wrong in a transcript, and what is wrong with its file. */
export function useTrouble({ facts, map, loops }: OpenDocument) {
  const failed = useMemo(() => failedRows(facts.layout, map), [facts.layout, map]);
  const problems = facts.errors + facts.warnings;
  const found = loops?.length ?? 0;
  const words = [
    ...(failed.length > 0 ? [`${count(failed.length)} failed`] : []),
    ...(found > 0 ? [one(found, "loop")] : []),
    ...(problems > 0 ? [one(problems, "file problem")] : []),
  ];
  return { failed, problems, total: failed.length + found + problems, words };
}

/** `6 failed · 1 loop · 1 file problem`: a press on one of them goes to its first place, and on to the next. */
export function Trouble({ doc }: { doc: OpenDocument }) {
  const viewer = useViewer();
  const { selected } = usePage();
  const { failed, problems, total } = useTrouble(doc);
  const loops = doc.loops ?? [];
  const isLooking = doc.loops === undefined;
  const starts = loops.flatMap(({ rows }) => rows.slice(0, 1)).sort((a, b) => a - b);
  return (
    <span class="trouble" aria-busy={isLooking}>
      {failed.length > 0 && (
        <button
          type="button"
          class="trouble-failed tone-bad"
          title="Calls and messages that failed: go to the first, then to the next"
          onClick={() => viewer.jump(after(failed, selected), { failure: true })}
        >
          {count(failed.length)} failed
        </button>
      )}
      {failed.length > 0 && loops.length > 0 && " · "}
      {loops.length > 0 && (
        <button
          type="button"
          class="trouble-loops tone-busy"
          title={loops.slice(0, TOLD).map(loopTitle).join("\n")}
          disabled={starts.length === 0}
          onClick={() => viewer.jump(after(starts, selected))}
        >
          {one(loops.length, "loop")}
        </button>
      )}
      {problems > 0 && failed.length + loops.length > 0 && " · "}
      <FileProblems doc={doc} />
      {total === 0 && <span class="tone-quiet">{isLooking ? "looking…" : "no trouble"}</span>}
    </span>
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
