import type { BodyOf, ReadPage } from "../../../../core/model/tools";
import { type Fields, fields, label, number, text } from "../../../../core/worker/fields";
import { known, type ToolReader, whole } from "./tool_call";

export const read: ToolReader<BodyOf<"read">> = {
  read({ state, metadata, path, language }) {
    if (!path) return undefined;
    const { firstLine } = readContent(state, text(state.output) ?? "");
    return { kind: "read", path, firstLine, page: pageOf(metadata), ...language };
  },
  output: (state, output) => readContent(state, output).content,
};

function pageOf(metadata: Fields): ReadPage {
  const shown = fields(metadata.display);
  return known<ReadPage>({
    range: shown && rangeOf(shown),
    eol: label(metadata.eol, 20) || undefined,
    encoding: label(metadata.encoding, 20) || undefined,
    bom: metadata.bom === true ? true : undefined,
  });
}

function rangeOf(shown: Fields): ReadPage["range"] {
  return shown.type === "directory" ? entriesOf(shown) : linesOf(shown);
}

function linesOf(shown: Fields): ReadPage["range"] {
  const from = whole(shown.lineStart);
  const to = whole(shown.lineEnd);
  if (from === undefined || to === undefined) return undefined;
  return { of: "line", from, to, ...totalOf(shown.totalLines) };
}

function entriesOf(shown: Fields): ReadPage["range"] {
  if (!Array.isArray(shown.entries)) return undefined;
  const from = whole(shown.offset) ?? 1;
  const to = from + shown.entries.length - 1;
  return { of: "entry", from, to, ...totalOf(shown.totalEntries) };
}

function totalOf(value: unknown): { total?: number } {
  const total = whole(value);
  return total === undefined ? {} : { total };
}

/** Of a longer text the frame and the numbers stay: to look at each of its lines would take seconds. */
const LONGEST_READ = 4_000_000;

/** What a read gave back, without the frame and the line numbers that tools put around it. */
function readContent(state: Fields, output: string): { content: string; firstLine: number } {
  if (output.length > LONGEST_READ) return { content: output, firstLine: 1 };
  const shown = fields(fields(state.metadata)?.display);
  const framed = frameOf(output);
  const isPage = shown !== undefined && rangeOf(shown) !== undefined;
  const body = framed ? withoutNote(framed.text, isPage) : output;
  if (framed?.name === "entries") return { content: body, firstLine: 1 };
  const lines = body.split("\n");
  const numbered = lines.map((line) => /^\s*(\d+)(?:: |\| |\||\t|→|:$)(.*)$/.exec(line));
  const count = numbered.filter(Boolean).length;
  // Only where nearly every line has a number is it a numbered file; the rest are the tool's notes.
  if (count === 0 || count < lines.length - 3) {
    return { content: body, firstLine: number(shown?.lineStart) ?? 1 };
  }
  const first = numbered.find(Boolean);
  return {
    content: lines.map((line, i) => numbered[i]?.[2] ?? line).join("\n"),
    firstLine: Number(first?.[1] ?? 1),
  };
}

/** The text in the frame of an output; by hand, as a regular expression takes forever over some texts. */
function frameOf(output: string): { name: string; text: string } | undefined {
  const opened = /<(content|file|entries)>\n/.exec(output);
  if (!opened) return undefined;
  const [tag, name = ""] = opened;
  const start = opened.index + tag.length;
  // Within the file's own text a number stands at the beginning of a line.
  const end = output.indexOf(`\n</${name}>`, start - 1);
  return end < 0 ? undefined : { name, text: output.slice(start, Math.max(start, end)) };
}

/** Without the note at the end; that on how to read on is left out where the card says what it shows. */
function withoutNote(text: string, isPage: boolean): string {
  const last = text.slice(text.lastIndexOf("\n") + 1);
  const isNote = last.endsWith(")") && last.startsWith(isPage ? "(" : "(End of file");
  const kept = isNote ? text.slice(0, Math.max(0, text.length - last.length - 1)) : text;
  return kept.endsWith("\n") ? kept.slice(0, -1) : kept;
}
