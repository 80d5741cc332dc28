import type { ViewOf } from "../../../core/model/parts";
import { fields, number } from "../../../core/worker/fields";
import { failure } from "../../../core/worker/values";
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
};
