/** The worker with all its features: each gives its calls, and a call that is missing is an error of types. */
import type { CallName, Reply } from "../core/rpc";
import { type Calls, Desk } from "../core/worker/desk";
import { breakdown } from "./breakdown/worker/index";
import { cards } from "./cards/worker/index";
import { compare } from "./compare/worker/index";
import { exporting } from "./export/worker/index";
import { inspector } from "./inspector/worker";
import { live } from "./live/worker/index";
import { loops } from "./loops/worker";
import { outline } from "./outline/worker";
import { replay } from "./replay/worker/index";
import { runs } from "./runs/worker";
import { search } from "./search/worker/index";
import { sessions } from "./sessions/worker";
import { summary } from "./summary/worker";
import { timeline } from "./timeline/worker";
import { transcript } from "./transcript/worker/index";

/** What a worker can do, at a desk of its own. */
export function workerAt(ready: Promise<void>, reply: (message: Reply) => void) {
  const desk = new Desk(ready, reply, cards);
  const calls: Calls<CallName> = {
    ...transcript(desk),
    ...breakdown(desk),
    ...compare(desk),
    ...exporting(desk),
    ...inspector(desk),
    ...live(desk),
    ...loops(desk),
    ...outline(desk),
    ...replay(desk),
    // A run is opened, and its loops are found, as any other transcript's.
    ...runs(desk, () => calls),
    ...search(desk),
    ...sessions(desk),
    ...summary(desk),
    ...timeline(desk),
  };
  return { desk, calls };
}
