// The types of context compaction.
import type { Problem, TokenStats, WithParts } from "apex-parts:glue";

/** What a model takes, in tokens. */
export interface ModelLimits {
  limit: { context: number; input?: number; output?: number };
}
/** The settings of compaction. `snake_case` fields are OpenCode's own. */
export interface CompactionConfig {
  /** Default true; false: `isOverflow` is always false. */
  auto?: boolean;
  /** Default false, as in OpenCode: `prune` finds nothing. */
  prune?: boolean;
  /** Tokens that are kept free; by default the smaller of 20,000 and the model's output. */
  reserved?: number;
  /** Also where the model has no limit of its own for input, as later versions of OpenCode do. Default false. */
  subtractReserved?: boolean;
  /** The tokens at which the context overflows, instead of `usable`. */
  threshold?: number;
  /** At most so many recent turns stay verbatim; 0: none. By default only the budget limits. */
  tail_turns?: number;
  /** The budget of what stays verbatim; by default a quarter of `usable`, between 2,000 and 15,000 tokens. */
  preserve_recent_tokens?: number;
  /** So many tokens of the newest outputs are never cleared; default 40,000. */
  protect?: number;
  /** Outputs are cleared only if that saves more than so many tokens; default 20,000. */
  minimum?: number;
  /** Outputs of so many recent turns are never cleared; default 2. */
  protectTurns?: number;
  /** Outputs of these tools are never cleared; default `["skill"]`. */
  protectedTools?: string[];
  /** Characters of one output in the request for a summary; default 2,000. */
  toolOutputMax?: number;
  /** Tokens of the user's own words that go verbatim with the summary; default 2,000; 0: none. */
  pinUser?: number;
  /** `chars` (default): a quarter of the length, the same cuts as OpenCode. `classes`: closer to tokenizers. */
  estimator?: "chars" | "classes";
  /** What a token costs, in any unit; default 1, 0.1, 1.25. */
  prices?: { input?: number; cacheRead?: number; cacheWrite?: number };
  /**
   * OpenCode 2's. With `keep` or `buffer` its rule holds; `reserved` and `preserve_recent_tokens` beside them are errors.
   * `tokens`: the budget of what stays verbatim, default 15,000.
   */
  keep?: { tokens?: number };
  /** OpenCode 2's: tokens that are kept free of the context, or the output if that is larger; default 20,000. */
  buffer?: number;
  [more: string]: unknown;
}
/** How many tokens the next request holds. */
export interface Estimate {
  /** All of them: `base` and `added`. */
  tokens: number;
  /** `reported` by the provider; `mixed`: reported, and counted what came after; `counted`: nothing was reported. */
  source: "reported" | "mixed" | "counted";
  /** The tokens that the provider reported. */
  base: number;
  /** The tokens that were counted, multiplied by `factor`. */
  added: number;
  /** How much more the provider counts than the estimator, by what it reported of earlier steps; 0.5 to 2. */
  factor: number;
  /** What images and other files take of `added`. */
  media: number;
}
/** What a request holds beside the messages. It is counted if no report of a provider contains it. */
export interface BesideMessages {
  /** The system prompt. */
  system?: string;
  /** The definitions of the tools, counted as JSON. */
  tools?: unknown;
}
/** What a plan is made for. */
export interface PlanInput extends BesideMessages {
  model: ModelLimits;
  config?: CompactionConfig;
  /** The provider refused the last request as too large. */
  overflow?: boolean;
  /**
   * `summary` (default): a model summarises what does not stay. `truncate`: the earliest turns are dropped whole, as
   * many as needed for the rest to fit in `preserve_recent_tokens`, by default half of what overflows.
   */
  strategy?: "summary" | "truncate";
}
/** How tokens are estimated. */
export interface EstimateOptions extends BesideMessages {
  estimator?: "chars" | "classes";
}
/** Whether the next request fits. */
export interface ContextCheck {
  overflow: boolean;
  /** What the next request holds. */
  used: Estimate;
  /** The tokens that it may hold. */
  usable: number;
  /** The tokens left until it overflows; negative if it does. */
  headroom: number;
}
/** What becomes of a message, or of the output of a call. */
export interface PlanItem {
  messageID: string;
  partID?: string;
  action: "keep" | "summarise" | "drop" | "clear";
  tokens: number;
  why: string;
}
/** The cost of a change with a prompt cache, in tokens. */
export interface CacheCost {
  /** What stays in the cache: the tokens before the change. */
  prefix: number;
  /** The tokens after it, which are written to the cache again. */
  rewritten: number;
  /** What each further request saves. */
  saved: number;
  /** After so many further requests it has paid; null if it never does. */
  breakEven: number | null;
}
/** Which outputs are to be cleared; nothing has been changed. */
export interface PrunePlan {
  /** The calls whose outputs are to be cleared, oldest first. */
  partIDs: string[];
  /** The tokens that this saves. */
  saved: number;
  /** The same calls, each with what it saves. */
  items: PlanItem[];
  cache: CacheCost;
  /** Of the history that the plan is for: a hash of ids and marks. */
  fingerprint: string;
}
/** A compaction that could be made; nothing has been changed. */
export interface CompactionPlan {
  /** The messages that stay verbatim. */
  keep: string[];
  /** The messages that the summary tells. */
  summarise: string[];
  /**
   * The messages that have nothing to say, or are asked again after the summary; with `strategy: "truncate"` those of
   * the earliest turns.
   */
  drop: string[];
  /** The first of `keep`; absent if nothing stays. */
  tailStartID?: string;
  /** The text of the summary that the new one continues. */
  previousSummary?: string;
  /** The user's own words that go verbatim with the summary. */
  pinned: { messageID: string; text: string }[];
  /** The tokens of the next request now, and afterwards with a summary of the expected length or the notice. */
  tokens: { before: number; after: number };
  /** Whether `after` is less than `usable`. */
  fits: boolean;
  /** Each message of the view, but for older compactions and their summaries. */
  items: PlanItem[];
  cache: CacheCost;
  /** Of the history that the plan is for: a hash of ids and marks. */
  fingerprint: string;
  /** CP-1 to CP-6; CP-2: nothing would be gained; CP-6: the newest turn is larger than the budget. */
  problems: Problem[];
}
/** How a summary is asked for. */
export interface SummaryRequestOptions {
  /** Lines after the instructions. */
  context?: string[];
  /** Instructions in place of all but the conversation. */
  prompt?: string;
  /** Its `toolOutputMax` limits each output. */
  config?: CompactionConfig;
}
/** What a host knows of a summary. */
export interface SummaryMeta {
  /** Gives ids, each greater than the last: `generateMessageId` for UUIDs. */
  id: () => string;
  /** The time, in milliseconds since the Unix epoch. */
  now: number;
  /** Made by the program, not by the user; default true. */
  auto?: boolean;
  /** The provider refused the last request as too large. */
  overflow?: boolean;
  /** `auto` (default): the run goes on only if the last answer had not ended its turn. */
  continue?: "auto" | "always" | "never";
  tokens?: TokenStats;
  /** In US dollars. */
  cost?: number;
  modelID?: string;
  providerID?: string;
  /** Default `stop`. */
  finish?: string;
}
/** What a host gives for a truncation. */
export type TruncationMeta = Pick<SummaryMeta, "id" | "now" | "auto" | "overflow">;
/** A plan cannot be made or carried out. Nothing was changed. */
export declare class CompactionError extends Error {
  /**
   * @param message - What is wrong, and what to do.
   * @param details - The facts, as the property `details` has them.
   */
  constructor(message: string, details: CompactionError["details"]);
  name: "CompactionError";
  details: {
    /**
     * `bad_config`: `field` is a negative number, NaN, or no number. `empty_summary`: the text is blank.
     * `stale_plan`: an id or a mark of these messages is not that of the plan's. `unknown_target`: there is no such
     * compaction or part.
     */
    reason: "bad_config" | "empty_summary" | "stale_plan" | "unknown_target";
    field?: string;
    [more: string]: unknown;
  };
}

/** Compaction of a transcript. */
export interface Transcript {
  /**
   * Finds the old outputs that can be cleared, as `SessionCompaction.prune`.
   * @param config - The settings; the defaults if left out.
   * @returns The plan.
   */
  prune(config?: CompactionConfig): PrunePlan;
  /**
   * Plans a compaction, as `SessionCompaction.plan`.
   * @param input - The limits of the model in tokens, and the settings.
   * @returns The plan.
   */
  plan(input: PlanInput): CompactionPlan;
  /**
   * The messages that are sent, in their order; each is read when it is looked at.
   * @returns The messages.
   */
  filterCompacted(): WithParts[];
}
