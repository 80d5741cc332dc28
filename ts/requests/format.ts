// What a format of requests is.
import type { AskedRequest } from "./asked.ts";
import type { Turn } from "./entries.ts";
import type { StateRules } from "./turns.ts";

/** One format: whose state it reads, and the body that it writes. */
export interface Format {
  rules: StateRules;
  body(turns: Turn[], asked: AskedRequest): Record<string, unknown>;
}
