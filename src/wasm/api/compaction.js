// Plans of compaction as objects. What grows with the history is made of columns when it is first read: a plan for a
// hundred thousand parts costs no more than its numbers until somebody looks at it.

/** A function that makes its value when it is first called. */
const memo = (make) => {
  let made;
  return () => {
    made ??= make();
    return made;
  };
};

/** Defines a property that is made when it is first read. */
function lazy(target, name, make) {
  let read = memo(make);
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

/** A PrunePlan. `ids` is a JSON array with the id of the message and of the part of each output, in turn. */
export function prunePlan(ids, tokens, saved, cache, fingerprint, why) {
  const all = memo(() => JSON.parse(ids));
  const plan = {};
  lazy(plan, "partIDs", () => all().filter((_, at) => at % 2 === 1));
  plan.saved = saved;
  lazy(plan, "items", () =>
    Array.from(tokens, (count, at) => ({
      messageID: all()[2 * at],
      partID: all()[2 * at + 1],
      action: "clear",
      tokens: count,
      why,
    })),
  );
  plan.cache = cacheCost(cache);
  plan.fingerprint = fingerprint;
  return plan;
}

/**
 * A CompactionPlan. `ids` is a JSON array with the id of each message of the view, `kinds` are the numbers of their
 * actions; `actions` has the name of each action and why it is taken, in turn.
 */
export function compactionPlan(ids, kinds, tokens, facts, cache, texts, pinned, problems, actions) {
  const [before, after, fits] = facts;
  const [tailStartID, previousSummary, fingerprint] = texts;
  const all = memo(() => JSON.parse(ids));
  const plan = {};
  for (const name of ["keep", "summarise", "drop"]) {
    lazy(plan, name, () => all().filter((_, at) => actions[2 * kinds[at]] === name));
  }
  if (tailStartID !== undefined) plan.tailStartID = tailStartID;
  if (previousSummary !== undefined) plan.previousSummary = previousSummary;
  plan.pinned = JSON.parse(pinned);
  plan.tokens = { before, after };
  plan.fits = fits === 1;
  lazy(plan, "items", () =>
    Array.from(tokens, (count, at) => {
      const [action, why] = actions.slice(2 * kinds[at], 2 * kinds[at] + 2);
      return { messageID: all()[at], action, tokens: count, why };
    }),
  );
  plan.cache = cacheCost(cache);
  plan.fingerprint = fingerprint;
  plan.problems = problems;
  return plan;
}
