import type { TranscriptLayout } from "apex-parts";

/** What the module knows of every message and part without making objects. */
export type Layout = TranscriptLayout;

/** One of the codes of `layout().statuses`. */
export const STATUS_ERROR = 4;
/** One of the codes of `layout().roles`. */
export const ROLE_USER = 1;
/** Bits of `layout().flags`. */
export const FLAG_ERROR = 1;
export const FLAG_SUMMARY = 2;
