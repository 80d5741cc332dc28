// How the commands show loops.

/**
 * The settings for sessions that have ended: how many calls they made is no sign of a loop. (A
 * session that runs has a limit: the default of the library.)
 */
export const FINISHED = { maxIterations: Number.MAX_SAFE_INTEGER };

/** `interrupt exact_repeat ×3: read({"path":"a"})` */
export const loopLine = ({ suggestedAction, kind, repeats, pattern }) =>
  `${suggestedAction} ${kind} ×${repeats}: ${pattern}`;

/** The message that each of these parts is in. */
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
