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
import { guarded } from "../tools/boundary.mjs";

export const CLEARED_TOOL_RESULT = "[Old tool result content cleared]";

const isTranscript = (history) => history instanceof Transcript;

/** The messages at these indices, each read when it is looked at. */
function readOnDemand(transcript, indices) {
  const messages = new Array(indices.length);
  const read = (at) => {
    messages[at] ??= transcript.message(indices[at]);
  };
  const place = (key) => {
    const at = typeof key === "string" ? Number(key) : -1;
    return Number.isInteger(at) && at >= 0 && at < indices.length ? at : -1;
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

Transcript.prototype.filterCompacted = function () {
  return readOnDemand(this, this.compactedView());
};

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
