/** What the style sheets ask of the screen, where code has to know it too. */
import { useEffect, useState } from "preact/hooks";

/** Room for one pane: the others lie behind tabs, and details in a sheet at the bottom. */
export const NARROW = "(max-width: 960px)";
/** Room for two: the inspector lies over the transcript. */
export const OVERLAID = "(max-width: 1180px)";
/** Fingers, which need targets of 44 px. */
export const TOUCH = "(pointer: coarse), (max-width: 560px)";

export function matches(query: string): boolean {
  return typeof matchMedia === "function" && matchMedia(query).matches;
}

/** Draws again when the answer changes. */
export function useMedia(query: string): boolean {
  const [is, setIs] = useState(() => matches(query));
  useEffect(() => {
    const list = matchMedia(query);
    const changed = () => setIs(list.matches);
    changed();
    list.addEventListener("change", changed);
    return () => list.removeEventListener("change", changed);
  }, [query]);
  return is;
}
