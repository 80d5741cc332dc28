import { useEffect, useState } from "preact/hooks";
import { useViewer } from "../../core/page/hooks";
import type { OpenDocument } from "../../core/store/document";
import { agentName } from "../../ui/agents";
import { brief, cost, count, duration } from "../../ui/format";
import {
  type BreakdownColumn,
  type BreakdownLine,
  COLUMNS,
  DIVISIONS,
  type Division,
  sorted,
} from "./model";

/** How many lines are shown before the others are asked for. */
const FIRST = 8;

const HEADS: Record<BreakdownColumn, string> = {
  calls: "Calls",
  failed: "Failed",
  ms: "Time",
  tokens: "Tokens",
  cost: "Cost",
};

/** Where calls, time, tokens and cost went: a table by tool, step, model, agent or file. */
export function Breakdown({ doc }: { doc: OpenDocument }) {
  const [by, setBy] = useState<Division>("tool");
  const [column, setColumn] = useState<BreakdownColumn>("ms");
  const [all, setAll] = useState(false);
  const [lines, setLines] = useState<BreakdownLine[]>();
  // Another one when the transcript has grown.
  const { summary } = doc;
  useEffect(() => {
    let isWanted = true;
    doc.client.call("breakdown", by).then(
      (found) => isWanted && setLines(found),
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [doc, by, summary]);
  const shown = sorted(lines ?? [], column);
  const more = shown.length - FIRST;
  return (
    <div class="breakdown">
      <fieldset class="breakdown-by">
        <legend class="hidden">Where it went, by</legend>
        {DIVISIONS.map((division) => (
          <button
            key={division}
            type="button"
            aria-pressed={division === by}
            onClick={() => {
              setBy(division);
              setAll(false);
            }}
          >
            {division}
          </button>
        ))}
      </fieldset>
      <div class="breakdown-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{by.charAt(0).toUpperCase() + by.slice(1)}</th>
              {COLUMNS.map((each) => (
                <th key={each} scope="col" aria-sort={each === column ? "descending" : "none"}>
                  <button type="button" onClick={() => setColumn(each)}>
                    {HEADS[each]}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines?.length === 0 && (
              <tr>
                <td class="breakdown-nothing quiet" colSpan={COLUMNS.length + 1}>
                  nothing
                </td>
              </tr>
            )}
            {(all ? shown : shown.slice(0, FIRST)).map((line) => (
              <tr key={`${line.name} ${line.row}`}>
                <th scope="row">
                  <Name line={line} by={by} />
                </th>
                <td>{count(line.calls)}</td>
                <td class={line.failed > 0 ? "breakdown-failed" : ""}>{count(line.failed)}</td>
                <td>{known(line.ms, duration)}</td>
                <td>{known(line.tokens, brief)}</td>
                <td>{known(line.cost, cost)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && !all && (
        <button type="button" class="summary-more" onClick={() => setAll(true)}>
          {count(more)} more
        </button>
      )}
    </div>
  );
}

function known(value: number | undefined, words: (value: number) => string): string {
  return value === undefined ? "—" : words(value);
}

/** The name of a line: it goes to the step, or looks for the calls of the tool. */
function Name({ line, by }: { line: BreakdownLine; by: Division }) {
  const viewer = useViewer();
  const name = (by === "agent" ? agentName(line.name) : line.name) || "—";
  if (line.row >= 0) {
    return (
      <button type="button" onClick={() => viewer.jump(line.row)}>
        {name}
      </button>
    );
  }
  if (by !== "tool" || !/^[\w.-]+$/.test(line.name)) return <span title={name}>{name}</span>;
  return (
    <button
      type="button"
      onClick={() => {
        viewer.search.show();
        viewer.search.change({ text: `tool:${line.name}` });
      }}
    >
      {name}
    </button>
  );
}
