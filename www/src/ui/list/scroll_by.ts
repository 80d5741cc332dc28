import { createContext } from "preact";
import { useContext } from "preact/hooks";

/** Scrolls a list by so many pixels, whatever it was being scrolled to. */
export type ScrollBy = (pixels: number) => void;

/** How what is in a row scrolls the list that the row is in; undefined outside of a list. */
export const ScrollByContext = createContext<ScrollBy | undefined>(undefined);

export const useScrollBy = (): ScrollBy | undefined => useContext(ScrollByContext);
