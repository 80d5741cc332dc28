/** What a session of a transcript is. */
export type SessionKind = "main" | "task" | "branch" | "other" | "replay";
/** Which session a question is about. */
export interface SessionScope {
  /** The id of a session of `sessions`. Default: the whole file. */
  session?: string;
}
