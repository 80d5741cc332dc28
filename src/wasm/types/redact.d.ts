/** The options of a `Redactor`. */
export interface RedactOptions {
  /** Names of kinds (`secretKinds()`) that are found and listed, and not masked. */
  keep?: string[];
  /**
   * Texts that are masked as well, wherever they are in a string that is a value, as the kind `masked`: strings as they
   * are, with their capital letters, and what regular expressions match.
   */
  mask?: (string | RegExp)[];
  /** The most places that are listed of each kind. Default: 20. */
  places?: number;
}
/** A kind of secret. */
export interface SecretKind {
  /** Its name: `github-token`. */
  kind: string;
  /** What it is, in words. */
  what: string;
}
/** A secret in a text. */
export interface SecretInText {
  kind: string;
  /** Where it begins, in UTF-16 units. */
  start: number;
  /** Where it ends. */
  end: number;
}
/** Where a secret is. */
export interface SecretPlace {
  /** The id of the message that it is in, if it is in one. */
  message?: string;
  /** The id of the part. */
  part?: string;
  /** The JSON Pointer of the string in the value that was given. */
  pointer: string;
  /** From `findInFile`: the line of the file, from 1, in which the value is, if the file has one per line. */
  line?: number;
  /** From `findInFile`: false, since it is in no message, so that no copy has it. */
  inCopy?: false;
  /** The secret's first four characters, of a short one the first, and its length. */
  shown: string;
  /** The number in its mask: equal secrets have the same. Left out if there are too many to tell them apart. */
  number?: number;
}
/** What was found of one kind. */
export interface SecretFinding extends SecretKind {
  /** How often. */
  count: number;
  /** How many of them differ. */
  distinct: number;
  /** Is it masked, or kept? */
  masked: boolean;
  /** The first of them. */
  places: SecretPlace[];
}
/** Masks what should not be shared, in texts and in values that JSON can hold. */
export interface Redactor {
  /**
   * Masks the secrets of a text.
   * @param value - The text.
   * @returns The text with masks; the given one if it has no secrets.
   */
  redact(value: string): string;
  /**
   * Masks the secrets of one value and of nothing else: of a file, give it the messages of each of its `sessions`.
   * Returns a new value, or the given one if it has no secrets. A string is masked as a text.
   * @param value - A text, or any value that JSON can hold.
   * @returns A value of the same shape.
   * @throws PartValidationError if it cannot be written as JSON.
   */
  redact<T>(value: T): T;
}
