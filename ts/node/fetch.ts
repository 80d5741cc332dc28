// `fetch` for the built-in tools: it connects to exactly the address that was checked, while the name of the URL
// stays that of the request and of the certificate. A name that leads elsewhere a moment later changes nothing.

import type { Tool } from "apex-parts:tools";
// node:dns, node:http, node:https and node:zlib are imported by the first request: they would be half of the time that
// `import "apex-parts/node"` takes.
import type { IncomingMessage } from "node:http";
import type { RequestOptions } from "node:https";
import { isIP } from "node:net";
import { type Duplex, pipeline, type Readable } from "node:stream";

/** Of a request. */
interface Asked {
  address?: string | undefined;
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  signal?: Tool.Abort | undefined;
}

const HEADERS: Record<string, string> = {
  "accept-encoding": "gzip, br, deflate",
  "user-agent": "Mozilla/5.0 (compatible; apex-parts)",
};
const MOST_CODINGS = 4;
/** Answers of these statuses have no body. */
const EMPTY = new Set<number | undefined>([204, 205, 304]);

/** All addresses of a name, IPv4 first: many machines have no way to IPv6. */
export async function resolve(host: string): Promise<string[]> {
  const { default: dns } = await import("node:dns/promises");
  const addresses = await dns.lookup(host, { all: true });
  const sorted = addresses.sort((a, b) => a.family - b.family);
  return [...new Set(sorted.map(({ address }) => address))];
}

/** As the standard `fetch` for GET, but redirects are never followed, and `address` is what is connected to. */
export async function fetch(
  url: string,
  { address, method = "GET", headers, signal }: Asked = {},
): Promise<Response> {
  const zlib = await import("node:zlib");
  const message = await answer(new URL(url), { address, method, headers, signal });
  try {
    return responseOf(message, method, zlib);
  } catch (error) {
    message.destroy();
    throw error;
  }
}

const reasonOf = (signal: Tool.Abort | undefined) => signal?.reason ?? new Error("Aborted");

async function answer(
  url: URL,
  { address, method, headers, signal }: Asked,
): Promise<IncomingMessage> {
  const name = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const isSecure = url.protocol === "https:";
  const { request: send } = await (isSecure ? import("node:https") : import("node:http"));
  const options: RequestOptions = {
    method,
    // No lookup, whatever the name: what is connected to is an address.
    host: address ?? name,
    port: url.port || (isSecure ? 443 : 80),
    path: url.pathname + url.search,
    headers: { ...HEADERS, ...headers, host: url.host },
    // A connection of its own: one that is kept could lead to another address.
    agent: false,
  };
  // The certificate must be that of the name.
  if (isSecure && isIP(name) === 0) options.servername = name.replace(/\.$/, "");
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(reasonOf(signal));
      return;
    }
    const request = send(options);
    let message: IncomingMessage | undefined;
    const onAbort = () => (message ?? request).destroy(reasonOf(signal));
    signal?.addEventListener("abort", onAbort);
    request.on("response", (response) => {
      message = response;
      resolve(message);
    });
    const fail = (cause: Error) => {
      reject(signal?.aborted ? reasonOf(signal) : new TypeError("fetch failed", { cause }));
    };
    request.on("error", fail);
    request.on("close", () => {
      signal?.removeEventListener("abort", onAbort);
      fail(new Error("the connection was closed without an answer"));
    });
    request.end();
  });
}

type Zlib = typeof import("node:zlib");

function responseOf(message: IncomingMessage, method: string, zlib: Zlib): Response {
  const { statusCode: status = 0, statusMessage = "" } = message;
  const headers = new Headers();
  for (let at = 0; at < message.rawHeaders.length; at += 2) {
    try {
      // A name, and its value.
      headers.append(message.rawHeaders[at] as string, message.rawHeaders[at + 1] as string);
    } catch {
      // A server may send what no header may be; the others count.
    }
  }
  const isEmpty = method === "HEAD" || EMPTY.has(status);
  if (isEmpty) message.resume();
  const body = isEmpty ? null : streamOf(decodedBody(message, zlib));
  // `Response` takes no other status; servers do.
  const isStandard = status >= 200 && status <= 599;
  const statusText = statusMessage.replace(/[^\t\x20-\x7e]/g, "");
  const response = new Response(body, { status: isStandard ? status : 500, statusText, headers });
  if (!isStandard) Object.defineProperty(response, "status", { value: status });
  return response;
}

/**
 * The body without its content codings, the last of which is undone first. What a decoder gives waits until it
 * is read: of a small body that becomes a huge one no more is decoded than is asked for.
 */
function decodedBody(message: IncomingMessage, zlib: Zlib): Readable {
  const codings = (message.headers["content-encoding"] ?? "")
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > MOST_CODINGS) throw new TypeError("its content has too many codings");
  const decoders = codings.reverse().map((coding) => decoderOf(coding, zlib));
  // Destroying the last one ends all of them, and the connection.
  return decoders.reduce<Readable>(
    // What undoes a coding can be read, and is made of what can be read: more than the types of pipeline() say.
    (body, decoder) => pipeline(body, decoder as Duplex, () => {}),
    message,
  );
}

/** Undoes a coding: a stream, or what makes one of another. */
type Decoder = Duplex | ((source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>);

function decoderOf(coding: string, zlib: Zlib): Decoder {
  if (coding === "gzip" || coding === "x-gzip") return zlib.createGunzip();
  if (coding === "br") return zlib.createBrotliDecompress();
  if (coding === "deflate") return (source) => inflated(source, zlib);
  throw new TypeError(`its content has the coding ${coding.slice(0, 40)}, which is unknown`);
}

/** `deflate` has a zlib header by the standard; some servers leave it out. */
async function* inflated(source: AsyncIterable<Buffer>, zlib: Zlib): AsyncGenerator<Buffer> {
  const pieces = source[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done) return;
  const isStandard = ((first.value[0] ?? 0) & 0x0f) === 8;
  const rest = { [Symbol.asyncIterator]: () => pieces };
  async function* whole() {
    yield first.value;
    yield* rest;
  }
  const decoder = isStandard ? zlib.createInflate() : zlib.createInflateRaw();
  yield* pipeline(whole, decoder, () => {});
}

/** A readable as a standard stream, read only as far as its reader asks. */
function streamOf(readable: Readable): ReadableStream<Uint8Array<ArrayBuffer>> {
  // An error is for whoever reads; if nobody does it must not end the process.
  readable.on("error", () => {});
  const pieces = readable[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(new Uint8Array(value));
      },
      cancel() {
        readable.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
