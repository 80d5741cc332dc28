/** A value of a row: integers beyond 2^53 are bigints. */
export type SqliteValue = null | number | bigint | string | Uint8Array;
/** A file that is not all in memory. */
export interface SqliteSource {
  /** How many bytes it has. */
  size: number;
  /** Reads so many bytes from an offset on; fewer where the file ends. It is called as a method of this object. */
  read: (offset: number, length: number) => Uint8Array;
}
/** The options of `SqliteFile.open`. */
export interface SqliteOptions {
  /** The file `NAME-wal` beside the database: what was written and is not in it yet. One of another database is ignored. */
  wal?: Uint8Array | SqliteSource | null;
}
/** A table. */
export interface SqliteTable {
  /** Its name. */
  name: string;
  /** The names of its columns, without those that are computed when they are read. */
  columns: string[];
}
