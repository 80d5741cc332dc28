import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

const CONTROLS = "a[href], button, summary, input, select, textarea, [tabindex]";

/**
 * Of a list of rows, the Tab key comes to one row and the controls in it: those of the other rows are left
 * out until their row is selected. They are made by many components, so they are found in the document.
 */
export function useInnerStops(
  list: RefObject<HTMLElement | null>,
  row: string,
  selected: string,
): void {
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    /** What is left out, with the `tabindex` that it had. */
    const out = new WeakMap<HTMLElement, string | null>();
    const look = () => {
      for (const each of element.querySelectorAll(row)) {
        const isIn = each.matches(selected);
        for (const control of each.querySelectorAll<HTMLElement>(CONTROLS)) {
          const before = out.get(control);
          if (isIn && before !== undefined) {
            out.delete(control);
            if (before === null) control.removeAttribute("tabindex");
            else control.setAttribute("tabindex", before);
          } else if (!isIn && before === undefined && control.tabIndex >= 0) {
            out.set(control, control.getAttribute("tabindex"));
            control.tabIndex = -1;
          }
        }
      }
    };
    look();
    const observer = new MutationObserver(look);
    const attributeFilter = ["data-selected"];
    observer.observe(element, { childList: true, subtree: true, attributeFilter });
    return () => observer.disconnect();
  }, [list, row, selected]);
}
