import { label, list } from "../../../worker/fields";
import type { ViewOf } from "../model";
import type { PartReader } from "./part_reader";

export const patch: PartReader<ViewOf<"patch">> = {
  read(part) {
    const files = list(part.files);
    return {
      type: "patch",
      hash: label(part.hash, 100),
      files: files.slice(0, 100).map((file) => label(file, 500)),
      total: files.length,
    };
  },
  meaning: (part) => ["patch", part.files],
};
