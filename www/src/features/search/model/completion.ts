import { FILTER_HEADS, FILTER_VALUES } from "../../../core/model/query";

/** What the word at the caret may go on with. */
export interface Completion {
  /** What takes the word's place. */
  text: string;
  /** What it is called in the list, and what that means. */
  label: string;
  about: string;
  /** It is whole: a space follows, and the next word. */
  isWhole: boolean;
}

interface Completions {
  /** Where the word begins, and ends at the caret. */
  from: number;
  to: number;
  list: Completion[];
}

/** The names that a transcript has. */
interface KnownNames {
  tool: readonly string[];
  agent: readonly string[];
  type: readonly string[];
}

/** More are not listed: more letters say which. */
const MOST = 8;
const ABOUT: Record<string, string> = {
  tool: "calls of a tool",
  status: "how a call ended",
  exit: "the exit code of a command",
  role: "who wrote it",
  type: "the type of a part",
  agent: "messages of an agent",
  cost: "dollars of a step",
  tokens: "tokens of a step",
  dur: "how long it took",
};

/** Keys and values of filters for the word that ends at the caret; undefined where there is nothing to say. */
export function completionsAt(
  text: string,
  caret: number,
  names: KnownNames,
): Completions | undefined {
  const word = /(?:^|\s)(-?[a-z]*(?::[^\s"]*)?)$/i.exec(text.slice(0, caret))?.[1] ?? "";
  // In the middle of a word nothing is put in.
  if (word.replace("-", "") === "" || /^\S/.test(text.slice(caret))) return undefined;
  const colon = word.indexOf(":");
  const list =
    colon < 0 ? keys(word) : values(word.slice(0, colon + 1), word.slice(colon + 1), names);
  return list.length === 0 ? undefined : { from: caret - word.length, to: caret, list };
}

function keys(word: string): Completion[] {
  const minus = word.startsWith("-") ? "-" : "";
  const begun = word.slice(minus.length).toLowerCase();
  return FILTER_HEADS.filter((head) => head.startsWith(begun)).map((head) => {
    const about = ABOUT[head.replace(/\W/g, "")] ?? "";
    return { text: minus + head, label: minus + head, about, isWhole: false };
  });
}

function values(head: string, written: string, names: KnownNames): Completion[] {
  const key = head.replace(/^-|:$/g, "").toLowerCase();
  const known = FILTER_VALUES[key] ?? names[key as keyof KnownNames];
  if (!known) return [];
  // Of several values, the last is being written.
  const before = written.slice(0, written.lastIndexOf(",") + 1);
  const begun = written.slice(before.length).toLowerCase();
  const fitting = known.filter((value) => value !== "" && value.toLowerCase().includes(begun));
  const first = fitting.filter((value) => value.toLowerCase().startsWith(begun));
  const all = [...new Set([...first, ...fitting])];
  if (all.length === 1 && all[0]?.toLowerCase() === begun) return [];
  return all.slice(0, MOST).map((value) => ({
    text: `${head}${before}${asWord(value)} `,
    label: value.length > 60 ? `${value.slice(0, 59)}…` : value,
    about: "",
    isWhole: true,
  }));
}

/** What has a space or a comma in it is written with stars in their place. */
function asWord(value: string): string {
  return value.replace(/[\s,"]+/g, "*");
}
