// biome-ignore-all lint/suspicious/noEmptyInterface: programs add to `CustomParts`.
import type { APIError, PartBase } from "apex-parts:glue";

/**
 * The types of parts that a program adds to `Part`: the name of a type, and the fields that it has beside `type` and
 * those of `PartBase`. A program declares them once, in a module of its own; the types hold for every entry.
 * @example
 * ```ts
 * import type { Part } from "apex-parts";
 *
 * declare module "apex-parts" {
 *   interface CustomParts {
 *     "my-note": { text: string };
 *   }
 * }
 *
 * const textOf = (part: Part) => (part.type === "my-note" ? part.text : "");
 * textOf({ id: "p", sessionID: "s", messageID: "m", type: "my-note", text: "Hi" }); // "Hi"
 * ```
 */
export interface CustomParts {}
/** The part of a type that `CustomParts` has. */
export type CustomPartOf<Type extends keyof CustomParts> = PartBase & { type: Type } & CustomParts[Type];
/** The parts of all types that `CustomParts` has; `never` if it has none. */
export type ProgramPart = { [Type in keyof CustomParts]: CustomPartOf<Type> }[keyof CustomParts];
/** Why a message failed or a request was sent again. `name` tells the form: `undefined` is the flat one. */
export type MessageError = FlatAPIError | NamedError;
/** An error in the form of apex-bridge: an `APIError` without a name. */
export interface FlatAPIError extends APIError {
  name?: undefined;
  data?: undefined;
}
/**
 * An error in the form of OpenCode: `name` says what `data` holds. The validator checks that the name is one of these,
 * and that `data` is an object.
 */
export type NamedError =
  | { name: "ProviderAuthError"; data: { providerID: string; message: string } }
  | { name: "UnknownError"; data: { message: string; ref?: string } }
  | { name: "MessageOutputLengthError"; data: Record<string, unknown> }
  | { name: "MessageAbortedError"; data: { message: string } }
  | { name: "StructuredOutputError"; data: { message: string; retries: number } }
  | { name: "ContextOverflowError"; data: { message: string; responseBody?: string } }
  | { name: "ContentFilterError"; data: { message: string } }
  | { name: "APIError"; data: APIError };
/** What changed in a file, as OpenCode writes it. The validator does not look into it. */
export interface FileDiff {
  /** The path of the file. */
  file?: string;
  /** The change as a unified diff. */
  patch?: string;
  /** The whole text before; older versions wrote it instead of `patch`. */
  before?: string;
  /** The whole text after; older versions wrote it instead of `patch`. */
  after?: string;
  /** The number of lines added. */
  additions: number;
  /** The number of lines removed. */
  deletions: number;
  status?: "added" | "deleted" | "modified";
}
