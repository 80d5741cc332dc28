/** Which ids the validator accepts. */
export interface ValidateOptions {
  /** "apex" (default): sessionID and messageID are UUIDs (BR-04). "opencode": any non-empty id. */
  ids?: "apex" | "opencode";
}
