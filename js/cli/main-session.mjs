// Which of the sessions of a file a command is about.
import { CliError } from "./output.mjs";
import { plural } from "./units.mjs";

/**
 * The session that a command is about, the main one unless an id is wanted: its id and title, and how many others the
 * file has.
 */
export function mainSession(transcript, name, wanted) {
  const sessions = transcript.sessions ?? [];
  if (wanted !== undefined) {
    const found = sessions.find(({ id }) => id === wanted);
    if (found) return { ...found, others: sessions.length - 1 };
    const known = sessions.map(({ id }) => id).join(", ");
    throw new CliError(`${name}: no session ${wanted}; there is ${known || "none"}`, 1);
  }
  const own = transcript.session?.id;
  const main =
    sessions.find(({ id }) => id === own) ??
    sessions.find(({ parentID }) => parentID === undefined) ??
    sessions[0];
  const others = Math.max(0, sessions.length - 1);
  if (others > 0) {
    process.stderr.write(
      `${name}: ${plural(others + 1, "session")}; this is ${main.id} (--session ID: another)\n`,
    );
  }
  return { ...main, others };
}
