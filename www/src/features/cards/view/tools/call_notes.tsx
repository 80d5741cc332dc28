import type { CallNotes, Status, ToolView } from "../../../../core/model/tools";
import { clock, count, date } from "../../../../ui/format";
import { Icon } from "../../../../ui/icons";
import type { Fact } from "./facts";

interface NoticesProps {
  notes: CallNotes;
  status: Status;
}

/** What befell the call before its tool ran: a loop that was seen, arguments repaired, permission asked. */
export function Notices({ notes, status }: NoticesProps) {
  const { loop, repaired, permission } = notes;
  if (!loop && !repaired && !permission) return null;
  return (
    <ul class="call-notices">
      {loop && (
        <li class="call-notice call-warning">
          <Icon name="retry" />
          <span>Loop warning: {loop}</span>
        </li>
      )}
      {repaired && (
        <li class="call-notice">
          <Icon name="pencil" />
          <span>
            Arguments repaired: <Items items={repaired.done} total={repaired.total} />
          </span>
        </li>
      )}
      {permission && (
        <li class="call-notice call-warning">
          <Icon name="person" />
          <span>
            {status === "running" ? "Waits for permission" : "Was waiting for permission"}:{" "}
            {permission.permission} <Items items={permission.patterns} total={permission.total} />
          </span>
        </li>
      )}
    </ul>
  );
}

/** Says of a cleared output, which stays readable, what the model sees of it. */
export function Cleared({ view: { cleared } }: { view: ToolView }) {
  if (!cleared) return null;
  return (
    <p class="call-notice call-cleared">
      <Icon name="fold" />
      <span>
        Cleared at <time title={date(cleared.time)}>{clock(cleared.time)}</time>: the model no
        longer sees this output. In its place: <code>{cleared.placeholder}</code>
      </span>
    </p>
  );
}

/** The first items of a list as code, and how many more there are. */
function Items({ items, total }: { items: string[]; total: number }) {
  return (
    <>
      {items.map((item, i) => (
        <span key={i}>
          {i > 0 && ", "}
          <code>{item}</code>
        </span>
      ))}
      {total > items.length && ` and ${count(total - items.length)} more`}
    </>
  );
}

export function Facts({ facts }: { facts: Fact[] }) {
  if (facts.length === 0) return null;
  return (
    <ul class="tool-facts">
      {facts.map(({ text, tone }, i) => (
        <li key={i} class={tone && `fact-${tone}`}>
          {text}
        </li>
      ))}
    </ul>
  );
}
