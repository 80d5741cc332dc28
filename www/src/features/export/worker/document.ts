import { htmlPage, markdownHead, messageToHtml, messageToMarkdown } from "apex-parts";
import { pageOf } from "../../../../../ts/cli/page.ts";
import { fields, list, text } from "../../../core/worker/fields";
import type { OpenTranscript } from "../../../core/worker/open_transcript";
import { readSource } from "../../../core/worker/read";
import type { ExportFormat, ExportOptions, ExportPiece } from "../model";
import { type Masking, type Secrets, unmasked } from "./secrets";

/** A piece of a document ends after this many UTF-16 units … */
const PIECE = 1 << 20;
/** … or milliseconds. */
const PATIENCE = 30;

/** What is written before the messages, between them and after them. */
interface Target {
  head: string;
  between: string;
  foot: string;
  message(message: unknown, index: number): string;
}

/**
 * A piece of the document, from a message on. The page asks for piece after piece: it can stop at any
 * time, and rows that are asked for meanwhile come in between.
 */
export async function exportPiece(
  open: OpenTranscript,
  name: string,
  format: ExportFormat,
  from: number,
  options: ExportOptions,
  secrets: Secrets,
): Promise<ExportPiece> {
  const { transcript } = open;
  const { first, keep } = options;
  const end = Math.min(options.end, transcript.messageCount);
  const isWhole = keep === undefined && first === 0 && end === transcript.messageCount;
  const isJson = format === "json" || format === "viewer";
  if (isWhole && isJson && transcript.format === "opencode-export" && open.source) {
    return { blob: await original(open.source), next: end };
  }
  const masking = keep === undefined ? unmasked : secrets.maskingOf(open, keep, from === first);
  const target = targetOf(open, name, format, masking);
  const late = performance.now() + PATIENCE;
  let next = from;
  let written = next === first ? target.head : "";
  for (; next < end && written.length < PIECE && performance.now() < late; next++) {
    if (next > first) written += target.between;
    written += target.message(masking.redact(transcript.message(next)), next);
  }
  if (next >= end) {
    written += target.foot;
    masking.free();
  }
  return { blob: new Blob([written]), next };
}

function targetOf(
  open: OpenTranscript,
  name: string,
  format: ExportFormat,
  masking: Masking,
): Target {
  const page = () => masking.redact(pageOf(open.transcript, name, undefined, { isOfMain: true }));
  switch (format) {
    case "markdown":
      return {
        head: markdownHead(page()),
        between: "",
        foot: "",
        message: (message, index) => messageToMarkdown(writable(message), index),
      };
    case "html":
      return {
        ...htmlPage(page()),
        between: "",
        message: (message, index) => messageToHtml(writable(message), index),
      };
    case "json":
    case "viewer":
      return {
        head: `{\n"info": ${JSON.stringify(masking.redact(sessionOf(open, name)))},\n"messages": [\n`,
        between: ",\n",
        foot: "\n]\n}\n",
        message: (message) => JSON.stringify(message),
      };
  }
}

/** In a broken file a part may be anything: what is not an object is written as a part of no type, as in the rows. */
function writable(message: unknown): never {
  const { parts, ...rest } = fields(message) ?? {};
  const whole = list(parts).map((part) => fields(part) ?? { type: "no type", value: part });
  return { ...rest, parts: whole } as never;
}

/** The session's own information, or what is known of it from elsewhere in the file. */
function sessionOf(open: OpenTranscript, name: string): unknown {
  const { transcript } = open;
  const own = fields(transcript.session);
  const { start, end } = transcript.stats();
  const first = fields(fields(transcript.messageCount > 0 ? transcript.message(0) : {})?.info);
  return {
    id: text(first?.sessionID) ?? "session",
    title: name,
    version: "1",
    time: { created: start ?? 0, updated: end ?? 0 },
    ...own,
  };
}

/** An export is given back as it came, byte for byte. */
async function original(source: NonNullable<OpenTranscript["source"]>): Promise<Blob> {
  if (source.kind === "file") return source.file;
  const chunks: Blob[] = [];
  for await (const { bytes } of readSource(source)) chunks.push(new Blob([bytes as BlobPart]));
  return new Blob(chunks);
}
