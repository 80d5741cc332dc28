import type { Place } from "../model/row_map";
import type { Source } from "../rpc";

/** What the fragment of an address (`#…`) names. */
export interface Link {
  /** The session of a task; none, or an empty id, is the file's own. */
  session?: string | undefined;
  place?: Place | undefined;
  /** The id of a part or a message. */
  id?: string | undefined;
  /** The event of a recorded stream, from 1; 0 is before the first. */
  event?: number | undefined;
  /** One sentence about a number in it that cannot be read. */
  mistake?: string | undefined;
  /** What is searched for. */
  query?: string | undefined;
  regex: boolean;
  caseSensitive: boolean;
}

/** Reads `#m=12&p=3` (without `p` it is the message itself), `#id=…` or `#prt_…`, `&s=…`, `&e=…` and `&q=…`. */
export function readLink(hash: string): Link {
  const bare = hash.replace(/^#/, "");
  const fields = new URLSearchParams(bare);
  const message = index(fields.get("m"));
  const mistake = mistakeIn(fields);
  const session = fields.get("s");
  const event = index(fields.get("e"));
  const named = fields.get("id") ?? (/^[^=&]+$/.test(bare) ? decoded(bare) : "");
  return {
    ...(session ? { session } : {}),
    ...(message === undefined ? {} : { place: { message, part: index(fields.get("p")) ?? -1 } }),
    ...(named === "" ? {} : { id: named }),
    ...(event === undefined ? {} : { event }),
    ...(mistake === undefined ? {} : { mistake }),
    ...(fields.get("q") ? { query: fields.get("q") ?? "" } : {}),
    regex: fields.has("regex"),
    caseSensitive: fields.has("case"),
  };
}

function mistakeIn(fields: URLSearchParams): string | undefined {
  const message = fields.get("m");
  const part = fields.get("p");
  if (message !== null && index(message) === undefined) return noNumber("m", message, "a message");
  if (part !== null && index(part) === undefined) return noNumber("p", part, "a part");
  const event = fields.get("e");
  if (event !== null && index(event) === undefined) return noNumber("e", event, "an event");
  if (part === null || message !== null) return undefined;
  return `This link names part ${part} of no message: a complete link ends in #m=12&p=3.`;
}

function noNumber(field: string, value: string, of: string): string {
  const whole = field === "e" ? "#e=100" : "#m=12&p=3";
  return `In this link ${field}=${value.slice(0, 80)} is not the number of ${of}: a complete link ends in ${whole}.`;
}

/** The fragment of an address that leads to a place, and opens a search there. */
export function linkHash({ session, event, place, query, regex, caseSensitive }: Link): string {
  const fields: string[] = [];
  if (session) fields.push(`s=${encodeURIComponent(session)}`);
  if (event !== undefined) fields.push(`e=${event}`);
  if (place) fields.push(`m=${place.message}`);
  if (place && place.part >= 0) fields.push(`p=${place.part}`);
  if (query !== undefined) fields.push(`q=${encodeURIComponent(query).replaceAll("%20", "+")}`);
  if (query !== undefined && regex) fields.push("regex");
  if (query !== undefined && caseSensitive) fields.push("case");
  return fields.length > 0 ? `#${fields.join("&")}` : "";
}

/** Has `?e=100`, which is easier to write by hand, where links have it: in the fragment. */
export function moveEvent(): void {
  const fields = location.search.replace(/^\?/, "").split("&");
  const found = fields.find((field) => /^e=\d{1,9}$/.test(field));
  if (!found) return;
  const rest = fields.filter((field) => field !== found).join("&");
  const bare = location.hash.replace(/^#/, "");
  const hash = /(?:^|&)e=/.test(bare) ? bare : [found, bare].filter(Boolean).join("&");
  history.replaceState(history.state, "", `${location.pathname}${rest && `?${rest}`}#${hash}`);
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps the address up with the selection; not at every key press, for browsers count such calls. */
export function writeLink(link: Link): void {
  clearTimeout(timer);
  const hash = linkHash(link);
  const before = location.hash;
  timer = setTimeout(() => {
    // A link that was followed meanwhile is newer.
    if (location.hash === hash || location.hash !== before) return;
    history.replaceState(history.state, "", `${location.pathname}${location.search}${hash}`);
  }, 100);
}

/** Drops the link that is about to be written: its transcript is no longer open. */
export function dropLink(): void {
  clearTimeout(timer);
}

/**
 * What the address says is to be opened: a transcript with `?src=`, one beside it with
 * `?beside=`, a stream with `?live=`, a list of runs with `?runs=`; with `?file=` a file that only who made
 * the link has.
 */
export function named(
  address: Location,
  field: "src" | "beside" | "live" | "file" | "runs",
): string | undefined {
  return new URLSearchParams(address.search).get(field) ?? undefined;
}

/** What an address names to be opened, or why that cannot be. */
export type AddressedSource = { source: Extract<Source, { kind: "url" }> } | { error: string };

/** The transcript at an address, of this origin only. */
export function sourceFromAddress(
  src: string | undefined,
  base: string,
): AddressedSource | undefined {
  if (!src) return undefined;
  let url: URL;
  try {
    url = new URL(src, base);
  } catch {
    return { error: `${src} is not a valid address.` };
  }
  if (url.origin !== new URL(base).origin) {
    return { error: "A transcript can only be opened from the address that the viewer runs on." };
  }
  return { source: { kind: "url", url: url.href, name: fileName(url) } };
}

/** The query of an address for what has no address itself: a file of this name. */
export function fileQuery(name: string): string {
  return `?file=${encodeURIComponent(name)}`;
}

/** An address as it is written in `?src=`: without what it shares with the page's own. */
export function shortAddress(url: string): string {
  const base = new URL(".", document.baseURI).href;
  const short = url.startsWith(base) ? url.slice(base.length) : url;
  return encodeURIComponent(short).replaceAll("%2F", "/");
}

function fileName(url: URL): string {
  return decoded(url.pathname.split("/").pop() || url.pathname);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function index(value: string | null): number | undefined {
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
