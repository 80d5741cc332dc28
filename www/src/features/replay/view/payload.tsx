import { useEffect, useState } from "preact/hooks";
import { useOpenDocument, useViewer } from "../../../core/page/hooks";
import { BlockContext } from "../../../ui/blocks";
import { Code } from "../../../ui/code";
import { count, one } from "../../../ui/format";
import { Icon } from "../../../ui/icons";
import type { ChangedRow, EventDetail } from "../model";
import type { OpenRecording } from "../store";
import { useReplay } from "./bar";

/** More changes than these are counted. */
const LISTED = 4;

/** What the shown event says, and what it changed. */
export function Payload() {
  const { replay } = useViewer();
  const { shown, changes, playing } = useReplay();
  const detail = useDetail(shown);
  const { recording } = replay;
  if (shown < 1 || !recording) {
    return (
      <section class="payload" aria-label="The event">
        <p class="empty">Before the first event.</p>
      </section>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="payload scroller" aria-label={`Event ${count(shown)}`} tabIndex={0}>
      {detail && (
        <>
          <header class="payload-head">
            <h3>
              <span class="payload-number">{count(detail.event)}</span> {detail.kind}
            </h3>
            <p class="quiet">
              {one(detail.bytes, "byte")} at {count(detail.start)}
            </p>
          </header>
          {detail.damage !== undefined && (
            <p class="payload-damage">
              <Icon name="warning" />
              <span>This event cannot be read: {detail.damage}</span>
            </p>
          )}
          {changes && <Changes changes={[...changes.values()]} />}
          <Text recording={recording} detail={detail} playing={playing} />
        </>
      )}
    </section>
  );
}

function Text(props: { recording: OpenRecording; detail: EventDetail; playing: boolean }) {
  const { recording, detail, playing } = props;
  // While it plays the next one is there before this one has its colours.
  const language = detail.isJson && !playing ? "json" : undefined;
  return (
    <BlockContext.Provider value={recording.payloads}>
      <Code
        key={detail.event}
        row={detail.event}
        text={detail.text}
        label={detail.isJson ? "Record of the event" : "Bytes of the event as text"}
        language={language}
      />
    </BlockContext.Provider>
  );
}

function Changes({ changes }: { changes: ChangedRow[] }) {
  const viewer = useViewer();
  const doc = useOpenDocument();
  if (changes.length === 0) {
    return <p class="payload-changes quiet">It changes nothing in the transcript.</p>;
  }
  return (
    <ul class="payload-changes" aria-label="What it changed">
      {changes.slice(0, LISTED).map((change) => (
        <li key={change.row}>
          <button type="button" onClick={() => viewer.jump(change.row)}>
            <span class={`change-how change-${change.how}`}>{HOW[change.how]}</span>
            <span>{change.name}</span>
            <span class="quiet">{placeOf(doc.map.place(change.row))}</span>
            {change.spans.length > 0 && <span class="quiet">{grown(change)}</span>}
          </button>
        </li>
      ))}
      {changes.length > LISTED && (
        <li class="quiet">and {one(changes.length - LISTED, "more row")}</li>
      )}
    </ul>
  );
}

const HOW = { new: "new", grown: "grew", changed: "changed" } as const;

function placeOf({ message, part }: { message: number; part: number }): string {
  return part < 0 ? `#${message}` : `#${message}, part ${part}`;
}

function grown({ spans }: ChangedRow): string {
  return `+${one(
    spans.reduce((sum, { start, end }) => sum + end - start, 0),
    "character",
  )}`;
}

/** The last one that has come, also while the next is on its way. */
function useDetail(event: number): EventDetail | undefined {
  const { replay } = useViewer();
  const [detail, setDetail] = useState<EventDetail>();
  useEffect(() => {
    if (event < 1) return;
    let current = true;
    void replay.detail(event).then((found) => {
      if (current && found) setDetail(found);
    });
    return () => {
      current = false;
    };
  }, [replay, event]);
  return event < 1 ? undefined : detail;
}
