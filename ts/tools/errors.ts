// Errors of tools, as all errors of this package are: an Error with a name and details.
import { newError } from "apex-parts:errors";

/** A definition that cannot become a tool. */
export const definitionError = (id: unknown, why: string): Error =>
  newError("ToolDefinitionError", `The tool ${String(id)} cannot be defined: ${why}`, { id });

/** A request that the rules deny, or that nobody can answer. */
export const permissionDenied = (message: string, details?: object): Error =>
  newError("PermissionDenied", message, { ...details });

/** A request that was turned down. */
export const permissionRejected = (message: string, details?: object): Error =>
  newError("PermissionRejected", message, { ...details });

/** A request that was turned down with a message for the model. */
export const permissionCorrected = (message: string, details?: object): Error =>
  newError("PermissionCorrected", message, { ...details });

const PERMISSIONS = new Set<unknown>([
  "PermissionDenied",
  "PermissionRejected",
  "PermissionCorrected",
]);

/** Whether an error says that a request was not permitted. */
export function isPermissionError(error: unknown): boolean {
  try {
    // A cast: anything can be thrown, and what has no such field has it undefined.
    return PERMISSIONS.has((error as { name?: unknown } | null | undefined)?.name);
  } catch {
    return false;
  }
}

/** What a thrown value says: the message of an error, the value as a string otherwise; "" if nothing. */
export function messageOf(thrown: unknown): string {
  try {
    // A cast: anything can be thrown, and what has no such field has it undefined.
    const { message: said } = (thrown ?? {}) as { message?: unknown };
    const message = thrown instanceof Error || typeof said === "string" ? said : String(thrown);
    return typeof message === "string" ? message : String(message);
  } catch {
    return "";
  }
}

/** What an error of a tool tells of itself for the error state: `metadata`, and its kind; undefined if nothing. */
export function told(
  error: unknown,
): { metadata: Record<string, unknown>; kind: string | undefined } | undefined {
  try {
    // A cast: as above.
    const { metadata, kind } = error as { metadata?: unknown; kind?: unknown };
    if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata))
      return undefined;
    return { metadata: { ...metadata }, kind: typeof kind === "string" ? kind : undefined };
  } catch {
    return undefined;
  }
}

/** Whether an error says that a tool threw it on purpose. */
export function isExpected(error: unknown): boolean {
  try {
    // A cast: anything can be thrown.
    return (error as { expected?: unknown } | undefined)?.expected === true;
  } catch {
    return false;
  }
}
