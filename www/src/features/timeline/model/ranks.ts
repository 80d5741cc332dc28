import { PART_CODE } from "../../parts/model";
import { endedBadly } from "../../transcript/model/layout";

/** How a part is drawn; where several meet in one pixel, the highest shows. */
export const RANK_SPAN = 1;
export const RANK_REASONING = 2;
export const RANK_TEXT = 3;
export const RANK_COMPLETED = 4;
export const RANK_PENDING = 5;
export const RANK_RUNNING = 6;
export const RANK_ERROR = 7;
export const RANKS = 8;

const STATUS_PENDING = 1;
export const STATUS_RUNNING = 2;

/** From the codes of a part's type and of how its call stands. */
export function rankOf(type: number | undefined, status: number): number {
  switch (type) {
    case PART_CODE.reasoning:
      return RANK_REASONING;
    case PART_CODE.text:
      return RANK_TEXT;
    case PART_CODE.retry:
      return RANK_ERROR;
    case PART_CODE.tool:
      if (endedBadly(status)) return RANK_ERROR;
      if (status === STATUS_RUNNING) return RANK_RUNNING;
      return status === STATUS_PENDING ? RANK_PENDING : RANK_COMPLETED;
    default:
      return RANK_SPAN;
  }
}
