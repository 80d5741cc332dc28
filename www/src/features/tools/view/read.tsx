import { Code } from "../../../ui/code";
import type { BodyOf } from "../model";
import { fileTitle, Path } from "./blocks";
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
          firstLine={body.firstLine}
          language={body.language}
        />
      )}
    </>
  ),
  subtitle: fileTitle,
};
