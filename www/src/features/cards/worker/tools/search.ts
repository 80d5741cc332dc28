import type { BodyOf, SearchCounts } from "../../../../core/model/tools";
import { type Fields, label, text } from "../../../../core/worker/fields";
import { node } from "../../../../core/worker/values";
import { known, type ToolReader, whole } from "./tool_call";

export const search: ToolReader<BodyOf<"search">> = {
  read({ input, metadata }) {
    if (text(input.pattern) === undefined) return undefined;
    return { kind: "search", input: node(input), found: countsOf(metadata) };
  },
};

function countsOf(metadata: Fields): SearchCounts {
  return known<SearchCounts>({
    matches: whole(metadata.matches),
    files: whole(metadata.files),
    listed: whole(metadata.count),
    total: whole(metadata.total),
    // Where the output alone was cut, `omitted` says how much of it.
    more: metadata.truncated === true && metadata.omitted === undefined ? true : undefined,
    engine: label(metadata.engine, 20) || undefined,
  });
}
