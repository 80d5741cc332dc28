// A chat model on this machine's loopback: it streams the answers of a list, one a request, and keeps every
// request. It speaks OpenAI's chat completions, for which OpenCode needs no package beside its own.
import { createServer } from "node:http";

/**
 * @typedef {object} Answer
 * @property {string | string[]} [text] whole, or in the pieces in which it is streamed
 * @property {string | string[]} [reasoning]
 * @property {{ id: string, name: string, input: object }[]} [calls]
 * @property {number} [input] prompt tokens that are reported
 * @property {number} [output] completion tokens that are reported
 * @property {number} [status] an HTTP status of 400 or more: the request is refused
 * @property {string} [message] what is said then
 */

/**
 * What a request is for. A step offers tools. A summary and a title do not; the title's says in its system
 * prompt what it is.
 */
function kindOf({ tools = [], messages }) {
  if (tools.length > 0) return "step";
  const system = messages.find(({ role }) => role === "system")?.content;
  return /\btitle generator\b/.test(JSON.stringify(system)) ? "title" : "summary";
}

/** The events of an answer, as they stand in the stream. */
function* chunks({ text, reasoning, calls = [], input = 100, output = 10 }) {
  const chunk = (delta, finish_reason = null, usage = undefined) => ({
    ...{ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "script" },
    ...{ choices: [{ index: 0, delta, finish_reason }], usage },
  });
  yield chunk({ role: "assistant", content: "" });
  for (const piece of [reasoning ?? []].flat()) yield chunk({ reasoning_content: piece });
  for (const piece of [text ?? []].flat()) yield chunk({ content: piece });
  for (const [index, { id, name, input }] of calls.entries()) {
    const call = { name, arguments: JSON.stringify(input) };
    yield chunk({ tool_calls: [{ index, id, type: "function", function: call }] });
  }
  const tokens = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  yield chunk({}, calls.length > 0 ? "tool_calls" : "stop", tokens);
}

const tokensOf = ({ messages, tools }) => Math.ceil(JSON.stringify({ messages, tools }).length / 4);

async function bodyOf(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

/**
 * Starts the model.
 *
 * @param {Answer[]} answers for steps and summaries, in order; titles are answered beside
 * @param {object} [options]
 * @param {boolean} [options.counts] whether the tokens of prompts are counted (four characters a token), where an
 *   answer does not say how many are reported
 */
export async function scriptedModel(answers = [], { counts = false } = {}) {
  const left = [...answers];
  const requests = [];

  function refuse(response, status, message) {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message, type: "invalid_request_error" } }));
  }

  const server = createServer(async (request, response) => {
    try {
      const body = JSON.parse(await bodyOf(request));
      const kind = kindOf(body);
      requests.push({ kind, ...body });
      const answer = kind === "title" ? { text: "A title" } : left.shift();
      // 400 is not tried again: what is missing in a test shows at once.
      if (!answer) return refuse(response, 400, "the script has no answer left");
      if (answer.status) return refuse(response, answer.status, answer.message ?? "refused");
      response.writeHead(200, { "content-type": "text/event-stream" });
      const counted = counts ? { input: tokensOf(body) } : {};
      for (const chunk of chunks({ ...counted, ...answer }))
        response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      response.end("data: [DONE]\n\n");
    } catch (error) {
      refuse(response, 400, `not a request: ${error.message}`);
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    /** Every request so far, with its `kind`: "step", "summary" or "title". */
    requests,
    /** The requests of steps. */
    steps: () => requests.filter(({ kind }) => kind === "step"),
    /** The answers that were not asked for. */
    left,
    /** More answers. */
    add: (...more) => left.push(...more),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
