import { useEffect, useState } from "preact/hooks";
import type { Pane } from "../core/page/context";
import { OpenDocumentProvider, useOpenDocument, usePage, useViewer } from "../core/page/hooks";
import { PaneOf, Slot, usePane } from "../core/page/slot";
import { brief } from "../ui/format";
import { NARROW, useMedia } from "../ui/media";
import { Toolbar } from "../ui/toolbar";
import { DropOverlay } from "./drop_overlay";
import { type HoveringFile, listenToFileDrop } from "./file_drop";
import { Header } from "./header";
import { HelpDialog } from "./help_dialog";
import { OpenDialog } from "./open_dialog";
import { Sheet } from "./sheet";
import { Side, SideName } from "./side";
import { LinkDialog, Toast } from "./toast";
import { useTrouble } from "./trouble";
import { Welcome } from "./welcome";

export function App() {
  const viewer = useViewer();
  const { doc, beside, pane, problemsOpen, inspecting, progress } = usePage();
  const isNarrow = useMedia(NARROW);
  const Instead = usePane("page");
  const [dragging, setDragging] = useState<HoveringFile>();
  useEffect(() => listenToFileDrop(viewer, setDragging), [viewer]);
  return (
    <OpenDocumentProvider doc={doc}>
      <div
        class="frame"
        data-compare={beside ? "true" : undefined}
        data-pane={pane}
        data-inspector={inspecting && !isNarrow ? "open" : "closed"}
        data-problems={problemsOpen ? "open" : "closed"}
      >
        {doc && <SkipLink />}
        <Header />
        <Notice says={doc !== undefined} />
        {Instead && !progress ? (
          <Instead />
        ) : doc ? (
          <>
            <Side key={doc.id} />
            <main class="pane pane-transcript" tabIndex={-1}>
              {!beside && <Slot name="search" />}
              <PaneOf name="main" />
            </main>
            {!isNarrow && problemsOpen && <PaneOf name="problems" />}
            {!isNarrow && inspecting && <PaneOf name="inspector" />}
            {!beside && <PaneOf name="timeline" />}
            {isNarrow && <PaneTabs pane={pane} />}
            {isNarrow && <Sheet />}
          </>
        ) : (
          <Welcome />
        )}
      </div>
      <OpenDialog />
      <Slot name="dialog" />
      <HelpDialog />
      <LinkDialog />
      <Toast />
      {dragging && <DropOverlay hovering={dragging} />}
    </OpenDocumentProvider>
  );
}

/**
 * Progress while a file is read, and what went wrong. `says`: where nothing is open the page has room to
 * say that by itself.
 */
export function Notice({ says }: { says: boolean }) {
  const viewer = useViewer();
  const { progress, error } = usePage();
  return (
    <div class="notices">
      {progress && (
        <progress
          class="reading"
          aria-label={`Reading ${progress.name}`}
          max={1}
          {...(progress.total > 0 ? { value: progress.read / progress.total } : {})}
        />
      )}
      {says && error && (
        <div class="notice" role="alert">
          <p>{error}</p>
          <button type="button" onClick={() => viewer.store.set({ error: undefined })}>
            Dismiss
          </button>
        </div>
      )}
      <Slot name="bar" />
    </div>
  );
}

/** The first stop of the Tab key: past the header and the outline. */
function SkipLink() {
  return (
    // biome-ignore lint/a11y/useValidAnchor: it leads to a place on the page, as links do
    <a
      class="skip-link"
      href="#transcript"
      onClick={(event) => {
        // Fragments of the address are places in the transcript.
        event.preventDefault();
        document.querySelector<HTMLElement>(".pane-transcript")?.focus();
      }}
    >
      Skip to the transcript
    </a>
  );
}

const PANES: [Pane, string][] = [
  ["outline", "Outline"],
  ["transcript", "Transcript"],
  ["timeline", "Timeline"],
];

/** Where the screen has room for one pane only, these say which; the facts of all are in the sheet. */
function PaneTabs({ pane }: { pane: Pane }) {
  const viewer = useViewer();
  const { beside, sheet, selected } = usePage();
  const { total, words } = useTrouble(useOpenDocument());
  return (
    <nav class="pane-tabs" aria-label="Panes">
      <Toolbar class="pane-tab-list" label="Panes">
        {PANES.filter(([name]) => !(beside && name === "timeline")).map(([name, title]) => (
          <button
            key={name}
            type="button"
            aria-current={pane === name ? "page" : undefined}
            onClick={() => viewer.store.set({ pane: name })}
          >
            {name === "outline" ? <SideName /> : title}
          </button>
        ))}
        <button
          type="button"
          aria-haspopup="dialog"
          aria-expanded={sheet !== undefined}
          onClick={() => viewer.panels.showSheet(selected >= 0 ? "part" : "run")}
        >
          Details
          {total > 0 && (
            <span class="count" title={words.join(" · ")}>
              <span aria-hidden="true">{brief(total)}</span>
              <span class="hidden"> {words.join(", ")}</span>
            </span>
          )}
        </button>
      </Toolbar>
    </nav>
  );
}
