// web-fetch: a page of the web as Markdown, text or HTML, an image as an attachment.
import type { Tool } from "apex-parts:glue";
import { Expected } from "../expected.ts";
import { Deadline } from "./deadline.ts";
import { define } from "./define.ts";
import { readBody } from "./response-body.ts";
import type { FetchResponse, Host } from "./types.ts";
import { type PageFormat, shownPage } from "./web-page.ts";
import { failure, parsedUrl, WebRequest } from "./web-request.ts";

const MIB = 1024 * 1024;
const MOST_BYTES = 5 * MIB;
const SECONDS = 30;
const MOST_SECONDS = 120;

const ACCEPT: Record<PageFormat, string> = {
  markdown: "text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5",
  text: "text/plain, text/html;q=0.9, text/markdown;q=0.8, */*;q=0.5",
  html: "text/html, application/xhtml+xml;q=0.9, */*;q=0.5",
};

const DESCRIPTION = `Fetches a URL and returns what is there: a page as Markdown, text or HTML, an image as an attachment.

- Only http and https; only addresses of the public Internet, unless a rule allows others.
- At most 5 MiB are read. Long pages are cut; the note says where the whole is.
- Redirects are followed, at most 5. It cannot log in, and it runs no scripts.`;

const PARAMETERS = {
  type: "object",
  properties: {
    url: { type: "string", description: "The whole URL, as https://example.com/page" },
    format: {
      type: "string",
      enum: ["markdown", "text", "html"],
      default: "markdown",
      description: "What a page is given as: markdown (the default), text, or html",
    },
    timeout: {
      type: "number",
      exclusiveMinimum: 0,
      maximum: MOST_SECONDS,
      default: SECONDS,
      description: `Seconds for all of it: ${SECONDS} unless given, at most ${MOST_SECONDS}`,
    },
  },
  required: ["url"],
};

/** The media type as the server gave it, fit to be shown. */
const typeOf = (response: FetchResponse) =>
  (response.headers.get("content-type") ?? "")
    .replace(/[^ -~]/g, "")
    .trim()
    .slice(0, 200);

interface FetchArgs {
  url: string;
  format?: PageFormat;
  /** In seconds. */
  timeout?: number;
}

export const webFetchTool = (host: Host): Tool.Info =>
  define<FetchArgs>("web-fetch", {
    description: DESCRIPTION,
    parameters: PARAMETERS,
    async execute({ url: given, format = "markdown", timeout }, context) {
      const asked = given.trim();
      const first = parsedUrl(asked);
      const seconds = timeout ?? SECONDS;
      const deadline = new Deadline(
        seconds * 1000,
        context.abort,
        `GET ${first.href} did not end within ${seconds} s. Its timeout may be up to ${MOST_SECONDS} s.`,
      );
      try {
        const about = timeout === undefined ? { format } : { format, timeout };
        // No others: a browser would first ask the server whether it takes them.
        const headers = { accept: ACCEPT[format], "accept-language": "en, *;q=0.5" };
        const request = new WebRequest(host, context, deadline, { headers, about });
        const { response, url } = await request.get(first);
        const bytes = await bodyOf(response, url, deadline);
        const page = shownPage(bytes, { type: typeOf(response), url: url.href, format });
        const { output, type, attachment } = page;
        const metadata = { url: url.href, status: response.status, type, bytes: bytes.length };
        // As it was given, unless it has more than one line.
        const shown = /[\s\p{C}]/u.test(asked) ? first.href : asked;
        const result = { title: `${shown} (${type})`, output, metadata };
        return attachment === undefined ? result : { ...result, attachments: [attachment] };
      } finally {
        deadline.end();
      }
    },
  });

async function bodyOf(response: FetchResponse, { href }: URL, deadline: Deadline) {
  const tooLarge = new Expected(
    `GET ${href}: the answer is larger than ${MOST_BYTES / MIB} MiB, and not read any further.`,
  );
  try {
    return await readBody(response, MOST_BYTES, tooLarge, deadline);
  } catch (error) {
    deadline.signal.throwIfAborted();
    if (error instanceof Expected) throw error;
    throw new Expected(`GET ${href} failed while it was read: ${failure(error)}.`);
  }
}
