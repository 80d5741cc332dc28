// A model on this machine's loopback: it streams the answers of a list, one a request, and keeps every request. Which
// provider it is depends on the path that is asked for.
import { createServer } from "node:http";
import { anthropic } from "./dialects/anthropic.mjs";
import { gemini } from "./dialects/gemini.mjs";
import { openaiChat } from "./dialects/openai-chat.mjs";
import { openaiResponses } from "./dialects/openai-responses.mjs";

/**
 * @typedef {object} Answer
 * @property {string | string[]} [text] whole, or in the pieces in which it is streamed
 * @property {string | string[]} [reasoning]
 * @property {{ id: string, name: string, input: object | string }[]} [calls]
 * @property {number} [input] prompt tokens that are reported
 * @property {number} [output] completion tokens that are reported
 * @property {number} [cached] how many of the prompt tokens came from a cache
 * @property {number} [status] an HTTP status of 400 or more: the request is refused, and those after the last answer too
 * @property {string} [message] what is said then
 */

/** @typedef {Answer | ((request: object) => Answer)} Scripted one that may depend on its request */

/**
 * How a provider is asked and answers: `path` is that of its requests; `kindOf` says what a request is for, "step",
 * "summary" or "title"; `events` are those of an answer as they stand in the stream, `whole` is the answer to a request
 * that does not stream; `refusal` is what an error looks like.
 */
const DIALECTS = [openaiChat, anthropic, openaiResponses, gemini];

async function bodyOf(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

/** Does a request ask for a stream? Gemini says so in its path. */
const streams = (url, body) => body.stream === true || /:streamGenerateContent/.test(url);

/**
 * The lists of answers: one for all requests, or one for each prompt. A request belongs to the prompt that it has first,
 * because that of a sub-agent stands in the requests of its parent too.
 */
class Script {
  constructor(answers) {
    this.lists = Array.isArray(answers) ? { "": [...answers] } : copies(answers);
  }
  /** More answers, of a script with one list. */
  add(more) {
    this.lists[""].push(...more);
  }
  next(request) {
    const text = JSON.stringify(request);
    const places = Object.keys(this.lists).map((prompt) => [text.indexOf(prompt), prompt]);
    const [[, prompt] = []] = places.filter(([at]) => at >= 0).sort(([a], [b]) => a - b);
    const next = this.lists[prompt]?.shift();
    // A program may ask again for what was refused.
    if (next !== undefined) this.refused = next.status && next;
    const answer = next ?? this.refused;
    return typeof answer === "function" ? answer(request) : answer;
  }
}

const copies = (lists) =>
  Object.fromEntries(Object.entries(lists).map(([prompt, list]) => [prompt, [...list]]));

/**
 * Starts the model.
 *
 * @param {Scripted[] | Record<string, Scripted[]>} answers for steps and summaries, in order, or in order for each
 *   prompt; titles are answered beside
 * @param {object} [options]
 * @param {boolean} [options.counts] whether the tokens of prompts are counted (four characters a token), where an
 *   answer does not say how many are reported
 */
export async function scriptedModel(answers = [], { counts = false } = {}) {
  const script = new Script(answers);
  const requests = [];
  let count = 0;

  function send(response, status, value) {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(value));
  }

  const server = createServer(async (request, response) => {
    const dialect = DIALECTS.find(({ path }) => path.test(request.url));
    const refuse = (status, message) =>
      send(response, status, (dialect ?? openaiChat).refusal(status, message));
    try {
      if (!dialect || request.method !== "POST") return refuse(404, `no ${request.url} here`);
      const body = JSON.parse(await bodyOf(request));
      const kind = dialect.kindOf(body);
      requests.push({ kind, ...body });
      const answer = kind === "title" ? { text: "A title" } : script.next(body);
      // 400 is not tried again: what is missing in a test shows at once.
      if (!answer) return refuse(400, "the script has no answer left");
      if (answer.status) return refuse(answer.status, answer.message ?? "refused");
      const counted = counts ? { input: dialect.tokensOf(body) } : {};
      const [, model] = /\/models\/([^:/]+):/.exec(request.url) ?? [];
      const all = [{ ...counted, ...answer }, body, String(++count).padStart(4, "0"), model];
      if (!streams(request.url, body)) return send(response, 200, dialect.whole(...all));
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of dialect.events(...all)) response.write(event);
      response.end();
    } catch (error) {
      refuse(400, `not a request: ${error.message}`);
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    url: `http://127.0.0.1:${server.address().port}/v1`,
    /** Every request so far, with its `kind`: "step", "summary" or "title". */
    requests,
    /** The requests of steps. */
    steps: () => requests.filter(({ kind }) => kind === "step"),
    /** The answers that were not asked for. */
    get left() {
      return Object.values(script.lists).flat();
    },
    /** More answers. */
    add: (...more) => script.add(more),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
