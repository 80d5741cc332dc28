import { Transcript } from "apex-parts";
import { OpenTranscript } from "../../worker/open_transcript";
import { SourceBytes } from "../../worker/source_bytes";
import { type ProblemFields, problemsOf } from "../problems/worker/problems";
import type { Growth, Overview } from "../transcript/model/overview";
import { type CurrentTranscript, growth } from "../transcript/worker/current";
import { facts } from "../transcript/worker/overview";
import type { LiveNews } from "./model";

/** What came is shown at most this often, in ms … */
const SOONEST = 80;
/** … and putting it together takes at most this fraction (one part in …) of the worker's time. */
const SHARE = 4;
/** Problems are looked for at most this often, in ms; each time in all of the transcript. */
const PROBLEMS = 1000;
/** A file that started over is fetched again after this long, in ms. */
const AGAIN = 300;

type Problems = Pick<Overview, ProblemFields>;

/** A transcript that is shown while its bytes arrive. */
export class LiveStream {
  readonly sourceBytes = new SourceBytes();
  private transcript = new Transcript({});
  private bytes = 0;
  private problems: Problems = { errors: 0, warnings: 0, problems: [] };
  private looked = 0;
  private earliest = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private trailing: ReturnType<typeof setTimeout> | undefined;
  private readonly reading = new AbortController();

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

  push(bytes: Uint8Array): void {
    this.transcript.push(bytes);
    this.sourceBytes.add(bytes);
    this.bytes += bytes.length;
    this.plan();
  }

  end(): void {
    if (this.reading.signal.aborted) return;
    this.stop();
    try {
      this.transcript.end();
    } catch (error) {
      const growth = { ...this.take(true), all: true };
      this.tell({ kind: "broken", growth, message: sentence(error) });
      return;
    }
    this.tell({ kind: "ended", growth: { ...this.take(true), all: true } });
  }

  /** Takes no more bytes, and reports no more. */
  stop(): void {
    this.reading.abort();
    clearTimeout(this.timer);
    clearTimeout(this.trailing);
  }

  /** Reads what an address sends. The answer comes once the first bytes may be waited for. */
  async follow(url: string): Promise<void> {
    const { pathname } = new URL(url);
    const response = await this.ask(url, pathname);
    void this.read(response, url).catch((error) => {
      if (this.reading.signal.aborted) return;
      this.stop();
      this.transcript.refresh();
      const cause = error instanceof Refused ? error.message : "What had come until then is shown.";
      this.tell({ kind: "broken", growth: { ...this.take(true), all: true }, message: cause });
    });
  }

  private async read(first: Response, url: string): Promise<void> {
    let response = first;
    for (;;) {
      const reader = response.body?.getReader();
      for (;;) {
        const piece = await reader?.read();
        if (this.reading.signal.aborted) return;
        if (!piece || piece.done) break;
        this.push(piece.value);
      }
      // A file that is followed has no end: its response ends where it starts over.
      if (!response.headers.has("x-follow")) return this.end();
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
      if (this.reading.signal.aborted) return;
      response = await this.ask(url, new URL(url).pathname);
      this.restart();
    }
  }

  private async ask(url: string, path: string): Promise<Response> {
    // The page checked the origin; a redirect must not lead elsewhere either.
    const response = await fetch(url, {
      mode: "same-origin",
      redirect: "error",
      cache: "no-store",
      signal: this.reading.signal,
    }).catch(() => {
      throw new Refused(`${path} could not be fetched.`);
    });
    if (!response.ok) throw new Refused(`${path} could not be fetched: ${response.status}.`);
    return response;
  }

  private restart(): void {
    const old = this.transcript;
    this.transcript = new Transcript({});
    this.sourceBytes.clear();
    this.bytes = 0;
    this.looked = 0;
    this.tell({ kind: "grown", growth: { ...this.take(false), all: true } });
    old.free();
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
        !this.reading.signal.aborted,
      );
    }
    const { errors, warnings } = this.problems;
    const known = problems ? this.problems : { errors, warnings };
    return growth(before, after, { ...facts(open, this.name, this.bytes), ...known });
  }
}

/** The address gives nothing, or not any more. */
class Refused extends Error {}

function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const start = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
