import { type Part, saidText, type TranscriptSummary } from "apex-parts";
import { type Fields, fields, firstLine, label } from "./fields";
import type { OpenTranscript } from "./open_transcript";

/** The first words of a message that a person or a model wrote in it; empty where there are none. */
export function firstWords(open: OpenTranscript, message: number): string {
  for (const value of open.parts(message)) {
    const words = saidIn(fields(value));
    if (words) return words;
  }
  return "";
}

/** Of a text so many bytes are looked through for its first line. */
const LONGEST = 4096;

/** Programs put texts of their own into messages, such as instructions and the state of the folder. */
export function saidIn(part: Fields | undefined): string {
  return firstLine(saidText(part as unknown as Part, LONGEST) ?? "", 120);
}

/** The longest title. */
const LONGEST_TITLE = 200;

/** What a run is called: a title of the file as it is, a request without the marks of Markdown; empty without either. */
export function runTitle({ title = "", asked }: TranscriptSummary): string {
  const isRequest = asked?.text.includes(title) ?? false;
  return isRequest ? firstLine(title, LONGEST_TITLE) : label(title, LONGEST_TITLE);
}
