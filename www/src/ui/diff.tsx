import { Fragment } from "preact";
import { useBlockSource } from "./blocks";
import { one } from "./format";
import type { Diff, DiffLine } from "./values";

const FOLD_LINES = 40;
const SIGNS: Record<DiffLine["kind"], string> = {
  add: "+",
  del: "−",
  same: "",
  hunk: "",
  file: "",
};
const WORDS: Partial<Record<DiffLine["kind"], string>> = { add: "added: ", del: "removed: " };

interface DiffProps {
  row: number;
  diff: Diff;
  whole: boolean;
  /** Which diff it is, where a row has several. */
  name?: string;
}

/** A diff with the line numbers of both sides, folded after 40 lines. */
export function DiffBlock({ row, diff, whole, name = "diff" }: DiffProps) {
  const { expandedBlocks } = useBlockSource();
  const key = `${row} ${name}${whole ? " all" : ""}`;
  const expanded = expandedBlocks.get(key);
  const all = expanded === undefined ? whole : expanded === 1;
  const lines = all ? diff.lines : diff.lines.slice(0, FOLD_LINES);
  const left = diff.total - diff.lines.length;
  const toggle = () => expandedBlocks.set(key, all ? 0 : 1);
  return (
    <figure class="diff" aria-label="Changes" data-field="diff">
      <table>
        <tbody>
          {lines.map((line, i) => (
            <tr key={i} class={`diff-${line.kind}`}>
              <td class="diff-number">{line.old}</td>
              <td class="diff-number">{line.new}</td>
              <td class="diff-sign" aria-hidden="true">
                {SIGNS[line.kind]}
              </td>
              <td class="diff-text">
                {WORDS[line.kind] && <span class="hidden">{WORDS[line.kind]}</span>}
                {line.marks ? <Marked line={line} marks={line.marks} /> : line.text}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {diff.lines.length > FOLD_LINES && (
        <div class="code-more">
          <button type="button" onClick={toggle}>
            {all ? "Show less" : `Show all ${one(diff.lines.length, "line")}`}
          </button>
        </div>
      )}
      {all && left > 0 && <p class="tool-note">{one(left, "more line")} in the Raw tab</p>}
    </figure>
  );
}

/** A line with the words that the other side has not. */
function Marked({ line, marks }: { line: DiffLine; marks: [number, number][] }) {
  const { text } = line;
  return (
    <>
      {marks.map(([start, end], i) => (
        <Fragment key={start}>
          {text.slice(marks[i - 1]?.[1] ?? 0, start)}
          <mark>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  );
}
