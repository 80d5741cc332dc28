// What the commands share: how they print and complain.

/** What the user has to mend; its message is all that is printed. */
export class Complaint extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

/** What a file is called in a message. */
export const nameOf = (file) => (file === "-" ? "standard input" : file);

const REASONS = { ENOENT: "there is no such file", EISDIR: "it is a folder" };

/** A file that could not be read. */
export const unreadable = (file, { code, message }) =>
  new Complaint(`${nameOf(file)}: ${REASONS[code] ?? message}`, 2);

/** `1 error`, `2,000 errors` */
export const plural = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;

/** Prints a line. */
export function print(text) {
  process.stdout.write(`${text}\n`);
}
