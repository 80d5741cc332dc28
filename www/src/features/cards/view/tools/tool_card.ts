import type { ComponentChildren } from "preact";
import type { ToolBody, ToolView } from "../../../../core/model/tools";
import type { IconName } from "../../../../ui/icons";
import type { Fact } from "./facts";

interface ToolProps<B extends ToolBody = ToolBody> {
  view: ToolView;
  body: B;
  /** The row that it is in. */
  index: number;
  /** Nothing of it is folded: the inspector shows it. */
  whole: boolean;
}

/** How calls of one kind are drawn. */
export interface ToolCard<B extends ToolBody = ToolBody> {
  icon: IconName;
  View(props: ToolProps<B>): ComponentChildren;
  /** What is shown beside the tool's name; `title` is the call's own, if it has one. */
  subtitle(body: B, title: string): string;
  /** What is shown before the state, in the head. */
  outcome?(body: B): ComponentChildren;
  /** What is shown below the body, in a few words each. */
  facts?(body: B): Fact[];
}
