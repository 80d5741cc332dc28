import { callSubject, type Part } from "apex-parts";
import type { ToolBody } from "../../../../core/model/tools";
import { type Fields, fields, label, text } from "../../../../core/worker/fields";
import { languageOf } from "./language";

/** What a card is read from: a call, and what most tools have in its state. */
export interface ToolCall {
  part: Fields;
  state: Fields;
  input: Fields;
  metadata: Fields;
  /** What it is about, as the core tells it; undefined for what is no call. */
  subject: ReturnType<typeof callSubject>;
  /** The file that it is about; empty where it names none, or several. */
  path: string;
  /** The file's language, for an object that has it where it is known. */
  language: { language?: string };
}

/** How calls of one kind are read. */
export interface ToolReader<B extends ToolBody = ToolBody> {
  /** The body of the card; undefined where the call has not what this card shows. */
  read(call: ToolCall): B | undefined;
  /** The long texts of the input that the card shows, whole. */
  texts?: {
    command?(call: ToolCall): string | undefined;
    content?(call: ToolCall): string | undefined;
  };
  /** The output as the card shows it. */
  output?(state: Fields, output: string): string;
  /** What the metadata has of an output that the call has not given yet, or never will. */
  printed?(metadata: Fields): string | undefined;
}

export function toolCall(part: Fields): ToolCall {
  const state = fields(part.state) ?? {};
  const input = fields(state.input) ?? {};
  const metadata = fields(state.metadata) ?? {};
  const subject = callSubject(part as unknown as Part);
  const path = label(fileOf(subject) ?? metadata.filepath, 500);
  const language = languageOf(path);
  return { part, state, input, metadata, subject, path, language: language ? { language } : {} };
}

function fileOf(subject: ToolCall["subject"]): string | undefined {
  const isFile = subject?.kind === "change" || subject?.kind === "path";
  if (!isFile) return undefined;
  return (subject.files?.length ?? 1) > 1 ? "" : subject.text;
}

/** What a file is written with, under the names that tools have for it. */
export function contentOf({ input }: ToolCall): string | undefined {
  return text(input.content) ?? text(input.file_text) ?? text(input.text);
}

/** A count, a size or a line number; undefined where it is none. */
export function whole(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

/** The fields of an object that are known: cards have no field that is undefined. */
export function known<T extends object>(all: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T;
}
