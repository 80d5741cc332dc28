import type { JsonNode, LongText } from "../../ui/values";

/** What the inspector shows beside the drawn part. */
export interface Detail {
  raw: LongText;
  input?: JsonNode;
  output?: LongText;
  outputJson?: JsonNode;
  error?: LongText;
}
