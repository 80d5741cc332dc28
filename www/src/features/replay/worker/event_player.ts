import { Transcript } from "apex-parts";
import { type Fields, fields, label, list, text } from "../../../worker/fields";
import { OpenTranscript } from "../../../worker/open_transcript";
import type { SourceBytes } from "../../../worker/source_bytes";
import { problemsOf } from "../../problems/worker/problems";
import type { Growth } from "../../transcript/model/overview";
import { type CurrentTranscript, growth } from "../../transcript/worker/current";
import { facts } from "../../transcript/worker/overview";
import type { Moment, Recording } from "../model";
import { RecordedEvents } from "./recorded_events";

/** Bytes that are read before a newer request is looked for. */
const PIECE = 4 << 20;
/** Bytes of an event that are read to describe it. */
const SAID = 65_536;

/** Shows the transcript of a recorded stream as it was after any of its events. */
export class EventPlayer {
  private transcript: Transcript;
  /** The number of bytes that it was given. */
  private read = 0;
  /** The number of bytes of the events that are shown. */
  private shown = 0;
  private wish = 0;

  private constructor(
    private readonly whole: OpenTranscript,
    private readonly name: string,
    private readonly events: RecordedEvents,
    private readonly current: CurrentTranscript,
  ) {
    this.transcript = this.fresh();
  }

  static async of(
    whole: OpenTranscript,
    name: string,
    sourceBytes: SourceBytes,
    current: CurrentTranscript,
  ): Promise<EventPlayer> {
    return new EventPlayer(whole, name, new RecordedEvents(await sourceBytes.bytes()), current);
  }

  recording(): Recording {
    return this.events.moments();
  }

  /** The state after a number of events; undefined where another was asked for before it was reached. */
  async to(events: number): Promise<Moment | undefined> {
    const wish = ++this.wish;
    const count = Math.max(0, Math.min(Math.floor(events), this.events.count));
    const end = this.events.end(count);
    const back = end < this.read;
    const transcript = back ? this.fresh() : this.transcript;
    let read = back ? 0 : this.read;
    while (read < end) {
      const piece = this.events.bytes.subarray(read, Math.min(end, read + PIECE));
      transcript.push(piece);
      read += piece.length;
      if (!back) this.read = read;
      if (read === end) break;
      await new Promise((resolve) => setTimeout(resolve));
      if (wish !== this.wish) {
        if (back) transcript.free();
        return undefined;
      }
    }
    const old = this.transcript;
    this.transcript = transcript;
    this.read = read;
    this.shown = end;
    transcript.refresh();
    const shown = this.show(new OpenTranscript(transcript));
    if (back) old.free();
    return { growth: shown, ...this.said(count) };
  }

  /** Shows the whole again. */
  end(): Growth {
    this.wish++;
    const shown = this.show(this.whole);
    this.transcript.free();
    return shown;
  }

  /** Frees everything: another transcript is shown. */
  free(): void {
    this.wish++;
    this.whole.free();
    this.transcript.free();
  }

  /** The format is known from when the file was opened. */
  private fresh(): Transcript {
    const { format } = this.whole.transcript;
    return new Transcript(format === undefined ? {} : { format });
  }

  private show(open: OpenTranscript): Growth {
    const before = this.current.maker;
    const after = this.current.show(open);
    const isWhole = open === this.whole;
    const bytes = isWhole ? this.events.bytes.length : this.shown;
    const known = {
      ...facts(open, this.name, bytes),
      ...problemsOf(open, open.transcript.problems(), after.map, bytes, !isWhole),
    };
    // Any two states may lie far apart, so nothing is taken to be the same.
    return { ...growth(before, after, known), all: true };
  }

  private said(event: number): { type: string; words: string } {
    if (event === 0) return { type: "", words: "" };
    const said = this.events.text(event, SAID);
    const data = dataOf(said);
    const named = /^event:\s*(\S.*)$/m.exec(said)?.[1] ?? "";
    try {
      const record = fields(JSON.parse(data)) ?? {};
      return { type: label(typeOf(record) || named, 60), words: label(wordsOf(record), 200) };
    } catch {
      return { type: label(named, 60), words: label(data.trim(), 200) };
    }
  }
}

/** The record of an event: its `data` lines, or the line itself. */
function dataOf(said: string): string {
  const data = Array.from(said.matchAll(/^data:? ?(.*)$/gm), ([, line]) => line);
  return data.length > 0 ? data.join("\n") : said;
}

function typeOf(record: Fields): string {
  const names = [record.type, record.kind, record.event_type, record.event];
  const named = names.map((name) => text(name)).find(Boolean);
  if (named) return named;
  return text(record.object) ?? (Array.isArray(record.candidates) ? "candidates" : "");
}

/** Fields whose words a person would want to read, the most telling first. */
const TELLING = [
  ..."textDelta argsTextDelta delta text content thinking reasoning reasoning_content".split(" "),
  ..."partial_json arguments inputTextDelta tool toolName name output error message".split(" "),
  ..."title status reason finish_reason finishReason role".split(" "),
];

/** The first of the telling words in a record, wherever they stand. */
function wordsOf(record: Fields): string {
  const found = new Map<string, string>();
  collect(record, found, 0);
  const key = TELLING.find((name) => found.has(name));
  return (key && found.get(key))?.replace(/\s+/g, " ") ?? "";
}

function collect(value: unknown, found: Map<string, string>, depth: number): void {
  if (depth > 8) return;
  for (const item of list(value).slice(0, 20)) collect(item, found, depth + 1);
  for (const [key, item] of Object.entries(fields(value) ?? {}).slice(0, 50)) {
    if (typeof item === "string" && item !== "" && !found.has(key)) found.set(key, item);
    else collect(item, found, depth + 1);
  }
}
