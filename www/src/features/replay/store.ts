import type { AppContext } from "../../app/context";
import { Store } from "../../ui/store";
import type { WorkerClient } from "../../worker/client";
import type { Live } from "../live/store";
import type { LoopView } from "../loops/model";
import type { OpenDocument } from "../transcript/store/document";
import { isReplayable } from "./model";

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
  playing: boolean;
  speed: Speed;
  /** The events carry times, and are played by them. */
  real: boolean;
}

/** The replay of a recorded stream: shows the transcript as it was after any event. */
export class Replay {
  readonly store = new Store<ReplayState>({
    open: false,
    opening: false,
    events: 0,
    at: 0,
    shown: -1,
    type: "",
    words: "",
    playing: false,
    speed: 1,
    real: false,
  });
  private doc: OpenDocument | undefined;
  private moments: Float64Array = new Float64Array();
  private working = false;
  private frame = 0;
  private selected = -1;
  /** The loops of the whole: of a part of it nothing is known. */
  private loops: LoopView[] | undefined;

  constructor(
    private readonly app: AppContext,
    private readonly client: WorkerClient,
    private readonly live: Live,
  ) {
    app.store.watch(() => {
      if (this.doc && app.store.get().doc !== this.doc) this.forget();
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
      const { moments, real } = await this.client.call("replayBegin");
      if (this.app.store.get().doc !== doc) return;
      this.doc = doc;
      this.moments = moments;
      this.selected = selected;
      this.loops = doc.loops;
      const words = { type: "", words: "The whole recording" };
      this.store.set({
        open: true,
        events: moments.length,
        at: moments.length,
        shown: moments.length,
        real,
        ...words,
      });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.app.store.set({ error: `${doc.facts.name} cannot be replayed. ${why}` });
    } finally {
      this.store.set({ opening: false });
    }
  }

  /** Shows the whole again, and what was selected in it. */
  async close(): Promise<void> {
    const { doc, selected } = this;
    if (!doc) return;
    this.pause();
    const growth = await this.client.call("replayEnd");
    if (this.doc !== doc) return;
    if (growth) this.app.grow(doc, growth);
    // Nothing is drawn before this is done; the loops are placed by the rows of the whole.
    if (this.loops) doc.setLoops(this.loops);
    else void this.app.findLoops(doc);
    this.forget();
    if (selected >= 0) this.app.select(selected);
  }

  /** Goes to the state after a number of events. Only the latest request is worked on. */
  seek(event: number): void {
    this.pause();
    this.live.toEnd();
    this.wish(event);
  }

  /** The replay opens where it is not open yet. */
  async step(direction: 1 | -1): Promise<void> {
    if (!this.doc) await this.begin();
    if (this.doc) this.seek(this.store.get().at + direction);
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

  private wish(event: number): void {
    if (!this.doc) return;
    this.store.set({ at: Math.max(0, Math.min(event, this.store.get().events)) });
    void this.work();
  }

  private async work(): Promise<void> {
    const { doc } = this;
    if (this.working || !doc) return;
    this.working = true;
    try {
      while (this.doc === doc && this.store.get().shown !== this.store.get().at) {
        const { at } = this.store.get();
        const moment = await this.client.call("replayTo", at);
        if (this.doc !== doc) return;
        if (!moment) continue;
        doc.setLoops([]);
        this.app.grow(doc, moment.growth);
        this.store.set({ shown: at, type: moment.type, words: moment.words });
      }
    } catch (error) {
      if (this.doc !== doc) return;
      const why = error instanceof Error ? error.message : String(error);
      this.app.store.set({ error: `The replay stopped. ${why}` });
      this.pause();
      this.store.set({ shown: this.store.get().at });
    } finally {
      this.working = false;
      // Another replay may have begun while the last answer of this one was waited for.
      if (this.doc && this.doc !== doc) void this.work();
    }
  }

  private play(): void {
    const { at, events, speed } = this.store.get();
    if (!this.doc || events === 0) return;
    const from = at >= events ? 0 : at;
    this.store.set({ playing: true });
    this.live.toEnd();
    this.wish(from);
    if (Number.isFinite(speed)) this.playBy(from, speed);
    else this.playFast();
  }

  /** By the clock: what came due since the last frame is shown at once. */
  private playBy(from: number, speed: number): void {
    const origin = from === 0 ? 0 : (this.moments[from - 1] ?? 0);
    let started: number | undefined;
    let event = from;
    const tick = (now: number) => {
      started ??= now;
      const due = origin + (now - started) * speed;
      while (event < this.moments.length && (this.moments[event] ?? 0) <= due) event++;
      if (event !== this.store.get().at) this.wish(event);
      if (event >= this.moments.length) this.pause();
      else this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  private playFast(): void {
    const stride = Math.max(1, Math.ceil(this.moments.length / STEPS));
    const tick = () => {
      const { at, events, shown } = this.store.get();
      if (shown === at) {
        if (at >= events) return this.pause();
        this.wish(at + stride);
      }
      this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  private pause(): void {
    cancelAnimationFrame(this.frame);
    if (this.store.get().playing) this.store.set({ playing: false });
  }

  private forget(): void {
    this.pause();
    this.doc = undefined;
    this.store.set({ shown: -1, open: false, playing: false });
  }
}
