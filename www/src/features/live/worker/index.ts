import type { LiveBegun } from "../../../core/model/live";
import type { Calls, Desk } from "../../../core/worker/desk";
import { Superseded } from "../../../core/worker/superseded";
import { LiveStream } from "./stream";

export function live(
  desk: Desk,
): Calls<"liveBegin" | "liveFollow" | "livePush" | "liveEnd" | "liveReconnect"> {
  /** The one that is shown. */
  let shown: LiveStream | undefined;
  let streams = 0;
  const begin = async (name: string, url?: string): Promise<LiveBegun> => {
    const turn = ++desk.turn;
    await desk.ready;
    const stream = ++streams;
    const next = new LiveStream(name, desk, (news) => desk.reply({ live: news, stream }));
    if (url !== undefined) await next.follow(url);
    if (turn !== desk.turn) {
      next.stop();
      throw new Superseded();
    }
    desk.leave();
    shown = next;
    desk.onLeave(() => {
      next.stop();
      next.drop();
      shown = undefined;
    });
    desk.origin = { name, bytes: next.sourceBytes };
    return { stream, facts: next.begin(), trouble: next.trouble };
  };
  return {
    liveBegin: (name) => begin(name),
    liveFollow: (url, name) => begin(name, url),
    livePush: (bytes) => desk.ready.then(() => shown?.push(bytes)),
    liveEnd: () => desk.ready.then(() => shown?.end()),
    liveReconnect: () => shown?.reconnect() ?? false,
  };
}
