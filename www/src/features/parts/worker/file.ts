import { fields, label } from "../../../worker/fields";
import { fileView } from "../../../worker/values";
import type { ViewOf } from "../model";
import { meaningOfFile } from "./meaning";
import type { PartReader } from "./part_reader";

export const file: PartReader<ViewOf<"file">> = {
  read(part) {
    const source = label(fields(part.source)?.path ?? fields(part.source)?.uri, 500);
    return { type: "file", file: fileView(part), ...(source ? { source } : {}) };
  },
  meaning: (part) => ["file", meaningOfFile(part)],
};
