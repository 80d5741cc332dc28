import type { ViewOf } from "../../../core/model/parts";
import { label, text } from "../../../core/worker/fields";
import type { PartReader } from "./part_reader";

export const subtask: PartReader<ViewOf<"subtask">> = {
  read(part, place) {
    const command = label(part.command, 500);
    return {
      type: "subtask",
      agent: label(part.agent, 100),
      description: label(part.description),
      ...place.prose(text(part.prompt) ?? ""),
      ...(command ? { command } : {}),
    };
  },
};
