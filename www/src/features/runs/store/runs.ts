import { ENDINGS, MOST_FILES } from "../../../../../js/cli/transcript-files.mjs";
import { shortAddress } from "../../../app/address";
import type { AppContext, OpenOptions } from "../../../app/context";
import { Store } from "../../../ui/store";
import type { WorkerClient } from "../../../worker/client";
import type { Compare } from "../../compare/store/compare";
import type { FoundRun, Order, Run, RunColumn } from "../model";
import { findFiles } from "./folder";
import { fetchList } from "./served_list";
import { ListSteps } from "./steps";

/** What was read is shown this often, in milliseconds: each time the list is sorted again. */
const PAUSE = 200;

interface RunsState {
  /** Another array whenever more is known of one. Empty where there is no list. */
  runs: readonly Run[];
  /** What they came with: the name of a folder. */
  name: string;
  /** Where it is served. */
  address?: string | undefined;
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

const NONE = {
  ...{ runs: [], name: "", address: undefined, more: false, shown: false },
  ...{ read: 0, query: "", ticked: [] },
};

/**
 * The runs in a folder, or in many files. A worker of its own reads one after the other for what the list
 * says of them, so that nobody who reads one meanwhile has to wait.
 */
export class Runs {
  readonly store = new Store<RunsState>({ ...NONE, order: { by: "date", descending: true } });
  private turn = 0;
  private reader: WorkerClient | undefined;
  private readonly steps: ListSteps;
  /** The run that was opened last. */
  private last: Run | undefined;

  constructor(
    private readonly app: AppContext,
    private readonly compare: Compare,
    private readonly another: () => WorkerClient,
  ) {
    this.steps = new ListSteps(
      app,
      () => this.show(),
      () => {
        if (this.last && this.store.get().shown) void this.enter(this.last);
      },
    );
  }

  /** Takes what was dropped: one transcript is opened, more are listed. */
  async drop(entries: readonly FileSystemEntry[], name: string): Promise<void> {
    const found = await this.app.opens(name, () => findFiles(entries).then(notEmpty));
    if (found) this.take(found.files, name, found.more);
  }

  /** The list at an address of this origin; with `src`, the run of it that has that address is opened. */
  async follow(address: string, src?: string): Promise<void> {
    const found = await this.app.opens(
      "The list of runs",
      () => fetchList(address).then(notEmpty),
      {
        keepAddress: true,
      },
    );
    if (!found) return;
    const { files, name, more } = found;
    const chosen = files.findIndex(({ source }) => source.kind === "url" && source.url === src);
    const { href } = location;
    this.take(files, name, more, address);
    const run = this.store.get().runs[chosen];
    if (!run) return;
    // What the address names in it holds again.
    history.replaceState(null, "", href);
    await this.enter(run, { keepAddress: true });
  }

  take(
    files: readonly FoundRun[],
    name: string,
    more = files.length > MOST_FILES,
    address?: string,
  ): void {
    const [first, second] = files;
    if (!first) return;
    if (!second) return void this.app.open(first.source, { alone: true });
    this.leave();
    const runs = files.slice(0, MOST_FILES).map((file, id) => ({ ...file, id }));
    this.store.set({ ...NONE, runs, name, address, more });
    this.show();
    void this.readAll(++this.turn, runs);
  }

  /** The list goes, and what is being read for it. */
  leave(): void {
    this.turn++;
    this.reader?.close();
    this.reader = undefined;
    this.last = undefined;
    this.store.set(NONE);
  }

  /** Back from one of them. */
  back(): void {
    if (!this.steps.leave()) this.show();
  }

  async open(run: Run): Promise<void> {
    this.steps.enter();
    await this.enter(run);
  }

  /** The two that are ticked, side by side: first the one that began first. */
  async compareTicked(): Promise<void> {
    const { runs, ticked } = this.store.get();
    const [first, second] = [...ticked].map((id) => runs[id]);
    if (!first || !second) return;
    this.steps.enter();
    if (await this.enter(first)) await this.compare.open(second.source);
  }

  /** Opens a run in the place of the list. */
  private async enter(run: Run, options: OpenOptions = {}): Promise<boolean> {
    this.last = run;
    this.store.set({ shown: false });
    return this.app.open(run.source, { ...options, alone: true, listed: true });
  }

  private show(): void {
    const { runs, address, shown } = this.store.get();
    if (runs.length === 0) return;
    if (!shown) this.app.clear();
    this.store.set({ shown: true });
    this.steps.show(address === undefined ? "" : `?runs=${shortAddress(address)}`);
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
      const known: Run = await reader.call("runFacts", run.source).then(
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
