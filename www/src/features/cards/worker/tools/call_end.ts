import { errorLine, exitCode, outcome, type Part } from "apex-parts";
import type { CallEnd, FirstError, Status } from "../../../../core/model/tools";
import { type Fields, fields, head, label } from "../../../../core/worker/fields";
import { known } from "./tool_call";
import { toolText } from "./tool_view";

/** Of a longer output only so much of the beginning is looked through, in UTF-16 units. */
const LOOKED_THROUGH = 400_000;

/**
 * How a call stands, as the core judges it: a command that ended with exit code 1 has failed. `holdsResults`: the file
 * also has what tools returned.
 */
export function callEnd(part: Fields, holdsResults: boolean): CallEnd {
  const value = part as unknown as Part;
  const how = outcome(value);
  return known<CallEnd>({
    status: how === "running" ? unended(part, holdsResults) : how,
    exit: exitCode(value),
    firstError: how === "failed" ? firstError(part) : undefined,
  });
}

function unended(part: Fields, holdsResults: boolean): Status {
  if (fields(part.state)?.status === "pending") return "pending";
  return holdsResults ? "running" : "requested";
}

/** Where the output, as the card shows it, tells why the call failed. */
function firstError(part: Fields): FirstError | undefined {
  const found = errorLine(head(toolText(part, "output") ?? "", LOOKED_THROUGH));
  return found && { line: found.line, at: found.offset, text: label(found.text, 160) };
}
