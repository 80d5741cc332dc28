import type { ToolView } from "../../core/model/tools";
import { useViewer } from "../../core/page/hooks";
import { Icon } from "../../ui/icons";
import { ROOT } from "./store";

/** Which session of the file is on screen, and the others; nothing where it has one only. */
export function SessionBar() {
  const { sessions, store } = useViewer();
  const { tasks = [], title, shown } = sessions.store.state;
  const compares = store.state.beside !== undefined;
  if (tasks.length === 0 || compares) return null;
  return (
    <section class="session-bar" aria-label="Session">
      <label>
        <span class="session-label">Session</span>
        <select
          class="session-choice"
          aria-label="Session"
          value={shown}
          onChange={(event) => void sessions.open(event.currentTarget.value)}
        >
          <option value={ROOT}>{title}</option>
          {tasks.map((task) => (
            <option key={task.id} value={task.id}>
              {`${"\u2003".repeat(depthOf(task.id, tasks))}${task.title}`}
            </option>
          ))}
        </select>
      </label>
      {shown !== ROOT && (
        <button
          type="button"
          class="button"
          title="Back to the session that gave this task"
          onClick={() => void sessions.open(sessions.parent, { focus: true })}
        >
          Back
        </button>
      )}
    </section>
  );
}

/** On the card of a task: the way to what was said in its session, in this file or another of the list. */
export function SessionButton({ call }: { call: ToolView }) {
  const { sessions, runs, store } = useViewer();
  if (store.state.beside !== undefined) return null;
  const here = sessions.taskOf(call.session, call.call);
  const there = here === undefined ? runs.taskOf(call.session, call.output?.head ?? "") : undefined;
  if (here === undefined && !there) return null;
  return (
    <button
      type="button"
      class="button session-button"
      onClick={(event) => {
        event.stopPropagation();
        if (here !== undefined) void sessions.open(here, { focus: true });
        else if (there) void runs.openTask(there);
      }}
    >
      <Icon name="branch" />
      Open sub-agent’s session
    </button>
  );
}

/** The number of tasks between a session and the file's own: a task of a task is deeper. */
function depthOf(id: string, tasks: { id: string; parent?: string }[]): number {
  let depth = 0;
  let at = tasks.find((task) => task.id === id);
  while (at && depth < 8) {
    depth++;
    const { parent } = at;
    at = tasks.find((task) => task.id === parent);
  }
  return depth;
}
