import type { ViewOf } from "../../../core/model/parts";
import { label, list } from "../../../core/worker/fields";
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
};
