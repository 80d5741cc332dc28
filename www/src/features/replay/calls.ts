import type { Growth } from "../../core/model/overview";
import type { EventDetail, Moment, Recording } from "./model";

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
