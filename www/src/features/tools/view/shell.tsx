import { Code } from "../../../ui/code";
import type { BodyOf } from "../model";
import { Output } from "./blocks";
import type { ToolCard } from "./tool_card";

export const shell: ToolCard<BodyOf<"shell">> = {
  icon: "shell",
  View: ({ view, body, index, whole }) => (
    <>
      <div class="command">
        <Code row={index} unfolded={whole} text={body.command} label="Command" language="bash" />
      </div>
      <Output row={index} unfolded={whole} text={view.output} />
    </>
  ),
  subtitle: ({ description, command }, title) => description || title || command.head.slice(0, 120),
  outcome: ({ exit }) =>
    exit !== undefined && <span class={exit === 0 ? "exit" : "exit exit-bad"}>exit {exit}</span>,
};
