import type { Page } from "./context";

/** A key of the page, with the words that the help shows. */
export interface Key {
  keys: string[];
  does: string;
  run?: (viewer: Page, key: string) => unknown;
  /** Where it does nothing, the browser's own use of the key stays. */
  when?: (viewer: Page) => boolean;
}
