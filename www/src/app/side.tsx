import { Outline } from "../features/outline/view";
import { useSearch } from "../features/search/view/bar";
import { Results } from "../features/search/view/results";
import { useViewer } from "./hooks";

/** The column at the side: the outline, or what a search has found. */
export function Side() {
  const { open, side, found } = useSearch();
  if (!open || !found) return <Outline />;
  return side === "outline" ? (
    <Outline switcher={<Switch />} />
  ) : (
    <nav class="pane pane-outline" aria-label="Search results">
      <div class="pane-title">
        <h2>Results</h2>
        <Switch />
      </div>
      <Results key={found.id} found={found} />
    </nav>
  );
}

/** What the tab of that column is called where there is room for one pane only. */
export function SideName() {
  const { open, found, side } = useSearch();
  const name = open && found ? side : "outline";
  return <>{name === "outline" ? "Outline" : "Results"}</>;
}

function Switch() {
  const { search } = useViewer();
  const { side } = useSearch();
  const other = side === "outline" ? "results" : "outline";
  return (
    <button type="button" class="side-switch" onClick={() => search.store.set({ side: other })}>
      Show {other}
    </button>
  );
}
