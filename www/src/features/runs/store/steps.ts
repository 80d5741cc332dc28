import type { AppContext } from "../../../core/page/context";

/** What a step of the browser's history shows: the list, or a run of it and how many steps the list is back. */
type ListStep = { runs: true } | { run: string; depth: number };

interface StepActions {
  toList(): void;
  /** To the run that has this path. */
  toRun(path: string): void;
}

/** The steps in the browser's history from a list of runs to one of them, from that to another, and back. */
export class ListSteps {
  constructor(
    private readonly app: AppContext,
    actions: StepActions,
  ) {
    if (!app.hasPage) return;
    window.addEventListener("popstate", ({ state }) => {
      const step = stepOf(state);
      // Other steps are links within the page.
      if (!step) return;
      if ("run" in step) actions.toRun(step.run);
      else actions.toList();
    });
  }

  /** The list is on the page; `query` is what names it in the address. */
  show(query: string): void {
    if (!this.app.hasPage) return;
    const step: ListStep = { runs: true };
    history.replaceState(step, "", `${location.pathname}${query}`);
  }

  /** A run is opened from the list, or from another run. */
  enter(path: string): void {
    if (!this.app.hasPage) return;
    const step: ListStep = { run: path, depth: this.depth + 1 };
    history.pushState(step, "", `${location.pathname}${location.search}`);
  }

  /** Goes back to the list; false where that is no step in the history. */
  leave(): boolean {
    const { depth } = this;
    if (!this.app.hasPage || depth === 0) return false;
    history.go(-depth);
    return true;
  }

  private get depth(): number {
    const step = stepOf(history.state);
    return step && "depth" in step ? step.depth : 0;
  }
}

function stepOf(state: unknown): ListStep | undefined {
  if (typeof state !== "object" || state === null) return undefined;
  if ("run" in state && typeof state.run === "string" && "depth" in state) {
    return typeof state.depth === "number" ? { run: state.run, depth: state.depth } : undefined;
  }
  return "runs" in state ? { runs: true } : undefined;
}
