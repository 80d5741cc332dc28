import type { RowMap } from "../../core/model/row_map";
import type { CardReader } from "../../core/worker/cards";
import type { Calls, Desk } from "../../core/worker/desk";
import { fields, text } from "../../core/worker/fields";
import type { OpenTranscript } from "../../core/worker/open_transcript";
import { prettyHead, prettySize } from "../../core/worker/pretty";
import { HEAD, long, node, parsedJson } from "../../core/worker/values";
import type { Detail } from "./model";

/** What the inspector shows of a row besides what the row shows itself. */
function detail(open: OpenTranscript, map: RowMap, cards: CardReader, row: number): Detail {
  const { message, part } = map.place(row);
  const value = part < 0 ? open.info(message) : open.part(message, part);
  const whole = part < 0 ? value : open.parts(message)[part];
  const raw = { field: "raw" as const, head: prettyHead(whole, HEAD), ...prettySize(whole) };
  if (value.type !== "tool" || part < 0) return { raw };
  const state = fields(value.state) ?? {};
  const given = text(state.output);
  const output = cards.text(value, "output");
  const json = given === undefined ? undefined : parsedJson(given);
  const error = text(state.error);
  return {
    raw,
    input: node(state.input ?? {}),
    ...(output === undefined ? {} : { output: long("output", output) }),
    ...(json === undefined ? {} : { outputJson: node(json) }),
    ...(error === undefined ? {} : { error: long("error", error) }),
  };
}

export const inspector = (desk: Desk): Calls<"detail"> => ({
  detail: (row) => detail(desk.transcript, desk.rows.map, desk.cards, row),
});
