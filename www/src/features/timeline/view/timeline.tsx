import { failedIn } from "../../../core/model/failures";
import { useOpenDocument, useViewer } from "../../../core/page/hooks";
import type { OpenDocument } from "../../../core/store/document";
import { agentName } from "../../../ui/agents";
import { brief, cost, count, duration, one } from "../../../ui/format";
import { Icon } from "../../../ui/icons";
import { Toolbar } from "../../../ui/toolbar";
import { type Lines, valueAt } from "../model/lines";
import type { Timeline } from "../model/timeline";
import { TimelineLanes } from "./lanes";
import { Minimap } from "./minimap";
import { Sums } from "./sums";

/** The session's course: a minimap, one lane an agent, and lines for context and cost. */
export function TimelinePane() {
  const doc = useOpenDocument();
  const state = useViewer().timeline;
  const open = state.store.state.open;
  const timeline = state.store.state.timeline;
  const lines = state.store.state.lines;
  return (
    <section class="pane pane-timeline" aria-label="Timeline">
      <p class="hidden">{timeline ? summary(timeline, doc) : "The timeline is being made."}</p>
      <div class="timeline-grid">
        <Toolbar class="timeline-head" label="Timeline">
          <button
            type="button"
            class="timeline-title"
            aria-expanded={open}
            onClick={() => state.toggle()}
          >
            <Icon name="chevron" />
            Timeline
          </button>
          <ZoomButton sign="−" name="Zoom out" onClick={() => state.zoom(2)} />
          <ZoomButton sign="+" name="Zoom in" onClick={() => state.zoom(0.5)} />
          <ZoomButton sign="Fit" name="Fit the timeline (0)" onClick={() => state.fit()} />
        </Toolbar>
        <Minimap key={doc.id} doc={doc} timeline={timeline} />
        {open && (
          <>
            <Names timeline={timeline} lines={lines} doc={doc} />
            <TimelineLanes key={doc.id} doc={doc} timeline={timeline} lines={lines} />
          </>
        )}
      </div>
      {timeline && <Sums doc={doc} timeline={timeline} />}
    </section>
  );
}

function ZoomButton(props: { sign: string; name: string; onClick: () => void }) {
  return (
    <button
      type="button"
      class="timeline-zoom"
      aria-label={props.name}
      title={props.name}
      onClick={props.onClick}
    >
      {props.sign}
    </button>
  );
}

/** The column at the left: the lanes' names, and the lines' with their values. */
function Names(props: {
  timeline: Timeline | undefined;
  lines: Lines | undefined;
  doc: OpenDocument;
}) {
  const { timeline, lines, doc } = props;
  const lanes = timeline?.lanes ?? [""];
  return (
    <div class="timeline-names">
      <ul class="timeline-lanes-names" data-crowded={lanes.length > 3 ? "true" : undefined}>
        {lanes.map((name, i) => (
          <li key={name} title={agentName(name)}>
            <span class="timeline-name">{agentName(name)}</span>
            {timeline && <LaneFacts timeline={timeline} lane={i} />}
          </li>
        ))}
      </ul>
      {lines && lines.context.at.length > 0 && (
        <Value name="Context" line={lines.context} format={inTokens} />
      )}
      {lines && lines.cost.at.length > 0 && (
        <Value name={costName(lines, doc)} line={lines.cost} format={cost} />
      )}
    </div>
  );
}

/** The line is of the steps that are shown; those of other sessions, and what no step tells, are not in it. */
function costName({ cost: { values } }: Lines, { facts }: OpenDocument): string {
  return cost(values.at(-1) ?? 0) === cost(facts.cost) ? "Cost" : "Cost of these steps";
}

const inTokens = (value: number) => (value === 1 ? "1 token" : `${brief(value)} tokens`);

function LaneFacts({ timeline, lane }: { timeline: Timeline; lane: number }) {
  const calls = timeline.calls[lane] ?? 0;
  const failed = timeline.failed[lane] ?? 0;
  return (
    <span class="timeline-counts">
      {calls > 0 && one(calls, "call")}
      {failed > 0 && <span class="tone-bad"> {count(failed)} failed</span>}
    </span>
  );
}

/** What a line says under the pointer; without one, at its end. */
function Value(props: { name: string; line: Lines["cost"]; format: (value: number) => string }) {
  const { name, line, format } = props;
  const at = useViewer().timeline.store.state.hover?.at;
  const value = at === undefined ? line.values.at(-1) : valueAt(line, at);
  return (
    <p class="timeline-value">
      <span class="timeline-name">{name}</span>
      <span class="timeline-number">{value === undefined ? "–" : format(value)}</span>
    </p>
  );
}

/** `3 agents, 12 min 4 s, 2 failed, 1 loop` */
function summary(timeline: Timeline, doc: OpenDocument): string {
  const { axis, lanes, compactions } = timeline;
  const failed = failedIn(doc);
  const loops = doc.loops?.length ?? 0;
  const span = axis.end - axis.start;
  const words = [
    one(lanes.length, "agent"),
    axis.kind === "time" ? duration(span) : `no times, ${one(doc.map.rows, "row")}`,
    failed > 0 ? `${count(failed)} failed` : "nothing failed",
    ...(compactions > 0 ? [one(compactions, "compaction")] : []),
    ...(loops > 0 ? [one(loops, "loop")] : []),
  ];
  const cuts = axis.breaks.length;
  const waits = cuts === 1 ? "1 long wait is" : `${count(cuts)} long waits are`;
  return `${words.join(", ")}.${cuts > 0 ? ` ${waits} shown shortened.` : ""}`;
}
