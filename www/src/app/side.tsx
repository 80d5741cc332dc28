import { useViewer } from "../core/page/hooks";
import { FEATURES } from "../features/page";

const PANES = FEATURES.all.flatMap(({ side }) => side ?? []);

/** The panes that share the column: the one that is shown, and which one its button shows instead. */
function useSide() {
  const page = useViewer();
  const offered = PANES.filter(({ isOffered }) => !isOffered || isOffered(page));
  const isShown = ({ isChosen }: (typeof PANES)[number]) => !isChosen || isChosen(page);
  const top = offered.at(-1);
  const shown = offered.findLast(isShown);
  const behind = offered.slice(0, -1).findLast(isShown);
  const other = top && top === shown ? behind : top;
  return { shown, top, other, hasChoice: offered.length > 1 };
}

/** The column at the side: the outline, the events of a replay, or what a search has found. */
export function Side() {
  const { shown, hasChoice } = useSide();
  if (!shown) return null;
  const { View } = shown;
  return <View switcher={hasChoice && <Switch />} />;
}

/** What the tab of that column is called where there is room for one pane only. */
export function SideName() {
  return <>{useSide().shown?.title}</>;
}

function Switch() {
  const page = useViewer();
  const { shown, top, other } = useSide();
  return (
    <button type="button" class="side-switch" onClick={() => top?.choose?.(page, top !== shown)}>
      Show {other?.title.toLowerCase()}
    </button>
  );
}
