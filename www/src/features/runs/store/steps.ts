import type { AppContext } from "../../../app/context";

/** The steps in the browser's history from a list of runs to one of them and back. */
export class ListSteps {
  /** The run that is open was opened from the list, which is one step back. */
  private isInside = false;
  private search = "";

  constructor(
    private readonly app: AppContext,
    /** Both are called for a step in the history. */
    private readonly back: () => void,
    private readonly forward: () => void,
  ) {
    if (!app.hasPage) return;
    window.addEventListener("popstate", ({ state }) => {
      const wasInside = this.isInside;
      this.isInside = false;
      if (isList(state)) this.back();
      // A link within the page changes what follows `#` alone.
      else if (!wasInside && location.search !== this.search) this.forward();
    });
  }

  /** The list is on the page; `query` is what names it in the address. */
  show(query: string): void {
    if (!this.app.hasPage) return;
    this.isInside = false;
    this.search = query;
    history.replaceState({ runs: true }, "", `${location.pathname}${query}`);
  }

  /** A run is opened from the list. */
  enter(): void {
    if (!this.app.hasPage || this.isInside) return;
    this.isInside = true;
    history.pushState(null, "", `${location.pathname}${location.search}`);
  }

  /** Goes back to the list; false where that is no step in the history. */
  leave(): boolean {
    if (!this.isInside) return false;
    history.back();
    return true;
  }
}

function isList(state: unknown): boolean {
  return typeof state === "object" && state !== null && "runs" in state;
}
