import { useEffect, useState } from "preact/hooks";
import { useViewer } from "../../../app/hooks";
import { brief, cost, duration, one } from "../../../ui/format";
import { Icon } from "../../../ui/icons";
import type { RangeSums } from "../../breakdown/model";
import type { OpenDocument } from "../../transcript/store/document";
import type { Timeline } from "../model/timeline";

/** What happened in the stretch of the timeline that was chosen. */
export function Sums({ doc, timeline }: { doc: OpenDocument; timeline: Timeline }) {
  const state = useViewer().timeline;
  const { chosen } = state.store.state;
  const [sums, setSums] = useState<RangeSums>();
  const { axis } = timeline;
  const start = chosen ? axis.value(chosen.from) : 0;
  const end = chosen ? axis.value(chosen.to) : 0;
  useEffect(() => {
    if (end <= start) return;
    let isWanted = true;
    doc.client.call("rangeSums", start, end).then(
      (found) => isWanted && setSums(found),
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [doc, start, end]);
  if (!chosen) return null;
  const known = [
    duration(end - start),
    ...(sums ? [one(sums.calls, "call")] : []),
    ...(sums && sums.failed > 0 ? [`${sums.failed} failed`] : []),
    `${sums?.tokens === undefined ? "—" : brief(sums.tokens)} tokens`,
    sums?.cost === undefined ? "cost —" : cost(sums.cost),
  ];
  return (
    <p class="timeline-sums" role="status">
      {known.join(" · ")}
      <button
        type="button"
        class="timeline-zoom"
        aria-label="Forget the chosen stretch"
        onClick={() => state.choose()}
      >
        <Icon name="close" />
      </button>
    </p>
  );
}
