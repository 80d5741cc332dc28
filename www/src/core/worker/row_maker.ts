import { CLEARED_TOOL_RESULT, type Part, saidText } from "apex-parts";
import type { LongText, TextField } from "../../ui/values";
import type { Layout } from "../model/layout";
import { PART_CODE, type Prose } from "../model/parts";
import { RowMap } from "../model/row_map";
import type { PartRow, Row } from "../model/rows";
import type { CardReader } from "./cards";
import { type Fields, firstLine, label, text } from "./fields";
import { markdown } from "./markdown";
import { messageOf } from "./message_of";
import { messageRow } from "./message_row";
import type { OpenTranscript } from "./open_transcript";
import { prettyHead } from "./pretty";
import { long } from "./values";

const STEP_START = PART_CODE["step-start"];
/** Markdown of a longer text is rendered when the reader asks for it. */
const MARKDOWN_HEAD = 32_768;
/** So many bytes of what was said are looked through for the first words. */
const SAID_HEAD = 4096;

/** Makes rows out of the messages of an open transcript, as the page asks for them. */
export class RowMaker {
  readonly map: RowMap;
  /** Steps that were started before each message, so that a row can say which step it is. */
  private readonly stepsBefore: Uint32Array;

  constructor(
    private readonly open: OpenTranscript,
    private readonly cards: CardReader,
  ) {
    this.map = new RowMap(open.layout.firstPart);
    this.stepsBefore = countSteps(this.map, open.layout.types);
  }

  rows(start: number, end: number): Row[] {
    const rows: Row[] = [];
    for (let row = Math.max(0, start); row < Math.min(end, this.map.rows); row++) {
      rows.push(this.at(row));
    }
    return rows;
  }

  /** What two states of a transcript are compared by, to find the rows that they share. */
  get shape(): { layout: Layout; map: RowMap } {
    return { layout: this.open.layout, map: this.map };
  }

  at(row: number): Row {
    const { message, part } = this.map.place(row);
    try {
      if (part < 0) return messageRow(message, this.open.info(message));
      return this.partRow(message, part);
    } catch (error) {
      // One part that cannot be drawn must not take its neighbours with it.
      const value = messageOf(error);
      const view = { type: "custom" as const, name: "This part cannot be shown", value };
      return { kind: "part", message, part, id: "", view };
    }
  }

  text(row: number, field: TextField, start: number, end: number): string {
    if (field === "raw") return prettyHead(this.value(row), end).slice(start);
    return this.whole(row, field).slice(start, end);
  }

  markdown(row: number, limit: number): { html: string; text: LongText } {
    const whole = this.whole(row, "text");
    return { html: markdown(whole, limit), text: long("text", whole, 0) };
  }

  private whole(row: number, field: TextField): string {
    const value = this.value(row);
    if (field === "text") return text(value.text) ?? text(value.prompt) ?? "";
    return this.cards.text(value, field) ?? "";
  }

  private value(row: number): Fields {
    const { message, part } = this.map.place(row);
    return part < 0 ? this.open.info(message) : this.open.part(message, part);
  }

  private partRow(message: number, part: number): PartRow {
    const value = this.open.part(message, part);
    return {
      kind: "part",
      message,
      part,
      id: label(value.id),
      view: this.cards.read(value, {
        whole: this.open.parts(message)[part],
        step: () => this.step(message, part),
        cleared: CLEARED_TOOL_RESULT,
        end: () => this.cards.end(value, this.open.transcript.holdsResults),
        said: (text) => saidText(text as unknown as Part, SAID_HEAD),
        prose,
      }),
    };
  }

  /** The step that a part belongs to: how many have started up to it. */
  private step(message: number, part: number): number {
    const first = this.map.firstPart[message] ?? 0;
    let step = this.stepsBefore[message] ?? 0;
    for (let i = first; i <= first + part; i++)
      if (this.open.layout.types[i] === STEP_START) step++;
    return step;
  }
}

function countSteps(map: RowMap, types: Uint8Array): Uint32Array {
  const before = new Uint32Array(map.messages + 1);
  let count = 0;
  for (let message = 0; message < map.messages; message++) {
    before[message] = count;
    const end = map.firstPart[message + 1] ?? 0;
    for (let i = map.firstPart[message] ?? 0; i < end; i++) if (types[i] === STEP_START) count++;
  }
  return before;
}

function prose(string: string, said = string): Prose {
  return {
    text: long("text", string, 0),
    first: firstLine(said),
    html: markdown(string, MARKDOWN_HEAD),
  };
}
