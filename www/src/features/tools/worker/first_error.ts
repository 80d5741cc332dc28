import { head, label } from "../../../worker/fields";
import type { FirstError } from "../model";

/** Of a longer output only so much of the beginning is looked through, in UTF-16 units … */
const LOOKED_THROUGH = 400_000;
/** … and of a longer line so much. */
const LONGEST_LINE = 400;

const ESC = "\u001b";
const ESCAPES = new RegExp(`${ESC}(?:\\[[ -?]*[@-~]|.)`, "g");

/** What a line that tells an error has in it, by compilers, test runners, shells and languages. */
const ERRORS = [
  /(?:^|[^\w-])(?:fatal |internal |compile |syntax )?error(?:\[\w+\])?:/i, // error: …, error[E0425]: …
  /\berror (?:[A-Z]{1,4}-?\d+|at|in)\b/, // error TS2304
  /^\s*(?:ERROR|Error)\b/,
  /\b[A-Z]\w*(?:Error|Exception)\b(?::|$)/, // TypeError: …
  /\bFAILED\b|^\s*(?:--- )?FAIL\b|^not ok\b|^\s*[✗✘✖×]/,
  /\bpanicked at\b|^Traceback \(most recent call last\)|^panic:/,
  /^fatal:/i,
  /^npm (?:ERR!|error )|^\w*make(?:\[\d+\])?: \*\*\*/,
  /\b(?:command )?not found\b|No such file or directory|Permission denied|cannot access/,
  /Segmentation fault|core dumped|undefined reference|Cannot find module|Assertion .*failed/,
  /^E\s{2,}\S/, // pytest
];
/** Lines that only count errors, or say that there are none. */
const NONE = /\b(?:0|no) (?:errors?|failed|failures?)\b|\btest result: ok\b/i;
/** For an output without any of those. */
const LAST_RESORT = /\b(?:error|failed|failure|denied|cannot|unable to)\b/i;

/** The first line of an output that tells an error; a guess, by what tools write. */
export function firstError(output: string): FirstError | undefined {
  const looked = head(output, LOOKED_THROUGH);
  return lineWith(looked, ERRORS) ?? lineWith(looked, [LAST_RESORT]);
}

function lineWith(output: string, patterns: RegExp[]): FirstError | undefined {
  for (let at = 0, line = 1; at < output.length; line++) {
    const newline = output.indexOf("\n", at);
    const end = newline < 0 ? output.length : newline;
    const written = output.slice(at, Math.min(end, at + LONGEST_LINE));
    const words = written.replace(ESCAPES, "");
    if (patterns.some((pattern) => pattern.test(words)) && !NONE.test(words)) {
      return { line, at, text: label(words.trim(), 160) };
    }
    at = end + 1;
  }
  return undefined;
}
