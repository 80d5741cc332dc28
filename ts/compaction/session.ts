// SessionCompaction: each function takes an array of messages, or a Transcript, which answers from its index.
import {
  compactionApplyPrune,
  compactionApplySummary,
  compactionApplyTruncation,
  compactionCheck,
  compactionEstimate,
  compactionFilter,
  compactionIsOverflow,
  compactionPlan,
  compactionPrune,
  compactionRequest,
  compactionUndo,
  compactionUsable,
  type TokenStats,
  Transcript,
  type UIMessage,
  type WithParts,
} from "apex-parts:glue";
import { guarded } from "../tools/boundary.ts";
import { Deferred } from "./deferred.ts";
import { idsOf, outputsOf, compactionPlan as planMade, prunePlan } from "./plans.ts";
import {
  settledInput,
  settledMeta,
  settledPlan,
  settledPlanInput,
  settledRequest,
  settledTarget,
} from "./settled.ts";
import type {
  BesideMessages,
  CompactionConfig,
  CompactionPlan,
  ContextCheck,
  Estimate,
  EstimateOptions,
  ModelLimits,
  PlanInput,
  PrunePlan,
  SummaryMeta,
  SummaryRequestOptions,
  TruncationMeta,
} from "./types.ts";

const isTranscript = (history: unknown): history is Transcript => history instanceof Transcript;

// Plans for arrays. Ids and outputs are looked up now: the caller may change the array.

function pruneOf(list: WithParts[], config: CompactionConfig | undefined) {
  const [columns, outputs] = compactionPrune(list, config);
  return prunePlan(columns, new Deferred(() => outputsOf(outputs)));
}

function planOf(list: WithParts[], input: unknown) {
  const [columns, ids] = compactionPlan(list, settledPlanInput(input));
  return planMade(columns, new Deferred(() => idsOf(ids)));
}

/**
 * Keeps a history within a model's context. Pure: no model, no clock. Nothing is deleted:
 * outputs are marked as cleared, messages are hidden by a summary, and `undo` brings both back.
 */
export const SessionCompaction: {
  /**
   * The tokens of the context that a history can use. Throws `CompactionError` (`bad_config`).
   * @param input - The limits of the model in tokens, and the settings.
   * @returns Tokens, 0 or more.
   * @example
   * ```ts
   * SessionCompaction.usable({ model: { limit: { context: 200_000, input: 180_000, output: 8_000 } } }) < 180_000; // true
   * ```
   */
  usable(input: { model: ModelLimits; config?: CompactionConfig }): number;
  /**
   * Whether the tokens that a step reported overflow the context. Throws as `usable` does.
   * @param input - The tokens of the step, the limits of the model in tokens, and the settings.
   * @returns `true` if it overflows.
   */
  isOverflow(input: { tokens: TokenStats; model: ModelLimits; config?: CompactionConfig }): boolean;
  /**
   * Whether the next request fits: before each call of the model and after each tool's result.
   * Throws as `usable` does.
   * @param input - The messages, the limits of the model in tokens, the settings, and what a request holds besides.
   * @returns Whether it fits, and how many tokens are left.
   */
  check(
    input: {
      messages: WithParts[] | Transcript;
      model: ModelLimits;
      config?: CompactionConfig;
    } & BesideMessages,
  ): ContextCheck;
  /**
   * How many tokens the next request holds, by the provider's last report and what came after it.
   * @param messages - The messages with their parts, or the transcript.
   * @param options - The estimator, and what a request holds besides.
   * @returns The tokens, and how they are known.
   * @example
   * ```ts
   * SessionCompaction.estimate([]).tokens; // 0
   * ```
   */
  estimate(messages: WithParts[] | Transcript, options?: EstimateOptions): Estimate;
  /**
   * The old outputs that can be cleared. Throws as `usable` does.
   * @param messages - The messages with their parts, or the transcript.
   * @param config - The settings; the defaults if left out.
   * @returns The plan.
   */
  prune(messages: WithParts[] | Transcript, config?: CompactionConfig): PrunePlan;
  /**
   * The messages with the plan's outputs marked as cleared at `now` (ms). Everything else is the same object.
   * Throws `CompactionError` (`stale_plan`) if the plan is for other messages.
   * @param messages - The messages for which the plan was made.
   * @param plan - The plan, made for these messages.
   * @param now - The time, in milliseconds since the Unix epoch.
   * @returns The new list of messages.
   */
  applyPrune(messages: WithParts[], plan: PrunePlan, now: number): WithParts[];
  /**
   * What would be kept, summarised and dropped; with `strategy: "truncate"` the earliest turns are dropped, and no
   * model is needed. Throws as `usable` does.
   * @param messages - The messages with their parts, or the transcript.
   * @param input - The limits of the model in tokens, the settings, and the strategy.
   * @returns The plan.
   */
  plan(messages: WithParts[] | Transcript, input: PlanInput): CompactionPlan;
  /**
   * The request to send to a model, without tools and system prompt. Throws `CompactionError` (`stale_plan`).
   * @param messages - The messages with their parts, or the transcript.
   * @param plan - The plan, made for these messages.
   * @param options - Further lines or another prompt.
   * @returns The messages to send.
   */
  summaryRequest(
    messages: WithParts[] | Transcript,
    plan: CompactionPlan,
    options?: SummaryRequestOptions,
  ): UIMessage[];
  /**
   * All messages, then the compaction, the summary, and where the run goes on, the message that it goes on with.
   * Throws `CompactionError`: `empty_summary`, `stale_plan`, or `bad_config` for `now` and `id`.
   * @param messages - The messages for which the plan was made.
   * @param plan - The plan, made for these messages.
   * @param text - What the model answered; not blank.
   * @param meta - Ids, the time, and what the summary cost.
   * @returns The new list of messages.
   */
  applySummary(
    messages: WithParts[],
    plan: CompactionPlan,
    text: string,
    meta: SummaryMeta,
  ): WithParts[];
  /**
   * All messages, then a compaction with a notice instead of a summary, which hides what the plan drops: for a plan
   * with `strategy: "truncate"`. If the plan drops nothing, nothing is added. Throws `CompactionError`: `stale_plan`, or
   * `bad_config` for `now`, `id`, and a plan for a summary.
   * @param messages - The messages for which the plan was made.
   * @param plan - The plan, made for these messages.
   * @param meta - Ids and the time.
   * @returns The new list of messages.
   * @example
   * ```ts
   * const plan = SessionCompaction.plan([], { model: { limit: { context: 9000 } }, strategy: "truncate" });
   * SessionCompaction.applyTruncation([], plan, { id: () => "msg_1", now: 0 }); // []
   * ```
   */
  applyTruncation(messages: WithParts[], plan: CompactionPlan, meta: TruncationMeta): WithParts[];
  /**
   * The messages that are sent, in their order: the caller's own objects.
   * @param messages - The messages with their parts, or the transcript.
   * @returns The messages.
   * @example
   * ```ts
   * SessionCompaction.filterCompacted([]); // []
   * ```
   */
  filterCompacted(messages: WithParts[] | Transcript): WithParts[];
  /**
   * The messages without the compaction of this message, or with these outputs as they were. Throws
   * `CompactionError` (`unknown_target`).
   * @param messages - All messages.
   * @param target - The message of the compaction, or the parts whose outputs were cleared.
   * @returns The new list of messages.
   */
  undo(
    messages: WithParts[],
    target: { compactionID: string } | { partIDs: string[] },
  ): WithParts[];
} = {
  usable: guarded((input) => compactionUsable(settledInput(input))),
  isOverflow: guarded((input) => compactionIsOverflow(settledInput(input))),
  check: guarded((input) => {
    // JavaScript may give none: the module says what is wrong with it.
    const messages = input?.messages;
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
  applyTruncation: guarded((messages, plan, meta) =>
    compactionApplyTruncation(messages, settledPlan(plan), settledMeta(meta)),
  ),
  filterCompacted: guarded((messages) =>
    isTranscript(messages) ? messages.filterCompacted() : compactionFilter(messages),
  ),
  undo: guarded((messages, target) => compactionUndo(messages, settledTarget(target))),
};
