import type { AppContext, PageState, SheetTab } from "../core/page/context";
import { matches, NARROW, OVERLAID } from "../ui/media";

/**
 * What is shown beside the transcript when somebody asks for it: the inspector and the problems. Where there
 * is room for one pane only, both and the facts of the run are in one sheet at the bottom.
 */
export class Panels {
  /** What had the focus before something came over the transcript. */
  private before: Element | null = null;

  constructor(private readonly app: AppContext) {}

  get isInspecting(): boolean {
    const { inspecting, sheet } = this.app.store.get();
    return matches(NARROW) ? sheet === "part" : inspecting;
  }

  toggleInspector(): void {
    if (this.isInspecting) this.closeInspector();
    else this.inspect();
  }

  /** Opens the inspector; `change` is set with it. */
  inspect(change: Partial<PageState> = {}): void {
    const isOpen = this.isInspecting;
    if (!isOpen) this.before = document.activeElement;
    this.app.store.set({ ...change, inspecting: true, sheet: "part" });
    // What lies over the transcript takes the focus; a sheet does so by itself.
    if (isOpen || matches(NARROW) || !matches(OVERLAID)) return;
    requestAnimationFrame(() => {
      const tab = document.querySelector<HTMLElement>(".pane-inspector [aria-selected='true']");
      (tab ?? document.querySelector<HTMLElement>(".inspector-close"))?.focus();
    });
  }

  /** False where it was not open. */
  closeInspector(): boolean {
    if (!this.isInspecting) return false;
    const { activeElement } = document;
    const isInside = activeElement?.closest(".pane-inspector") ?? null;
    this.app.store.set({ inspecting: false, sheet: undefined });
    // Only what had the focus gives it back: nobody is torn from where they are.
    if (isInside) this.giveBack();
    return true;
  }

  toggleProblems(): void {
    const { problemsOpen } = this.app.store.get();
    if (problemsOpen && !matches(NARROW)) this.app.store.set({ problemsOpen: false });
    else this.showProblems();
  }

  showProblems(): void {
    this.app.store.set({ problemsOpen: true, sheet: "problems" });
  }

  showSheet(sheet: SheetTab): void {
    this.app.store.set({ sheet });
  }

  closeSheet(): void {
    this.app.store.set({ sheet: undefined, inspecting: false, problemsOpen: false });
  }

  /** A line a part, or all of it: in this transcript and those that are opened after it. */
  toggleCompact(): void {
    const { doc, compact } = this.app.store.get();
    this.app.store.set({ compact: !compact });
    if (doc) doc.dense = !compact;
  }

  private giveBack(): void {
    const { before } = this;
    this.before = null;
    const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
    const row = document.querySelector<HTMLElement>(".row[data-selected], .cell[data-selected]");
    // The row that is selected now may be another than the one that the inspector was opened from.
    const target = isThere && !before.matches(".row, .cell") ? before : (row ?? before);
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }
}
