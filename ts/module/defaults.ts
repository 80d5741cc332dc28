// Constants of the API that do not need the module.

import type { DoomLoopConfig } from "apex-parts:glue";

/** The same, which nobody can change. */
type Frozen<T> = {
  readonly [Field in keyof T]: T[Field] extends (infer One)[] | undefined
    ? readonly One[]
    : T[Field];
};

/** The default settings of the doom-loop detector. */
export const DEFAULT_DOOM_LOOP_CONFIG: Frozen<DoomLoopConfig> = Object.freeze({
  threshold: 3,
  checkInterval: 1000,
  maxIterations: 50,
  ignoredTools: Object.freeze(["todo-write", "todo-read"]),
});
