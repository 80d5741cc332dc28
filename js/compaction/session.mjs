// SessionCompaction: each function takes an array of messages, or a Transcript, which answers from its index.
import {
  compactionApplyPrune,
  compactionApplySummary,
  compactionCheck,
  compactionEstimate,
  compactionFilter,
  compactionIsOverflow,
  compactionPlan,
  compactionPrune,
  compactionRequest,
  compactionUndo,
  compactionUsable,
  Transcript,
} from "apex-parts:glue";
import { CLEARED } from "../model-messages.mjs";
import { guarded } from "../tools/boundary.mjs";

export const CLEARED_TOOL_RESULT = CLEARED;

const isTranscript = (history) => history instanceof Transcript;

export const SessionCompaction = {
  usable: guarded((input) => compactionUsable(input)),
  isOverflow: guarded((input) => compactionIsOverflow(input)),
  check: guarded((input) => {
    const { messages } = input ?? {};
    return isTranscript(messages) ? messages.check(input) : compactionCheck(messages, input);
  }),
  estimate: guarded((messages, options) =>
    isTranscript(messages) ? messages.estimate(options) : compactionEstimate(messages, options),
  ),
  prune: guarded((messages, config) =>
    isTranscript(messages) ? messages.prune(config) : compactionPrune(messages, config),
  ),
  applyPrune: guarded((messages, plan, now) => compactionApplyPrune(messages, plan, now)),
  plan: guarded((messages, input) =>
    isTranscript(messages) ? messages.plan(input) : compactionPlan(messages, input),
  ),
  summaryRequest: guarded((messages, plan, options) =>
    isTranscript(messages)
      ? messages.summaryRequest(plan, options)
      : compactionRequest(messages, plan, options),
  ),
  applySummary: guarded((messages, plan, text, meta) =>
    compactionApplySummary(messages, plan, text, meta),
  ),
  filterCompacted: guarded((messages) =>
    isTranscript(messages) ? messages.filterCompacted() : compactionFilter(messages),
  ),
  undo: guarded((messages, target) => compactionUndo(messages, target)),
};
