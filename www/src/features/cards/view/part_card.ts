import type { ComponentChildren } from "preact";
import type { PartView } from "../../../core/model/parts";

export interface PartProps<V extends PartView> {
  view: V;
  /** The row that it is in. */
  index: number;
  folded: boolean;
  /** The inspector shows the same part without folding it. */
  whole: boolean;
}

/** How parts of one type are drawn. */
export interface PartCard<V extends PartView = PartView> {
  View(props: PartProps<V>): ComponentChildren;
  /** What the part is, in words, for labels. */
  label(view: V): string;
  /** A first guess at its height in pixels, from its size in bytes. */
  estimate(size: number): number;
}
