import type { WorkerClient } from "../../core/client";
import { isReplayable } from "../../core/model/formats";
import type { LoopView } from "../../core/model/loops";
import type { Link } from "../../core/page/address";
import type { AppContext, Page } from "../../core/page/context";
import type { Feature } from "../../core/page/feature";
import type { OpenDocument } from "../../core/store/document";
import type { BlockSource } from "../../ui/blocks";
import { Chunks } from "../../ui/chunks";
import { ExpandedBlocks } from "../../ui/expanded_blocks";
import { count } from "../../ui/format";
import { Store } from "../../ui/store";
import { type ChangedRow, type EventDetail, eventAt, nextOfKind, type Recording } from "./model";

/** Multiples of the recorded speed; infinite is as fast as possible. */
export const SPEEDS = [1, 4, 16, Number.POSITIVE_INFINITY] as const;
export type Speed = (typeof SPEEDS)[number];

/** "Fastest" takes at most this many steps, however many events there are. */
const STEPS = 300;

export interface ReplayState {
  open: boolean;
  /** While the recording is read. */
  opening: boolean;
  /** How many events there are. */
  events: number;
  /** The event that is, or is about to be, shown; 0 is before the first. */
  at: number;
  /** The events that are shown, which comes up with `at`. */
  shown: number;
  /** The last of them, in words. */
  type: string;
  words: string;
  /** What it changed, by row; undefined where that was not looked for. */
  changes: ReadonlyMap<number, ChangedRow> | undefined;
  playing: boolean;
  speed: Speed;
  /** Playing stops at events of these kinds, and at one that makes a problem. */
  stopKinds: ReadonlySet<number>;
  stopAtProblem: boolean;
  /** Why playing stopped by itself. */
  stopped: string;
  /** What the column at the side shows while the replay is open. */
  side: "events" | "outline";
}

/** An open recording: its events, and what is asked of the worker about them. */
export interface OpenRecording extends Recording {
  /** A line about each event. */
  lines: Chunks<string>;
  /** What the block with an event's text is drawn from. */
  payloads: BlockSource;
  /** The events in which the file is damaged, or breaks a rule of its format. */
  troubled: ReadonlySet<number>;
  counts: Uint32Array;
}

const CLOSED = { open: false, playing: false, stopped: "", changes: undefined };

/** The replay of a recorded stream: shows the transcript as it was after any event. */
export class Replay {
  readonly store = new Store<ReplayState>({
    ...CLOSED,
    opening: false,
    events: 0,
    at: 0,
    shown: -1,
    type: "",
    words: "",
    speed: 1,
    stopKinds: new Set(),
    stopAtProblem: false,
    side: "events",
  });
  recording: OpenRecording | undefined;
  private doc: OpenDocument | undefined;
  private working: Promise<void> | undefined;
  private frame = 0;
  /** Counts up whenever playing pauses or ends. */
  private turn = 0;
  private selected = -1;
  /** The problems of the events that are shown. */
  private problems = 0;
  /** The loops of the whole: of a part of it nothing is known. */
  private loops: LoopView[] | undefined;

  constructor(
    private readonly app: AppContext,
    private readonly client: WorkerClient,
    private readonly others: Pick<Page, "live">,
  ) {
    let before: OpenDocument | undefined;
    app.store.watch(() => {
      const { doc } = app.store.get();
      if (this.doc && doc !== this.doc) this.forget();
      if (doc !== before && this.applies(doc)) requestAnimationFrame(takeFocus);
      before = doc;
    });
  }

  /** Whether there is something to replay. */
  applies(doc: OpenDocument | undefined): boolean {
    if (doc === undefined || doc.growing || doc.facts.session !== undefined) return false;
    return isReplayable(doc.facts.format);
  }

  async toggle(): Promise<void> {
    if (this.store.get().open) await this.close();
    else await this.begin();
  }

  /** Opens the replay at the end, which shows what showed before. */
  private async begin(): Promise<void> {
    const { doc, selected } = this.app.store.get();
    if (!doc || !this.applies(doc) || this.store.get().opening) return;
    this.store.set({ opening: true });
    try {
      const recording = await this.client.call("replayBegin");
      if (this.app.store.get().doc !== doc) return;
      this.doc = doc;
      this.recording = this.opened(recording, doc);
      this.selected = selected;
      this.loops = doc.loops;
      this.problems = doc.facts.errors + doc.facts.warnings;
      const { length } = recording.ends;
      this.store.set({
        ...{ open: true, side: "events", events: length, at: length, shown: length },
        ...{ type: "", words: "The whole recording", changes: undefined, stopped: "" },
        ...{ stopKinds: new Set<number>(), stopAtProblem: false },
      });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.app.store.set({ error: `${doc.facts.name} cannot be replayed. ${why}` });
    } finally {
      this.store.set({ opening: false });
    }
  }

  private opened(recording: Recording, { facts }: OpenDocument): OpenRecording {
    const { client } = this;
    const counts = new Uint32Array(recording.kindNames.length);
    for (const kind of recording.kinds) counts[kind] = (counts[kind] ?? 0) + 1;
    const places = facts.problems.flatMap(({ offset }) => offset ?? []);
    return {
      ...recording,
      // Events are numbered from 1, items from 0.
      lines: new Chunks(recording.ends.length, (start, end) =>
        client.call("replayWords", start + 1, end + 1),
      ),
      payloads: {
        expandedBlocks: new ExpandedBlocks(),
        text: (event, _field, start, end) => client.call("replayText", event, start, end),
      },
      troubled: new Set(places.map((offset) => eventAt(recording, offset))),
      counts,
    };
  }

  /** Shows the whole again, and what was selected in it. */
  async close(): Promise<void> {
    const { doc, selected } = this;
    if (!doc) return;
    this.pause();
    const growth = await this.client.call("replayEnd");
    if (this.doc !== doc) return;
    const { summary } = doc;
    if (growth) this.app.grow(doc, growth);
    if (summary) doc.setSummary(summary);
    // Nothing is drawn before this is done; the loops are placed by the rows of the whole.
    if (this.loops) doc.setLoops(this.loops, this.app.store.get().selected);
    else void this.app.findLoops(doc);
    this.forget();
    if (selected >= 0) this.app.select(selected);
    this.app.writeLink();
  }

  /** Goes to the state after a number of events. Only the latest request is worked on. */
  seek(event: number): void {
    this.pause();
    this.others.live.toEnd();
    this.store.set({ stopped: "" });
    this.wish(event);
  }

  /** The replay opens where it is not open yet. */
  async step(by: number): Promise<void> {
    if (!this.doc) await this.begin();
    if (this.doc) this.seek(this.store.get().at + by);
  }

  async togglePlay(): Promise<void> {
    if (!this.doc) await this.begin();
    if (this.store.get().playing) this.pause();
    else this.play();
  }

  setSpeed(speed: Speed): void {
    const { playing } = this.store.get();
    this.pause();
    this.store.set({ speed });
    if (playing) this.play();
  }

  /** Has playing stop at events of a kind, or no more. */
  stopAt(kind: number, stops: boolean): void {
    const stopKinds = new Set(this.store.get().stopKinds);
    if (stops) stopKinds.add(kind);
    else stopKinds.delete(kind);
    this.store.set({ stopKinds });
  }

  /** What an event says. */
  detail(event: number): Promise<EventDetail | undefined> {
    return this.client.call("replayEvent", event).catch(() => undefined);
  }

  /** The part of the address that says which event is shown. */
  link(): Pick<Link, "event"> {
    const { open, at } = this.store.get();
    return { event: open ? at : undefined };
  }

  /** Goes to the event that an address names; true where what else it names has to wait for that. */
  follow({ event }: Pick<Link, "event">): boolean {
    const { doc } = this.app.store.get();
    if (event === undefined || !doc || doc.growing || doc.facts.reading) return false;
    if (!this.applies(doc)) {
      this.app.say(`There is no event ${event}: this transcript is not a recorded stream.`);
      return false;
    }
    const { open, shown } = this.store.get();
    if (open && shown === Math.min(event, this.store.get().events)) return false;
    void this.goTo(event);
    return true;
  }

  private async goTo(event: number): Promise<void> {
    if (!this.doc) await this.begin();
    if (!this.doc) return;
    const { events } = this.store.get();
    if (event > events) {
      this.app.say(`There is no event ${count(event)}: there are ${count(events)}.`);
    }
    this.pause();
    await this.wish(event);
    this.app.followLink();
  }

  /** Resolves when that event, or one that was asked for later, is shown. */
  private wish(event: number): Promise<void> {
    if (!this.doc) return Promise.resolve();
    this.store.set({ at: Math.max(0, Math.min(event, this.store.get().events)) });
    return this.work();
  }

  private work(): Promise<void> {
    this.working ??= this.catchUp().finally(() => {
      this.working = undefined;
    });
    return this.working;
  }

  private async catchUp(): Promise<void> {
    // Another replay may begin while the last answer of this one is waited for.
    for (let doc = this.doc; doc; doc = this.doc === doc ? undefined : this.doc) {
      try {
        while (this.doc === doc && this.store.get().shown !== this.store.get().at) {
          await this.showNext(doc, this.store.get().at);
        }
      } catch (error) {
        if (this.doc !== doc) continue;
        const why = error instanceof Error ? error.message : String(error);
        this.app.store.set({ error: `The replay stopped. ${why}` });
        this.pause();
        this.store.set({ shown: this.store.get().at });
      }
    }
  }

  private async showNext(doc: OpenDocument, at: number): Promise<void> {
    const before = { shown: this.store.get().shown, problems: this.problems };
    const moment = await this.client.call("replayTo", at);
    if (this.doc !== doc || !moment) return;
    const { errors, warnings } = moment.growth.facts;
    const problems = errors + warnings;
    const { stopAtProblem, playing } = this.store.get();
    if (stopAtProblem && playing && before.shown < at && problems > before.problems) {
      const event = await this.client.call("replayProblem", before.shown, at);
      if (this.doc !== doc) return;
      this.pause();
      this.store.set({ at: event ?? at, stopped: "it makes a problem" });
      if (event !== undefined && event !== at) return;
    }
    this.problems = problems;
    doc.setLoops([], -1);
    this.app.grow(doc, moment.growth);
    this.store.set({
      shown: at,
      type: moment.type,
      words: moment.words,
      changes: new Map(moment.changes.map((change) => [change.row, change])),
    });
    this.app.writeLink();
  }

  private play(): void {
    const { at, events, speed } = this.store.get();
    if (!this.doc || events === 0) return;
    const from = at >= events ? 0 : at;
    this.store.set({ playing: true, stopped: "" });
    this.others.live.toEnd();
    void this.wish(from);
    if (Number.isFinite(speed)) this.playBy(from, speed);
    else this.playFast();
  }

  /** By the clock: what came due since the last frame is shown at once. */
  private playBy(from: number, speed: number): void {
    const moments = this.recording?.moments ?? new Float64Array();
    const origin = from === 0 ? 0 : (moments[from - 1] ?? 0);
    let started: number | undefined;
    let event = from;
    const tick = (now: number) => {
      started ??= now;
      const due = origin + (now - started) * speed;
      const before = event;
      while (event < moments.length && (moments[event] ?? 0) <= due) event++;
      if (event !== before && this.goOn(before, event)) return;
      if (event >= moments.length) this.finish();
      else this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  private playFast(): void {
    const { events } = this.store.get();
    const stride = Math.max(1, Math.ceil(events / STEPS));
    const tick = () => {
      const { at, shown } = this.store.get();
      if (shown === at) {
        if (at >= events) return this.finish();
        if (this.goOn(at, Math.min(at + stride, events))) return;
      }
      this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  /** Plays on to an event; true where it stops before that, or there. */
  private goOn(from: number, to: number): boolean {
    const { recording } = this;
    const stop = recording && nextOfKind(recording, this.store.get().stopKinds, from, to);
    void this.wish(stop ?? to);
    if (recording === undefined || stop === undefined) return false;
    const kind = recording.kindNames[recording.kinds[stop - 1] ?? 0] ?? "";
    this.store.set({ stopped: `it is ${kind}` });
    this.finish();
    return true;
  }

  /** Pauses once what was played is shown: till then it may be found to make a problem. */
  private finish(): void {
    cancelAnimationFrame(this.frame);
    const turn = ++this.turn;
    void this.work().then(() => {
      if (turn === this.turn) this.pause();
    });
  }

  private pause(): void {
    cancelAnimationFrame(this.frame);
    this.turn++;
    if (this.store.get().playing) this.store.set({ playing: false });
  }

  private forget(): void {
    this.pause();
    this.doc = undefined;
    this.recording = undefined;
    this.store.set({ ...CLOSED, shown: -1 });
  }
}

/** From the button that opened the transcript, so that the next Space does not press that again. */
function takeFocus(): void {
  if (!document.activeElement?.matches(".header button")) return;
  document.querySelector<HTMLElement>(".pane-transcript .scroller")?.focus({ preventScroll: true });
}

export const stores = {
  replay: (page, { client }) => new Replay(page, client, page),
} satisfies Feature["stores"];
