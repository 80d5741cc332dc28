import { useViewer } from "../../../app/hooks";
import { Code } from "../../../ui/code";
import { DiffBlock } from "../../../ui/diff";
import { FileBox } from "../../../ui/file";
import { Foldable } from "../../../ui/foldable";
import { duration, preciseClock, splitPath } from "../../../ui/format";
import { Icon, type IconName } from "../../../ui/icons";
import { Json } from "../../../ui/json";
import type { LongText } from "../../../ui/values";
import { SessionButton } from "../../sessions/view";
import type { Status, ToolView } from "../model";
import { Todos } from "./todos";

interface ToolProps {
  view: ToolView;
  index: number;
  folded: boolean;
  whole: boolean;
}

const ICONS: Record<ToolView["body"]["kind"], IconName> = {
  shell: "shell",
  read: "file",
  write: "file",
  edit: "pencil",
  todos: "list",
  json: "tool",
};

/** A tool call: what was asked, what came of it, and through which states it went. */
export function ToolCard({ view, index, folded, whole }: ToolProps) {
  const viewer = useViewer();
  return (
    <Foldable
      class={`card tool tool-${view.body.kind} status-${view.status}`}
      onToggle={() => viewer.toggleFold(index)}
      folded={folded}
      fixed={whole}
      head={
        <>
          <Icon name={ICONS[view.body.kind]} />
          <span class="tool-name">{view.tool}</span>
          <span class="fold-first">{subtitle(view)}</span>
          <Outcome view={view} />
        </>
      }
    >
      <div class="card-body">
        <Body view={view} index={index} whole={whole} />
        <SessionButton id={view.session} />
        {view.error && (
          <div class="tool-error">
            <Code row={index} text={view.error} label="Error" terminal unfolded={whole} />
          </div>
        )}
        {view.attachments.map((file, i) => (
          <FileBox key={i} file={file} />
        ))}
      </div>
      <States view={view} />
    </Foldable>
  );
}

function Body({ view, index, whole }: { view: ToolView; index: number; whole: boolean }) {
  const { body, output } = view;
  const code = { row: index, unfolded: whole };
  switch (body.kind) {
    case "shell":
      return (
        <>
          <div class="command">
            <Code {...code} text={body.command} label="Command" language="bash" />
          </div>
          <Output {...code} text={output} status={view.status} />
        </>
      );
    case "read":
      return (
        <>
          <Path path={body.path} />
          {output && (
            <Code
              {...code}
              text={output}
              label={`Content of ${body.path}`}
              firstLine={body.firstLine}
              language={body.language}
            />
          )}
        </>
      );
    case "write":
      return (
        <>
          <Path path={body.path} />
          <Code
            {...code}
            text={body.content}
            label={`Content of ${body.path}`}
            firstLine={1}
            language={body.language}
          />
          {output && output.length > 0 && <p class="tool-note">{output.head.slice(0, 300)}</p>}
        </>
      );
    case "edit":
      return (
        <>
          <Path path={body.path} />
          <DiffBlock row={index} diff={body.diff} whole={whole} />
          {output && output.length > 0 && <p class="tool-note">{output.head.slice(0, 300)}</p>}
        </>
      );
    case "todos":
      return <Todos items={body.items} />;
    case "json":
      return (
        <>
          <h3 class="card-label">Input</h3>
          {view.streamed ? (
            <Code {...code} text={view.streamed} label="Input so far" language="json" />
          ) : (
            <Json value={body.input} label="Input" />
          )}
          {output && <h3 class="card-label">Output</h3>}
          {view.outputJson !== undefined ? (
            <Json value={view.outputJson} label="Output" />
          ) : (
            <Output {...code} text={output} status={view.status} />
          )}
        </>
      );
  }
}

function Output(props: {
  row: number;
  unfolded: boolean;
  text: LongText | undefined;
  status: Status;
}) {
  if (!props.text) return null;
  if (props.text.length === 0) return <p class="tool-note">No output</p>;
  return (
    <div class="output">
      <Code row={props.row} text={props.text} label="Output" terminal unfolded={props.unfolded} />
    </div>
  );
}

function Path({ path }: { path: string }) {
  const [folder, name] = splitPath(path);
  if (!path) return null;
  return (
    <p class="path">
      <span class="quiet">{folder}</span>
      {name}
    </p>
  );
}

function Outcome({ view }: { view: ToolView }) {
  const { start, end } = view.time;
  const exit = view.body.kind === "shell" ? view.body.exit : undefined;
  return (
    <span class="outcome">
      {view.body.kind === "edit" && (
        <span class="diff-count">
          <span class="added">+{view.body.diff.added}</span>{" "}
          <span class="removed">−{view.body.diff.removed}</span>
        </span>
      )}
      {exit !== undefined && <span class={exit === 0 ? "exit" : "exit exit-bad"}>exit {exit}</span>}
      {start !== undefined && end !== undefined && (
        <span class="fold-time">{duration(end - start)}</span>
      )}
      <span class={`state-word state-${view.status}`}>{view.status}</span>
    </span>
  );
}

/** The strip of states: those it went through in colour, with the times that were recorded. */
function States({ view }: { view: ToolView }) {
  const { status, time } = view;
  const last = status === "error" ? "error" : "completed";
  const reached = ["pending", "running", last].indexOf(status);
  const times = [undefined, time.start, time.end];
  return (
    <ol class="states" aria-label="States">
      {["pending", "running", last].map((state, i) => (
        <li
          key={state}
          class={i <= reached ? `state state-${state}` : "state"}
          aria-current={i === reached ? "step" : undefined}
        >
          <span class="state-bar" />
          {i <= reached ? state : <span class="hidden">{state}: not reached</span>}
          {i <= reached && times[i] !== undefined && (
            <span class="state-time">{preciseClock(times[i] ?? 0)}</span>
          )}
        </li>
      ))}
      {view.compacted !== undefined && (
        <li class="state-note">output compacted {preciseClock(view.compacted)}</li>
      )}
    </ol>
  );
}

/** What stands beside the tool's name: its title, or the most telling of its input. */
function subtitle(view: ToolView): string {
  const { body } = view;
  // Some tools have no title but their name, which stands there already.
  const title = view.title === view.tool ? "" : view.title;
  if (body.kind === "shell") return body.description || title || body.command.head.slice(0, 120);
  if (body.kind === "edit" || body.kind === "read" || body.kind === "write") {
    return splitPath(body.path)[1] || title;
  }
  // Tools count their lists without looking at the number.
  if (body.kind === "todos") return title.replace(/^1 todos$/, "1 todo");
  if (title) return title;
  if (body.kind !== "json" || typeof body.input !== "object" || body.input === null) return "";
  if (body.input.kind !== "object") return "";
  const first = body.input.entries.find(([, value]) => typeof value === "string");
  return first ? String(first[1]).slice(0, 120) : "";
}
