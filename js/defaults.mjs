// Constants of the API that do not need the module.

/** The default settings of the doom-loop detector. */
export const DEFAULT_DOOM_LOOP_CONFIG = Object.freeze({
  threshold: 3,
  checkInterval: 1000,
  maxIterations: 50,
  ignoredTools: Object.freeze(["todo-write", "todo-read"]),
});
