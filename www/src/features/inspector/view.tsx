import { useEffect, useRef, useState } from "preact/hooks";
import type { ProblemView } from "../../core/model/problems";
import type { Row } from "../../core/model/rows";
import type { InspectorTab } from "../../core/page/context";
import type { Cards } from "../../core/page/feature";
import { useOpenDocument, usePage, useViewer } from "../../core/page/hooks";
import { Slot, useCards } from "../../core/page/slot";
import { Code } from "../../ui/code";
import { count } from "../../ui/format";
import { Icon } from "../../ui/icons";
import { Json } from "../../ui/json";
import { Tabs } from "../../ui/tabs";
import type { Detail } from "./model";

/** The most problems of a part that are listed; the problems panel has the rest. */
const LISTED = 200;

/**
 * The selected part in full: drawn, its input, its output, its JSON and its problems. `file` says
 * which transcript it is of, where two are open.
 */
export function Inspector({ file }: { file?: string }) {
  const doc = useOpenDocument();
  const { selected } = usePage();
  return (
    <aside class="pane pane-inspector" aria-label="Inspector">
      {selected < 0 ? (
        <>
          <header class="pane-title">
            <h2>Inspector</h2>
            <Close />
          </header>
          <p class="empty">
            Select a part to see it in full. <kbd>j</kbd> and <kbd>k</kbd> move from part to part,{" "}
            <kbd>?</kbd> shows all keys.
          </p>
        </>
      ) : (
        <Selected key={`${doc.id} ${selected}`} index={selected} file={file} />
      )}
    </aside>
  );
}

/** The same, of the open transcript. */
export function InspectorPane() {
  return <Inspector />;
}

function Selected({ index, file }: { index: number; file: string | undefined }) {
  const viewer = useViewer();
  const doc = useOpenDocument();
  const { tab: chosen } = usePage();
  const row = useRow(index);
  const detail = useDetail(index, row);
  const { nameOf } = useCards();
  const problems = doc.problems.get(index) ?? [];
  const tabs = tabsOf(detail, problems.length);
  const tab = tabs.some(({ name, off }) => name === chosen && !off) ? chosen : "rendered";
  return (
    <>
      <header class="pane-title inspector-title">
        <h2>{row ? title(row, nameOf) : "\u00a0"}</h2>
        {file && <span class="chip inspector-file">{file}</span>}
        {row && <span class="inspector-id">{row.id}</span>}
        <Close />
      </header>
      <Tabs
        label="Views of the part"
        tabs={tabs}
        chosen={tab}
        onChoose={(name) => viewer.store.set({ tab: name })}
      />
      <div
        class="inspector-body"
        role="tabpanel"
        id="inspector-panel"
        aria-labelledby={`inspector-tab-${tab}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <Panel tab={tab} index={index} row={row} detail={detail} problems={problems} />
      </div>
    </>
  );
}

/** Of a column or of what lies over the transcript; a sheet has its own. */
function Close() {
  const { panels } = useViewer();
  return (
    <button
      type="button"
      class="button button-icon only-wide inspector-close"
      aria-label="Close the inspector"
      title="Close the inspector (Esc)"
      onClick={() => panels.closeInspector()}
    >
      <Icon name="close" />
    </button>
  );
}

interface PanelProps {
  tab: InspectorTab;
  index: number;
  row: Row | undefined;
  detail: Detail | undefined;
  problems: ProblemView[];
}

function Panel({ tab, index, row, detail, problems }: PanelProps) {
  switch (tab) {
    case "rendered":
      if (!row) return null;
      return row.kind === "message" ? (
        <Slot name="message" row={row} />
      ) : (
        <Slot name="part" row={row} index={index} folded={false} whole />
      );
    case "input":
      return detail?.input === undefined ? null : <Json value={detail.input} label="Input" />;
    case "output":
      return detail ? <OutputPanel detail={detail} index={index} /> : null;
    case "raw":
      return detail ? (
        <Code row={index} text={detail.raw} label="JSON" language="json" unfolded />
      ) : null;
    case "problems":
      if (problems.length === 0) return <p class="empty">No problems here.</p>;
      return (
        <ul class="problem-list">
          {problems.slice(0, LISTED).map((problem) => (
            <li
              class="problem"
              key={`${problem.rule} ${problem.path} ${problem.offset} ${problem.message}`}
            >
              <Slot name="problem" problem={problem} />
            </li>
          ))}
          {problems.length > LISTED && (
            <li class="problem quiet">and {count(problems.length - LISTED)} more</li>
          )}
        </ul>
      );
  }
}

function OutputPanel({ detail, index }: { detail: Detail; index: number }) {
  if (detail.error) {
    return <Code row={index} text={detail.error} label="Error" terminal unfolded />;
  }
  if (detail.outputJson !== undefined) return <Json value={detail.outputJson} label="Output" />;
  if (!detail.output || detail.output.length === 0) return <p class="empty">No output.</p>;
  return <Code row={index} text={detail.output} label="Output" terminal unfolded />;
}

/** Input and output are those of a call. */
function tabsOf(
  detail: Detail | undefined,
  problems: number,
): { name: InspectorTab; title: string; off: boolean }[] {
  const isCall = detail?.input !== undefined;
  return [
    { name: "rendered", title: "Rendered", off: false },
    { name: "input", title: "Input", off: !isCall },
    { name: "output", title: "Output", off: !isCall },
    { name: "raw", title: "Raw", off: false },
    { name: "problems", title: problems > 0 ? `Problems (${problems})` : "Problems", off: false },
  ];
}

function title(row: Row, nameOf: Cards["nameOf"]): string {
  if (row.kind === "message") return `Message ${row.message}`;
  const name = nameOf(row).replace(/,.*/, "");
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The selected row, which may have scrolled out of the list's cache. */
function useRow(index: number): Row | undefined {
  const doc = useOpenDocument();
  const kept = useRef<Row | undefined>(undefined);
  const row = doc.rows.get(index) ?? kept.current;
  kept.current = row;
  useEffect(() => doc.rows.want(index, index));
  return row;
}

/** Asked for again when the row is another: it goes on, or is replayed. */
function useDetail(index: number, row: Row | undefined): Detail | undefined {
  const doc = useOpenDocument();
  const [detail, setDetail] = useState<Detail>();
  useEffect(() => {
    let current = true;
    void doc.client.call("detail", index).then((value) => {
      if (current) setDetail(value);
    });
    return () => {
      current = false;
    };
  }, [doc, index, row]);
  return detail;
}
