import type { ComponentChildren } from "preact";
import { useViewer } from "../app/hooks";
import { Icon } from "./icons";

interface FoldableProps {
  index: number;
  folded: boolean;
  class: string;
  /** The inspector's copy does not fold. */
  fixed?: boolean;
  head: ComponentChildren;
  children: ComponentChildren;
}

/** A part with a head that stays and a body that folds away. */
export function Foldable({ index, folded, fixed, head, children, class: name }: FoldableProps) {
  const viewer = useViewer();
  if (fixed) {
    return (
      <section class={`foldable ${name}`}>
        <div class="card-head">{head}</div>
        {children}
      </section>
    );
  }
  return (
    <section class={`foldable ${name}`} data-folded={folded ? "true" : "false"}>
      <button
        type="button"
        class="fold-head"
        aria-expanded={!folded}
        onClick={() => viewer.toggleFold(index)}
      >
        <span class="fold-mark">
          <Icon name="chevron" />
        </span>
        {head}
      </button>
      {!folded && children}
    </section>
  );
}
