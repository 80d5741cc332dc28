// A person's answer to the question whether a call may run: `metadata.approval`, `{id, approved?, reason?}`.
import { INTERRUPTED } from "../placeholders.ts";
import { type Fields, isObject } from "../tools/boundary.ts";
import type { CallResult } from "./entries.ts";
import { stringOf } from "./fields.ts";
import { isBlank } from "./unsent.ts";

/** What a model is told of a call that was refused without a reason. */
export const DENIED = "denied";

/** The approval in the metadata of a part; undefined if it has none. */
export function approvalOf(metadata: unknown): Fields | undefined {
  const approval = isObject(metadata) ? metadata.approval : undefined;
  return isObject(approval) ? approval : undefined;
}

/** Why a call was refused; undefined if nobody said. */
export function reasonOf(approval: Fields): string | undefined {
  const reason = stringOf(approval.reason);
  return reason === undefined || isBlank(reason) ? undefined : reason;
}

/** What became of a call that was refused. */
export const refusal = (approval: Fields): { text: string; isError: true } => ({
  text: reasonOf(approval) ?? DENIED,
  isError: true,
});

/** Whether the state of a call for OpenAI's Responses is that of a request for an approval, which its provider answers. */
export const isApprovalRequest = (state: Fields | undefined): boolean =>
  isObject(state?.item) && state.item.type === "mcp_approval_request";

/** What a person said of a call: by its approval or, without one, by what became of it; undefined if nothing. */
export function answerOf(
  approval: Fields | undefined,
  result: CallResult | undefined,
): { approve: boolean; reason?: string } | undefined {
  const approved = approval?.approved;
  if (typeof approved === "boolean") {
    const reason = reasonOf(approval ?? {});
    const said = reason ?? (approved ? undefined : saidOf(result));
    return { approve: approved, ...(said !== undefined && { reason: said }) };
  }
  if (result === undefined) return undefined;
  if (!result.isError) return { approve: true };
  const { aborted, interrupted } = result.metadata;
  if (aborted === true || interrupted === true || result.text === INTERRUPTED) return undefined;
  const said = saidOf(result);
  return { approve: false, ...(said !== undefined && { reason: said }) };
}

/** Why a call failed, if its error says more than that it was refused. */
function saidOf(result: CallResult | undefined): string | undefined {
  if (result?.isError !== true) return undefined;
  const { text } = result;
  return text === DENIED || text === INTERRUPTED || isBlank(text) ? undefined : text;
}
