/** Draws what features have for a place: the only way in which one feature, or the shell, draws what is another's. */
import { createContext, type FunctionComponent } from "preact";
import { useContext } from "preact/hooks";
import type { Cards, PaneName, Slots } from "./feature";
import { FeatureList } from "./feature_list";
import { useViewer } from "./hooks";

export const FeaturesContext = createContext(new FeatureList([]));

/** What features draw in one place, in their order. */
export function Slot<S extends keyof Slots>(props: { name: S } & Slots[S]) {
  const { name, ...given } = props;
  const all = useContext(FeaturesContext).fillersOf(name);
  return (
    <>
      {all.map((Each, i) => (
        <Each key={i} {...(given as unknown as Slots[S])} />
      ))}
    </>
  );
}

/** The pane that is shown in a place: of a feature that has one there only now and then, before the usual one. */
export function usePane(name: PaneName): FunctionComponent | undefined {
  const page = useViewer();
  const all = useContext(FeaturesContext).all.flatMap(({ panes }) => panes?.[name] ?? []);
  const shown = all.find(({ isShown }) => isShown?.(page)) ?? all.find(({ isShown }) => !isShown);
  return shown?.View;
}

export function PaneOf({ name }: { name: PaneName }) {
  const View = usePane(name);
  return View ? <View /> : null;
}

/** What can be known of cards without drawing them. */
export function useCards(): Cards {
  const { cards } = useContext(FeaturesContext);
  if (!cards) throw new Error("no feature has cards");
  return cards;
}
