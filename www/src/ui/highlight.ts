import type { HLJSApi } from "highlight.js";
import { knownLanguage, LANGUAGES } from "./languages";
import type { Token } from "./tokens";

/** Longer blocks stay plain: colouring them would hold up the page. */
const LONGEST = 50_000;
const KEPT = 100;

const done = new Map<string, Token[]>();
let queue: Promise<unknown> = Promise.resolve();

/** Colours a block that is in view: the library and the language are fetched at first need. */
export function highlight(code: string, language: string): Promise<Token[] | undefined> {
  const name = knownLanguage(language);
  if (!name || code.length > LONGEST) return Promise.resolve(undefined);
  const key = `${name}\n${code}`;
  const before = done.get(key);
  if (before) return Promise.resolve(before);
  // One block at a time, each in its own idle moment, so that scrolling stays smooth.
  const turn = queue.then(async () => {
    const library = await load(name);
    await idle();
    const tokens = readTokens(library.highlight(code, { language: name }).value);
    done.set(key, tokens);
    const oldest = done.keys().next();
    if (done.size > KEPT && !oldest.done) done.delete(oldest.value);
    return tokens;
  });
  queue = turn.catch(() => undefined);
  return turn;
}

async function load(name: string): Promise<HLJSApi> {
  const { default: library } = await import("highlight.js/lib/core");
  const language = LANGUAGES[name];
  if (language && !library.getLanguage(name)) {
    library.registerLanguage(name, (await language()).default);
  }
  return library;
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve, 0);
  });
}

const ENTITIES: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/**
 * The highlighter writes HTML of spans and five entities only. Reading it back as tokens means that
 * no HTML is ever set from it, and that blocks can be cut into lines.
 */
function readTokens(html: string): Token[] {
  const tokens: Token[] = [];
  const open: string[] = [];
  for (const [piece, name] of html.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    if (name !== undefined) {
      open.push(name);
    } else if (piece === "</span>") {
      open.pop();
    } else {
      const text = piece.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? "");
      const name = open.at(-1);
      tokens.push(name ? { text, class: name } : { text });
    }
  }
  return tokens;
}
