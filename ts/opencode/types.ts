// The types of sessions of OpenCode.
import type { WithParts } from "apex-parts:glue";

/** How `toOpenCode` converts. */
export interface OpenCodeOptions {
  /** The folder of the session, and of messages that name none. `opencode import` sets the one that it runs in. */
  directory?: string;
  /** The title; by default that of the session, or the first words of the first prompt. */
  title?: string;
  /** The id of the session, if a transcript has several; by default the main one. */
  session?: string;
  /** True: every id is new, so that the session is imported beside itself. */
  newIds?: boolean;
}
/** A session as `opencode import` takes it and `opencode export` gives it. */
export interface OpenCodeSession {
  info: {
    id: string;
    slug: string;
    title: string;
    version: string;
    time: { created: number; updated: number };
    [field: string]: unknown;
  };
  messages: WithParts[];
}
/** A message as OpenCode 2 has it. Its other fields depend on its type. */
export interface OpenCode2Record {
  id: string;
  type: string;
  time: { created: number; completed?: number; [field: string]: unknown };
  [field: string]: unknown;
}
/** A session as `opencode import` of OpenCode 2 takes it and its `opencode export` gives it. */
export interface OpenCode2Session {
  info: {
    id: string;
    projectID: string;
    cost: number;
    tokens: {
      input: number;
      output: number;
      reasoning: number;
      cache: { read: number; write: number };
    };
    time: { created: number; updated: number; archived?: number };
    title?: string;
    location: { directory: string };
    [field: string]: unknown;
  };
  messages: OpenCode2Record[];
}
/** The text of a session in pieces, in bounded memory: each iteration writes all of it. */
export interface OpenCodeText extends Iterable<string> {
  /** What OpenCode has no place for, and how often it was left out; known at the end of an iteration. */
  readonly dropped: { field: string; count: number }[];
}
