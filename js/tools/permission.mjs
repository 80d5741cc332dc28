// Permission: rules, what a command of bash asks for, and the gate at which requests wait for a reply.
import { toolsShell } from "apex-parts:glue";
import { Gate } from "./gate.mjs";
import { disabled, evaluate, fromConfig, match, merge } from "./rules.mjs";

function shellRequest(command, { cwd, home, isInside }) {
  return toolsShell(command, cwd, home, isInside);
}

export const Permission = { fromConfig, merge, evaluate, disabled, match, shellRequest, Gate };
