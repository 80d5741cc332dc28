import type { ComponentChildren } from "preact";
import type { PartView, ViewOf } from "../../../core/model/parts";
import type { PartRow } from "../../../core/model/rows";
import type { ToolView } from "../../../core/model/tools";
import { useViewer } from "../../../core/page/hooks";
import { duration } from "../../../ui/format";

/**
 * The types that the compact view draws as one line; the others are lines already. Of a step's beginning and
 * end it draws hardly anything, so where something is said of one that is drawn as it is.
 */
export function isCompact({ type }: PartView, isNoted: boolean): boolean {
  return type === "tool" || type === "text" || type === "reasoning" || (isRule(type) && !isNoted);
}

function isRule(type: PartView["type"]): boolean {
  return type === "step-start" || type === "step-finish";
}

/** One line a part: a call with what it is about and what came of it, the first line of a text. */
export function CompactPart({ row, index }: { row: PartRow; index: number }) {
  const { view, part } = row;
  // The head of its message is above the first one already.
  if (view.type === "step-start") return part > 0 ? <hr class="compact-step" /> : null;
  if (view.type === "step-finish") return null;
  if (view.type === "tool") return <Call view={view} index={index} />;
  if (view.type === "text" || view.type === "reasoning") return <Words view={view} index={index} />;
  return null;
}

function Line(props: { index: number; class: string; end: string; children: ComponentChildren }) {
  const viewer = useViewer();
  return (
    <button
      type="button"
      class={`compact-line ${props.class}`}
      aria-expanded={false}
      onClick={() => viewer.toggleFold(props.index)}
    >
      <span class="compact-words">{props.children}</span>
      {props.end && <span class="compact-end">{props.end}</span>}
    </button>
  );
}

function Words({ view, index }: { view: ViewOf<"text"> | ViewOf<"reasoning">; index: number }) {
  const { start, end } = view.time;
  const isThought = view.type === "reasoning";
  const took = isThought && start !== undefined && end !== undefined ? duration(end - start) : "";
  return (
    <Line index={index} class={`compact-${view.type}`} end={took}>
      {isThought && <span class="hidden">Reasoning: </span>}
      {view.first || (isThought ? "Reasoning" : "Empty text")}
    </Line>
  );
}

/** `✓ bash cargo check`, `✎ main.rs +2 −1` */
function Call({ view, index }: { view: ToolView; index: number }) {
  const { tool, body, object = "", status } = view;
  const { start, end } = view.time;
  const ended = endOf(view);
  const changes = body.kind === "edit" || body.kind === "write";
  const isChange = changes && ended === "done" && object !== "";
  const [sign, word] = isChange ? ["✎", tool] : SIGNS[ended];
  const took = start !== undefined && end !== undefined ? duration(end - start) : "";
  return (
    <Line index={index} class={`compact-call compact-${ended}`} end={took || unended(status)}>
      <span class={isChange ? "compact-sign compact-change" : "compact-sign"} aria-hidden="true">
        {sign}
      </span>
      <span class="hidden">{word}:</span> {!isChange && <span class="tool-name">{tool}</span>}{" "}
      <span class="compact-object">{object}</span>{" "}
      {body.kind === "edit" && (
        <span class="diff-count">
          <span class="added">+{body.diff.added}</span>{" "}
          <span class="removed">−{body.diff.removed}</span>
        </span>
      )}
      {ended === "failed" && view.exit !== undefined && (
        <span class="exit-bad">exit {view.exit}</span>
      )}
    </Line>
  );
}

type End = "done" | "failed" | "running" | "pending" | "requested";

const SIGNS: Record<End, [sign: string, word: string]> = {
  done: ["✓", "completed"],
  failed: ["✗", "failed"],
  running: ["●", "running"],
  pending: ["○", "pending"],
  requested: ["○", "requested"],
};

/** What came of a call. */
function endOf({ status }: ToolView): End {
  if (status === "error") return "failed";
  return status === "completed" ? "done" : status;
}

function unended(status: ToolView["status"]): string {
  return status === "completed" || status === "failed" || status === "error" ? "" : status;
}
