// Output and errors of the commands.
import type { Problem, Transcript } from "apex-parts";
import type { TextFlag, Values } from "./options.ts";

/** An error that the user can correct: only its message is printed. `code` is the exit code. */
export class CliError extends Error {
  code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** The name of a file in messages. */
export const nameOf = (file: string): string => (file === "-" ? "standard input" : file);

/** A path as an argument of a command that is printed: quoted where a shell would split it or take it for more. */
export function argument(path: string): string {
  const isWindows = process.platform === "win32";
  if ((isWindows ? /^[\w.:\\/-]+$/ : /^[\w.:/@%+=-]+$/).test(path)) return path;
  return isWindows ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`;
}

const REASONS: Record<string, string> = {
  ENOENT: "no such file",
  EISDIR: "it is a folder",
  EACCES: "you have no permission to read it",
  EPERM: "you have no permission to read it",
};

/** The error for a file that could not be read. */
export function unreadable(file: string, error: unknown): CliError {
  const { code, message } = faultOf(error);
  return new CliError(`${nameOf(file)}: ${REASONS[code ?? ""] ?? message}`, 2);
}

/** The code and the message of what was thrown; only errors of the system have a code. */
export function faultOf(error: unknown): { code: string | undefined; message: string } {
  if (!(error instanceof Error)) return { code: undefined, message: String(error) };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { code, message: error.message };
}

/** Rewords the error of a stream that outgrew the memory: the advice of the library is for programs. */
export function outgrown(file: string, error: unknown): unknown {
  const { message } = faultOf(error);
  if (!message.startsWith("there is no memory for more of the file")) return error;
  const why =
    "it is kept in memory, and there is no memory for more of it; save it as a file, and name that";
  return new CliError(`${nameOf(file)}: ${why}`, 2);
}

/** The message of a problem that is printed behind its rule, which the message ends in. */
export const unruled = ({ rule, message }: Pick<Problem, "rule" | "message">): string =>
  message.endsWith(` (${rule})`) ? message.slice(0, -` (${rule})`.length) : message;

/** The whole number of an option; undefined if it is not given. */
export function wholeNumber(values: Values, name: TextFlag, least: number): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= 1e9) return number;
  throw new CliError(`--${name} must be an integer from ${least} to 1000000000, not ${text}`, 2);
}

/** A value in words; "—" if it is not known. */
export const orDash = <T>(value: T | undefined, words: (value: T) => string): string =>
  value === undefined ? "—" : words(value);

/** Prints a line. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Reports what could not be read: it is missing from the result. */
export function tellLost(transcript: Transcript, name: string): void {
  const lost = transcript.problems().filter((p) => p.path === "" && p.severity === "error");
  const [first] = lost;
  if (first === undefined) return;
  const more = lost.length > 1 ? ` (and ${lost.length - 1} more: apex-parts validate)` : "";
  process.stderr.write(`${name}: byte ${first.offset}: ${first.message}${more}\n`);
}
