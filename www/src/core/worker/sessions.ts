import type { SessionView } from "../model/sessions";
import { type Fields, fields, label, text } from "./fields";
import type { OpenTranscript } from "./open_transcript";

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

/** The session of the task that a call started. */
export function sessionOfTask(state: Fields): string | undefined {
  const metadata = fields(state.metadata);
  return text(metadata?.sessionId) ?? text(metadata?.sessionID);
}
