import type { ToolView } from "../../../../core/model/tools";
import { duration, preciseClock } from "../../../../ui/format";

/** A call that took this long was slow, in milliseconds. */
const SLOW = 10_000;

/** Do the states of a call say more than the head of its card: is it under way, did it break off, was it slow? */
export function isTelling({ status, time: { start, end } }: ToolView): boolean {
  if (status === "pending" || status === "running" || status === "error") return true;
  return start !== undefined && end !== undefined && end - start >= SLOW;
}

/**
 * The states that a call went through, with the times that were recorded. The strip above them is as long as
 * the call: that it was pending, and that it ended, are moments, and what takes time is that it runs.
 */
export function States({ view }: { view: ToolView }) {
  const { status, time } = view;
  const { start, end } = time;
  const last = status === "error" || status === "failed" ? status : "completed";
  const all = status === "requested" ? ["pending", "requested"] : ["pending", "running", last];
  const reached = all.indexOf(status);
  const times = [undefined, start, end];
  const took = start !== undefined && end !== undefined ? duration(end - start) : "";
  return (
    <div class="state-box">
      <div class="state-strip" aria-hidden="true">
        {all.slice(0, reached + 1).map((state) => (
          <span
            key={state}
            class={`state-bar state-${state} ${state === status ? "state-now" : ""}`}
          />
        ))}
      </div>
      <ol class="states" aria-label="States">
        {all.map((state, i) => (
          <li
            key={state}
            class={i <= reached ? `state state-${state}` : "state"}
            aria-current={i === reached ? "step" : undefined}
          >
            {i <= reached ? state : <span class="hidden">{state}: not reached</span>}
            {i <= reached && times[i] !== undefined && (
              <span class="state-time">{preciseClock(times[i] ?? 0)}</span>
            )}
            {state === "running" && took && <span class="state-time">for {took}</span>}
          </li>
        ))}
      </ol>
    </div>
  );
}
