import { Transcript } from "apex-parts";
import type { Growth } from "../../../core/model/overview";
import { RowMap } from "../../../core/model/row_map";
import { type CurrentTranscript, growth } from "../../../core/worker/current";
import { NO_TIME } from "../../../core/worker/no_time";
import { OpenTranscript } from "../../../core/worker/open_transcript";
import { facts } from "../../../core/worker/overview";
import { prettyHead, prettySize } from "../../../core/worker/pretty";
import { problemsOf } from "../../../core/worker/problems/problems";
import type { SourceBytes } from "../../../core/worker/source_bytes";
import { HEAD, long } from "../../../core/worker/values";
import type { ChangedRow, EventDetail, Moment, Recording } from "../model";
import { StateBefore } from "./event_changes";
import { eventColumns } from "./event_columns";
import { readEvent, wordsOf } from "./event_record";
import { RecordedEvents } from "./recorded_events";

/** Bytes that are read before a newer request is looked for. */
const PIECE = 4 << 20;
/** Bytes of an event that are read to describe it in a line. */
const SAID = 65_536;

/** A transcript that was given the events up to some byte. */
interface PartRead {
  transcript: Transcript;
  read: number;
  /** Up to which byte it was put together. */
  shown: number;
}

/** Shows the transcript of a recorded stream as it was after any of its events. */
export class EventPlayer {
  private state: PartRead;
  private wish = 0;
  private isOver = false;

  private constructor(
    private readonly whole: OpenTranscript,
    private readonly name: string,
    private readonly events: RecordedEvents,
    private readonly current: CurrentTranscript,
  ) {
    this.state = this.fresh();
  }

  static async of(
    whole: OpenTranscript,
    name: string,
    sourceBytes: SourceBytes,
    current: CurrentTranscript,
  ): Promise<EventPlayer> {
    return new EventPlayer(whole, name, new RecordedEvents(await sourceBytes.bytes()), current);
  }

  /** Undefined where the replay has ended before all events were read. */
  recording(): Promise<Recording | undefined> {
    return eventColumns(this.events, () => !this.isOver);
  }

  /** The state after a number of events; undefined where another was asked for before it was reached. */
  async to(events: number): Promise<Moment | undefined> {
    const wish = ++this.wish;
    const count = Math.max(0, Math.min(Math.floor(events), this.events.count));
    const previous = this.events.end(Math.max(0, count - 1));
    const back = previous < this.state.read;
    const state = back ? this.fresh() : this.state;
    const isWanted = () => wish === this.wish;
    let changes: ChangedRow[] = [];
    let before: StateBefore | undefined;
    if (count > 0 && (await this.reach(state, previous, isWanted))) {
      before = new StateBefore(shownOf(state));
    }
    if (!isWanted() || !(await this.reach(state, this.events.end(count), isWanted))) {
      if (back) state.transcript.free();
      return undefined;
    }
    const old = this.state;
    this.state = state;
    const open = shownOf(state);
    if (before) changes = before.changes(open);
    const shown = this.show(open);
    if (back) old.transcript.free();
    const record = count === 0 ? undefined : readEvent(this.events.text(count, SAID));
    return {
      growth: shown,
      type: record?.kind ?? "",
      words: record ? wordsOf(record) : "",
      changes,
    };
  }

  /** The first event after `from`, up to `to`, after which there are more problems than after `from`. */
  async problemBetween(from: number, to: number): Promise<number> {
    const wish = this.wish;
    const isWanted = () => wish === this.wish;
    const least = await this.problemsAfter(from, isWanted);
    let [low, high] = [from, to];
    while (high - low > 1 && isWanted()) {
      const middle = (low + high) >> 1;
      if ((await this.problemsAfter(middle, isWanted)) > least) high = middle;
      else low = middle;
    }
    return high;
  }

  /** What some events say, in a line each. */
  words(start: number, end: number): string[] {
    const all: string[] = [];
    for (let event = Math.max(1, start); event < Math.min(end, this.events.count + 1); event++) {
      all.push(wordsOf(readEvent(this.events.text(event, SAID))));
    }
    return all;
  }

  detail(event: number): EventDetail {
    const start = this.events.end(event - 1);
    const said = this.events.text(event, Number.POSITIVE_INFINITY);
    const { kind, value, data, damage } = readEvent(said);
    const isJson = value !== undefined;
    return {
      event,
      kind,
      start,
      bytes: this.events.end(event) - start,
      text: isJson
        ? { field: "raw", head: prettyHead(value, HEAD), ...prettySize(value) }
        : long("raw", damage === undefined ? data : said),
      isJson,
      ...(damage === undefined ? {} : { damage }),
    };
  }

  /** More of what `detail` has the head of. */
  text(event: number, start: number, end: number): string {
    const said = this.events.text(event, Number.POSITIVE_INFINITY);
    const { value, data, damage } = readEvent(said);
    if (value !== undefined) return prettyHead(value, end).slice(start);
    return (damage === undefined ? data : said).slice(start, end);
  }

  /** Shows the whole again. */
  end(): Growth {
    this.stop();
    const shown = this.show(this.whole);
    this.state.transcript.free();
    return shown;
  }

  /** Frees everything: another transcript is shown. */
  free(): void {
    this.stop();
    this.whole.free();
    this.state.transcript.free();
  }

  private stop(): void {
    this.wish++;
    this.isOver = true;
  }

  /** The format is known from when the file was opened. */
  private fresh(): PartRead {
    const { format } = this.whole.transcript;
    const transcript = new Transcript({
      now: NO_TIME,
      ...(format === undefined ? {} : { format }),
    });
    return { transcript, read: 0, shown: -1 };
  }

  /** Gives a transcript its bytes up to an offset; false where it is not wanted before that. */
  private async reach(state: PartRead, end: number, isWanted: () => boolean): Promise<boolean> {
    while (state.read < end) {
      const piece = this.events.bytes.subarray(state.read, Math.min(end, state.read + PIECE));
      state.transcript.push(piece);
      state.read += piece.length;
      if (state.read === end) break;
      await new Promise((resolve) => setTimeout(resolve));
      if (!isWanted()) return false;
    }
    return true;
  }

  private async problemsAfter(events: number, isWanted: () => boolean): Promise<number> {
    const state = this.fresh();
    try {
      const end = this.events.end(events);
      if (!(await this.reach(state, end, isWanted))) return 0;
      const open = shownOf(state);
      const map = new RowMap(open.layout.firstPart);
      const { errors, warnings } = problemsOf(open, state.transcript.problems(), map, end, true);
      return errors + warnings;
    } finally {
      state.transcript.free();
    }
  }

  private show(open: OpenTranscript): Growth {
    const before = this.current.maker;
    const after = this.current.show(open);
    const isWhole = open === this.whole;
    const bytes = isWhole ? this.events.bytes.length : this.state.read;
    const known = {
      ...facts(open, this.name, bytes),
      ...problemsOf(open, open.transcript.problems(), after.map, bytes, !isWhole),
    };
    // Any two states may lie far apart, so nothing is taken to be the same.
    return { ...growth(before, after, known), all: true };
  }
}

/** What was given to a transcript so far, put together once. */
function shownOf(state: PartRead): OpenTranscript {
  if (state.shown !== state.read) state.transcript.refresh();
  state.shown = state.read;
  return new OpenTranscript(state.transcript);
}
