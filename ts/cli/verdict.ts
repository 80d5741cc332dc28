// Settings and text of loops for the commands.

/**
 * The settings for finished sessions: the number of their calls is not a sign of a loop. (Running sessions
 * have the default limit of the library.)
 */
export const FINISHED = { maxIterations: Number.MAX_SAFE_INTEGER };

/** `interrupt exact_repeat ×3: read({"path":"a"})` */
export const loopLine = ({ suggestedAction, kind, repeats, pattern }) =>
  `${suggestedAction} ${kind} ×${repeats}: ${pattern}`;
