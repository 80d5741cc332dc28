import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { loopName } from "../../../core/model/loops";
import {
  type ChangedFileView,
  type CommitView,
  ENDINGS,
  type FailureGroupView,
  type ModelErrorView,
  type SummaryView,
  type TimeView,
} from "../../../core/model/summary";
import { useViewer } from "../../../core/page/hooks";
import { Slot } from "../../../core/page/slot";
import type { OpenDocument } from "../../../core/store/document";
import { changed, cost, count, duration, one, splitPath } from "../../../ui/format";
import { Icon } from "../../../ui/icons";

/** How many lines of a list are shown before it is asked for. */
const FIRST = 5;

/** What the run did, at the top of the transcript: every line is a link to where it happened. */
export function Summary({ doc, summary }: { doc: OpenDocument; summary: SummaryView }) {
  const { asked, answered, ended, failed, messageErrors, files, commits, totals, time } = summary;
  const loops = doc.loops ?? [];
  return (
    <article class="summary" aria-label="Summary">
      <dl>
        {summary.system !== undefined && (
          <Fact name="System">
            <System text={summary.system} />
          </Fact>
        )}
        <Fact name="Asked">{asked ? <Link row={asked.row}>{asked.text}</Link> : <Unknown />}</Fact>
        <Fact name="Ended">
          {doc.growing ? (
            <>
              <span class="summary-end tone-busy">still running</span>
              {answered && <Link row={answered.row}>{answered.text}</Link>}
            </>
          ) : ended ? (
            <>
              <Link row={answered?.row ?? ended.row}>
                <span class={`summary-end tone-${ENDINGS[ended.how].tone}`}>
                  {ENDINGS[ended.how].word}
                </span>
                {ended.reason && <span class="quiet"> {ended.reason}</span>}
              </Link>
              {answered && <Link row={answered.row}>{answered.text}</Link>}
            </>
          ) : (
            <Unknown />
          )}
        </Fact>
        <Fact name="Failed">
          {failed + messageErrors === 0 ? "no call" : <Failures summary={summary} />}
        </Fact>
        {loops.length > 0 && (
          <Fact name="Loops">
            <List of={loops}>
              {(loop) => (
                <Link row={loop.rows[0] ?? -1}>
                  {loopName(loop)} <span class="quiet">{loop.message}</span>
                </Link>
              )}
            </List>
          </Fact>
        )}
        <Fact name="Changed">
          <Changed files={files} totals={totals} />
        </Fact>
        {commits.length > 0 && (
          <Fact name="Commits">
            <List of={commits} all={totals.commits}>
              {(commit) => <Commit commit={commit} />}
            </List>
          </Fact>
        )}
        <Fact name="Time">{time ? <TimeParts time={time} /> : <Unknown />}</Fact>
        <Fact name="Cost">{summary.cost === undefined ? <Unknown /> : cost(summary.cost)}</Fact>
        <Fact name="Spent on">
          <Slot name="spent" doc={doc} />
        </Fact>
      </dl>
    </article>
  );
}

/** Instructions: one line of them, and all on demand. */
function System({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p class={isOpen ? "summary-system" : "summary-line"}>{text}</p>
      {!isOpen && /\n|.{80}/.test(text) && (
        <button type="button" class="summary-more" onClick={() => setOpen(true)}>
          all of it
        </button>
      )}
    </>
  );
}

function Unknown() {
  return <span title="not known">—</span>;
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="summary-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A line that goes to a row; plain text where that is not shown. */
function Link({ row, children }: { row: number; children: ComponentChildren }) {
  const viewer = useViewer();
  if (row < 0) return <p class="summary-line">{children}</p>;
  return (
    <button type="button" class="summary-line" onClick={() => viewer.jump(row)}>
      {children}
    </button>
  );
}

/** The first lines of a list, and a button for the others; `all` is how many there are beyond what the page has. */
function List<T>(props: { of: T[]; all?: number; children: (item: T) => ComponentChildren }) {
  const { of, all = of.length, children } = props;
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? of : of.slice(0, FIRST);
  const more = of.length - shown.length;
  return (
    <ul>
      {shown.map((item, i) => (
        <li key={i}>{children(item)}</li>
      ))}
      {more > 0 && (
        <li>
          <button type="button" class="summary-more" onClick={() => setOpen(true)}>
            {one(more, "more", "more")}
          </button>
        </li>
      )}
      {isOpen && all > of.length && (
        <li class="quiet">
          showing {count(of.length)} of {count(all)}
        </li>
      )}
    </ul>
  );
}

/** `8 calls, 2 fixed later · 1 model error`, and the calls. */
function Failures({ summary }: { summary: SummaryView }) {
  const { failed, mended, messageErrors, groups, groupCount, errors } = summary;
  const unlisted = errors.reduce((rest, error) => rest - error.count, messageErrors);
  return (
    <>
      <p>
        {one(failed, "call")}
        {mended > 0 && <span class="quiet">, {count(mended)} fixed later</span>}
        {messageErrors > 0 && ` · ${one(messageErrors, "model error")}`}
      </p>
      {groups.length > 0 && (
        <List of={groups} all={groupCount}>
          {(group) => <FailureGroup group={group} />}
        </List>
      )}
      {errors.length > 0 && (
        <List of={errors} all={errors.length + unlisted}>
          {(error) => <ModelError error={error} />}
        </List>
      )}
    </>
  );
}

/** `×16`; nothing of a single one. */
function Times({ count: number }: { count: number }) {
  return number > 1 ? <span class="summary-count"> ×{count(number)}</span> : null;
}

function ModelError({ error: { said, count: number, row } }: { error: ModelErrorView }) {
  return (
    <div class="summary-failure">
      <Link row={row}>
        <span class="summary-cross">✗</span>
        <span class="hidden">model error: </span>
        <span class="summary-said">{said}</span>
        <Times count={number} />
      </Link>
    </div>
  );
}

function FailureGroup({ group }: { group: FailureGroupView }) {
  const { tool, subject, exit, said, count: number, row, mended, mendedRow } = group;
  return (
    <div class="summary-failure">
      <Link row={row}>
        <span class="summary-cross">✗</span>
        <span class="hidden">failed: </span>
        <code>
          {tool} {subject}
        </code>
        {exit !== undefined && <span class="quiet"> exit {exit}</span>}
        <span class="summary-said"> {said}</span>
        <Times count={number} />
      </Link>
      {mended > 0 && (
        <Link row={mendedRow ?? -1}>
          <span class="summary-mended">
            <Icon name="below" />
            {number > 1 && mended < number ? `${count(mended)} fixed` : "fixed"}
          </span>
        </Link>
      )}
    </div>
  );
}

function Changed({ files, totals }: { files: ChangedFileView[]; totals: SummaryView["totals"] }) {
  if (totals.files === undefined) return <Unknown />;
  if (totals.files === 0) return <>no file</>;
  return (
    <>
      <p>
        {one(totals.files, "file")} <Lines {...totals} />
      </p>
      <List of={files} all={totals.files}>
        {(file) => {
          const [folder, name] = splitPath(file.path);
          return (
            <Link row={file.row}>
              <span class="quiet">{folder}</span>
              {name} <Lines {...file} />
            </Link>
          );
        }}
      </List>
    </>
  );
}

function Lines(lines: Parameters<typeof changed>[0]) {
  return <span class="summary-lines">{changed(lines)}</span>;
}

function Commit({ commit: { hash, message, row } }: { commit: CommitView }) {
  return (
    <Link row={row}>
      <code>{hash ?? "—"}</code> {message}
    </Link>
  );
}

const PARTS = ["model", "tools", "waiting", "idle"] as const;
const PART_NAMES = {
  model: "model",
  tools: "tools",
  waiting: "waiting for a person",
  idle: "idle",
};

function TimeParts({ time }: { time: TimeView }) {
  const { total, busy } = time;
  const parts = PARTS.filter((part) => time[part] > 0);
  return (
    <>
      <p>
        {duration(busy)} busy of {duration(total)}
      </p>
      <div class="summary-times" aria-hidden="true">
        {parts.map((part) => (
          <span key={part} class={`time-${part}`} style={{ flexGrow: time[part] / total }} />
        ))}
      </div>
      <p class="quiet summary-key">
        {parts.map((part) => (
          <span key={part}>
            <span class={`summary-swatch time-${part}`} aria-hidden="true" />
            {PART_NAMES[part]} {duration(time[part])}
          </span>
        ))}
      </p>
    </>
  );
}
