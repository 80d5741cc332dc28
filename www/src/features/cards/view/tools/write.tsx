import type { BodyOf } from "../../../../core/model/tools";
import { Code } from "../../../../ui/code";
import { fileTitle, Note, Path } from "./blocks";
import type { ToolCard } from "./tool_card";

export const write: ToolCard<BodyOf<"write">> = {
  icon: "file",
  View: ({ view, body, index, whole }) => (
    <>
      <Path path={body.path} />
      <Code
        row={index}
        unfolded={whole}
        text={body.content}
        label={`Content of ${body.path}`}
        firstLine={1}
        language={body.language}
      />
      <Note text={view.output} />
    </>
  ),
  subtitle: fileTitle,
  facts: ({ exists }) =>
    exists === undefined ? [] : [{ text: exists ? "replaced a file" : "new file" }],
};
