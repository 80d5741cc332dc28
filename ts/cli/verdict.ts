// Settings and text of loops for the commands.
import type { DoomLoopConfig, DoomLoopDetectionResult } from "apex-parts";

/**
 * The settings for finished sessions: the number of their calls is not a sign of a loop. (Running sessions
 * have the default limit of the library.)
 */
export const FINISHED: DoomLoopConfig = { maxIterations: Number.MAX_SAFE_INTEGER };

/** `interrupt exact_repeat ×3: read({"path":"a"})` */
export const loopLine = (loop: DoomLoopDetectionResult): string => {
  const { suggestedAction, kind, repeats, pattern } = loop;
  return `${suggestedAction} ${kind} ×${repeats}: ${pattern}`;
};
