// Plans of compaction as objects, made of the columns that the module gives. What grows with the history is made when
// it is first read: a plan for a hundred thousand parts costs no more than its numbers until somebody looks at it.
import type { OutputColumns, PlanColumns, PruneColumns } from "apex-parts:glue";
import { Deferred } from "./deferred.ts";
import type { CacheCost, CompactionPlan, PlanItem, PrunePlan } from "./types.ts";

/** Why an output is cleared. */
const OLD = "an old output, beyond those that are protected";

/** A list of ids, given as the bytes of its JSON. */
export const idsOf = (bytes: Uint8Array): string[] => JSON.parse(new TextDecoder().decode(bytes));

/** Defines a property that is made when it is first read. */
function lazy<Plan, Name extends keyof Plan>(
  target: Partial<Plan>,
  name: Name,
  make: () => Plan[Name],
) {
  const deferred = new Deferred(make);
  let read = () => deferred.value;
  Object.defineProperty(target, name, {
    enumerable: true,
    configurable: true,
    get: () => read(),
    set(value: Plan[Name]) {
      read = () => value;
    },
  });
}

/** `{prefix, rewritten, saved, breakEven}` */
const cacheCost = ([prefix, rewritten, saved, breakEven]: PruneColumns[2]): CacheCost => ({
  prefix,
  rewritten,
  saved,
  breakEven: breakEven < 0 ? null : breakEven,
});

/** The outputs of a PrunePlan, as the module gives them. */
/** The outputs of a plan. */
export interface Outputs {
  tokens: ArrayLike<number>;
  messageIDs: string[];
  partIDs: string[];
}

export const outputsOf = ([tokens, messages, parts]: OutputColumns): Outputs => ({
  tokens,
  messageIDs: idsOf(messages),
  partIDs: idsOf(parts),
});

/** A PrunePlan. `outputs` are deferred. */
export function prunePlan(
  [, saved, cache, fingerprint]: PruneColumns,
  outputs: Deferred<Outputs>,
): PrunePlan {
  const plan: Partial<PrunePlan> = {};
  lazy(plan, "partIDs", () => outputs.value.partIDs.slice());
  plan.saved = saved;
  lazy(plan, "items", () => {
    const { tokens, messageIDs, partIDs } = outputs.value;
    return partIDs.map((partID, at) => ({
      // The columns are of one length.
      messageID: messageIDs[at] ?? "",
      partID,
      action: "clear",
      tokens: tokens[at] ?? 0,
      why: OLD,
    }));
  });
  plan.cache = cacheCost(cache);
  plan.fingerprint = fingerprint;
  // A cast: every field is set now.
  return plan as PrunePlan;
}

/**
 * A CompactionPlan. `ids`, deferred, are those of the messages of the view; `kinds` are the numbers of their actions;
 * `actions` has the name of each action and why it is taken, in turn.
 */
export function compactionPlan(columns: PlanColumns, ids: Deferred<string[]>): CompactionPlan {
  const [, kinds, tokens, [before, after, fits], cache, ...texts] = columns;
  const [tailStartID, previousSummary, fingerprint, pinned, problems, actions] = texts;
  const plan: Partial<CompactionPlan> = {};
  /** What is done with a message, and why. A cast: the module names the actions of a plan. */
  const actionOf = (at: number) => {
    const from = 2 * (kinds[at] ?? 0);
    return actions.slice(from, from + 2) as [action: PlanItem["action"], why: string];
  };
  for (const name of ["keep", "summarise", "drop"] as const) {
    lazy(plan, name, () => ids.value.filter((_, at) => actions[2 * (kinds[at] ?? 0)] === name));
  }
  if (tailStartID !== undefined) plan.tailStartID = tailStartID;
  if (previousSummary !== undefined) plan.previousSummary = previousSummary;
  plan.pinned = pinned;
  plan.tokens = { before, after };
  plan.fits = fits === 1;
  lazy(plan, "items", () =>
    Array.from(tokens, (count, at) => {
      const [action, why] = actionOf(at);
      return { messageID: ids.value[at] ?? "", action, tokens: count, why };
    }),
  );
  plan.cache = cacheCost(cache);
  plan.fingerprint = fingerprint;
  plan.problems = problems;
  // A cast: every field is set now.
  return plan as CompactionPlan;
}
