// What the model is told when files cannot be read or written.
import { Expected } from "../expected.ts";

const WHY = {
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

/** Whether an error says that nothing is there. */
export const isMissing = (error) => error?.code === "ENOENT" || error?.code === "ENOTDIR";

/**
 * The error for the model; one that is not of the file system stays as it is. `action`: what could not be done,
 * `read` or `written`.
 */
export function failed(error, path, action) {
  const code = error?.code;
  if (error?.expected === true || typeof code !== "string") return error;
  if (code === "ESTALE") return moved(path, action);
  if (code === "ENOENT") return new Expected(`${path} cannot be ${action}: it was removed.`);
  return new Expected(`${path} cannot be ${action}: ${WHY[code] ?? error.message} (${code}).`);
}

/** Another file is there than the one that was checked, and for which permission was given. */
export const moved = (path, action) =>
  new Expected(
    `${path} was replaced, or leads elsewhere, since it was checked: nothing was ${action}. Call the tool again if it is still wanted.`,
  );

/** What is there is neither a file nor a directory. */
export const special = (path) =>
  new Expected(`${path} is a device, a FIFO or a socket, not a file.`);

export const stoppedError = () => new Expected("The call was stopped.");
