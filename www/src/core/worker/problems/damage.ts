import { fields, label, number, text } from "../fields";
import { messageOf } from "./message";

/** What became of a place in the file that could not be read. */
interface Damage {
  rule: string;
  message: string;
  offset: number;
  /** It is about the end of the file, which is missing. */
  atEnd: boolean;
}

/**
 * One plain sentence about what was lost; undefined where the file is whole. Damage is what has a byte
 * and no path: rules that are broken name a part, what could not be read has none. `lastLine` is where
 * the last line of the file begins.
 */
export function damageOf(
  problems: unknown[],
  messages: number,
  lastLine: number,
): string | undefined {
  const found: Damage[] = [];
  for (const problem of problems) {
    const value = fields(problem);
    const offset = number(value?.offset);
    if (value?.severity !== "error" || text(value.path) !== "" || offset === undefined) continue;
    const message = messageOf(value, 300);
    const rule = label(value.rule, 40);
    // A list of problems that was cut off is not damage.
    if (/^(?:there are )?more than \d+ problems/.test(message)) continue;
    found.push({ rule, message, offset, atEnd: isAtEnd(rule, message, offset, lastLine) });
  }
  const worst = KINDS.map(({ is, say }) => ({ say, list: found.filter(is) })).find(
    ({ list }) => list.length > 0,
  );
  if (!worst) return undefined;
  const read = messages === 1 ? "1 message was read" : `${count(messages)} messages were read`;
  const more = found.length - worst.list.length;
  const others =
    more === 0
      ? ""
      : `; ${more === 1 ? "1 other place is" : `${count(more)} other places are`} damaged too`;
  return `${worst.say(worst.list, read)}${others}.`;
}

/** A record that is cut off in the middle of a file is a bad line; the last one is the file's end. */
function isAtEnd(rule: string, message: string, offset: number, lastLine: number): boolean {
  // The contract of streams: they end with `done` or `error`.
  if (rule === "DC-2" || message.startsWith("the file is cut off")) return true;
  if (!message.includes("cut off")) return false;
  const inside = Number(/at byte (\d+)$/.exec(message)?.[1] ?? 0);
  return offset + inside >= lastLine;
}

/** The kinds of damage, the worst first. */
const KINDS: { is: (damage: Damage) => boolean; say: (list: Damage[], read: string) => string }[] =
  [
    {
      is: ({ atEnd }) => atEnd,
      say: (list, read) =>
        `The end of the file is missing: ${read}, and what would have followed byte ${byte(list)} is lost`,
    },
    {
      is: ({ message }) => / all that is behind it is left out/.test(message),
      say: (list, read) =>
        `The file is damaged at byte ${byte(list)} and could not be read from there on: ${read}`,
    },
    {
      is: ({ message }) => /is skipped$|; skipped$|^the record is /.test(message),
      say: (list, read) =>
        list.length === 1
          ? `A line could not be read and was left out, at byte ${byte(list)}: ${read}`
          : `${count(list.length)} lines could not be read and were left out, the first at byte ${byte(list)}: ${read}`,
    },
    {
      is: ({ message }) => / bytes before message \d+ are left out/.test(message),
      say: (list, read) =>
        list.length === 1
          ? `A damaged place at byte ${byte(list)} was left out: ${read}`
          : `${count(list.length)} damaged places were left out, the first at byte ${byte(list)}: ${read}`,
    },
    {
      is: ({ rule }) => rule === "encoding",
      say: (list, read) =>
        `Some bytes are not valid UTF-8 and show as \ufffd, the first at byte ${byte(list)}: ${read}`,
    },
    {
      is: ({ rule }) => rule === "prefix",
      say: (list, read) => {
        const bytes = Number(/^\d+/.exec(list[0]?.message ?? "")?.[0] ?? 0);
        const length = bytes === 1 ? "1 byte" : `${count(bytes)} bytes`;
        return `The file begins with ${length} of other text, which ${bytes === 1 ? "was" : "were"} skipped: ${read}`;
      },
    },
    {
      is: () => true,
      say: (list, read) => {
        const { message = "" } = list[0] ?? {};
        return `Not all of the file could be read (byte ${byte(list)}: ${message.replace(/\.$/, "")}): ${read}`;
      },
    },
  ];

function byte(list: Damage[]): string {
  return count(list[0]?.offset ?? 0);
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
