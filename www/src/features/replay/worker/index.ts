import type { CallName } from "../../../core/rpc";
import type { Calls, Desk } from "../../../core/worker/desk";
import { Superseded } from "../../../core/worker/superseded";
import type { Recording } from "../model";
import { EventPlayer } from "./event_player";

export function replay(desk: Desk): Calls<Extract<CallName, `replay${string}`>> {
  const player = () => (desk.instead instanceof EventPlayer ? desk.instead : undefined);
  return {
    replayBegin: () => begin(desk),
    replayTo: (events) => player()?.to(events),
    replayProblem: (from, to) => player()?.problemBetween(from, to),
    replayWords: (start, end) => player()?.words(start, end) ?? [],
    replayEvent: (event) => player()?.detail(event),
    replayText: (event, start, end) => player()?.text(event, start, end) ?? "",
    replayEnd() {
      const growth = player()?.end();
      if (player()) desk.instead = undefined;
      return growth;
    },
  };
}

async function begin(desk: Desk): Promise<Recording> {
  await desk.reading;
  const { open: mine, origin } = desk;
  if (!mine || !origin) throw new Error("No transcript is open.");
  if (desk.instead && !(desk.instead instanceof EventPlayer)) {
    throw new Error("It is the session of a task.");
  }
  const next = await EventPlayer.of(mine, origin.name, origin.bytes, desk);
  if (desk.open !== mine) throw new Superseded();
  desk.instead = next;
  const recording = await next.recording();
  if (!recording) throw new Superseded();
  return recording;
}
