/** `viewer` is one file with the viewer in it. */
export type ExportFormat = "viewer" | "json" | "markdown" | "html";

/** A piece of an exported document, and the index of the message after it: that of the end after the last piece. */
export interface ExportPiece {
  blob: Blob;
  next: number;
}

/** Which messages are exported: from one index to before another; and what of them is masked. */
export interface ExportOptions {
  first: number;
  end: number;
  /** The kinds of secrets that are not masked; without it nothing is looked for. */
  keep?: string[] | undefined;
}

/** A secret: what is shown of it, and the id of the part or message that it is in first. */
export interface SecretSpot {
  id: string | undefined;
  shown: string;
  /** How often it is there. */
  times: number;
}

/** What was found of a kind of secrets. */
export interface SecretView {
  kind: string;
  /** In words. */
  what: string;
  count: number;
  distinct: number;
  /** The first that differ. */
  spots: SecretSpot[];
  /** Each of them may be there more often: not all places were looked through. */
  more: boolean;
}

/** What a search for secrets has found so far. `title` is that of the transcript, masked. */
export interface SecretsFound {
  next: number;
  found: SecretView[];
  title: string;
}
