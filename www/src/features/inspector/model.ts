import type { JsonNode, LongText } from "../../ui/values";

/** What the inspector shows of a row besides the row itself. */
export interface Detail {
  raw: LongText;
  input?: JsonNode;
  output?: LongText;
  outputJson?: JsonNode;
  error?: LongText;
}
