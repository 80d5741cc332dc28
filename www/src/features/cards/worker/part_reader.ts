import type { PartView, Prose } from "../../../core/model/parts";
import type { CallEnd } from "../../../core/model/tools";
import type { Fields } from "../../../core/worker/fields";

/** What a part's reader takes of the transcript around the part. */
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

/**
 * What the worker does with parts of one type. It calls the module by way of `PartPlace` only, and so
 * can be tested without it.
 */
export interface PartReader<V extends PartView = PartView> {
  read(part: Fields, place: PartPlace): V;
  /** The content of the part without its ids, times and cost, by which two transcripts are compared. */
  meaning(part: Fields): unknown;
}
