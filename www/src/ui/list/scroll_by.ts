import { createContext } from "preact";
import { useContext } from "preact/hooks";

/**
 * Scrolls a list by so many pixels, whatever it was being scrolled to. `row`, which they are counted in, is measured
 * first: the list would move by what it has grown once it is above the top. `pixels` is asked after that.
 */
export type ScrollBy = (row: HTMLElement, pixels: () => number) => void;

/** How what is in a row scrolls the list that the row is in; undefined outside of a list. */
export const ScrollByContext = createContext<ScrollBy | undefined>(undefined);

export const useScrollBy = (): ScrollBy | undefined => useContext(ScrollByContext);
