// The calls of a transcript that failed, for `inspect`.
import { exitCode, outcome } from "../node.mjs";
import { oneLine } from "./colour.mjs";

/** Codes of `layout().statuses`. */
const ERROR = 4;
const FAILED = 5;
/** So many are listed. */
const LISTED = 20;
/** Of what a call was about, so many characters. */
const WIDTH = 100;

/** What a call was about: its command or file, or the title that its tool gave it. */
function aboutOf({ input, title }) {
  const { command, cmd, filePath, file_path, path, url, pattern } = input ?? {};
  const about = [command, cmd, filePath, file_path, path, url, pattern, title].find(
    (each) => typeof each === "string" && each !== "",
  );
  const line = oneLine(about ?? "");
  return line.length > WIDTH ? `${line.slice(0, WIDTH)}…` : line;
}

/** Those that failed or are errors: how many, and the first of them. */
export function failuresOf(transcript) {
  const { statuses, firstPart } = transcript.layout();
  const listed = [];
  let total = 0;
  for (let message = 0, part = 0; part < statuses.length; part++) {
    if (statuses[part] !== ERROR && statuses[part] !== FAILED) continue;
    total++;
    if (listed.length === LISTED) continue;
    while (part >= firstPart[message + 1]) message++;
    const index = part - firstPart[message];
    const value = transcript.message(message)?.parts[index];
    if (value === undefined) continue;
    const exit = exitCode(value);
    listed.push({
      message,
      part: index,
      id: value.id,
      tool: value.tool,
      outcome: outcome(value),
      ...(exit === undefined ? {} : { exit }),
      about: aboutOf(value.state),
    });
  }
  return { total, listed };
}

/** `12:3 bash failed (exit 101): cargo check` */
export function failureLine({ message, part, tool, outcome: how, exit, about }) {
  const code = exit === undefined ? "" : ` (exit ${exit})`;
  return `${message}:${part} ${oneLine(String(tool))} ${how}${code}${about && `: ${about}`}`;
}
