import { useEffect, useState } from "preact/hooks";
import { useOpenDocument, useViewer } from "../../../app/hooks";
import { useExpanded } from "../../../ui/expanded_blocks";
import { Foldable } from "../../../ui/foldable";
import { duration, one } from "../../../ui/format";
import { Html } from "../../../ui/html";
import { Icon } from "../../../ui/icons";
import type { PartView } from "../model";

type ProseView = Extract<PartView, { type: "text" | "reasoning" }>;
interface Props<V> {
  view: V;
  index: number;
  folded: boolean;
  fixed?: boolean | undefined;
}

/** What one press of "Show more" adds to a long text. */
const STEP = 500_000;
const RENDERED = 32_768;

export function Text({ view, index, folded }: Props<ProseView>) {
  const viewer = useViewer();
  if (folded) {
    return (
      <button type="button" class="folded-text" onClick={() => viewer.toggleFold(index)}>
        {view.first || "Empty text"}
        <span class="quiet">{one(view.text.lines, "line")}</span>
      </button>
    );
  }
  return (
    <>
      {(view.synthetic || view.ignored) && (
        <p class="text-notes">
          {view.synthetic && <span class="chip">synthetic</span>}
          {view.ignored && <span class="chip">ignored by the model</span>}
        </p>
      )}
      <Markdown view={view} index={index} />
    </>
  );
}

export function Reasoning({ view, index, folded, fixed = false }: Props<ProseView>) {
  const viewer = useViewer();
  const { start, end } = view.time;
  return (
    <Foldable
      class="reasoning"
      onToggle={() => viewer.toggleFold(index)}
      folded={folded}
      fixed={fixed}
      head={
        <>
          <Icon name="thought" />
          <span class="fold-title">Reasoning</span>
          {folded && <span class="fold-first">{view.first}</span>}
          {start !== undefined && end !== undefined && (
            <span class="fold-time">{duration(end - start)}</span>
          )}
        </>
      }
    >
      <div class="reasoning-body">
        <Markdown view={view} index={index} />
      </div>
    </Foldable>
  );
}

export function Subtask({
  view,
  index,
  folded,
  fixed = false,
}: Props<Extract<PartView, { type: "subtask" }>>) {
  const viewer = useViewer();
  return (
    <Foldable
      class="card"
      onToggle={() => viewer.toggleFold(index)}
      folded={folded}
      fixed={fixed}
      head={
        <>
          <Icon name="branch" />
          <span class="fold-title">Subtask</span>
          <span class="fold-first">{view.description}</span>
          <span class="quiet">{view.agent}</span>
        </>
      }
    >
      <div class="card-body">
        {view.command && <p class="quiet">{view.command}</p>}
        <Markdown view={view} index={index} />
      </div>
    </Foldable>
  );
}

/** Text as markdown; of a very long one the head, and more of it on demand. */
function Markdown({
  view,
  index,
}: {
  view: { html: string; text: ProseView["text"] };
  index: number;
}) {
  const doc = useOpenDocument();
  const key = `${index} text`;
  const limit = useExpanded(doc.expandedBlocks, key) ?? 0;
  const [more, setMore] = useState<{ html: string; limit: number }>();
  const shown = Math.max(more?.limit ?? 0, RENDERED);
  useEffect(() => {
    if (limit <= shown) return;
    let current = true;
    void doc.client.call("markdown", index, limit).then(({ html }) => {
      if (current) setMore({ html, limit });
    });
    return () => {
      current = false;
    };
  }, [doc, index, limit, shown]);
  const show = () => doc.expandedBlocks.set(key, (more?.limit ?? 0) + STEP);
  return (
    <>
      <div data-field="text">
        <Html html={more?.html ?? view.html} />
      </div>
      {view.text.length > shown && (
        <div class="code-more">
          <button type="button" onClick={show}>
            Show more of {one(view.text.lines, "line")}
          </button>
        </div>
      )}
    </>
  );
}
