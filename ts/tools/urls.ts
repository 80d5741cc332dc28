// URLs as rules see them: as `URL` writes them, without a final dot of the host and without a fragment.

/** A pattern with a scheme and a host, in which there may be wildcards. */
const PATTERN = /^([a-z*?][a-z\d+.*?-]*):\/\/([^/\\#]*)(.*)$/is;
const PORTS: Record<string, string> = { http: ":80", https: ":443" };

/** Changes a URL to how rules see it: DNS knows a name by both spellings. */
export function plainUrl(url: URL): URL {
  const { hostname } = url;
  if (hostname.endsWith(".")) url.hostname = hostname.replace(/\.+$/, "");
  url.hash = "";
  return url;
}

function parsed(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return url.protocol === "http:" || url.protocol === "https:" ? plainUrl(url) : undefined;
  } catch {
    return undefined;
  }
}

/** A URL as rules see it; a string that is not a web URL stays as it is. */
export const urlText = (text: string): string => parsed(text)?.href ?? text;

/** A label of a host; wildcards stay. */
const label = (text: string) =>
  /[^ -~]/.test(text) && !/[*?]/.test(text) ? (parsed(`http://${text}`)?.hostname ?? text) : text;

/** A pattern of URLs, written as `urlText` writes those that it matches. */
export function urlPattern(pattern: string): string {
  const [, scheme = "", authority, rest = ""] = PATTERN.exec(pattern) ?? [];
  if (authority === undefined) return urlText(pattern);
  if (!/[*?]/.test(scheme + authority)) return urlText(pattern);
  const name = scheme.toLowerCase();
  const [, host = "", port = ""] = /^(.*?)(:[\d*?]*)?$/s.exec(authority.toLowerCase()) ?? [];
  const plain = host.split(".").map(label).join(".").replace(/\.+$/, "");
  const path = parsed(`http://host${rest}`);
  const after = rest.startsWith("/") && path ? path.pathname + path.search : rest;
  return `${name}://${plain}${port === PORTS[name] ? "" : port}${after}`;
}
