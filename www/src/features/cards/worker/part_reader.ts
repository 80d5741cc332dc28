import type { PartView } from "../../../core/model/parts";
import type { PartPlace } from "../../../core/worker/cards";
import type { Fields } from "../../../core/worker/fields";

/**
 * What the worker does with parts of one type. It calls the module by way of `PartPlace` only, and so
 * can be tested without it.
 */
export interface PartReader<V extends PartView = PartView> {
  read(part: Fields, place: PartPlace): V;
}
