import { Transcript } from "apex-parts";
import type { LiveNews } from "../../../core/model/live";
import type { Growth, Overview } from "../../../core/model/overview";
import { type CurrentTranscript, growth } from "../../../core/worker/current";
import { NO_TIME } from "../../../core/worker/no_time";
import { OpenTranscript } from "../../../core/worker/open_transcript";
import { facts } from "../../../core/worker/overview";
import { type ProblemFields, problemsOf } from "../../../core/worker/problems/problems";
import { SourceBytes } from "../../../core/worker/source_bytes";
import { Connection, type Receiver } from "./connection";

/** What came is shown at most this often, in ms … */
const SOONEST = 80;
/** … and putting it together takes at most this fraction (one part in …) of the worker's time. */
const SHARE = 4;
/** Problems are looked for at most this often, in ms; each time in all of the transcript. */
const PROBLEMS = 1000;

type Problems = Pick<Overview, ProblemFields>;

/** A transcript that is shown while its bytes arrive. */
export class LiveStream implements Receiver {
  readonly sourceBytes = new SourceBytes();
  private transcript = new Transcript({ now: NO_TIME });
  /** Another one than `transcript` from when that is to replace it until it does. */
  private shown = this.transcript;
  private bytes = 0;
  private problems: Problems = { errors: 0, warnings: 0, problems: [] };
  private looked = 0;
  private earliest = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private trailing: ReturnType<typeof setTimeout> | undefined;
  private connection: Connection | undefined;
  private isOver = false;

  constructor(
    private readonly name: string,
    private readonly current: CurrentTranscript,
    private readonly tell: (news: LiveNews) => void,
  ) {}

  /** The facts of a transcript of which nothing has come yet. */
  begin(): Overview {
    const open = new OpenTranscript(this.transcript);
    this.current.show(open);
    return { ...facts(open, this.name, 0), ...this.problems };
  }

  /** What went wrong with the first request, if it is made again. */
  get trouble(): string | undefined {
    return this.connection?.trouble;
  }

  push(bytes: Uint8Array): void {
    this.transcript.push(bytes);
    this.sourceBytes.add(bytes);
    this.bytes += bytes.length;
    this.plan();
  }

  replace(bytes: Uint8Array): void {
    this.drop();
    // It is shown when it is put together, and not before.
    clearTimeout(this.trailing);
    this.transcript = new Transcript({ now: NO_TIME });
    this.sourceBytes.clear();
    this.bytes = 0;
    this.looked = 0;
    this.push(bytes);
  }

  end(): void {
    if (this.isOver) return;
    this.stop();
    try {
      this.transcript.end();
    } catch (error) {
      this.tell({ kind: "broken", growth: this.whole(), message: sentence(error) });
      return;
    }
    this.tell({ kind: "ended", growth: this.whole() });
  }

  lost(message: string): void {
    this.isOver = false;
    this.tell({ kind: "lost", message });
  }

  back(): void {
    this.tell({ kind: "back" });
  }

  broken(message: string): void {
    this.pause();
    this.transcript.refresh();
    this.tell({ kind: "broken", growth: this.whole(), message });
  }

  /** Takes no more bytes, and reports no more. */
  stop(): void {
    this.pause();
    this.connection?.close();
  }

  /** Releases what is not shown yet: whoever shows the transcript releases that. */
  drop(): void {
    if (this.transcript !== this.shown) this.transcript.free();
    this.transcript = this.shown;
  }

  /** Reads what an address sends. The answer comes once the first bytes may be waited for. */
  follow(url: string): Promise<void> {
    this.connection = new Connection(url, this);
    return this.connection.open();
  }

  /** Asks the address again, from where it was; false if it has to be read from the beginning. */
  reconnect(): boolean {
    return this.connection?.reconnect() ?? false;
  }

  private pause(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    clearTimeout(this.trailing);
    this.timer = undefined;
  }

  private plan(): void {
    if (this.timer !== undefined) return;
    const wait = Math.max(this.earliest - performance.now(), 0);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      const started = performance.now();
      this.transcript.refresh();
      this.tell({ kind: "grown", growth: this.take(false) });
      const now = performance.now();
      this.earliest = now + Math.max(SOONEST, (SHARE - 1) * (now - started));
      this.planProblems();
    }, wait);
  }

  /** Once nothing has come for a while; until then what is unfinished is not a problem. */
  private planProblems(): void {
    clearTimeout(this.trailing);
    this.trailing = setTimeout(() => {
      this.tell({ kind: "grown", growth: this.take(true) });
    }, PROBLEMS);
  }

  private whole(): Growth {
    return { ...this.take(true), all: true };
  }

  private take(look: boolean): Growth {
    const before = this.current.maker;
    const open = new OpenTranscript(this.transcript);
    const after = this.current.show(open);
    const now = performance.now();
    const problems = look || now - this.looked > 5 * PROBLEMS;
    if (problems) {
      this.looked = now;
      this.problems = problemsOf(
        open,
        this.transcript.problems(),
        after.map,
        this.bytes,
        !this.isOver,
      );
    }
    const { errors, warnings } = this.problems;
    const known = problems ? this.problems : { errors, warnings };
    const grown = growth(before, after, { ...facts(open, this.name, this.bytes), ...known });
    if (this.transcript === this.shown) return grown;
    this.shown.free();
    this.shown = this.transcript;
    return { ...grown, all: true };
  }
}

function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const start = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
