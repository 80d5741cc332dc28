import { renderMarkdown } from "apex-parts";
import { head } from "./fields";

/** Elements may be inside of each other so deep … */
const DEEPEST = 100;
/** … and a text may become this many: one in three characters, and some for short texts. */
const CHARACTERS = 3;
const ALWAYS = 2000;

const TAGS = /<(\/?)([a-z][a-z0-9]*)/g;
/** They have no end. */
const VOID = new Set(["br", "hr", "img", "input"]);

/**
 * The beginning of a text as HTML. Ten thousand quotes in each other, or a table that fills up every
 * one of its rows, would hold the page up for as long as it takes to lay them out: such a text is
 * shown as plain text.
 */
export function markdown(text: string, limit: number): string {
  const source = head(text, limit);
  const html = renderMarkdown(source);
  return isBearable(html, source.length) ? html : `<pre>${escaped(source)}</pre>`;
}

function isBearable(html: string, length: number): boolean {
  const most = ALWAYS + length / CHARACTERS;
  let elements = 0;
  let depth = 0;
  for (const [, end, name] of html.matchAll(TAGS)) {
    if (end) depth--;
    else {
      if (!VOID.has(name ?? "")) depth++;
      elements++;
    }
    if (depth > DEEPEST || elements > most) return false;
  }
  return true;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
