// Second names, from the requirements that the package was written to. Types and values are those of the first names.
import {
  type AssistantMessage,
  DoomLoopDetected,
  InvalidStateTransition,
  type UserMessage,
} from "apex-parts:glue";

/**
 * What a user message has besides its ids, role and time: the fields of `UserMessage` that say how it is answered.
 *
 * @example
 * ```ts
 * import type { UserMessage, UserMessageExtension } from "apex-parts";
 *
 * const extension: UserMessageExtension = { agent: "build", model: { providerID: "p", modelID: "m" } };
 * const info: UserMessage = { id: "msg_1", sessionID: "ses_1", role: "user", time: { created: 1 }, ...extension };
 * info.agent; // "build"
 * ```
 */
export type UserMessageExtension = Pick<
  UserMessage,
  "summary" | "agent" | "model" | "system" | "tools" | "variant"
>;

/**
 * What an assistant message has besides its ids, role and time of creation: cost, tokens, agent, path, and the time at
 * which it was completed.
 *
 * @example
 * ```ts
 * import type { AssistantMessageExtension } from "apex-parts";
 *
 * const tokens = { input: 1, output: 2, reasoning: 0, cache: { read: 0, write: 0 } };
 * const path = { cwd: "/work", root: "/work" };
 * const extension: AssistantMessageExtension = { cost: 0, tokens, agent: "build", path, time: { completed: 2 } };
 * extension.time.completed; // 2
 * ```
 */
export type AssistantMessageExtension = Pick<
  AssistantMessage,
  "cost" | "tokens" | "agent" | "path"
> & { time: Pick<AssistantMessage["time"], "completed"> };

/**
 * Another name of the class `InvalidStateTransition`. The `name` of its errors is `"InvalidStateTransition"`.
 *
 * @example
 * ```ts
 * InvalidStateTransitionError === InvalidStateTransition; // true
 * ```
 */
export const InvalidStateTransitionError: typeof InvalidStateTransition = InvalidStateTransition;
/** An error of the class `InvalidStateTransition`. */
export type InvalidStateTransitionError = InvalidStateTransition;

/**
 * Another name of the class `DoomLoopDetected`. The `name` of its errors is `"DoomLoopDetected"`.
 *
 * @example
 * ```ts
 * DoomLoopError === DoomLoopDetected; // true
 * ```
 */
export const DoomLoopError: typeof DoomLoopDetected = DoomLoopDetected;
/** An error of the class `DoomLoopDetected`. */
export type DoomLoopError = DoomLoopDetected;
