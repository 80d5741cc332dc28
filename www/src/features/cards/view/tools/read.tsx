import type { BodyOf } from "../../../../core/model/tools";
import { Code } from "../../../../ui/code";
import { fileTitle, Path } from "./blocks";
import { readFacts } from "./facts";
import type { ToolCard } from "./tool_card";

export const read: ToolCard<BodyOf<"read">> = {
  icon: "file",
  View: ({ view, body, index, whole }) => (
    <>
      <Path path={body.path} />
      {view.output && (
        <Code
          row={index}
          unfolded={whole}
          text={view.output}
          label={`Content of ${body.path}`}
          // The entries of a directory are no lines.
          firstLine={body.page.range?.of === "entry" ? undefined : body.firstLine}
          language={body.language}
        />
      )}
    </>
  ),
  subtitle: fileTitle,
  facts: ({ page }) => readFacts(page),
};
