import { useEffect, useState } from "preact/hooks";
import { listenToIntake } from "../state/intake";
import type { Pane } from "../state/viewer";
import { brief } from "../text/format";
import { DocContext, useDoc, useViewer, useViewerState } from "./context";
import { Header } from "./header";
import { HelpDialog } from "./help";
import { Inspector } from "./inspector";
import { OpenDialog } from "./open";
import { Outline } from "./outline";
import { Problems } from "./problems";
import { TimelinePane } from "./timeline";
import { Transcript } from "./transcript";

export function App() {
  const viewer = useViewer();
  const doc = useViewerState((state) => state.doc);
  const pane = useViewerState((state) => state.pane);
  const problemsOpen = useViewerState((state) => state.problemsOpen);
  const [dragging, setDragging] = useState(false);
  useEffect(() => listenToIntake(viewer, setDragging), [viewer]);
  return (
    <DocContext.Provider value={doc}>
      <div class="frame" data-pane={pane} data-problems={problemsOpen ? "open" : "closed"}>
        <Header />
        <Notice />
        {doc ? (
          <>
            <Outline key={doc.id} />
            <main class="pane pane-transcript">
              <Transcript />
            </main>
            <Problems />
            <Inspector />
            <TimelinePane />
            <PaneTabs pane={pane} />
          </>
        ) : (
          <main class="pane pane-transcript" />
        )}
      </div>
      <OpenDialog />
      <HelpDialog />
      {dragging && <div class="drop-veil">Drop a transcript to open it</div>}
    </DocContext.Provider>
  );
}

/** Progress while a file is read, and what went wrong when it could not be. */
function Notice() {
  const viewer = useViewer();
  const progress = useViewerState((state) => state.progress);
  const error = useViewerState((state) => state.error);
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
  const { errors, warnings } = useDoc().facts;
  const problems = errors + warnings;
  return (
    <nav class="pane-tabs" aria-label="Panes">
      {PANES.map(([name, title]) => (
        <button
          key={name}
          type="button"
          aria-current={pane === name ? "page" : undefined}
          onClick={() => viewer.store.set({ pane: name })}
        >
          {title}
          {name === "problems" && problems > 0 && <span class="count">{brief(problems)}</span>}
        </button>
      ))}
    </nav>
  );
}
