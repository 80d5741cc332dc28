import type { BodyOf } from "../../../../core/model/tools";
import { Code } from "../../../../ui/code";
import { Output } from "./blocks";
import { shellFacts, stopOf } from "./facts";
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
  outcome({ end }) {
    const stop = stopOf(end);
    return (
      <>
        {stop && <span class="exit-bad">{stop}</span>}
        {/* Another code than 0 is said with the state. */}
        {end.exit === 0 && <span class="exit">exit 0</span>}
      </>
    );
  },
  facts: ({ end }) => shellFacts(end),
};
