import type { ViewOf } from "../../../core/model/parts";
import { FileBox } from "../../../ui/file";
import { estimateText } from "./estimate";
import type { PartCard } from "./part_card";

export const file: PartCard<ViewOf<"file">> = {
  View: ({ view }) => <FileBox file={view.file} source={view.source} />,
  label: () => "file",
  estimate: estimateText,
};
