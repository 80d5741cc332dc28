import type { Growth } from "../transcript/model/overview";

/** The formats whose files hold whole messages: there are no events in them to replay. */
const WHOLE: ReadonlySet<string> = new Set(["opencode-export", "with-parts", "messages"]);

/** Whether files of this format are streams of events, which can be replayed one by one. */
export const isReplayable = (format: string) => !WHOLE.has(format);

/** What can be replayed: events, each with the moment at which it is played, in ms from the first. */
export interface Recording {
  moments: Float64Array;
  /** The moments are those that the events carry, long pauses cut short. */
  real: boolean;
}

/** The state after an event, and what the event was. */
export interface Moment {
  growth: Growth;
  type: string;
  words: string;
}
