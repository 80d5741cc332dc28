import { ENDINGS, MOST_FILES } from "../../../../../js/cli/transcript-files.mjs";
import type { AppContext } from "../../../app/context";
import { Store } from "../../../ui/store";
import type { WorkerClient } from "../../../worker/client";
import type { Compare } from "../../compare/store/compare";
import type { Order, Run, RunColumn } from "../model";
import { type FoundFile, findFiles } from "./folder";

/** What was read is shown this often, in milliseconds: each time the list is sorted again. */
const PAUSE = 200;

interface RunsState {
  /** Another array whenever more is known of one. Empty where there is no list. */
  runs: readonly Run[];
  /** What they came with: the name of a folder. */
  name: string;
  /** There were more files than are listed. */
  more: boolean;
  /** The list is on the page, and not one of its runs. */
  shown: boolean;
  /** How many were read. */
  read: number;
  query: string;
  order: Order;
  /** The ticked ones, at most two, by id. */
  ticked: readonly number[];
}

const NONE = { runs: [], name: "", more: false, shown: false, read: 0, query: "", ticked: [] };

/**
 * The runs in a folder, or in many files. A worker of its own reads one after the other for what the list
 * says of them, so that nobody who reads one meanwhile has to wait.
 */
export class Runs {
  readonly store = new Store<RunsState>({ ...NONE, order: { by: "date", descending: true } });
  private turn = 0;
  private reader: WorkerClient | undefined;

  constructor(
    private readonly app: AppContext,
    private readonly compare: Compare,
    private readonly another: () => WorkerClient,
  ) {}

  /** Takes what was dropped: one transcript is opened, more are listed. */
  async drop(entries: readonly FileSystemEntry[], name: string): Promise<void> {
    const found = await this.app.opens(name, () => findFiles(entries).then(notEmpty));
    if (found) this.take(found.files, name, found.more);
  }

  take(files: readonly FoundFile[], name: string, more = files.length > MOST_FILES): void {
    const [first, second] = files;
    if (!first) return;
    if (!second) return void this.app.open({ kind: "file", file: first.file }, { alone: true });
    this.leave();
    const runs = files.slice(0, MOST_FILES).map((file, id) => ({ ...file, id }));
    this.app.clear();
    this.store.set({ ...NONE, runs, name, more, shown: true });
    void this.readAll(++this.turn, runs);
  }

  /** The list goes, and what is being read for it. */
  leave(): void {
    this.turn++;
    this.reader?.close();
    this.reader = undefined;
    this.store.set(NONE);
  }

  /** Back from one of them. */
  show(): void {
    this.app.clear();
    this.store.set({ shown: true });
  }

  async open({ file }: Run): Promise<void> {
    this.store.set({ shown: false });
    await this.app.open({ kind: "file", file }, { alone: true, listed: true });
  }

  /** The two that are ticked, side by side: first the one that began first. */
  async compareTicked(): Promise<void> {
    const { runs, ticked } = this.store.get();
    const [first, second] = [...ticked].map((id) => runs[id]);
    if (!first || !second) return;
    this.store.set({ shown: false });
    const isOpen = await this.app.open(
      { kind: "file", file: first.file },
      { alone: true, listed: true },
    );
    if (isOpen) await this.compare.open({ kind: "file", file: second.file });
  }

  tick(id: number): void {
    const { ticked } = this.store.get();
    const others = ticked.filter((each) => each !== id);
    // Of three the first goes.
    this.store.set({ ticked: others.length < ticked.length ? others : [...ticked, id].slice(-2) });
  }

  search(query: string): void {
    this.store.set({ query });
  }

  /** By a column; by the same again, the other way round. Numbers begin with the highest. */
  sort(by: RunColumn): void {
    const { order } = this.store.get();
    const isText = by === "title" || by === "agent" || by === "model";
    const descending = order.by === by ? !order.descending : !isText;
    this.store.set({ order: { by, descending } });
  }

  private async readAll(turn: number, runs: readonly Run[]): Promise<void> {
    const reader = this.another();
    this.reader = reader;
    const all = [...runs];
    let shown = 0;
    for (const run of runs) {
      const known: Run = await reader.call("runFacts", { kind: "file", file: run.file }).then(
        (facts) => ({ ...run, facts }),
        (error: unknown) => ({ ...run, error: messageOf(error) }),
      );
      if (turn !== this.turn) return;
      all[run.id] = known;
      const isLast = run.id === runs.length - 1;
      if (!isLast && performance.now() - shown < PAUSE) continue;
      shown = performance.now();
      this.store.set({ runs: [...all], read: run.id + 1 });
    }
    reader.close();
    this.reader = undefined;
  }
}

function notEmpty<T extends { files: readonly unknown[] }>(found: T): T {
  if (found.files.length > 0) return found;
  throw new Error(
    `No file in it is one that transcripts are in: ${ENDINGS.slice(0, -1).join(", ")} or ${ENDINGS.at(-1)}.`,
  );
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
}
