import { fields, number } from "../../../worker/fields";
import { failure } from "../../../worker/values";
import type { ViewOf } from "../model";
import { meaningOfError } from "./meaning";
import type { PartReader } from "./part_reader";

export const retry: PartReader<ViewOf<"retry">> = {
  read(part) {
    const created = number(fields(part.time)?.created);
    return {
      type: "retry",
      attempt: number(part.attempt) ?? 0,
      error: failure(part.error),
      ...(created === undefined ? {} : { created }),
    };
  },
  meaning: (part) => ["retry", part.attempt, meaningOfError(part.error)],
};
