import type { BodyOf } from "../../../../core/model/tools";
import { Code } from "../../../../ui/code";
import { Json } from "../../../../ui/json";
import { Output } from "./blocks";
import type { ToolCard } from "./tool_card";

/** Also for the cards that differ from it only in what they say of the answer. */
export const json: ToolCard<BodyOf<"json" | "search" | "web">> = {
  icon: "tool",
  View: ({ view, body, index, whole }) => (
    <>
      <h3 class="card-label">Input</h3>
      {view.streamed ? (
        <Code
          row={index}
          unfolded={whole}
          text={view.streamed}
          label="Input so far"
          language="json"
        />
      ) : (
        <Json value={body.input} label="Input" />
      )}
      {view.output && <h3 class="card-label">Output</h3>}
      {view.outputJson !== undefined ? (
        <Json value={view.outputJson} label="Output" />
      ) : (
        <Output row={index} unfolded={whole} text={view.output} />
      )}
    </>
  ),
  subtitle({ input }, title) {
    if (title) return title;
    if (typeof input !== "object" || input === null || input.kind !== "object") return "";
    const first = input.entries.find(([, value]) => typeof value === "string");
    return first ? String(first[1]).slice(0, 120) : "";
  },
};
