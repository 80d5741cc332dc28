// Output and errors of the commands.

/** An error that the user can correct: only its message is printed. `code` is the exit code. */
export class CliError extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

/** The name of a file in messages. */
export const nameOf = (file) => (file === "-" ? "standard input" : file);

const REASONS = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "it may not be read",
  EPERM: "it may not be read",
};

/** The error for a file that could not be read. */
export const unreadable = (file, { code, message }) =>
  new CliError(`${nameOf(file)}: ${REASONS[code] ?? message}`, 2);

/** Rewords the error of a stream that outgrew the memory: the advice of the library is for programs. */
export function outgrown(file, error) {
  if (!error.message.startsWith("there is no memory for more of the file")) return error;
  const why = "it is held, and there is no memory for more of it; save it as a file, and name that";
  return new CliError(`${nameOf(file)}: ${why}`, 2);
}

/** The message of a problem that is printed behind its rule, which the message ends in. */
export const unruled = ({ rule, message }) =>
  message.endsWith(` (${rule})`) ? message.slice(0, -` (${rule})`.length) : message;

/** The whole number of an option; undefined if it is not given. */
export function wholeNumber(values, name, least) {
  const given = values[name];
  if (given === undefined) return undefined;
  const number = Number(given);
  if (/^\d+$/.test(given) && number >= least && number <= 1e9) return number;
  throw new CliError(`--${name} is a whole number from ${least} to 1000000000, not ${given}`, 2);
}

/** What is not known is "—". */
export const known = (value, words) => (value === undefined ? "—" : words(value));

/** Prints a line. */
export function print(text) {
  process.stdout.write(`${text}\n`);
}
