import { Transcript } from "apex-parts";
import type { Overview } from "../../core/model/overview";
import type { SessionView } from "../../core/model/sessions";
import type { CurrentTranscript } from "../../core/worker/current";
import type { Calls, Desk } from "../../core/worker/desk";
import { fields, label } from "../../core/worker/fields";
import { OpenTranscript } from "../../core/worker/open_transcript";
import { Superseded } from "../../core/worker/superseded";
import { overview } from "../transcript/worker/overview";

/** This many sessions of a file can be chosen from; no tool writes a longer id. */
const LISTED = 1000;
const LONGEST_ID = 200;

/** The sessions that a file has besides those whose messages are its rows: the ones of tasks. */
export function sessionsOf({ transcript, layout }: OpenTranscript): SessionView[] {
  if (layout.sessions.length === 0) return [];
  const inRows = new Set(layout.sessions);
  // That the file is of may be another than its messages say they are of.
  const own = fields(transcript.session)?.id;
  return transcript.sessions
    .filter(({ id }, place) => !inRows.has(place) && id !== own && id.length <= LONGEST_ID)
    .slice(0, LISTED)
    .map(({ id, parentID, title }) => ({
      id,
      title: label(title, 200) || id,
      ...(parentID === undefined ? {} : { parent: parentID }),
    }));
}

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
