import { Transcript } from "apex-parts";
import type { Overview } from "../../core/model/overview";
import type { CurrentTranscript } from "../../core/worker/current";
import type { Calls, Desk } from "../../core/worker/desk";
import { label } from "../../core/worker/fields";
import { OpenTranscript } from "../../core/worker/open_transcript";
import { overview } from "../../core/worker/overview";
import { sessionsOf } from "../../core/worker/sessions";
import { Superseded } from "../../core/worker/superseded";

/** The session of a task in the place of the file's own transcript, which is kept meanwhile. */
class TaskSession {
  private constructor(
    /** The file's own. */
    readonly root: OpenTranscript,
    readonly open: OpenTranscript,
    readonly facts: Overview,
  ) {}

  static show(
    root: OpenTranscript,
    id: string,
    name: string,
    current: CurrentTranscript,
  ): TaskSession {
    const info = root.transcript.sessions.find((session) => session.id === id);
    if (!info) throw new Error(`The file has no session ${label(id, 80)}.`);
    const json = JSON.stringify({ info, messages: root.transcript.messagesOf(id) });
    const bytes = new TextEncoder().encode(json);
    const open = new OpenTranscript(Transcript.open(bytes, { format: "opencode-export" }));
    const { map } = current.show(open);
    const facts = overview(open, map, name, bytes.length, bytes.length);
    // Its bytes are not those of the file: an offset in them means nothing to a reader.
    const problems = facts.problems.map(({ offset: _, ...problem }) => problem);
    const { format = "unknown" } = root.transcript;
    return new TaskSession(root, open, { ...facts, problems, format, session: id });
  }

  /** Shows the file's own transcript again. */
  end(current: CurrentTranscript): void {
    current.show(this.root);
    this.open.free();
  }

  free(): void {
    this.open.free();
    this.root.free();
  }
}

export function sessions(desk: Desk): Calls<"sessions" | "showSession"> {
  return {
    sessions: () => (desk.open ? sessionsOf(desk.open) : []),
    showSession(id) {
      const { instead, origin } = desk;
      const before = instead instanceof TaskSession ? instead : undefined;
      if (desk.readings > 0 || (instead && !before) || !origin) throw new Superseded();
      const root = before?.root ?? desk.transcript;
      const task = id === "" ? undefined : TaskSession.show(root, id, origin.name, desk);
      desk.instead = task;
      if (!task) before?.end(desk);
      else before?.open.free();
      return task?.facts;
    },
  };
}
