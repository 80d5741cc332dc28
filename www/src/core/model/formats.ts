/** The formats whose files hold whole messages: there are no events in them to replay. */
const WHOLE: ReadonlySet<string> = new Set(["opencode-export", "with-parts"]);

/** Whether files of this format are streams of events, which can be replayed one by one. */
export const isReplayable = (format: string) =>
  !WHOLE.has(format) && !format.startsWith("messages");
