// SessionCompaction: each function takes an array of messages, or a Transcript, which answers from its index.
import {
  compactionApplyPrune,
  compactionApplySummary,
  compactionCheck,
  compactionEstimate,
  compactionFilter,
  compactionIDs,
  compactionIsOverflow,
  compactionOutputs,
  compactionPlan,
  compactionPrune,
  compactionRequest,
  compactionUndo,
  compactionUsable,
  Transcript,
} from "apex-parts:glue";
import { CLEARED } from "../../js/model-messages.mjs";
import { guarded } from "../tools/boundary.ts";
import { Deferred } from "./deferred.ts";
import { idsOf, outputsOf, compactionPlan as planMade, prunePlan } from "./plans.ts";
import {
  settledInput,
  settledMeta,
  settledPlan,
  settledRequest,
  settledTarget,
} from "./settled.ts";

export const CLEARED_TOOL_RESULT = CLEARED;

const isTranscript = (history) => history instanceof Transcript;

// Plans for arrays. Ids and outputs are looked up now: the caller may change the array.

function pruneOf(list, config) {
  const columns = compactionPrune(list, config);
  const outputs = compactionOutputs(list, columns[0]);
  return prunePlan(columns, new Deferred(() => outputsOf(outputs)));
}

function planOf(list, input) {
  const columns = compactionPlan(list, settledInput(input));
  const ids = compactionIDs(list, columns[0]);
  return planMade(columns, new Deferred(() => idsOf(ids)));
}

export const SessionCompaction = {
  usable: guarded((input) => compactionUsable(settledInput(input))),
  isOverflow: guarded((input) => compactionIsOverflow(settledInput(input))),
  check: guarded((input) => {
    const { messages } = input ?? {};
    return isTranscript(messages)
      ? messages.check(input)
      : compactionCheck(messages, settledInput(input));
  }),
  estimate: guarded((messages, options) =>
    isTranscript(messages)
      ? messages.estimate(options)
      : compactionEstimate(messages, settledInput(options)),
  ),
  prune: guarded((messages, config) =>
    isTranscript(messages) ? messages.prune(config) : pruneOf(messages, config),
  ),
  applyPrune: guarded((messages, plan, now) =>
    compactionApplyPrune(messages, settledPlan(plan), now),
  ),
  plan: guarded((messages, input) =>
    isTranscript(messages) ? messages.plan(input) : planOf(messages, input),
  ),
  summaryRequest: guarded((messages, plan, options) =>
    isTranscript(messages)
      ? messages.summaryRequest(plan, options)
      : compactionRequest(messages, settledPlan(plan), settledRequest(options)),
  ),
  applySummary: guarded((messages, plan, text, meta) =>
    compactionApplySummary(messages, settledPlan(plan), text, settledMeta(meta)),
  ),
  filterCompacted: guarded((messages) =>
    isTranscript(messages) ? messages.filterCompacted() : compactionFilter(messages),
  ),
  undo: guarded((messages, target) => compactionUndo(messages, settledTarget(target))),
};
