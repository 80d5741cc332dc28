import type { Layout } from "../../../core/model/layout";
import { PART_CODE } from "../../../core/model/parts";
import type { RowMap } from "../../../core/model/row_map";
import { type Estimate, HEADER } from "../../../core/page/feature";
import type { Compactions } from "../../../core/store/compactions";
import type { OpenDocument } from "../../../core/store/document";

const STEP_FINISH = PART_CODE["step-finish"];

/** The height of the row that stands for what a compaction hid, or of the bar above it. */
const FOLD = 44;

/** A part in the compact view, the end of a step there, and one that is folded. */
const LINE = 24;
const NOTHING = 1;
const FOLDED = 44;

/** What of a document says how high its parts mostly are. */
type GuessedFolds = Pick<OpenDocument, "dense" | "everyFold">;

function guessOf({ dense, everyFold }: GuessedFolds, estimate: Estimate): Estimate {
  if (!dense) return everyFold ? (type, size) => Math.min(FOLDED, estimate(type, size)) : estimate;
  if (everyFold === false) return estimate;
  return (type) => (type === STEP_FINISH ? NOTHING : LINE);
}

/** First guesses at the heights of all rows, so that the scroll bar hardly moves. */
function guesses(
  map: RowMap,
  { types, sizes }: Layout,
  doc: GuessedFolds,
  estimate: Estimate,
): Float32Array {
  const of = guessOf(doc, estimate);
  const all = new Float32Array(map.rows);
  let row = 0;
  for (let message = 0; message < map.messages; message++) {
    all[row++] = HEADER;
    const end = map.firstPart[message + 1] ?? 0;
    for (let part = map.firstPart[message] ?? 0; part < end; part++) {
      all[row++] = of(types[part] ?? 255, sizes[part] ?? 0);
    }
  }
  return all;
}

/** The same for the rows that are in the list. */
export function shownGuesses(
  map: RowMap,
  layout: Layout,
  compactions: Compactions,
  folds: GuessedFolds,
  estimate: Estimate,
): Float32Array {
  const all = guesses(map, layout, folds, estimate);
  for (const each of compactions.all) {
    if (each.hidden === 0) continue;
    const row = compactions.firstRow(each);
    all[row] = compactions.isClosed(each) ? FOLD : FOLD + (all[row] ?? 0);
  }
  return compactions.shown.pick(all);
}
