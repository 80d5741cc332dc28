import { useState } from "preact/hooks";
import { useOpenDocument, useViewer } from "../../core/page/hooks";
import type { OpenDocument } from "../../core/store/document";
import { Icon } from "../../ui/icons";
import { isLive, type LiveState } from "./store";

function useLive(): Readonly<LiveState> {
  return useViewer().live.store.state;
}

const LIVE = { word: "live", tone: "live" };
const READING = { word: "reading", tone: "busy" };
/** What came of all is not said of what was known then. */
const REPLAY = { word: "replay", tone: "quiet" };

/** Over the transcript's end. */
export function AtTheEnd() {
  return (
    <>
      <NothingYet />
      <LostConnection />
      <NewBelow />
    </>
  );
}

/** How a run ended, or that more of it may come. */
export function LiveStatus({ doc }: { doc: OpenDocument }) {
  const { phase } = useLive();
  const isReplaying = useViewer().replay.store.state.open;
  if (phase === "lost") return <span class="status tone-live tone-lost">reconnecting</span>;
  const { word, tone } = phase === "live" ? LIVE : isReplaying ? REPLAY : (doc.ended ?? READING);
  return <span class={`status tone-${tone}`}>{word}</span>;
}

const SAID: Partial<Record<LiveState["phase"], string>> = {
  live: "Live",
  lost: "Reconnecting",
  ended: "The stream has ended",
};

/** Why a stream broke off, and the way to go on. */
export function LiveNotice() {
  const { live } = useViewer();
  const { phase, message, again } = useLive();
  return (
    <>
      <p class="hidden" role="status">
        {SAID[phase] ?? ""}
      </p>
      {phase === "broken" && (
        <div class="notice" role="alert">
          <p>{message}</p>
          {again && (
            <button type="button" onClick={() => void live.reconnect()}>
              Reconnect
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** What is shown before there are rows. */
function NothingYet() {
  const doc = useOpenDocument();
  const live = isLive(useLive().phase);
  const { replay } = useViewer();
  const replaying = replay.store.state.open;
  if (doc.map.rows > 0) return null;
  return (
    <div class="nothing-yet">
      <p>{live || replaying ? "Nothing yet" : "There are no messages in this transcript."}</p>
      {live && <p class="quiet">The first message shows here as soon as it arrives.</p>}
    </div>
  );
}

/** A button back to the end, for a reader who has scrolled up. */
function NewBelow() {
  const { live } = useViewer();
  const { below } = useLive();
  if (!below) return null;
  return (
    <button type="button" class="button new-below" onClick={() => live.toEnd()}>
      New below
      <Icon name="below" />
    </button>
  );
}

/** Why a connection that is made again is not there yet. */
function LostConnection() {
  const { live } = useViewer();
  const { phase, message } = useLive();
  if (phase !== "lost" || message === "") return null;
  return (
    <div class="lost-connection">
      <p>{message}</p>
      <button type="button" onClick={() => void live.reconnect()}>
        Reconnect
      </button>
    </div>
  );
}

/** The address of a stream, in the dialog that opens transcripts. */
export function FollowField() {
  const { live } = useViewer();
  const [address, setAddress] = useState("");
  return (
    <section>
      <label class="field-label" for="follow">
        Or follow a live stream
      </label>
      <form
        class="follow"
        onSubmit={(event) => {
          event.preventDefault();
          void live.follow(address.trim());
        }}
      >
        <input
          id="follow"
          type="text"
          inputMode="url"
          spellcheck={false}
          autocomplete="off"
          placeholder="/events"
          value={address}
          onInput={(event) => setAddress(event.currentTarget.value)}
        />
        <button type="submit" class="button" disabled={address.trim() === ""}>
          Follow
        </button>
      </form>
      <p class="quiet">An address on this server that sends events, or lines, as they happen.</p>
    </section>
  );
}
