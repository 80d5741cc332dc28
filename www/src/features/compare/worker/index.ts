import { DigestMaker } from "../../../../../ts/cli/comparison/digest-maker.ts";
import type { Digests } from "../../../../../ts/cli/comparison/digests.ts";
import { aligned } from "../../../../../ts/cli/comparison/fork.ts";
import type { Calls, Desk } from "../../../core/worker/desk";
import { Superseded } from "../../../core/worker/superseded";
import type { ComparableFields } from "../model/fields";
import { changes, comparableFields } from "./comparable_fields";

export const compare = (
  desk: Desk,
): Calls<"digests" | "align" | "comparableFields" | "changes"> => ({
  digests: () => digestsOf(desk),
  align: async (first) => aligned(first, await digestsOf(desk)),
  comparableFields: (row) => fieldsOf(desk, row),
  changes: (row, before) => changes(before, fieldsOf(desk, row)),
});

/** Computed in batches, as the loops are. */
async function digestsOf(desk: Desk): Promise<Digests> {
  await desk.reading;
  const mine = desk.transcript;
  const maker = new DigestMaker(mine);
  while (maker.look()) {
    await new Promise((resolve) => setTimeout(resolve));
    if (desk.open !== mine) throw new Superseded();
  }
  return maker.done();
}

function fieldsOf(desk: Desk, row: number): ComparableFields {
  const { message, part } = desk.rows.map.place(row);
  return comparableFields(desk.transcript, message, part);
}
