import type { CompactionView } from "../core/model/compactions";
import type { AppContext } from "../core/page/context";
import type { Repeats } from "../core/store/repeats";

/** What is folded away in the transcript: parts, what compactions hid, the repeats of loops. */
export class Folding {
  constructor(private readonly app: AppContext) {}

  /**
   * Folds or unfolds a part, or all parts of a message; of a compaction, and of the row that stands for it
   * while that is folded, what it hid.
   */
  toggle(row: number): void {
    const { doc } = this.app.store.get();
    if (!doc || row < 0) return;
    const { message, part } = doc.map.place(row);
    const { compactions } = doc;
    const fold = compactions.foldAt(row);
    if (fold && compactions.isClosed(fold)) {
      this.toggleHidden(fold);
    } else if (doc.isCompaction(row)) {
      const compaction = compactions.startedBy(message);
      if (compaction) this.toggleHidden(compaction);
    } else if (part >= 0) {
      doc.setFolded([[row, !doc.isFolded(row)]]);
    } else {
      const rows = Array.from({ length: doc.map.parts(message) }, (_, i) => row + 1 + i);
      const folded = !rows.every((each) => doc.isFolded(each));
      doc.setFolded(rows.map((each) => [each, folded] as const));
    }
  }

  /** The same for the selected row; repeats of a loop that are folded into it come first. */
  toggleSelected(): void {
    const { doc, selected } = this.app.store.get();
    const stretch = doc?.repeats.at(selected);
    if (stretch && doc?.repeats.isClosed(stretch)) this.toggleRepeats(stretch);
    else this.toggle(selected);
  }

  /** Folds or unfolds all parts, of both transcripts where two are side by side. */
  foldAll(folded: boolean): void {
    const { doc, beside } = this.app.store.get();
    for (const each of [doc, beside]) each?.foldAll(folded);
  }

  toggleHidden(compaction: CompactionView): void {
    const { doc, beside, selected } = this.app.store.get();
    // Two transcripts side by side have all their rows.
    if (!doc || beside) return;
    const { compactions } = doc;
    compactions.close(compaction, !compactions.isClosed(compaction));
    if (selected >= 0 && compactions.shown.foldedAt(selected)) {
      this.app.store.set({ selected: compactions.firstRow(compaction) });
      this.app.writeLink();
    }
  }

  /** Folds or unfolds the calls of a loop behind the first; the selection stays in sight. */
  toggleRepeats(stretch: Repeats): void {
    const { doc, beside, selected } = this.app.store.get();
    if (!doc || beside) return;
    doc.repeats.close(stretch, !doc.repeats.isClosed(stretch));
    if (selected >= 0 && doc.repeats.hides(selected)) {
      this.app.store.set({ selected: stretch.first });
      this.app.writeLink();
    }
  }

  /** Unfolds the calls of a loop of which this row is one. */
  showRepeats(row: number): void {
    const { repeats } = this.app.store.get().doc ?? {};
    const stretch = repeats?.at(repeats.standingFor(row));
    if (stretch) repeats?.close(stretch, false);
  }
}
