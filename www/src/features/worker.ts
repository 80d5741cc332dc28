/** All that the worker can do: each feature gives its calls, and a call that is missing is an error of types. */
import type { CallName } from "../core/rpc";
import type { Calls, Desk } from "../core/worker/desk";
import { breakdown } from "./breakdown/worker/index";
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

export { RowMaker } from "./transcript/worker/row_maker";

export function callsOf(desk: Desk): Calls<Exclude<CallName, "formats">> {
  const calls = {
    ...transcript(desk),
    ...breakdown(desk),
    ...compare(desk),
    ...exporting(desk),
    ...inspector(desk),
    ...live(desk),
    ...loops(desk),
    ...outline(desk),
    ...replay(desk),
    ...search(desk),
    ...sessions(desk),
    ...summary(desk),
    ...timeline(desk),
  };
  return { ...calls, ...runs(desk, calls) };
}
