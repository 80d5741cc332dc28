import type { CardReader } from "../../../core/worker/cards";
import { readPart } from "./registry";
import { callEnd } from "./tools/call_end";
import { objectOf } from "./tools/object";
import { toolCall } from "./tools/tool_call";
import { toolText } from "./tools/tool_view";

/** What reads parts for their cards, for the desk. */
export const cards: CardReader = {
  read: readPart,
  text: toolText,
  object: (part) => objectOf(toolCall(part)),
  end: callEnd,
};
