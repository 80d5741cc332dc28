import type { TimeSplit } from "apex-parts";
import { useViewer } from "../../../core/page/hooks";
import type { OpenDocument } from "../../../core/store/document";
import { useAnswer } from "../../../ui/answer";
import { brief, cost, duration, one } from "../../../ui/format";
import { Icon } from "../../../ui/icons";
import type { Timeline } from "../model/timeline";

/** The sums are asked for once the pointer has been still for so long, in milliseconds. */
const PAUSE = 60;

/** What happened in the stretch of the timeline that was chosen. */
export function Sums({ doc, timeline }: { doc: OpenDocument; timeline: Timeline }) {
  const state = useViewer().timeline;
  const { chosen } = state.store.state;
  const { axis } = timeline;
  const start = chosen ? axis.value(chosen.from) : 0;
  const end = chosen ? axis.value(chosen.to) : 0;
  const question = end > start ? `${doc.id} ${start} ${end}` : undefined;
  const found = useAnswer(question, () => doc.client.call("rangeSums", start, end), PAUSE);
  // While somebody drags, those of the stretch before stay.
  const sums = found?.value;
  if (!chosen) return null;
  const { busy } = sums ?? {};
  const facts = [
    ...(sums ? [one(sums.calls, "call")] : []),
    ...(sums && sums.failed > 0 ? [`${sums.failed} failed`] : []),
    `${sums?.tokens === undefined ? "—" : brief(sums.tokens)} tokens`,
    sums?.cost === undefined ? "cost —" : cost(sums.cost),
  ];
  return (
    <p class="timeline-sums" role="status" aria-busy={found?.question !== question}>
      <span title={`${duration(end - start)} from its beginning to its end`}>
        <strong>{sums ? headOf(busy) : duration(end - start)}</strong>
        {busy && <span class="quiet"> {busyWords(busy)}</span>}
        {["", ...facts].join(" · ")}
      </span>
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

/** `(model 12 s, tools 8 s, waiting 3 s)` */
function busyWords({ model, tools, waiting }: TimeSplit): string {
  const all: [string, number][] = [
    ["model", model],
    ["tools", tools],
    ["waiting", waiting],
  ];
  const words = all.filter(([, ms]) => ms > 0).map(([name, ms]) => `${name} ${duration(ms)}`);
  return words.length > 0 ? `(${words.join(", ")})` : "";
}

function headOf(busy: TimeSplit | undefined): string {
  // Nothing ran where no turn is in it.
  return busy ? `${duration(busy.busy)} busy` : "idle";
}
