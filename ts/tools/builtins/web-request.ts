// A GET request for a model: every address and every redirect is checked before anything is connected to.
import type { Permission } from "apex-parts:glue";
import type { RunContext } from "../context.ts";
import { messageOf } from "../errors.ts";
import { Expected } from "../expected.ts";
import { plainUrl } from "../urls.ts";
import { bareAddress, isAddress, isLocalName, isPublicAddress } from "./addresses.ts";
import type { Deadline } from "./deadline.ts";
import { codeOf } from "./failures.ts";
import { discard } from "./response-body.ts";
import type { FetchResponse, Host } from "./types.ts";

const MOST_REDIRECTS = 5;
const MOST_ADDRESSES = 4;
const MOST_CHARACTERS = 8192;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const REASONS: Record<number, string> = {
  300: "Multiple Choices",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  410: "Gone",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  418: "I'm a teapot",
  421: "Misdirected Request",
  429: "Too Many Requests",
  451: "Unavailable For Legal Reasons",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};
/** Why another address of the same name may answer. */
const UNREACHABLE = new Set([
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
]);
const FAILURES: Record<string, string> = {
  ECONNREFUSED: "nothing answers there (connection refused)",
  ECONNRESET: "the connection was closed before the answer was whole",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
};

/** What caused an error; undefined if that is not known. A cast: anything can be thrown. */
const causeOf = (error: unknown) => (error as { cause?: unknown } | null | undefined)?.cause;

/** The code of an error of the network, which `fetch` has in its cause. */
const networkCodeOf = (error: unknown) => codeOf(error) ?? codeOf(causeOf(error));

/** Why something of the network failed. */
export function failure(error: unknown): string {
  const code = networkCodeOf(error);
  if (code !== undefined && Object.hasOwn(FAILURES, code)) return FAILURES[code] ?? code;
  return (messageOf(causeOf(error) ?? error) || code || String(error)).slice(0, 300);
}

/**
 * The URL that a string is, as rules see it: without its fragment, which is not sent, and without a final dot of the
 * host. `base`: what it is relative to.
 */
export function parsedUrl(text: string, base?: URL): URL {
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    const shown = JSON.stringify(text.slice(0, 200));
    throw new Expected(`${shown} is not a URL. Give a complete one, as https://example.com/page.`);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new Expected(`Only http: and https: can be fetched, not ${url.protocol.slice(0, 40)}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new Expected("The URL has a user name or a password in it. Give it without.");
  }
  if (url.href.length > MOST_CHARACTERS) {
    throw new Expected(`The URL is longer than ${MOST_CHARACTERS} characters.`);
  }
  return plainUrl(url);
}

/** The same URL at another host, which nothing that was written for this host matches. */
function elsewhere({ href, host, hostname }: URL) {
  const other = (text: string) => text.replace(/[a-z\d]/g, (c) => (c === "x" ? "y" : "x"));
  // Of a name its last part counts most: `http://localhost*` is not for localhost.example.com.
  const [, front = "", last = "", dot = ""] = /^(.*\.)?([^.]+)(\.?)$/.exec(hostname) ?? [];
  const changed = isAddress(hostname) ? other(hostname) : `${front}${other(last)}${dot}`;
  return href.replace(`//${host}`, () => `//${changed}${host.slice(hostname.length)}`);
}

/** Whether a rule that allows a URL names its host: `*`, `https://*` and `*:3000/*` allow it at another host too. */
const namesHostOf = (url: URL, rule: Permission.Rule, evaluate: RunContext["evaluate"]) =>
  evaluate?.("webfetch", elsewhere(url)) !== rule;

const notPublic = (url: URL, where: string) =>
  new Expected(
    `${where} is not on the public Internet, and no rule names it. The rule ${JSON.stringify({
      permission: "webfetch",
      pattern: `${url.origin}/*`,
      action: "allow",
    })} would allow it.`,
  );

/** The requests of one call. */
export class WebRequest {
  #host: Host;
  #context: RunContext;
  #deadline: Deadline;
  #init: {
    method: "GET";
    headers: Record<string, string>;
    redirect: "manual";
    credentials: "omit";
    signal: AbortSignal;
  };
  #about: Record<string, unknown>;

  /** `about`: what whoever is asked is told beside the URL. */
  constructor(
    host: Host,
    context: RunContext,
    deadline: Deadline,
    { headers, about }: { headers: Record<string, string>; about: Record<string, unknown> },
  ) {
    this.#host = host;
    this.#context = context;
    this.#deadline = deadline;
    this.#about = about;
    const { signal } = deadline;
    this.#init = { method: "GET", headers, redirect: "manual", credentials: "omit", signal };
  }

  /** The answer of a URL, or of where it redirects to, and its URL. */
  async get(first: URL): Promise<{ response: FetchResponse; url: URL }> {
    let url = first;
    let from: URL | undefined;
    const seen = new Set<string>();
    for (;;) {
      const addresses = await this.#permitted(url, from);
      const response = await this.#answer(url, addresses);
      const target = targetOf(response, url);
      if (target === undefined) return { response, url };
      discard(response);
      seen.add(url.href);
      const next = redirected(url, target);
      if (seen.has(next.href)) {
        throw new Expected(`GET ${first.href} redirects in a circle, back to ${next.href}.`);
      }
      if (seen.size > MOST_REDIRECTS) {
        throw new Expected(
          `GET ${first.href} redirects more than ${MOST_REDIRECTS} times, last to ${next.href}.`,
        );
      }
      from = url;
      url = next;
    }
  }

  /** Asks for a URL where that is due, and gives the addresses that it may be fetched from. */
  async #permitted(url: URL, from: URL | undefined) {
    const { evaluate } = this.#context;
    const rule = evaluate?.("webfetch", url.href);
    const isNamed = rule?.action === "allow" && namesHostOf(url, rule, evaluate);
    const { hostname } = url;
    const isLiteral = isAddress(hostname);
    // Nobody is asked to permit what is refused anyway. (What rules deny is refused by asking.)
    const isLocal = isLiteral ? !isPublicAddress(hostname) : isLocalName(hostname);
    if (isLocal && !isNamed && rule?.action !== "deny") throw notPublic(url, url.host);
    if (from?.origin !== url.origin || rule?.action === "deny") await this.#ask(url, from);
    if (isLiteral) return [bareAddress(hostname)];
    const addresses = await this.#resolved(url);
    const inner = isNamed ? undefined : addresses.find((address) => !isPublicAddress(address));
    if (inner !== undefined) throw notPublic(url, `${url.host} (${inner})`);
    return addresses;
  }

  #ask(url: URL, from: URL | undefined) {
    const metadata: Record<string, unknown> = { ...this.#about, url: url.href };
    if (from !== undefined) metadata.redirectedFrom = from.href;
    const permission = "webfetch";
    const always = [`${url.origin}/*`];
    return this.#deadline.outside(() =>
      this.#context.ask({ permission, patterns: [url.href], always, metadata }),
    );
  }

  /** The addresses of a name; none where the host cannot tell. */
  async #resolved({ hostname }: URL) {
    if (!this.#host.resolve) return [];
    let answer: unknown;
    try {
      answer = await this.#deadline.race(Promise.resolve(this.#host.resolve(hostname)));
    } catch (error) {
      this.#deadline.signal.throwIfAborted();
      const isUnknown = ["ENOTFOUND", "ENODATA"].includes(networkCodeOf(error) ?? "");
      const why = isUnknown ? "there is no such host" : failure(error);
      throw new Expected(`The name ${hostname} could not be resolved: ${why}.`);
    }
    const addresses = Array.isArray(answer) ? answer.map(String) : [];
    if (addresses.length === 0) throw new Expected(`The name ${hostname} has no address.`);
    return addresses;
  }

  async #answer(url: URL, addresses: string[]) {
    const tried = addresses.slice(0, MOST_ADDRESSES);
    for (;;) {
      const address = tried.shift();
      try {
        return await this.#fetched(url, address);
      } catch (error) {
        this.#deadline.signal.throwIfAborted();
        if (tried.length > 0 && UNREACHABLE.has(networkCodeOf(error) ?? "")) continue;
        throw new Expected(`GET ${url.href} failed: ${failure(error)}.`);
      }
    }
  }

  async #fetched(url: URL, address: string | undefined) {
    const init = address === undefined ? this.#init : { ...this.#init, address };
    const host = this.#host;
    // A browser's own function refuses to be called as the method of another object.
    const isOwn = host.fetch === globalThis.fetch;
    const answer = isOwn ? globalThis.fetch(url.href, init) : host.fetch(url.href, init);
    const answering = Promise.resolve(answer);
    let response: FetchResponse;
    try {
      response = await this.#deadline.race(answering);
    } catch (error) {
      answering.then(discard, () => {});
      throw error;
    }
    if (typeof response?.status !== "number") throw new Error("the host returned no response");
    return response;
  }
}

/** Where an answer redirects to; undefined if it is the page. Throws what the model is told of other answers. */
function targetOf(response: FetchResponse, { href }: URL) {
  const { status, statusText, type } = response;
  if (type === "opaqueredirect") {
    discard(response);
    throw new Expected(`GET ${href} redirects, and a browser does not tell where to.`);
  }
  if (status >= 200 && status < 300) return undefined;
  const location = response.headers.get("location");
  if (REDIRECTS.has(status) && location) return location;
  discard(response);
  const reason =
    REASONS[status] ??
    String(statusText ?? "")
      .replace(/[^ -~]/g, "")
      .slice(0, 60);
  throw new Expected(`GET ${href} answered ${`${status} ${reason}`.trim()}`);
}

/** The URL of a redirect. */
function redirected(url: URL, target: string) {
  try {
    return parsedUrl(target, url);
  } catch (error) {
    throw new Expected(`GET ${url.href} redirects to what cannot be fetched. ${messageOf(error)}`);
  }
}
