import { exitCode, outcome, type Part } from "apex-parts";
import { type Fields, fields } from "../../../worker/fields";
import type { CallEnd } from "../model";
import { known } from "./tool_call";

/** How a call stands, as the core judges it: a command that ended with exit code 1 has failed. */
export function callEnd(part: Fields): CallEnd {
  const value = part as unknown as Part;
  const how = outcome(value);
  const isPending = fields(part.state)?.status === "pending";
  return known<CallEnd>({
    status: how === "running" && isPending ? "pending" : how,
    exit: exitCode(value),
  });
}
