import { errorLine, exitCode, type Part } from "apex-parts";
import type { CallEnd, FirstError } from "../../../../core/model/tools";
import { callStatus } from "../../../../core/worker/call_status";
import { type Fields, head, label } from "../../../../core/worker/fields";
import { known } from "./tool_call";
import { toolText } from "./tool_view";

/** Of a longer output only so much of the beginning is looked through, in UTF-16 units. */
const LOOKED_THROUGH = 400_000;

/** How a call stands, and where a failed one says why. */
export function callEnd(part: Fields, holdsResults: boolean): CallEnd {
  const status = callStatus(part, holdsResults);
  return known<CallEnd>({
    status,
    exit: exitCode(part as unknown as Part),
    firstError: status === "failed" ? firstError(part) : undefined,
  });
}

/** Where the output, as the card shows it, tells why the call failed. */
function firstError(part: Fields): FirstError | undefined {
  const found = errorLine(head(toolText(part, "output") ?? "", LOOKED_THROUGH));
  return found && { line: found.line, at: found.offset, text: label(found.text, 160) };
}
