// Settings and text of loops for the commands.

/**
 * The settings for finished sessions: the number of their calls is not a sign of a loop. (Running sessions
 * have the default limit of the library.)
 */
export const FINISHED = { maxIterations: Number.MAX_SAFE_INTEGER };

/** `interrupt exact_repeat ×3: read({"path":"a"})` */
export const loopLine = ({ suggestedAction, kind, repeats, pattern }) =>
  `${suggestedAction} ${kind} ×${repeats}: ${pattern}`;

/** The index of the message of each of these parts, by part id. */
export function messagesOf(transcript, partIDs) {
  const wanted = new Set(partIDs);
  const found = new Map();
  for (let i = 0; i < transcript.messageCount && wanted.size > 0; i++) {
    for (const { id } of transcript.message(i)?.parts ?? []) {
      if (wanted.delete(id)) found.set(id, i);
    }
  }
  return found;
}
