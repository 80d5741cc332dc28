import type { Place } from "../model/rowmap";
import type { Source } from "../worker/protocol";

/** Reads `#m=12&p=3`; without `p` it is the message itself. */
export function readLink(hash: string): Place | undefined {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const message = index(fields.get("m"));
  if (message === undefined) return undefined;
  return { message, part: index(fields.get("p")) ?? -1 };
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps the address up with the selection; not at every key press, for browsers count such calls. */
export function writeLink({ message, part }: Place): void {
  clearTimeout(timer);
  const hash = part < 0 ? `#m=${message}` : `#m=${message}&p=${part}`;
  timer = setTimeout(() => {
    if (location.hash === hash) return;
    history.replaceState(null, "", `${location.pathname}${location.search}${hash}`);
  }, 100);
}

/** The selection that was to be written is one of a transcript no longer open. */
export function dropLink(): void {
  clearTimeout(timer);
}

/** The transcript that `?src=` or `?beside=` names, of this origin only. */
export function sourceFromAddress(
  address: Location,
  base: string,
  name: "src" | "beside" = "src",
): { source: Source } | { error: string } | undefined {
  const src = new URLSearchParams(address.search).get(name);
  if (!src) return undefined;
  let url: URL;
  try {
    url = new URL(src, base);
  } catch {
    return { error: `The address in ?${name}= is not a valid one.` };
  }
  if (url.origin !== address.origin) {
    return { error: "A transcript can only be opened from the address that the viewer runs on." };
  }
  return { source: { kind: "url", url: url.href, name: fileName(url) } };
}

/** An address as it stands in `?src=`: without what it shares with the page's own. */
export function shortAddress(url: string): string {
  const base = new URL(".", document.baseURI).href;
  const short = url.startsWith(base) ? url.slice(base.length) : url;
  return encodeURIComponent(short).replaceAll("%2F", "/");
}

function fileName(url: URL): string {
  const last = url.pathname.split("/").pop() || url.pathname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function index(value: string | null): number | undefined {
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
