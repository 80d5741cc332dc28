import type { ViewOf } from "../../../core/model/parts";
import { count, one } from "../../../ui/format";
import { Line } from "../../../ui/line";
import type { PartCard } from "./part_card";

export const patch: PartCard<ViewOf<"patch">> = {
  View: ({ view }) => (
    <Line icon="pencil">
      Changed {one(view.total, "file")}
      {view.files.slice(0, 8).map((file) => (
        <code key={file}>{file}</code>
      ))}
      {view.total > 8 && <span class="quiet">and {count(view.total - 8)} more</span>}
    </Line>
  ),
  label: () => "patch",
  estimate: () => 36,
};
