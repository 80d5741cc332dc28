import DOMPurify from "dompurify";
import { useLayoutEffect, useRef } from "preact/hooks";
import { highlight } from "./highlight";
import { remoteAddress } from "./remote";
import type { Token } from "./tokens";

const IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);/i;

const RULES = {
  // No style, id or name: nothing in a transcript can look like, or stand in for, the page's own.
  ALLOWED_ATTR: ["href", "title", "alt", "src", "class", "align", "start", "colspan", "rowspan"],
  ALLOWED_TAGS: [
    ..."a b blockquote br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i img kbd li ol p pre".split(
      " ",
    ),
    ..."s span strong sub sup table tbody td tfoot th thead tr u ul input".split(" "),
  ],
  // These hold words and numbers, which need not look like an allowed address.
  ADD_URI_SAFE_ATTR: ["align", "start", "colspan", "rowspan"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#|data:image\/(?:png|jpe?g|gif|webp|avif|bmp);)/i,
  RETURN_DOM_FRAGMENT: true as const,
};

/** The one place where HTML becomes elements: rendered markdown, cleaned. */
function cleaned(html: string): DocumentFragment {
  const boxes = checkBoxes(html);
  const fragment = DOMPurify.sanitize(html, RULES);
  for (const element of fragment.querySelectorAll("[class]")) {
    const kept = /^language-[\w+-]+$/.test(element.className) && element.matches("code");
    if (!kept) element.removeAttribute("class");
  }
  for (const link of fragment.querySelectorAll("a")) {
    const href = link.getAttribute("href") ?? "";
    if (/^data:/i.test(href)) link.removeAttribute("href");
    if (href.startsWith("#")) continue;
    link.target = "_blank";
    link.rel = "noopener noreferrer nofollow";
    link.referrerPolicy = "no-referrer";
    // A picture from elsewhere is a link too, of which only the words are drawn: say where it leads.
    const remote = remoteAddress(href);
    if (remote && !link.title) link.title = `Opens ${remote.host} in a new tab`;
  }
  for (const image of fragment.querySelectorAll("img")) {
    const source = image.getAttribute("src") ?? "";
    if (!IMAGE.test(source)) image.replaceWith(imageNote(image.alt, source));
    else if (!image.hasAttribute("alt")) image.alt = "";
  }
  fragment.querySelectorAll("input").forEach((box, i) => {
    box.replaceWith(boxes[i] ? "☑ " : "☐ ");
  });
  return fragment;
}

/** Task lists: which boxes are ticked. A form control without a label would be of no use here. */
function checkBoxes(html: string): boolean[] {
  return Array.from(html.matchAll(/<input\b[^>]*>/g), ([tag]) => /\bchecked\b/.test(tag));
}

/** A picture from elsewhere is not fetched; its words and its address stand in for it. */
function imageNote(alt: string, source: string): HTMLElement {
  const note = document.createElement("span");
  note.className = "image-note";
  note.textContent = [alt || "image", source].filter(Boolean).join(" · ");
  return note;
}

function sourceOf(node: Node): string {
  return node instanceof Element ? node.outerHTML : `text ${node.nodeValue}`;
}

export function Html({ html }: { html: string }) {
  const box = useRef<HTMLDivElement>(null);
  const written = useRef<string[]>([]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const nodes = [...cleaned(html).childNodes];
    const sources = nodes.map(sourceOf);
    // A text that grows keeps the elements of its beginning, and what a person has marked in them.
    let same = 0;
    while (same < sources.length && sources[same] === written.current[same]) same++;
    while (element.childNodes.length > same) element.lastChild?.remove();
    element.append(...nodes.slice(same));
    written.current = sources;
    for (const node of nodes.slice(same)) {
      if (!(node instanceof Element)) continue;
      for (const code of node.querySelectorAll("code")) {
        if (code.parentElement?.matches("pre")) void colour(code);
      }
    }
  }, [html]);
  return <div class="markdown" ref={box} />;
}

async function colour(code: Element): Promise<void> {
  const language = code.className.replace(/^language-/, "");
  if (!language) return;
  const tokens = await highlight(code.textContent ?? "", language);
  if (tokens && code.isConnected) code.replaceChildren(...tokens.map(element));
}

function element(token: Token): Node {
  if (!token.class) return document.createTextNode(token.text);
  const span = document.createElement("span");
  span.className = token.class;
  span.textContent = token.text;
  return span;
}
