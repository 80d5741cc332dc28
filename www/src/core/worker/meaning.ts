import { fields, text } from "./fields";

/** What is compared of a file and of an error when two transcripts are compared. */
export function meaningOfFile(value: unknown): unknown {
  const file = fields(value) ?? {};
  return [file.mime, file.filename, file.url];
}

export function meaningOfError(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  const error = fields(value) ?? {};
  return [error.name, text(fields(error.data)?.message) ?? error.message ?? value];
}
