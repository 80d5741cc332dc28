import type { ComponentChildren } from "preact";
import { Icon } from "./icons";

interface FoldableProps {
  folded: boolean;
  class: string;
  /** The inspector's copy does not fold. */
  fixed?: boolean;
  head: ComponentChildren;
  onToggle: () => void;
  children: ComponentChildren;
}

/** A part with a head that stays and a body that folds away. */
export function Foldable({ folded, fixed, head, onToggle, children, class: name }: FoldableProps) {
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
      <button type="button" class="fold-head" aria-expanded={!folded} onClick={onToggle}>
        <span class="fold-mark">
          <Icon name="chevron" />
        </span>
        {head}
      </button>
      {!folded && children}
    </section>
  );
}
