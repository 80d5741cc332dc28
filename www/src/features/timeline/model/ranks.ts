import {
  endedBadly,
  STATUS_PENDING,
  STATUS_REQUESTED,
  STATUS_RUNNING,
} from "../../../core/model/layout";
import { PART_CODE } from "../../../core/model/parts";

/** How a part is drawn; where several meet in one pixel, the highest shows. */
export const RANK_SPAN = 1;
export const RANK_REASONING = 2;
export const RANK_TEXT = 3;
export const RANK_COMPLETED = 4;
export const RANK_PENDING = 5;
export const RANK_RUNNING = 6;
export const RANK_ERROR = 7;
export const RANKS = 8;

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
      return status === STATUS_PENDING || status === STATUS_REQUESTED
        ? RANK_PENDING
        : RANK_COMPLETED;
    default:
      return RANK_SPAN;
  }
}
