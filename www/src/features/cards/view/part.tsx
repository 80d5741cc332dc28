import type { PartRow } from "../../../core/model/rows";
import { cardOf } from "./registry";

interface Props {
  row: PartRow;
  index: number;
  folded: boolean;
  /** The inspector shows the same part without folding it. */
  whole?: boolean;
}

/** One part, by its type. */
export function Part({ row: { view }, index, folded, whole = false }: Props) {
  const { View } = cardOf(view);
  return <View view={view} index={index} folded={folded} whole={whole} />;
}

/** What a part is, in words, for labels. */
export function partName({ view }: PartRow): string {
  return cardOf(view).label(view);
}
