import { useViewer } from "../core/page/hooks";
import { Events, Outline, Results, useSearch } from "../features/page";

/** The column at the side: the outline, the events of a replay, or what a search has found. */
export function Side() {
  const { open, side, found } = useSearch();
  const { replay } = useViewer();
  const { open: replaying, side: shown } = replay.store.state;
  if (open && found && side !== "outline") {
    return (
      <nav class="pane pane-outline" aria-label="Search results">
        <div class="pane-title">
          <h2>Results</h2>
          <Switch />
        </div>
        <Results key={found.id} found={found} />
      </nav>
    );
  }
  const results = open && found ? <Switch /> : undefined;
  if (!replaying) return <Outline switcher={results} />;
  if (shown === "events") return <Events switcher={results ?? <ReplaySwitch />} />;
  return <Outline switcher={results ?? <ReplaySwitch />} />;
}

/** What the tab of that column is called where there is room for one pane only. */
export function SideName() {
  const { open, found, side } = useSearch();
  const { replay } = useViewer();
  const { open: replaying, side: shown } = replay.store.state;
  if (open && found && side !== "outline") return <>Results</>;
  return <>{replaying && shown === "events" ? "Events" : "Outline"}</>;
}

function Switch() {
  const { search, replay } = useViewer();
  const { side } = useSearch();
  const behind = replay.store.state.open ? replay.store.state.side : "outline";
  const other = side === "outline" ? "results" : "outline";
  return (
    <button type="button" class="side-switch" onClick={() => search.store.set({ side: other })}>
      Show {other === "outline" ? behind : other}
    </button>
  );
}

function ReplaySwitch() {
  const { replay } = useViewer();
  const other = replay.store.state.side === "events" ? "outline" : "events";
  return (
    <button type="button" class="side-switch" onClick={() => replay.store.set({ side: other })}>
      Show {other}
    </button>
  );
}
