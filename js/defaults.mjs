// Constants of the API that are there before the module is.

/** The seed's settings of the doom-loop detector: what `new DoomLoopDetector()` has. */
export const DEFAULT_DOOM_LOOP_CONFIG = Object.freeze({
  threshold: 3,
  checkInterval: 1000,
  maxIterations: 50,
  ignoredTools: Object.freeze(["todo-write", "todo-read"]),
});
