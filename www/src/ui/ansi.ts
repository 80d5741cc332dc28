import { nearest, of256 } from "./palette";
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

/**
 * Colours of a terminal's output as tokens, each the nearest of the 16 that the page has in light and
 * dark; every other escape sequence is left out.
 *
 * The module has a reader too (crates/model/src/ansi.rs), of what exported pages and first lines need: text colours
 * and bold. It does not stand for this one: a module that knew all of this would be 2.8 KB larger (brotli), and the
 * page, which holds no module, would ask the worker for tokens, which take half as long to send as to read here.
 */
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

/** A carriage return overwrites the line: of a progress bar only its last state is shown. */
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

type Ground = "fg" | "bg";

/** The codes that are followed by a colour: of the text, of its background, of its underline. */
const GROUNDS: Record<number, Ground | "line"> = { 38: "fg", 48: "bg", 58: "line" };

class Style {
  private readonly set = new Map<string, string>();
  class: string | undefined;

  /** Takes the codes of one sequence; what is no code, or names no colour, changes nothing. */
  take(codes: string): void {
    const list = codes.split(";");
    for (let i = 0; i < list.length; i++) {
      const [code = 0, ...own] = (list[i] ?? "").split(":").map(Number);
      const ground = GROUNDS[code];
      if (ground === undefined) {
        // Its kind follows a colon: 4:3 is a wavy underline, 4:0 removes the underline.
        this.one(code === 4 && own[0] === 0 ? 24 : code);
      } else if (own.length > 0) {
        // `38:2::r:g:b` names a colour space, `38:2:r:g:b` does not.
        this.colour(ground, own[0] === 2 && own.length > 4 ? [2, ...own.slice(2)] : own);
      } else {
        const length = { 5: 2, 2: 4 }[Number(list[i + 1])] ?? 0;
        this.colour(ground, list.slice(i + 1, i + 1 + length).map(Number));
        i += length;
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
    else if (code === 7) this.set.set("inverse", "ansi-inverse");
    else if (code === 22) this.set.delete("weight");
    else if (code === 23) this.set.delete("slant");
    else if (code === 24) this.set.delete("line");
    else if (code === 27) this.set.delete("inverse");
    else if (code === 39) this.set.delete("fg");
    else if (code === 49) this.set.delete("bg");
    else if (code >= 30 && code <= 37) this.named("fg", code - 30);
    else if (code >= 40 && code <= 47) this.named("bg", code - 40);
    else if (code >= 90 && code <= 97) this.named("fg", code - 82);
    else if (code >= 100 && code <= 107) this.named("bg", code - 92);
  }

  /** One of 256 colours, or an RGB one, from the numbers after its code: `5, n` or `2, r, g, b`. */
  private colour(ground: Ground | "line", [kind, ...values]: number[]): void {
    const wanted = kind === 5 ? 1 : kind === 2 ? 3 : 0;
    if (ground === "line" || wanted === 0 || values.length !== wanted) return;
    if (!values.every((value) => value <= 255)) return;
    const [first = 0, green = 0, blue = 0] = values;
    this.named(ground, kind === 5 ? of256(first) : nearest([first, green, blue]));
  }

  private named(ground: Ground, index: number): void {
    const name = NAMES[index % 8];
    this.set.set(ground, `ansi-${ground}-${index > 7 ? "bright-" : ""}${name}`);
  }
}
