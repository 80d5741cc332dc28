import type { Page } from "./context";

/** A key of the page. */
export interface Key {
  keys: readonly string[];
  /** The words that the help shows. Without them it does its part of what another entry of this key says, before that. */
  does?: string;
  run?: (viewer: Page, key: string) => unknown;
  /** Where it does nothing, the browser's own use of the key stays. */
  when?: (viewer: Page) => boolean;
}
