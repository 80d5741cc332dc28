import type { LongText, TextField } from "../../../ui/values";
import {
  type Fields,
  failure,
  fields,
  firstLine,
  HEAD,
  label,
  list,
  long,
  node,
  number,
  text,
  tokens,
} from "../../../worker/fields";
import type { OpenTranscript } from "../../../worker/open_transcript";
import { prettyHead, prettySize } from "../../../worker/pretty";
import type { Detail } from "../../inspector/model";
import type { PartView } from "../../parts/model";
import { markdown } from "../../parts/worker/markdown";
import { fileView, parsedJson, spanOf, toolText, toolView } from "../../tools/worker/tool";
import type { Layout } from "../model/layout";
import { RowMap } from "../model/row_map";
import type { MessageRow, PartRow, Row } from "../model/rows";

/** Markdown of a longer text is rendered when the reader asks for it. */
const MARKDOWN_HEAD = 32_768;

/** Makes rows out of the messages of an open transcript, as the page asks for them. */
export class RowMaker {
  readonly map: RowMap;
  /** Steps that were started before each message, so that a row can say which step it is. */
  private readonly stepsBefore: Uint32Array;

  constructor(private readonly open: OpenTranscript) {
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

  /** What tells which rows another state of the transcript has in common with this one. */
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
      const value = error instanceof Error ? error.message : String(error);
      const view = { type: "custom" as const, name: "This part cannot be shown", value };
      return { kind: "part", message, part, id: "", view };
    }
  }

  detail(row: number): Detail {
    const { message, part } = this.map.place(row);
    const value = part < 0 ? this.open.info(message) : this.open.part(message, part);
    const whole = part < 0 ? value : this.open.parts(message)[part];
    const raw = { field: "raw" as const, head: prettyHead(whole, HEAD), ...prettySize(whole) };
    if (value.type !== "tool" || part < 0) return { raw };
    const state = fields(value.state) ?? {};
    const output = text(state.output);
    const json = output === undefined ? undefined : parsedJson(output);
    const error = text(state.error);
    return {
      raw,
      input: node(state.input ?? {}),
      ...(output === undefined ? {} : { output: long("output", toolText(value, "output") ?? "") }),
      ...(json === undefined ? {} : { outputJson: node(json) }),
      ...(error === undefined ? {} : { error: long("error", error) }),
    };
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
    return toolText(value, field) ?? "";
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
      view: this.partView(value, message, part),
    };
  }

  private partView(part: Fields, message: number, index: number): PartView {
    const type = text(part.type) ?? "";
    // Of a broken file it may be anything.
    const whole = this.open.parts(message)[index];
    switch (type) {
      case "text":
      case "reasoning":
        return {
          type,
          ...prose(text(part.text) ?? ""),
          synthetic: part.synthetic === true,
          ignored: part.ignored === true,
          time: spanOf(part.time),
        };
      case "tool":
        return toolView(part);
      case "step-start":
        return { type, step: this.step(message, index) };
      case "step-finish":
        return {
          type,
          step: this.step(message, index),
          reason: label(part.reason, 60),
          cost: number(part.cost) ?? 0,
          tokens: tokens(part.tokens),
        };
      case "file": {
        const source = label(fields(part.source)?.path ?? fields(part.source)?.uri, 500);
        return { type, file: fileView(part), ...(source ? { source } : {}) };
      }
      case "subtask": {
        const command = label(part.command, 500);
        return {
          type,
          agent: label(part.agent, 100),
          description: label(part.description),
          ...prose(text(part.prompt) ?? ""),
          ...(command ? { command } : {}),
        };
      }
      case "agent":
        return { type, name: label(part.name, 100) };
      case "compaction":
        return { type, auto: part.auto === true };
      case "retry": {
        const created = number(fields(part.time)?.created);
        return {
          type,
          attempt: number(part.attempt) ?? 0,
          error: failure(part.error),
          ...(created === undefined ? {} : { created }),
        };
      }
      case "snapshot":
        return { type, snapshot: label(part.snapshot) };
      case "patch": {
        const files = list(part.files);
        return {
          type,
          hash: label(part.hash, 100),
          files: files.slice(0, 100).map((file) => label(file, 500)),
          total: files.length,
        };
      }
      default:
        return { type: "custom", name: label(type, 100) || "no type", value: node(whole) };
    }
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

const STEP_START = 3;

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

function prose(string: string): { text: LongText; first: string; html: string } {
  return {
    text: long("text", string, 0),
    first: firstLine(string),
    html: markdown(string, MARKDOWN_HEAD),
  };
}

function messageRow(message: number, info: Fields): MessageRow {
  const role = info.role === "user" || info.role === "assistant" ? info.role : "other";
  const time = fields(info.time);
  const model = fields(info.model);
  const optional = {
    agent: label(info.agent, 60) || undefined,
    model: modelName(info.providerID ?? model?.providerID, info.modelID ?? model?.modelID),
    created: number(time?.created),
    completed: number(time?.completed),
    cost: number(info.cost),
    tokens: fields(info.tokens) ? tokens(info.tokens) : undefined,
    finish: label(info.finish, 60) || undefined,
    error: info.error === undefined || info.error === null ? undefined : failure(info.error),
  };
  return {
    kind: "message",
    message,
    id: label(info.id),
    role,
    roleName: label(info.role, 40) || "unknown",
    summary: info.summary === true,
    ...optional,
  } as MessageRow;
}

export function modelName(provider: unknown, model: unknown): string | undefined {
  const name = [label(provider, 60), label(model, 80)].filter(Boolean).join("/");
  return name || undefined;
}
