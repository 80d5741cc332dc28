// What the model is told when files cannot be read or written.
import { isExpected, messageOf } from "../errors.ts";
import { Expected } from "../expected.ts";

const WHY: Record<string, string> = {
  EACCES: "this user has no permission",
  EPERM: "the system does not permit it, or the file belongs to another user",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the device",
  EDQUOT: "the disk quota is used up",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of the path is not a directory",
  ELOOP: "a link is there now",
  ENAMETOOLONG: "a name in the path is too long",
  EINVAL: "it is not a regular file",
  ENXIO: "it is not a regular file",
  ETXTBSY: "it is a program that runs",
  EBUSY: "it is in use",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EIO: "the device failed",
  EAGAIN: "it has nothing to read yet",
};

/** The code of an error of a file system; undefined of another one. */
export function codeOf(error: unknown): string | undefined {
  // A cast: anything can be thrown.
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

/** Whether an error says that nothing is there. */
export const isMissing = (error: unknown): boolean =>
  codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";

/** What could not be done. */
export type Action = "read" | "written";

/** The error for the model; one that is not of the file system stays as it is. */
export function failed(error: unknown, path: string, action: Action): unknown {
  const code = codeOf(error);
  if (isExpected(error) || code === undefined) return error;
  if (code === "ESTALE") return moved(path, action);
  if (code === "ENOENT") return new Expected(`${path} cannot be ${action}: it was removed.`);
  return new Expected(`${path} cannot be ${action}: ${WHY[code] ?? messageOf(error)} (${code}).`);
}

/** Another file is there than the one that was checked, and for which permission was given. */
export const moved = (path: string, action: Action): Expected =>
  new Expected(
    `${path} was replaced, or leads elsewhere, since it was checked: nothing was ${action}. Call the tool again if it is still wanted.`,
  );

/** What is there is neither a file nor a directory. */
export const special = (path: string): Expected =>
  new Expected(`${path} is a device, a FIFO or a socket, not a file.`);

export const stoppedError = (): Expected => new Expected("The call was stopped.");
