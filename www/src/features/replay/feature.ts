import type { Growth } from "../../core/model/overview";
import type { Page } from "../../core/page/context";
import type { Feature } from "../../core/page/feature";
import type { EventDetail, Moment, Recording } from "./model";
import { type Replay, stores } from "./store";
import { ReplayBar, ReplayButton } from "./view/bar";
import { Events } from "./view/events";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** Replays the open transcript event by event, from the bytes that it was read from. */
    replayBegin(): Recording;
    /** The state after a number of events; undefined where another was asked for meanwhile. */
    replayTo(events: number): Moment | undefined;
    /** The first event after `from`, up to `to`, that makes a problem. */
    replayProblem(from: number, to: number): number | undefined;
    /** What some events say, each in a line; they are numbered from 1. */
    replayWords(start: number, end: number): string[];
    replayEvent(event: number): EventDetail | undefined;
    /** A piece of what an event says. */
    replayText(event: number, start: number, end: number): string;
    /** Ends the replay and shows the whole transcript again. */
    replayEnd(): Growth | undefined;
  }
}

/** The store of this feature, for the views of all. */
declare module "../../core/page/context" {
  interface Stores {
    readonly replay: Replay;
  }
}

const isRecorded = (page: Page) => page.replay.applies(page.store.get().doc);

/** A recorded stream, event by event. */
export const replay = {
  stores,
  slots: { bar: ReplayBar, button: ReplayButton },
  side: {
    title: "Events",
    View: Events,
    isOffered: ({ replay }) => replay.store.state.open,
    isChosen: ({ replay }) => replay.store.state.side === "events",
    choose: ({ replay }, isChosen) => replay.store.set({ side: isChosen ? "events" : "outline" }),
  },
  keys: [
    {
      keys: ["."],
      does: "replay: one event on",
      when: isRecorded,
      run: (page) => void page.replay.step(1),
    },
    {
      keys: [","],
      does: "replay: one event back",
      when: isRecorded,
      run: (page) => void page.replay.step(-1),
    },
    {
      keys: [" "],
      does: "replay: play or pause",
      when: isRecorded,
      run: (page) => void page.replay.togglePlay(),
    },
    {
      keys: ["Shift →", "Shift ←"],
      does: "replay: ten events on or back",
      when: (page) => page.replay.store.get().open,
      run: (page, key) => void page.replay.step(key === "Shift →" ? 10 : -10),
    },
  ],
  link: ({ replay }) => replay.link(),
  follow: ({ replay }, link) => replay.follow(link),
} satisfies Feature;
