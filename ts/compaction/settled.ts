// What a caller gives, read before the module is called. What makes a field may ask the transcript itself, which is
// busy during the call, and a field that throws is an error: as if it were absent, a plan would be for nothing.
import { newError } from "apex-parts:errors";
import { guarded } from "../tools/boundary.ts";

const BESIDE = ["model", "config", "overflow", "system", "tools", "tokens", "estimator"];
const STRATEGIES: unknown[] = ["summary", "truncate", undefined];
const PLAN = ["fingerprint", "tailStartID", "previousSummary"];
const LISTS = ["keep", "summarise", "drop", "pinned", "partIDs"];
const REQUEST = ["config", "context", "prompt"];
const META = ["id", "now", "auto", "overflow", "continue", "tokens", "cost"];
const MODEL = ["modelID", "providerID", "finish"];
const TARGET = ["compactionID", "partIDs"];

/** More elements than any list of a plan has: they are not copied. */
const MOST = 10_000_000;

const isList = (name: string, field: unknown): field is unknown[] =>
  LISTS.includes(name) && Array.isArray(field) && field.length <= MOST;

/** Reads what is needed of a value. */
type Settled = (value: unknown) => unknown;

/** A value with these fields as they are now; of lists, their elements too. */
const settled = (names: string[]) =>
  guarded((value: unknown) => {
    if (typeof value !== "object" || value === null) return value;
    // A cast: an object has fields.
    const object = value as { [field: string]: unknown };
    const fields = names.map((name) => {
      const field = object[name];
      return [name, isList(name, field) ? Array.from(field) : field];
    });
    return Object.fromEntries(fields);
  });

/** The limits, settings and what a request holds beside the messages. */
export const settledInput: Settled = /* @__PURE__ */ settled(BESIDE);
/** The same for a plan. The module's name for the strategy without a summary is `drop`. */
export const settledPlanInput: Settled = /* @__PURE__ */ guarded((value: unknown) => {
  const input = settledInput(value);
  if (typeof input !== "object" || input === null) return input;
  // A cast: it is an object, which may have the field.
  const { strategy } = value as { strategy?: unknown };
  if (!STRATEGIES.includes(strategy)) {
    const message = '`strategy` must be "summary" or "truncate" (bad_config)';
    throw newError("CompactionError", message, { reason: "bad_config", field: "strategy" });
  }
  return { ...input, drop: strategy === "truncate" };
});
export const settledPlan: Settled = /* @__PURE__ */ settled([...PLAN, ...LISTS]);
export const settledRequest: Settled = /* @__PURE__ */ settled(REQUEST);
export const settledMeta: Settled = /* @__PURE__ */ settled([...META, ...MODEL]);
export const settledTarget: Settled = /* @__PURE__ */ settled(TARGET);
