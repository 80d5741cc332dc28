import type { WorkerClient } from "../../../core/client";
import type { Query, QueryReading } from "../../../core/model/query";
import type { Run, RunHits } from "../model/runs";
import { grouped, withFilesOf } from "../model/sub_agents";

/** What was read is told this often, in milliseconds: each time the list is sorted again. */
const PAUSE = 200;

/** What a search has found so far. */
interface SearchedRuns {
  hits: ReadonlyMap<number, RunHits>;
  /** How many runs were searched, and of how many. */
  searched: number;
  sought: number;
}

interface ReaderNews {
  /** More is known of the runs of the list; of so many all that there is. */
  read(runs: readonly Run[], read: number): void;
  searched(found: SearchedRuns): void;
}

/** Files that are looked through one after the other. */
class RunSearch implements SearchedRuns {
  readonly hits = new Map<number, RunHits>();
  searched = 0;

  constructor(
    readonly query: Query,
    readonly runs: readonly Run[],
  ) {}

  get sought(): number {
    return this.runs.length;
  }
}

/**
 * Reads the files of a list, one after the other, in a worker of its own, so that nobody who reads one of
 * them meanwhile has to wait. A search comes first: somebody waits for it.
 */
export class RunsReader {
  private worker: WorkerClient | undefined;
  private runs: Run[];
  /** The ids of those that are still to be read, once it is known which files are of one run. */
  private rest: number[] | undefined;
  private search: RunSearch | undefined;
  /** The search whose file is being looked through. */
  private looking: RunSearch | undefined;
  private isWorking = false;
  /** How many queries the worker is reading. */
  private queries = 0;
  private isClosed = false;
  private told = 0;

  constructor(
    runs: readonly Run[],
    private readonly another: () => WorkerClient,
    private readonly news: ReaderNews,
  ) {
    this.runs = [...runs];
    void this.work();
  }

  /** Looks through the contents of all in this order, in place of what it looked for before. */
  find(query: Query, order: readonly Run[]): void {
    this.stop();
    // What could not be read has nothing to find.
    this.search = new RunSearch(
      query,
      order.filter(({ error, isPart }) => error === undefined && !isPart),
    );
    void this.work();
  }

  /** A query as it is read, or what is wrong with it; undefined where the worker does not answer. */
  async readQuery(text: string): Promise<QueryReading | undefined> {
    this.worker ??= this.another();
    this.queries++;
    const toggles = { regex: false, caseSensitive: false };
    const read = await this.worker.call("readQuery", text, toggles).catch(() => undefined);
    this.queries--;
    if (!this.isWorking) this.endWorker();
    return read;
  }

  /** Looks for nothing any more; in the middle of a file too. */
  stop(): void {
    if (this.looking) void this.worker?.call("close").catch(() => {});
    this.search = this.looking = undefined;
  }

  close(): void {
    this.isClosed = true;
    this.search = undefined;
    this.endWorker();
  }

  private async work(): Promise<void> {
    if (this.isWorking) return;
    this.isWorking = true;
    while (!this.isClosed) {
      const { search } = this;
      const run = search?.runs[search.searched];
      if (search && run) await this.look(search, run);
      else if (!this.rest) await this.group();
      else if (this.rest.length > 0) await this.read(this.rest);
      else break;
    }
    this.isWorking = false;
    // It keeps as much memory as its largest file took.
    this.endWorker();
  }

  /** Finds out which files are of one run: those are read as one. */
  private async group(): Promise<void> {
    this.worker ??= this.another();
    const files = this.runs.map(({ path, source }) => ({ path, source }));
    const groups = await this.worker.call("runFiles", files).catch(() => []);
    if (this.isClosed) return;
    this.runs = grouped(this.runs, groups);
    this.rest = this.runs.flatMap(({ id, owner }) => (owner === undefined ? [id] : []));
    this.news.read(this.runs, 0);
  }

  private endWorker(): void {
    if (this.queries > 0 && !this.isClosed) return;
    this.worker?.close();
    this.worker = undefined;
  }

  private async look(search: RunSearch, { id, source }: Run): Promise<void> {
    this.worker ??= this.another();
    this.looking = search;
    const hits = await this.worker.call("runHits", source, search.query).catch(() => undefined);
    if (this.search !== search) return;
    this.looking = undefined;
    search.searched++;
    if (hits && hits.count > 0) search.hits.set(id, hits);
    const { searched, sought } = search;
    if (!this.isTime(searched === sought)) return;
    this.news.searched({ hits: new Map(search.hits), searched, sought });
  }

  private async read(rest: number[]): Promise<void> {
    const run = this.runs[rest.shift() ?? -1];
    if (!run) return;
    this.worker ??= this.another();
    const known: Run = await this.worker.call("runFacts", run.source).then(
      (facts) => ({ ...run, facts }),
      (error: unknown) => ({ ...run, error: messageOf(error) }),
    );
    if (this.isClosed) return;
    this.runs[run.id] = known;
    if (run.source.run) this.takeFiles(known, rest);
    if (!this.isTime(rest.length === 0)) return;
    const read = this.runs.filter(({ facts, error, isPart }) => facts || error || isPart).length;
    this.news.read([...this.runs], read);
  }

  /** What was read of a run is told of its files; where it could not be read, each is read alone. */
  private takeFiles(known: Run, rest: number[]): void {
    this.runs = withFilesOf(this.runs, known);
    if (known.error === undefined) return;
    const { source } = known;
    const paths = new Set(source.run?.map(({ path }) => path));
    for (const { id, path } of this.runs) if (id !== known.id && paths.has(path)) rest.push(id);
  }

  /** Is something to be told? The last is, and what comes a while after what was told before. */
  private isTime(isLast: boolean): boolean {
    const now = performance.now();
    if (!isLast && now - this.told < PAUSE) return false;
    this.told = now;
    return true;
  }
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
}
