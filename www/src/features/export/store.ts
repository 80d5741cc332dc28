import type { AppContext } from "../../app/context";
import { Store } from "../../ui/store";
import type { Compare } from "../compare/store/compare";
import type { ExportFormat } from "./model";

interface ExportState {
  /** Set while a document is written. */
  making?: { format: ExportFormat; done: number; total: number } | undefined;
  error?: string | undefined;
}

const KINDS: Record<ExportFormat, { ending: string; type: string }> = {
  json: { ending: "json", type: "application/json" },
  markdown: { ending: "md", type: "text/markdown;charset=utf-8" },
  html: { ending: "html", type: "text/html;charset=utf-8" },
};

/** The browser needs the address until it has begun to write the file. */
const KEPT = 60_000;

/** Exports the open transcript: the worker writes the document piece by piece, the browser saves it. */
export class Exporting {
  readonly store = new Store<ExportState>({});
  private turn = 0;

  constructor(
    private readonly app: AppContext,
    private readonly compare: Pick<Compare, "active">,
  ) {}

  async start(format: ExportFormat): Promise<void> {
    const { doc } = this.compare.active.store.get();
    if (!doc) return;
    const turn = ++this.turn;
    const total = doc.map.messages;
    const pieces: Blob[] = [];
    this.store.set({ making: { format, done: 0, total }, error: undefined });
    try {
      for (let next = 0; ; ) {
        const piece = await doc.client.call("export", format, doc.facts.name, next);
        if (turn !== this.turn) return;
        pieces.push(piece.blob);
        next = piece.next;
        if (next >= total) break;
        this.store.set({ making: { format, done: next, total } });
      }
      const { ending, type } = KINDS[format];
      save(new Blob(pieces, { type }), `${fileName(doc.facts.title)}.${ending}`);
      this.store.set({ making: undefined });
      this.app.store.set({ dialog: undefined });
    } catch (error) {
      if (turn !== this.turn) return;
      const why = error instanceof Error ? error.message : String(error);
      this.store.set({ making: undefined, error: `It could not be exported. ${why}` });
    }
  }

  /** Cancels the export; no file is saved. */
  cancel(): void {
    this.turn++;
    this.store.set({ making: undefined, error: undefined });
  }
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT);
}

/** A title as a name that every system takes. */
export function fileName(title: string): string {
  const safe = title
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[-.]+/, "")
    .slice(0, 80)
    .replace(/[-.]+$/, "");
  const isReserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(safe);
  return isReserved ? `transcript-${safe}` : safe || "transcript";
}
