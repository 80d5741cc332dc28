/** What several cards have in common. */
import { Code } from "../../../../ui/code";
import { splitPath } from "../../../../ui/format";
import type { LongText } from "../../../../ui/values";

/** The name of a file, or else the call's title. */
export function fileTitle({ path }: { path: string }, title: string): string {
  return splitPath(path)[1] || title;
}

export function Output(props: { row: number; unfolded: boolean; text: LongText | undefined }) {
  if (!props.text) return null;
  if (props.text.length === 0) return <p class="tool-note">No output</p>;
  return (
    <div class="output">
      <Code row={props.row} text={props.text} label="Output" terminal unfolded={props.unfolded} />
    </div>
  );
}

export function Path({ path }: { path: string }) {
  const [folder, name] = splitPath(path);
  if (!path) return null;
  return (
    <p class="path">
      <span class="quiet">{folder}</span>
      {name}
    </p>
  );
}

/** The output of a tool whose card already shows what it did. */
export function Note({ text }: { text: LongText | undefined }) {
  return text && text.length > 0 ? <p class="tool-note">{text.head.slice(0, 300)}</p> : null;
}
