import type { PartView, Prose } from "../model/parts";
import type { CallEnd } from "../model/tools";
import type { Fields } from "./fields";

/** What the reader of a part takes of the transcript around the part. */
export interface PartPlace {
  /** The part as it is in the file: of a broken one it may be anything. */
  whole: unknown;
  /** The number of the step that it belongs to. */
  step(): number;
  /** What the model gets in the place of an output that was cleared. */
  cleared: string;
  /** How the part stands, if it is a call. */
  end(): CallEnd;
  /** The beginning of what a person or the model wrote in a text; undefined where a program put it there. */
  said(part: Fields): string | undefined;
  /** A long text as markdown; its first words are those of `said`, if that is given. */
  prose(text: string, said?: string): Prose;
}

/** Reads parts for their cards, for all features of the worker: the desk has it. */
export interface CardReader {
  /** What a row shows of a part. */
  read(part: Fields, place: PartPlace): PartView;
  /** One of a call's long strings as its card shows it, whole. */
  text(part: Fields, field: string): string | undefined;
  /** What a call is about, in one line; empty where its input names nothing. */
  object(part: Fields): string;
  /** How a call stands. `holdsResults`: the file also has what tools returned. */
  end(part: Fields, holdsResults: boolean): CallEnd;
}
