import type { BodyOf } from "../../../../core/model/tools";
import { DiffBlock } from "../../../../ui/diff";
import { fileTitle, Note, Path } from "./blocks";
import { editFacts } from "./facts";
import type { ToolCard } from "./tool_card";

export const edit: ToolCard<BodyOf<"edit">> = {
  icon: "pencil",
  View: ({ view, body, index, whole }) => (
    <>
      <Path path={body.path} />
      <DiffBlock row={index} diff={body.diff} whole={whole} />
      <Note text={view.output} />
    </>
  ),
  subtitle: fileTitle,
  facts: ({ match }) => editFacts(match),
  outcome: ({ diff }) => (
    <span class="diff-count">
      <span class="added">+{diff.added}</span> <span class="removed">−{diff.removed}</span>
    </span>
  ),
};
