import { endWords } from "../../../../core/model/layout";
import type { ToolView } from "../../../../core/model/tools";
import { useViewer } from "../../../../core/page/hooks";
import { Slot } from "../../../../core/page/slot";
import { Code } from "../../../../ui/code";
import { FileBox } from "../../../../ui/file";
import { Foldable } from "../../../../ui/foldable";
import { duration, preciseClock } from "../../../../ui/format";
import { Icon } from "../../../../ui/icons";
import { Cleared, Facts, Notices } from "./call_notes";
import { errorWords, outputFacts } from "./facts";
import { FirstErrorLine } from "./first_error";
import { cardOf } from "./registry";
import { isTelling, States } from "./states";

interface CardProps {
  view: ToolView;
  index: number;
  folded: boolean;
  whole: boolean;
}

/** A tool call: what was asked, what came of it, and through which states it went. */
export function Card({ view, index, folded, whole }: CardProps) {
  const viewer = useViewer();
  const { body } = view;
  const { icon, View, subtitle, facts } = cardOf(body.kind);
  // Some tools have no title but their name, which stands there already.
  const title = view.title === view.tool ? "" : view.title;
  return (
    <Foldable
      class={`card tool tool-${body.kind} status-${view.status}`}
      onToggle={() => viewer.toggleFold(index)}
      folded={folded}
      fixed={whole}
      head={
        <>
          <Icon name={icon} />
          <span class="tool-name">{view.tool}</span>
          <span class="fold-first">{subtitle(body, title)}</span>
          <Outcome view={view} />
        </>
      }
    >
      <div class="card-body">
        <Notices notes={view.notes} status={view.status} />
        <Cleared view={view} />
        {view.firstError && <FirstErrorLine error={view.firstError} row={index} whole={whole} />}
        <View view={view} body={body} index={index} whole={whole} />
        <Facts facts={[...(facts?.(body) ?? []), ...outputFacts(view)]} />
        <Slot name="call" call={view} />
        {view.error && (
          <div class="tool-error">
            <Code row={index} text={view.error} label="Error" terminal unfolded={whole} />
          </div>
        )}
        {view.attachments.map((file, i) => (
          <FileBox key={i} file={file} />
        ))}
      </div>
      {(whole || isTelling(view)) && <States view={view} />}
    </Foldable>
  );
}

function Outcome({ view }: { view: ToolView }) {
  const { start, end } = view.time;
  const isWaiting = view.status === "running" && view.notes.permission;
  const error = errorWords(view.notes);
  return (
    <span class="outcome">
      {cardOf(view.body.kind).outcome?.(view.body)}
      {isWaiting && <span class="waiting">waits for permission</span>}
      {error && <span class="exit-bad">{error}</span>}
      {view.cleared && <span class="chip chip-compaction">cleared</span>}
      {start !== undefined && end !== undefined && (
        <span class="fold-time" title={`${preciseClock(start)} to ${preciseClock(end)}`}>
          {duration(end - start)}
        </span>
      )}
      <span class={`state-word state-${view.status}`}>{endWords(view.status, view.exit)}</span>
    </span>
  );
}
