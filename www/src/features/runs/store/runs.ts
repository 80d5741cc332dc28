import { ENDINGS, MOST_FILES } from "../../../../../ts/cli/transcript-files.ts";
import type { WorkerClient } from "../../../core/client";
import { isEmpty } from "../../../core/model/query";
import { named, shortAddress, sourceFromAddress } from "../../../core/page/address";
import type { AppContext, OpenOptions, Page } from "../../../core/page/context";
import type { Feature } from "../../../core/page/feature";
import { Store } from "../../../ui/store";
import { columnOf, type RunColumn } from "../model/columns";
import { listed, type Order } from "../model/listed";
import type { FoundRun, Run, RunHits } from "../model/runs";
import { byParent, bySession } from "../model/tree";
import { findFiles } from "./folder";
import { RunsReader } from "./reader";
import { fetchList } from "./served_list";
import { ListSteps } from "./steps";

/** A search begins this long after the last key, in milliseconds. */
const DEBOUNCE = 120;

interface TaskRun {
  run: Run;
  session: string;
}

interface RunsState {
  /** Another array whenever more is known of one. Empty where there is no list. */
  runs: readonly Run[];
  /** What they came with: the name of a folder. */
  name: string;
  /** Where it is served. */
  address?: string | undefined;
  /** There were more files than are listed. */
  more: boolean;
  /** How many files there were, where that is known. */
  total: number | undefined;
  /** The folder that a server shows. */
  folder: string | undefined;
  /** The list is on the page, and not one of its runs. */
  shown: boolean;
  /** How many were read. */
  read: number;
  query: string;
  /** What is wrong with the query; or the word of it that is written as a filter, and names none. */
  mistake?: string | undefined;
  unknown?: string | undefined;
  /** Where the query hits contents, by the runs' ids. */
  hits: ReadonlyMap<number, RunHits>;
  /** Set while contents are searched: how many were, and of how many. */
  searching?: { searched: number; sought: number } | undefined;
  /** Another object whenever the field should take the focus. */
  focus?: object | undefined;
  order: Order;
  /** The ticked ones, at most two, by id. */
  ticked: readonly number[];
  /** Those under which nothing is listed, by id. */
  folded: ReadonlySet<number>;
}

const NONE = {
  ...{ runs: [], name: "", address: undefined, more: false, shown: false },
  ...{ total: undefined, folder: undefined },
  ...{ read: 0, query: "", ticked: [], focus: undefined },
  folded: new Set<number>(),
};
const NO_HITS: RunsState["hits"] = new Map();
const NOTHING_FOUND = {
  ...{ hits: NO_HITS, searching: undefined, mistake: undefined, unknown: undefined },
};

/** The runs in a folder, or in many files. */
export class Runs {
  readonly store = new Store<RunsState>({
    ...NONE,
    ...NOTHING_FOUND,
    order: { by: "date", descending: true },
  });
  private reader: RunsReader | undefined;
  /** The number of the latest search. */
  private turn = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly steps: ListSteps;
  /** The run that was opened last. */
  private last: Run | undefined;
  private readonly sessions = lastOf(bySession);
  private readonly children = lastOf(byParent);

  constructor(
    private readonly app: AppContext,
    private readonly others: Pick<Page, "compare" | "search">,
    private readonly another: () => WorkerClient,
  ) {
    this.steps = new ListSteps(app, {
      toList: () => this.comeBack(),
      toRun: (path) => this.goTo(path),
    });
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
    const { files, name, more, total, folder } = found;
    const chosen = files.findIndex(({ source }) => source.kind === "url" && source.url === src);
    const { href } = location;
    const { state } = history;
    this.take(files, name, more, address);
    if (this.store.get().address === address) this.store.set({ total, folder });
    const run = this.store.get().runs[chosen];
    if (!run) return;
    // What the address names in it holds again.
    history.replaceState(state, "", href);
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
    this.reader = new RunsReader(runs, this.another, {
      read: (known, read) => this.store.set({ runs: known, read }),
      searched: ({ hits, searched, sought }) => {
        const searching = searched < sought ? { searched, sought } : undefined;
        this.store.set({ hits, searching });
      },
    });
  }

  /** The list goes, and what is being read for it. */
  leave(): void {
    clearTimeout(this.timer);
    this.reader?.close();
    this.reader = undefined;
    this.last = undefined;
    this.store.set({ ...NONE, ...NOTHING_FOUND });
  }

  /** Back from one of them. */
  back(): void {
    if (!this.steps.leave()) this.show();
  }

  async open(run: Run): Promise<void> {
    this.steps.enter(run.path);
    await this.enter(run);
  }

  /** The run whose session is that of a task, and that session where it is not the file's own. */
  taskOf(session: string | undefined, output: string): TaskRun | undefined {
    const { runs, shown } = this.store.state;
    if (runs.length === 0 || shown) return undefined;
    if (session !== undefined) {
      const run = this.sessions(runs).get(session);
      return run && run.path !== this.last?.path ? { run, session } : undefined;
    }
    // Where the call does not name it, what came back may.
    const own = this.last && runs[this.last.id]?.facts?.session;
    if (own === undefined || output === "") return undefined;
    const children = this.children(runs).get(own) ?? [];
    const run = children.find(({ facts }) => facts?.session && output.includes(facts.session));
    return run?.facts?.session === undefined ? undefined : { run, session: run.facts.session };
  }

  /** Opens the session of a task that has another file. */
  async openTask({ run, session }: TaskRun): Promise<void> {
    this.steps.enter(run.path);
    if (!(await this.enter(run))) return;
    const { facts } = this.store.get().runs[run.id] ?? run;
    if (facts?.session !== session) this.app.goToSession(session);
  }

  /** The two that are ticked, side by side: first the one that began first. */
  async compareTicked(): Promise<void> {
    const { runs, ticked } = this.store.get();
    const [first, second] = [...ticked].map((id) => runs[id]);
    if (!first || !second) return;
    this.steps.enter(first.path);
    if (await this.enter(first)) await this.others.compare.open(second.source);
  }

  /** Opens a run in the place of the list, at the first hit of the search. */
  private async enter(run: Run, options: OpenOptions = {}): Promise<boolean> {
    this.last = run;
    this.store.set({ shown: false });
    const { query, hits, runs } = this.store.get();
    const isHit = hits.has(run.id);
    if (!isHit) this.others.search.reset();
    const now = runs[run.id] ?? run;
    // A file of a run is opened with the others, at its session.
    const session = now.facts?.session;
    const owner = session === undefined ? undefined : runs[now.owner ?? -1];
    const { source } = owner ?? now;
    if (!(await this.app.open(source, { ...options, alone: true, listed: true }))) return false;
    if (owner && session !== undefined) this.app.goToSession(session);
    if (isHit) this.others.search.begin(query);
    return true;
  }

  /** A step of the history leads to the list, which may be gone. */
  private comeBack(): void {
    const { runs } = this.store.get();
    const list = sourceFromAddress(named(location, "runs"), document.baseURI);
    if (runs.length > 0) this.show();
    else if (list && "source" in list) void this.follow(list.source.url);
  }

  private goTo(path: string): void {
    const { runs, shown } = this.store.get();
    const run = runs.find((each) => each.path === path);
    if (run && (shown || this.last?.path !== path)) void this.enter(run, { keepAddress: true });
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

  /** Lists what is under a run, or not. */
  fold(id: number): void {
    const folded = new Set(this.store.get().folded);
    if (!folded.delete(id)) folded.add(id);
    this.store.set({ folded });
  }

  /** Names are searched at once, contents a moment later. */
  search(query: string): void {
    clearTimeout(this.timer);
    this.reader?.stop();
    const { runs } = this.store.get();
    const turn = ++this.turn;
    const isAsked = query.trim() !== "";
    this.store.set({
      ...NOTHING_FOUND,
      query,
      ...(isAsked ? { searching: { searched: 0, sought: runs.length } } : {}),
    });
    if (isAsked) this.timer = setTimeout(() => void this.find(query, turn), DEBOUNCE);
  }

  /** The field takes the focus. */
  ask(): void {
    this.store.set({ focus: {} });
  }

  private async find(text: string, turn: number): Promise<void> {
    const { reader } = this;
    const read = await reader?.readQuery(text);
    // Another query or another list came meanwhile.
    if (turn !== this.turn || reader !== this.reader) return;
    const query = read?.query;
    if (!query || isEmpty(query)) {
      this.store.set({ mistake: read?.mistake?.sentence, searching: undefined });
      return;
    }
    this.store.set({ unknown: read.unknown });
    const { runs, order } = this.store.get();
    reader?.find(query, listed(runs, "", order, NO_HITS));
  }

  /** By a column; by the same again, the other way round. Numbers begin with the highest. */
  sort(by: RunColumn): void {
    const { order } = this.store.get();
    const isText = columnOf(by).kind === "text";
    const descending = order.by === by ? !order.descending : !isText;
    this.store.set({ order: { by, descending } });
  }
}

/** Keeps what was made of an array until it is asked for that of another. */
function lastOf<A extends object, R>(make: (of: A) => R): (of: A) => R {
  let before: { of: A; made: R } | undefined;
  return (of) => {
    if (before?.of !== of) before = { of, made: make(of) };
    return before.made;
  };
}

function notEmpty<T extends { files: readonly unknown[] }>(found: T): T {
  if (found.files.length > 0) return found;
  throw new Error(
    `No file in it is one that transcripts are in: ${ENDINGS.slice(0, -1).join(", ")} or ${ENDINGS.at(-1)}.`,
  );
}

export const stores = {
  runs: (page, { anotherClient }) => new Runs(page, page, anotherClient),
} satisfies Feature["stores"];
