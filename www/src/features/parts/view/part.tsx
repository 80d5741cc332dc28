import { FailureBox } from "../../../ui/failure";
import { FileBox } from "../../../ui/file";
import { clock, cost, count, one } from "../../../ui/format";
import { Json } from "../../../ui/json";
import { Line } from "../../../ui/line";
import { ToolCard } from "../../tools/view/tool";
import type { PartRow } from "../../transcript/model/rows";
import type { PartView } from "../model";
import { Reasoning, Subtask, Text } from "./prose";

interface PartProps {
  row: PartRow;
  index: number;
  folded: boolean;
  /** The inspector draws the same part without folding it. */
  whole?: boolean;
}

/** One part, by its type. */
export function Part(props: PartProps) {
  const { index, folded, whole } = props;
  const { view } = props.row;
  switch (view.type) {
    case "text":
      return <Text view={view} index={index} folded={folded} />;
    case "reasoning":
      return <Reasoning view={view} index={index} folded={folded} fixed={whole} />;
    case "tool":
      return <ToolCard view={view} index={index} folded={folded} whole={whole ?? false} />;
    case "subtask":
      return <Subtask view={view} index={index} folded={folded} fixed={whole} />;
    case "step-start":
      return (
        <div class="step-start">
          <span>Step {count(view.step)}</span>
        </div>
      );
    case "step-finish":
      return <StepFinish view={view} />;
    case "file":
      return <FileBox file={view.file} source={view.source} />;
    case "agent":
      return <Line icon="spark">Agent {view.name}</Line>;
    case "compaction":
      return (
        <div class="compaction">
          <span>{view.auto ? "Compacted automatically here" : "Compacted here"}</span>
        </div>
      );
    case "retry":
      return (
        <>
          <Line icon="retry">
            Attempt {count(view.attempt)} failed
            {view.created !== undefined && <span class="quiet">{clock(view.created)}</span>}
          </Line>
          <FailureBox failure={view.error} />
        </>
      );
    case "snapshot":
      return (
        <Line icon="camera">
          Snapshot <code>{view.snapshot.slice(0, 12)}</code>
        </Line>
      );
    case "patch":
      return (
        <Line icon="pencil">
          Changed {one(view.total, "file")}
          {view.files.slice(0, 8).map((file) => (
            <code key={file}>{file}</code>
          ))}
          {view.total > 8 && <span class="quiet">and {count(view.total - 8)} more</span>}
        </Line>
      );
    case "custom":
      return (
        <section class="card custom">
          <header class="card-head">
            <strong>{view.name}</strong>
            <span class="quiet">custom part</span>
          </header>
          <div class="card-body">
            <Json value={view.value} label={`Part of type ${view.name}`} />
          </div>
        </section>
      );
  }
}

function StepFinish({ view }: { view: Extract<PartView, { type: "step-finish" }> }) {
  const { tokens } = view;
  const all: [number, string][] = [
    [tokens.input, "in"],
    [tokens.output, "out"],
    [tokens.reasoning, "reasoning"],
    [tokens.cacheRead, "cached"],
    [tokens.cacheWrite, "to cache"],
  ];
  return (
    <div class="step-finish">
      <span class="step-end">
        Step {count(view.step)} finished
        {view.reason && <span class="quiet">{view.reason}</span>}
      </span>
      <span class="step-cost">{cost(view.cost)}</span>
      {all
        .filter(([value], i) => value > 0 || i < 2)
        .map(([value, name]) => (
          <span key={name} class="step-tokens">
            {count(value)} <span class="quiet">{name}</span>
          </span>
        ))}
    </div>
  );
}

/** What a part is, in words, for labels. */
export function partName(view: PartView): string {
  switch (view.type) {
    case "tool":
      return `tool ${view.tool}, ${view.status}`;
    case "custom":
      return view.name;
    case "step-start":
      return `step ${view.step}`;
    case "step-finish":
      return `step ${view.step} finished`;
    default:
      return view.type;
  }
}
