// The methods of transcripts that are not in the module: plans whose lists are made when they are read, and the view,
// whose messages become objects when somebody looks at them.
import type { Transcript, WithParts } from "apex-parts:glue";
import { deferred, settleBeforeChanges } from "./deferred.ts";
import { compactionPlan, idsOf, outputsOf, prunePlan } from "./plans.ts";
import { settledInput, settledPlan, settledPlanInput, settledRequest } from "./settled.ts";

/** A length at which an array has no room for its elements until they are set. */
const SPARSE = 2 ** 26;

/** The messages in these runs, given as first and end of each; each message is read when it is looked at. */
function readOnDemand(transcript: Transcript, runs: ArrayLike<number>): WithParts[] {
  /** The first message of a run, and how many there are. */
  const runAt = (run: number) => {
    const first = runs[run] ?? 0;
    return { first, length: (runs[run + 1] ?? first) - first };
  };
  const indexOf = (at: number) => {
    let left = at;
    for (let run = 0; run < runs.length; run += 2) {
      const { first, length } = runAt(run);
      if (left < length) return first + left;
      left -= length;
    }
    return -1;
  };
  let count = 0;
  for (let run = 0; run < runs.length; run += 2) count += runAt(run).length;
  const messages: WithParts[] = [];
  messages.length = SPARSE;
  messages.length = count;
  const read = (at: number) => {
    const message = messages[at] ?? transcript.message(indexOf(at));
    if (message) messages[at] = message;
  };
  const place = (key: string | symbol) => {
    const at = typeof key === "string" ? Number(key) : -1;
    return Number.isInteger(at) && at >= 0 && at < count ? at : -1;
  };
  return new Proxy(messages, {
    get(target, key, receiver) {
      const at = place(key);
      if (at >= 0) read(at);
      return Reflect.get(target, key, receiver);
    },
    has: (target, key) => place(key) >= 0 || Reflect.has(target, key),
    getOwnPropertyDescriptor(target, key) {
      const at = place(key);
      if (at >= 0) read(at);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });
}

/** Gives the class of transcripts its methods. The glue calls it, because the class is not there before. */
export function addCompaction({ prototype }: { prototype: Transcript }): void {
  for (const [name, value] of Object.entries(methods)) {
    // Not enumerable, as those of a class are.
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  }
  // Casts: what is settled has the fields of what was given that the module reads.
  const { check, estimate, summaryRequest } = prototype;
  prototype.check = function (input) {
    return check.call(this, settledInput(input) as typeof input);
  };
  prototype.estimate = function (options) {
    return estimate.call(this, settledInput(options) as typeof options);
  };
  prototype.summaryRequest = function (plan, options) {
    const [own, given] = [settledPlan(plan), settledRequest(options)];
    return summaryRequest.call(this, own as typeof plan, given as typeof options);
  };
  settleBeforeChanges(prototype);
}

const methods: Pick<Transcript, "filterCompacted" | "prune" | "plan"> & ThisType<Transcript> = {
  filterCompacted() {
    return readOnDemand(this, this.compactionRuns());
  },
  prune(config) {
    const columns = this.compactionPrune(config);
    const outputs = deferred(this, () => outputsOf(this.compactionOutputs(columns[0])));
    return prunePlan(columns, outputs);
  },
  plan(input) {
    const columns = this.compactionPlan(settledPlanInput(input));
    const ids = deferred(this, () => idsOf(this.compactionIDs(columns[0])));
    return compactionPlan(columns, ids);
  },
};
