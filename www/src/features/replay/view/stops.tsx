import { useMemo } from "preact/hooks";
import { useViewer } from "../../../core/page/hooks";
import { count } from "../../../ui/format";
import type { OpenRecording } from "../store";
import { useReplay } from "./bar";

/** Where playing stops: at a problem, and at events of the kinds that are ticked. */
export function Stops({ recording }: { recording: OpenRecording }) {
  const { replay } = useViewer();
  const { stopKinds, stopAtProblem } = useReplay();
  const { kindNames, counts } = recording;
  const kinds = useMemo(
    () =>
      kindNames.map((name, kind) => ({ name, kind })).sort((a, b) => (a.name < b.name ? -1 : 1)),
    [kindNames],
  );
  return (
    <fieldset class="stops">
      <legend>Playing stops at</legend>
      <label class="stop">
        <input
          type="checkbox"
          checked={stopAtProblem}
          onChange={(event) => replay.store.set({ stopAtProblem: event.currentTarget.checked })}
        />
        <span>an event that makes a problem</span>
      </label>
      {kinds.map(({ name, kind }) => (
        <label key={kind} class="stop">
          <input
            type="checkbox"
            checked={stopKinds.has(kind)}
            onChange={(event) => replay.stopAt(kind, event.currentTarget.checked)}
          />
          <span class="stop-name">{name}</span>
          <span class="stop-count">{count(counts[kind] ?? 0)}</span>
        </label>
      ))}
    </fieldset>
  );
}
