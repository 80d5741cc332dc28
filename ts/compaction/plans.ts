// Plans of compaction as objects, made of the columns that the module gives. What grows with the history is made when
// it is first read: a plan for a hundred thousand parts costs no more than its numbers until somebody looks at it.
import { TextDecoder } from "../../js/encoding.mjs";
import { Deferred } from "./deferred.ts";

/** Why an output is cleared. */
const OLD = "an old output, beyond those that are protected";

/** A list of ids, given as the bytes of its JSON. */
export const idsOf = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

/** Defines a property that is made when it is first read. */
function lazy(target, name, make) {
  const made = new Deferred(make);
  let read = () => made.value;
  Object.defineProperty(target, name, {
    enumerable: true,
    configurable: true,
    get: () => read(),
    set(value) {
      read = () => value;
    },
  });
}

/** `{prefix, rewritten, saved, breakEven}` */
const cacheCost = ([prefix, rewritten, saved, breakEven]) => ({
  prefix,
  rewritten,
  saved,
  breakEven: breakEven < 0 ? null : breakEven,
});

/** The outputs of a PrunePlan, as the module gives them. */
export const outputsOf = ([tokens, messages, parts]) => ({
  tokens,
  messageIDs: idsOf(messages),
  partIDs: idsOf(parts),
});

/** A PrunePlan. `outputs` are deferred. */
export function prunePlan([, saved, cache, fingerprint], outputs) {
  const plan = {};
  lazy(plan, "partIDs", () => outputs.value.partIDs.slice());
  plan.saved = saved;
  lazy(plan, "items", () => {
    const { tokens, messageIDs, partIDs } = outputs.value;
    return partIDs.map((partID, at) => ({
      messageID: messageIDs[at],
      partID,
      action: "clear",
      tokens: tokens[at],
      why: OLD,
    }));
  });
  plan.cache = cacheCost(cache);
  plan.fingerprint = fingerprint;
  return plan;
}

/**
 * A CompactionPlan. `ids`, deferred, are those of the messages of the view; `kinds` are the numbers of their actions;
 * `actions` has the name of each action and why it is taken, in turn.
 */
export function compactionPlan(columns, ids) {
  const [, kinds, tokens, [before, after, fits], cache, ...texts] = columns;
  const [tailStartID, previousSummary, fingerprint, pinned, problems, actions] = texts;
  const plan = {};
  for (const name of ["keep", "summarise", "drop"]) {
    lazy(plan, name, () => ids.value.filter((_, at) => actions[2 * kinds[at]] === name));
  }
  if (tailStartID !== undefined) plan.tailStartID = tailStartID;
  if (previousSummary !== undefined) plan.previousSummary = previousSummary;
  plan.pinned = pinned;
  plan.tokens = { before, after };
  plan.fits = fits === 1;
  lazy(plan, "items", () =>
    Array.from(tokens, (count, at) => {
      const [action, why] = actions.slice(2 * kinds[at], 2 * kinds[at] + 2);
      return { messageID: ids.value[at], action, tokens: count, why };
    }),
  );
  plan.cache = cacheCost(cache);
  plan.fingerprint = fingerprint;
  plan.problems = problems;
  return plan;
}
