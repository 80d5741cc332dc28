import { type Part, saidText } from "apex-parts";
import { type Fields, fields, firstLine } from "./fields";
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
