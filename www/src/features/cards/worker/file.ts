import type { ViewOf } from "../../../core/model/parts";
import { fields, label } from "../../../core/worker/fields";
import { fileView } from "../../../core/worker/values";
import type { PartReader } from "./part_reader";

export const file: PartReader<ViewOf<"file">> = {
  read(part) {
    const source = label(fields(part.source)?.path ?? fields(part.source)?.uri, 500);
    return { type: "file", file: fileView(part), ...(source ? { source } : {}) };
  },
};
