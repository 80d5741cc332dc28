import type { AppContext, Page } from "../../../core/page/context";
import type { Feature } from "../../../core/page/feature";
import type { OpenDocument } from "../../../core/store/document";
import { Store } from "../../../ui/store";
import type { ExportFormat, ExportOptions, SecretView } from "../model";
import { sharedPage } from "./shared_page";

interface ExportState {
  /** Set while a document is written. */
  making?: { format: ExportFormat; done: number; total: number } | undefined;
  error?: string | undefined;
  /** The first and the last message that are exported; all of them without it. */
  range?: { first: number; last: number } | undefined;
  /** How far the search for secrets is; undefined before it. */
  looked?: { done: number; total: number } | undefined;
  found: SecretView[];
  /** The kinds that are not masked, because somebody said so. */
  kept: ReadonlySet<string>;
  /** The title with its secrets masked. */
  title: string;
}

const KINDS: Record<ExportFormat, { ending: string; type: string }> = {
  viewer: { ending: "html", type: "text/html;charset=utf-8" },
  json: { ending: "json", type: "application/json" },
  markdown: { ending: "md", type: "text/markdown;charset=utf-8" },
  html: { ending: "html", type: "text/html;charset=utf-8" },
};

/** The browser needs the address until it has begun to write the file. */
const KEPT = 60_000;

/**
 * Exports the open transcript: the worker looks for secrets and writes the document, both piece by piece, and the
 * browser saves it.
 */
export class Exporting {
  readonly store = new Store<ExportState>({ found: [], kept: new Set(), title: "" });
  private turn = 0;
  private lookTurn = 0;

  /** `shell` gives the viewer as one page, where there is one. */
  constructor(
    private readonly app: AppContext,
    private readonly others: Pick<Page, "compare">,
    private readonly shell: (() => Promise<string>) | undefined,
  ) {}

  /** Is there a viewer that can be sent along? */
  get hasShell(): boolean {
    return this.shell !== undefined;
  }

  /** Looks for what should not be shared in the messages that are to be exported. */
  async look(): Promise<void> {
    const turn = ++this.lookTurn;
    const { doc } = this.others.compare.active.store.get();
    if (!doc) return;
    const { first, end } = this.messages(doc);
    const total = end - first;
    this.store.set({ looked: { done: 0, total }, found: [], error: undefined });
    try {
      for (let next = first; ; ) {
        const step = await doc.client.call("secrets", doc.facts.name, first, next, end);
        if (turn !== this.lookTurn) return;
        if (next === first) this.store.set({ title: step.title });
        next = step.next;
        const done = next - first;
        this.store.set({ looked: { done, total }, found: step.found });
        if (next >= end) return;
      }
    } catch (error) {
      if (turn === this.lookTurn) this.fail("It could not be searched for secrets.", error);
    }
  }

  /** Nothing more is looked for, and what was said of kinds and messages is forgotten. */
  forget(): void {
    this.lookTurn++;
    this.store.set({ looked: undefined, found: [], kept: new Set(), range: undefined });
  }

  /** Exports only these messages, or all. */
  setRange(range: { first: number; last: number } | undefined): void {
    this.store.set({ range });
    void this.look();
  }

  /** Masks a kind, or leaves it as it is. */
  setMasked(kind: string, masked: boolean): void {
    const kept = new Set(this.store.get().kept);
    if (masked) kept.delete(kind);
    else kept.add(kind);
    this.store.set({ kept });
  }

  async start(format: ExportFormat): Promise<void> {
    const { doc } = this.others.compare.active.store.get();
    if (!doc) return;
    const turn = ++this.turn;
    const { found, kept, title } = this.store.get();
    const isMasked = found.some(({ kind }) => !kept.has(kind));
    const range = this.messages(doc);
    const options: ExportOptions = { ...range, keep: isMasked ? [...kept] : undefined };
    const { first, end } = range;
    const total = end - first;
    const pieces: Blob[] = [];
    this.store.set({ making: { format, done: 0, total }, error: undefined });
    try {
      for (let next = first; ; ) {
        const piece = await doc.client.call("export", format, doc.facts.name, next, options);
        if (turn !== this.turn) return;
        pieces.push(piece.blob);
        next = piece.next;
        if (next >= end) break;
        this.store.set({ making: { format, done: next - first, total } });
      }
      const name = fileName(isMasked ? title : doc.facts.title);
      const { ending, type } = KINDS[format];
      const whole =
        format === "viewer" && this.shell
          ? await sharedPage(await this.shell(), new Blob(pieces), `${name}.json`)
          : pieces;
      if (turn !== this.turn) return;
      save(new Blob(whole, { type }), `${name}.${ending}`);
      this.store.set({ making: undefined });
      this.app.store.set({ dialog: undefined });
    } catch (error) {
      if (turn === this.turn) this.fail("It could not be exported.", error);
    }
  }

  /** Cancels the export; no file is saved. */
  cancel(): void {
    this.turn++;
    this.store.set({ making: undefined, error: undefined });
  }

  private messages(doc: OpenDocument): { first: number; end: number } {
    const { messages } = doc.map;
    const { range } = this.store.get();
    if (!range) return { first: 0, end: messages };
    const first = Math.max(0, Math.min(range.first, messages - 1));
    return { first, end: Math.max(first + 1, Math.min(range.last + 1, messages)) };
  }

  private fail(what: string, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.store.set({ making: undefined, looked: undefined, error: `${what} ${why}` });
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

export const stores = {
  exporting: (page, { shell }) => new Exporting(page, page, shell),
} satisfies Feature["stores"];
