// Permission: rules, what a command of bash asks for, and the gate at which requests wait for a reply.
import { toolsShell } from "apex-parts:glue";
import { guarded, invalid } from "./boundary.mjs";
import { Gate } from "./gate.mjs";
import { disabled, evaluate, fromConfig, match, merge } from "./rules.mjs";

function shellRequest(command, { cwd, home, isInside }) {
  if ([command, cwd, home].some((text) => typeof text !== "string")) {
    throw invalid("a command, cwd and home are texts");
  }
  if (typeof isInside !== "function") throw invalid("isInside is a function");
  return toolsShell(command, cwd, home, isInside);
}

export const Permission = {
  fromConfig: /* @__PURE__ */ guarded(fromConfig),
  merge: /* @__PURE__ */ guarded(merge),
  evaluate: /* @__PURE__ */ guarded(evaluate),
  disabled: /* @__PURE__ */ guarded(disabled),
  match: /* @__PURE__ */ guarded(match),
  shellRequest: /* @__PURE__ */ guarded(shellRequest),
  Gate,
};
