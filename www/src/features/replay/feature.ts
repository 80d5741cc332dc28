import type { Page } from "../../core/page/context";
import type { Key } from "../../core/page/keys";
import type { Replay } from "./store";

/** The store of this feature, for the views of all. */
declare module "../../core/page/context" {
  interface Page {
    readonly replay: Replay;
  }
}

const isRecorded = (viewer: Page) => viewer.replay.applies(viewer.store.get().doc);

export const REPLAY_KEYS: Key[] = [
  {
    keys: ["."],
    does: "replay: one event on",
    when: isRecorded,
    run: (viewer) => void viewer.replay.step(1),
  },
  {
    keys: [","],
    does: "replay: one event back",
    when: isRecorded,
    run: (viewer) => void viewer.replay.step(-1),
  },
  {
    keys: [" "],
    does: "replay: play or pause",
    when: isRecorded,
    run: (viewer) => void viewer.replay.togglePlay(),
  },
  {
    keys: ["Shift →", "Shift ←"],
    does: "replay: ten events on or back",
    when: (viewer) => viewer.replay.store.get().open,
    run: (viewer, key) => void viewer.replay.step(key === "Shift →" ? 10 : -10),
  },
];
