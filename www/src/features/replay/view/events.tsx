import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useViewer } from "../../../core/page/hooks";
import { count } from "../../../ui/format";
import { Icon } from "../../../ui/icons";
import { useVirtual } from "../../../ui/list/virtual";
import { TOUCH, useMedia } from "../../../ui/media";
import { DAMAGED } from "../model";
import type { OpenRecording } from "../store";
import { useReplay } from "./bar";
import { Payload } from "./payload";
import { Stops } from "./stops";

const HEIGHT = 26;
/** The same for fingers. */
const TOUCHED = 44;

/** The events of a replay: a list of all, and what the chosen one says and does. */
export function Events({ switcher }: { switcher: ComponentChildren }) {
  const { replay } = useViewer();
  const { open, stopKinds, stopAtProblem } = useReplay();
  const [stops, setStops] = useState(false);
  const { recording } = replay;
  const set = stopKinds.size + (stopAtProblem ? 1 : 0);
  return (
    <nav class="pane pane-outline pane-events" aria-label="Events">
      <div class="pane-title">
        <h2>Events</h2>
        <button
          type="button"
          class="events-stops"
          aria-expanded={stops}
          data-set={set > 0 ? "true" : undefined}
          title="Where playing stops"
          onClick={() => setStops(!stops)}
        >
          {set > 0 ? `Stops: ${set}` : "Stops"}
          <Icon name={stops ? "up" : "down"} />
        </button>
        {switcher}
      </div>
      {open && recording && (
        <>
          {stops && <Stops recording={recording} />}
          <List recording={recording} />
          <Payload />
        </>
      )}
    </nav>
  );
}

const idOf = (event: number) => `event-${event}`;

function List({ recording }: { recording: OpenRecording }) {
  const { replay } = useViewer();
  const { at, stopKinds } = useReplay();
  const scroller = useRef<HTMLDivElement>(null);
  const { length } = recording.ends;
  const line = useMedia(TOUCH) ? TOUCHED : HEIGHT;
  const { items, height, virtualizer } = useVirtual(scroller, {
    count: length,
    guess: () => new Float32Array(length).fill(line),
    basis: line,
    overscan: 12,
    paddingEnd: 8,
  });
  const first = items[0]?.index;
  const last = items.at(-1)?.index;
  useEffect(() => {
    if (first !== undefined && last !== undefined) recording.lines.want(first, last);
  }, [recording, first, last]);
  useEffect(() => {
    if (at > 0) virtualizer.scrollToIndex(at - 1, { align: "auto" });
  }, [virtualizer, at]);
  const onKey = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / line) - 1);
    const step = event.shiftKey ? 10 : 1;
    const to = {
      ArrowDown: at + step,
      ArrowUp: at - step,
      PageDown: at + page,
      PageUp: at - page,
      Home: 1,
      End: length,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    replay.seek(Math.max(1, to));
  };
  return (
    <div class="events" style={{ "--digits": count(length).length }}>
      <div class="events-head" aria-hidden="true">
        <span class="event-number">#</span>
        <span class="event-kind">Event</span>
        <span class="event-gap">Gap, ms</span>
        <span class="event-bytes">Bytes</span>
      </div>
      <div
        class="scroller events-list"
        ref={scroller}
        role="listbox"
        tabIndex={0}
        aria-label="Events of the recording"
        aria-activedescendant={at > 0 ? idOf(at) : undefined}
        onKeyDown={onKey}
      >
        <div class="spacer" role="presentation" style={{ height: `${height}px` }}>
          {items.map(({ index, start }) => (
            <EventLine
              key={index}
              recording={recording}
              event={index + 1}
              start={start}
              isShown={index + 1 === at}
              stops={stopKinds.has(recording.kinds[index] ?? -1)}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface EventLineProps {
  recording: OpenRecording;
  event: number;
  start: number;
  isShown: boolean;
  /** Playing stops at it. */
  stops: boolean;
}

function EventLine({ recording, event, start, isShown, stops }: EventLineProps) {
  const { replay } = useViewer();
  const { kinds, kindNames, gaps, ends, troubled, lines } = recording;
  const kind = kindNames[kinds[event - 1] ?? 0] ?? "";
  const gap = gaps[event - 1] ?? Number.NaN;
  const bytes = (ends[event - 1] ?? 0) - (ends[event - 2] ?? 0);
  const isBad = kind === DAMAGED || troubled.has(event);
  const words = lines.get(event - 1) ?? "";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the list
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and says which is active
    <div
      id={idOf(event)}
      class="event"
      role="option"
      aria-selected={isShown}
      aria-posinset={event}
      aria-setsize={ends.length}
      data-bad={isBad ? "true" : undefined}
      data-stops={stops ? "true" : undefined}
      style={{ transform: `translateY(${start}px)` }}
      onClick={() => replay.seek(event)}
    >
      <span class="event-number">{count(event)}</span>
      <span class="event-kind" title={words ? `${kind}: ${words}` : kind}>
        {isBad && <Icon name="warning" />}
        {isBad && kind !== DAMAGED && <span class="hidden">with a problem</span>}
        <span class="event-type">{kind}</span>
        {kind !== DAMAGED && <span class="event-words">{words}</span>}
      </span>
      <span class="event-gap">
        {gapOf(gap)}
        <span class="hidden">{Number.isNaN(gap) ? "gap not known" : "ms later"}</span>
      </span>
      <span class="event-bytes">
        {count(bytes)}
        <span class="hidden">bytes</span>
      </span>
    </div>
  );
}

/** What is not known is not 0. */
function gapOf(gap: number): string {
  return Number.isNaN(gap) ? "—" : count(Math.round(gap));
}
