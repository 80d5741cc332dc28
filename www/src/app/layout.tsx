import { useEffect, useState } from "preact/hooks";
import { Compare, CompareInspector } from "../features/compare/view/compare";
import { ExportDialog } from "../features/export/view";
import { Inspector } from "../features/inspector/view";
import { LiveNotice, LostConnection, NewBelow, NothingYet } from "../features/live/view";
import { Damage } from "../features/problems/view/damage";
import { Problems } from "../features/problems/view/problems";
import { ReplayBar } from "../features/replay/view/bar";
import { SearchBar } from "../features/search/view/bar";
import { SessionBar } from "../features/sessions/view";
import { TimelinePane } from "../features/timeline/view/timeline";
import { Transcript } from "../features/transcript/view/transcript";
import { brief } from "../ui/format";
import type { Pane } from "./context";
import { DropOverlay } from "./drop_overlay";
import { type HoveringFile, listenToFileDrop } from "./file_drop";
import { Header } from "./header";
import { HelpDialog } from "./help_dialog";
import { OpenDocumentProvider, useOpenDocument, usePage, useViewer } from "./hooks";
import { Choices, OpenDialog } from "./open_dialog";
import { Side, SideName } from "./side";
import { LinkDialog, Toast } from "./toast";

export function App() {
  const viewer = useViewer();
  const { doc, pane, problemsOpen } = usePage();
  const [dragging, setDragging] = useState<HoveringFile>();
  useEffect(() => listenToFileDrop(viewer, setDragging), [viewer]);
  const comparison = viewer.compare.store.state.comparison;
  return (
    <OpenDocumentProvider doc={doc}>
      <div
        class="frame"
        data-compare={comparison ? "true" : undefined}
        data-pane={pane}
        data-problems={problemsOpen ? "open" : "closed"}
      >
        <Header />
        <Notice />
        {doc ? (
          <>
            <Side key={doc.id} />
            <main class="pane pane-transcript">
              {comparison ? (
                <Compare comparison={comparison} />
              ) : (
                <>
                  <SearchBar />
                  <Transcript />
                  <NothingYet />
                  <LostConnection />
                  <NewBelow />
                </>
              )}
            </main>
            <Problems />
            {comparison ? <CompareInspector comparison={comparison} /> : <Inspector />}
            {!comparison && <TimelinePane />}
            <PaneTabs pane={pane} />
          </>
        ) : (
          <Welcome />
        )}
      </div>
      <OpenDialog />
      <ExportDialog />
      <HelpDialog />
      <LinkDialog />
      <Toast />
      {dragging && <DropOverlay hovering={dragging} />}
    </OpenDocumentProvider>
  );
}

/** The page before a transcript is open. */
function Welcome() {
  const viewer = useViewer();
  const { progress } = usePage();
  return (
    <main class="pane pane-transcript welcome">
      {progress ? (
        <p class="quiet">Reading {progress.name}…</p>
      ) : (
        <div class="welcome-choices">
          <h2>Open a transcript</h2>
          <Choices open={(source) => void viewer.open(source)} />
        </div>
      )}
    </main>
  );
}

/** Progress while a file is read, and what went wrong when it could not be. */
export function Notice() {
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
      {error && (
        <div class="notice" role="alert">
          <p>{error}</p>
          <button type="button" onClick={() => viewer.store.set({ error: undefined })}>
            Dismiss
          </button>
        </div>
      )}
      <Damage />
      <LiveNotice />
      <SessionBar />
      <ReplayBar />
    </div>
  );
}

const PANES: [Pane, string][] = [
  ["outline", "Outline"],
  ["transcript", "Transcript"],
  ["timeline", "Timeline"],
  ["inspector", "Inspector"],
  ["problems", "Problems"],
];

/** Where the screen has room for one pane only, these say which. */
function PaneTabs({ pane }: { pane: Pane }) {
  const viewer = useViewer();
  const compares = viewer.compare.store.state.comparison !== undefined;
  const { errors, warnings } = useOpenDocument().facts;
  const problems = errors + warnings;
  return (
    <nav class="pane-tabs" aria-label="Panes">
      {PANES.filter(([name]) => !(compares && name === "timeline")).map(([name, title]) => (
        <button
          key={name}
          type="button"
          aria-current={pane === name ? "page" : undefined}
          onClick={() => viewer.store.set({ pane: name })}
        >
          {name === "outline" ? <SideName /> : title}
          {name === "problems" && problems > 0 && <span class="count">{brief(problems)}</span>}
        </button>
      ))}
    </nav>
  );
}
