/**
 * Who may ask the viewer's server: this machine's browser, with the token of this start. Other users of the machine do
 * not have the token; a page of another site cannot send the cookie, and its own name stands in `Origin` or `Host`.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** What of a request decides whether it is allowed. */
export type Asking = Pick<IncomingMessage, "headers" | "method" | "url">;

/** What is answered in place of what was asked for. */
export interface Refusal {
  status: number;
  headers?: Record<string, string>;
}

/** 128 bits. */
const TOKEN_BYTES = 16;

const digest = (text: string) => createHash("sha256").update(text).digest();
/** Compares in a time that does not tell how much of them is equal. */
const isEqual = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));

/** The value of a cookie of a request. */
function cookieOf({ headers }: Asking, name: string): string | undefined {
  for (const pair of (headers.cookie ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at >= 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** The names under which a browser of this machine reaches a port. */
function hostsOf(port: number): string[] {
  const names = ["127.0.0.1", "localhost"];
  // A browser leaves out the port that is the protocol's own.
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])];
}

/** Whether the request comes from a page of this server or from no page, and so not from another site. */
function isOwn({ headers }: Asking, port: number): boolean {
  const hosts = hostsOf(port);
  // A name of somebody else's that leads to this machine (DNS rebinding) is in `Host`.
  if (headers.host === undefined || !hosts.includes(headers.host)) return false;
  const { origin } = headers;
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) return false;
  const site = headers["sec-fetch-site"];
  if (site === "cross-site") return false;
  // Another server of this machine is the same site, and its pages send the cookie along.
  return site !== "same-site" || headers["sec-fetch-mode"] === "navigate";
}

/**
 * The rules for the requests to one port. `isPublic`: everybody on this machine may have what is served, so that no
 * token is asked for.
 */
export class Access {
  #token = randomBytes(TOKEN_BYTES).toString("hex");
  #port: number;
  #isPublic: boolean;

  constructor(port: number, { isPublic = false }: { isPublic?: boolean } = {}) {
    this.#port = port;
    this.#isPublic = isPublic;
  }

  /** The query of the first address: with the token, which a cookie replaces. */
  get query(): string {
    return this.#isPublic ? "" : `t=${this.#token}`;
  }

  /** Browsers keep cookies for a name whatever the port: two servers must not overwrite each other's. */
  get #cookie(): string {
    return `apex-parts-${this.#port}`;
  }

  /**
   * What is to be answered in place of what was asked for: a status with headers; undefined if the request is allowed.
   */
  refusal(request: Asking): Refusal | undefined {
    if (!isOwn(request, this.#port)) return { status: 403 };
    if (!this.#isPublic) {
      const exchange = this.#exchange(request);
      if (exchange) return exchange;
      const cookie = cookieOf(request, this.#cookie);
      if (cookie === undefined || !isEqual(cookie, this.#token)) return { status: 403 };
    }
    if (request.method === "GET" || request.method === "HEAD") return undefined;
    return { status: 405, headers: { allow: "GET, HEAD" } };
  }

  /** The answer to an address with a token: the cookie, and the same address without it. */
  #exchange({ url = "", method }: Asking): Refusal | undefined {
    if (!url.startsWith("/?") || (method !== "GET" && method !== "HEAD")) return undefined;
    const fields = url.slice(2).split("&");
    const tokenField = fields.find((field) => field.startsWith("t="));
    if (tokenField === undefined) return undefined;
    if (!isEqual(tokenField.slice(2), this.#token)) return { status: 403 };
    const rest = fields.filter((field) => field !== tokenField).join("&");
    return {
      status: 302,
      headers: {
        location: rest === "" ? "/" : `/?${rest}`,
        "set-cookie": `${this.#cookie}=${this.#token}; HttpOnly; SameSite=Strict; Path=/`,
      },
    };
  }
}
