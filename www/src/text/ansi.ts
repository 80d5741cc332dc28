import type { Token } from "./tokens";

const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const ESC = "\u001b";
const BEL = "\u0007";
const ESCAPES = new RegExp(
  [
    `${ESC}\\[([\\d;:]*)m`, // colours, caught
    `${ESC}\\[[ -?]*[@-~]`, // other control sequences
    `${ESC}\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)`, // titles and links
    `${ESC}.`,
  ].join("|"),
  "g",
);
/** Control characters but tab, newline and carriage return. */
const OTHERS = /(?![\t\n\r])\p{Cc}/gu;

/** Colours of a terminal's output as tokens; every other escape sequence is left out. */
export function ansi(text: string): Token[] {
  const plain = overwritten(text);
  if (!plain.includes(ESC)) return [{ text: plain.replace(OTHERS, "") }];
  const tokens: Token[] = [];
  const style = new Style();
  let at = 0;
  for (const match of plain.matchAll(ESCAPES)) {
    push(tokens, plain.slice(at, match.index), style.class);
    if (match[1] !== undefined) style.take(match[1]);
    at = match.index + match[0].length;
  }
  push(tokens, plain.slice(at), style.class);
  return tokens;
}

/** A carriage return writes the line anew: of a progress bar only its last state is shown. */
function overwritten(text: string): string {
  if (!text.includes("\r")) return text;
  return text
    .replace(/\r+\n/g, "\n")
    .replace(/[^\n]*\r(?=[^\n])/g, "")
    .replaceAll("\r", "");
}

function push(tokens: Token[], text: string, name: string | undefined): void {
  const clean = text.replace(OTHERS, "");
  if (clean) tokens.push(name ? { text: clean, class: name } : { text: clean });
}

class Style {
  private readonly set = new Map<string, string>();
  class: string | undefined;

  take(codes: string): void {
    const list = codes.split(/[;:]/).map(Number);
    for (let i = 0; i < list.length; i++) {
      const code = list[i] ?? 0;
      if ((code === 38 || code === 48) && list[i + 1] === 5) {
        this.colour(code === 38 ? "fg" : "bg", list[i + 2] ?? 0);
        i += 2;
      } else if ((code === 38 || code === 48) && list[i + 1] === 2) {
        // A true colour needs an inline style, which the page does not allow itself: left as is.
        i += 4;
      } else {
        this.one(code);
      }
    }
    this.class = [...this.set.values()].join(" ") || undefined;
  }

  private one(code: number): void {
    if (code === 0) this.set.clear();
    else if (code === 1) this.set.set("weight", "ansi-bold");
    else if (code === 2) this.set.set("weight", "ansi-dim");
    else if (code === 3) this.set.set("slant", "ansi-italic");
    else if (code === 4) this.set.set("line", "ansi-underline");
    else if (code === 22) this.set.delete("weight");
    else if (code === 23) this.set.delete("slant");
    else if (code === 24) this.set.delete("line");
    else if (code === 39) this.set.delete("fg");
    else if (code === 49) this.set.delete("bg");
    else if (code >= 30 && code <= 37) this.colour("fg", code - 30);
    else if (code >= 40 && code <= 47) this.colour("bg", code - 40);
    else if (code >= 90 && code <= 97) this.colour("fg", code - 82);
    else if (code >= 100 && code <= 107) this.colour("bg", code - 92);
  }

  /** The 16 named colours; of the 256, each one's nearest would need a table, so they stay plain. */
  private colour(ground: "fg" | "bg", index: number): void {
    const name = NAMES[index % 8];
    if (index < 16 && name) {
      this.set.set(ground, `ansi-${ground}-${index > 7 ? "bright-" : ""}${name}`);
    }
  }
}
