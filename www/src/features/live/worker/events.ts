import { Refused } from "./trouble";

/** The most bytes, about, that one event may have: twice what a whole run may. */
const LONGEST = 128 << 20;

/** How far a run was read: `<position>.<epoch>`, as it is the id of an event. */
export interface RunPlace {
  position: number;
  epoch: number;
}

/** An event as it was sent. */
export interface SentEvent {
  name: string;
  /** Undefined where it has none. */
  id: string | undefined;
  /** The lines of its data. */
  data: string[];
}

/** The place that an id says; undefined if it is none. */
export function placeOf(id: string): RunPlace | undefined {
  const [, position, epoch] = /^(\d+)\.(\d+)$/.exec(id) ?? [];
  const place = { position: Number(position), epoch: Number(epoch) };
  return Object.values(place).every(Number.isSafeInteger) ? place : undefined;
}

/**
 * Events of one response, read from its bytes. Whether they are those of a run is known with the first line of
 * data: a run's have places for ids and deltas for data, as any other stream is shown as it comes.
 */
export class EventReader {
  /** Undefined until it is known. */
  isRun: boolean | undefined;
  /** How long to wait before connecting again, in ms, once the server has said it. */
  retry: number | undefined;
  private readonly decoder = new TextDecoder();
  private rest = "";
  private size = 0;
  private afterReturn = false;
  private event: SentEvent = { name: "", id: undefined, data: [] };

  /** `isRun`: it is known to be one, from the responses before. */
  constructor(
    private readonly path: string,
    isRun = false,
  ) {
    this.isRun = isRun || undefined;
  }

  /** The events that end in these bytes, undefined where they are not a run's; what a response cuts off is none. */
  take(bytes: Uint8Array): SentEvent[] | undefined {
    if (this.isRun === false) return undefined;
    const events: SentEvent[] = [];
    for (const line of this.lines(this.decoder.decode(bytes, { stream: true }))) {
      if (line === "") {
        if (this.event.data.length > 0) events.push(this.event);
        this.event = { name: "", id: undefined, data: [] };
        this.size = 0;
      } else {
        this.field(line);
      }
      if (this.isOther()) return undefined;
    }
    return events;
  }

  private isOther(): boolean {
    return this.isRun === false;
  }

  private lines(text: string): string[] {
    const fresh = this.afterReturn && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") this.afterReturn = text.endsWith("\r");
    const [first = "", ...more] = fresh.split(/\r\n|\r|\n/);
    this.size += text.length;
    if (this.size > LONGEST) {
      throw new Refused(`${this.path} sends an event of more than 128 MB.`);
    }
    // Not looked at again before it is whole: a line may be long, and its pieces many.
    this.rest += first;
    if (more.length === 0) return [];
    const lines = [this.rest, ...more];
    this.rest = lines.pop() ?? "";
    return lines;
  }

  private field(line: string): void {
    const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "event") this.event.name = value;
    else if (name === "id") this.event.id = value;
    else if (name === "retry" && /^\d+$/.test(value)) this.retry = Number(value);
    else if (name === "data") {
      this.event.data.push(value);
      this.isRun ??= this.looksLikeRun(value);
    }
  }

  /** With `as: "changes"` and `as: "ai-sdk"` a run's events have places too, but no deltas. */
  private looksLikeRun(data: string): boolean {
    const { id, name } = this.event;
    if (id === undefined || !placeOf(id)) return false;
    if (name === "reset" && data === "") return true;
    try {
      const { kind, seq } = JSON.parse(data) as { kind?: unknown; seq?: unknown };
      return typeof kind === "string" && typeof seq === "number";
    } catch {
      return name === "reset";
    }
  }
}
