import type { PartPlace } from "../../../core/worker/cards";
import { type Fields, text } from "../../../core/worker/fields";
import { spanOf } from "../../../core/worker/values";

/** What text and reasoning have in common. */
export function proseFields(part: Fields, place: PartPlace) {
  const said = place.said(part);
  return {
    ...place.prose(text(part.text) ?? "", said),
    said: said !== undefined,
    synthetic: part.synthetic === true,
    ignored: part.ignored === true,
    time: spanOf(part.time),
  };
}
