import { outcome, type Part } from "apex-parts";
import type { Status } from "../model/tools";
import { type Fields, fields } from "./fields";

/**
 * How a call stands, as the core judges it: a command that ended with exit code 1 has failed. `holdsResults`: the file
 * also has what tools returned.
 */
export function callStatus(part: Fields, holdsResults: boolean): Status | undefined {
  const how = outcome(part as unknown as Part);
  if (how !== "running") return how;
  if (fields(part.state)?.status === "pending") return "pending";
  return holdsResults ? "running" : "requested";
}
