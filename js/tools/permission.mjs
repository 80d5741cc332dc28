// Permission: rules, and the gate at which requests wait for a reply.
import { Gate } from "./gate.mjs";
import { disabled, evaluate, fromConfig, match, merge } from "./rules.mjs";

export const Permission = { fromConfig, merge, evaluate, disabled, match, Gate };
