import { useEffect, useRef } from "preact/hooks";
import { usePage, useViewer } from "../../../core/page/hooks";
import type { OpenDocument } from "../../../core/store/document";
import { count } from "../../../ui/format";
import { Icon, type IconName } from "../../../ui/icons";
import { type ReplayState, SPEEDS, type Speed } from "../store";
import { ChangeMarks } from "./change_marks";

export function useReplay(): Readonly<ReplayState> {
  return useViewer().replay.store.state;
}

/** Where there is something to replay. */
export function ReplayButton({ doc }: { doc: OpenDocument }) {
  const { replay } = useViewer();
  const { open, opening } = useReplay();
  if (!replay.applies(doc)) return null;
  return (
    <button
      type="button"
      class="button replay-button"
      aria-pressed={open}
      aria-busy={opening}
      title="Replay the stream event by event"
      onClick={() => void replay.toggle()}
    >
      <Icon name="replay" />
      <span>Replay</span>
    </button>
  );
}

/** The replay: play, step, how fast, and a slider over the events of the stream. */
export function ReplayBar() {
  const { open } = useReplay();
  return open ? <Bar /> : null;
}

function Bar() {
  const { replay } = useViewer();
  const { doc } = usePage();
  const { at, shown, events, playing, type, words, speed, stopped } = useReplay();
  const messages = doc?.map.messages ?? 0;
  const place = messages > 0 ? `message ${messages - 1}` : "nothing yet";
  const slider = useRef<HTMLInputElement>(null);
  // On the button that opened the replay, the next Space would close it.
  useEffect(() => {
    if (document.activeElement?.matches(".replay-button")) slider.current?.focus();
  }, []);
  useEffect(() => {
    const marks = new ChangeMarks(replay);
    return () => marks.dispose();
  }, [replay]);
  return (
    <section class="replay" aria-label="Replay" data-shown={shown}>
      <div class="replay-buttons">
        <Control
          icon="back"
          name="Step back"
          keys=","
          off={at === 0}
          run={() => void replay.step(-1)}
        />
        <Control
          icon={playing ? "pause" : "play"}
          name={playing ? "Pause" : "Play"}
          keys="Space"
          run={() => void replay.togglePlay()}
        />
        <Control
          icon="forward"
          name="Step forward"
          keys="."
          off={at >= events}
          run={() => void replay.step(1)}
        />
      </div>
      <input
        ref={slider}
        class="replay-slider"
        type="range"
        min={0}
        max={events}
        step={1}
        value={at}
        aria-label="Event"
        aria-valuetext={`event ${count(at)} of ${count(events)}, ${place}`}
        onInput={(event) => replay.seek(Number(event.currentTarget.value))}
      />
      <span class="replay-count" aria-hidden="true">
        {count(at)} / {count(events)}
      </span>
      <Speeds speed={speed} real={replay.recording?.real ?? false} />
      <button
        type="button"
        class="button button-icon"
        aria-label="Close the replay"
        title="Close the replay"
        onClick={() => void replay.close()}
      >
        <Icon name="close" />
      </button>
      <p class="replay-event">
        {stopped && (
          <span class="replay-stopped" role="status">
            Stopped: {stopped}
          </span>
        )}
        {type && <span class="replay-type">{type}</span>}
        <span class="replay-words">{words || (at === 0 ? "Before the first event" : "")}</span>
      </p>
    </section>
  );
}

interface ControlProps {
  icon: IconName;
  name: string;
  keys: string;
  off?: boolean;
  run: () => void;
}

function Control({ icon, name, keys, off = false, run }: ControlProps) {
  return (
    <button
      type="button"
      class="button button-icon"
      aria-label={name}
      title={`${name} (${keys})`}
      aria-disabled={off}
      onClick={run}
    >
      <Icon name={icon} />
    </button>
  );
}

function Speeds({ speed, real }: { speed: Speed; real: boolean }) {
  const { replay } = useViewer();
  const about = real
    ? "Times the pace at which it was recorded; long pauses are cut to two seconds"
    : "Times 20 events a second: the events carry no times";
  return (
    <select
      class="replay-speed"
      aria-label="Speed"
      title={about}
      value={String(speed)}
      onChange={(event) => replay.setSpeed(Number(event.currentTarget.value) as Speed)}
    >
      {SPEEDS.map((each) => (
        <option key={each} value={String(each)}>
          {Number.isFinite(each) ? `${each}×` : "Fastest"}
        </option>
      ))}
    </select>
  );
}
