// A model that answers from a script: a server on loopback with the streams of two providers, made up piece by piece.
// Which answer comes next is told by the request, so that a step which is run again gets the same one.
import { createServer } from "node:http";

const event = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** Streams of an answer {words, calls, tokens}, one array of pieces a format. */
const STREAMS = {
  anthropic({ words = [], calls = [], tokens = 100 }, step) {
    const usage = { input_tokens: tokens, output_tokens: 1 };
    const message = {
      id: `msg_${step}`,
      type: "message",
      role: "assistant",
      model: "m",
      content: [],
    };
    const pieces = [event({ type: "message_start", message: { ...message, usage } })];
    const block = (index, content_block, deltas) => {
      pieces.push(event({ type: "content_block_start", index, content_block }));
      for (const delta of deltas) pieces.push(event({ type: "content_block_delta", index, delta }));
      pieces.push(event({ type: "content_block_stop", index }));
    };
    const texts = words.map((text) => ({ type: "text_delta", text }));
    if (words.length > 0) block(0, { type: "text", text: "" }, texts);
    for (const [at, { id, tool, input }] of calls.entries()) {
      const partial_json = JSON.stringify(input);
      const delta = { type: "input_json_delta", partial_json };
      block(at + 1, { type: "tool_use", id, name: tool, input: {} }, [delta]);
    }
    const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
    const delta = { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 20 } };
    return [...pieces, event(delta), event({ type: "message_stop" })];
  },
  "openai-chat"({ words = [], calls = [], tokens = 100 }, step) {
    const chunk = (delta, finish_reason = null, more = {}) =>
      `data: ${JSON.stringify({
        ...{ id: `chat_${step}`, object: "chat.completion.chunk", created: 1, model: "m" },
        ...{ choices: [{ index: 0, delta, finish_reason }], ...more },
      })}\n\n`;
    const made = calls.map(({ id, tool, input }, index) =>
      chunk({
        tool_calls: [
          {
            index,
            id,
            type: "function",
            function: { name: tool, arguments: JSON.stringify(input) },
          },
        ],
      }),
    );
    const texts = words.map((content) => chunk({ content }));
    const usage = { prompt_tokens: tokens, completion_tokens: 20, total_tokens: tokens + 20 };
    const end = chunk({}, calls.length > 0 ? "tool_calls" : "stop", { usage });
    return [chunk({ role: "assistant", content: "" }), ...texts, ...made, end, "data: [DONE]\n\n"];
  },
};

/**
 * Serves a script: an array of answers, one a step, each with words of its own. An answer may also have {status, body}
 * in place of a stream, or {stream}: its pieces as they were recorded, and `mark`, some of its words.
 */
export async function scriptedModel(format, script) {
  const requests = [];
  let hold;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    const body = JSON.parse(text);
    const isSummary = body.tools === undefined;
    const next = stepOf(body, script);
    const step = isSummary ? "summary" : next;
    requests.push({ step, body, headers: request.headers });
    const answer = isSummary ? { words: ["So far: ", wordsOf(script[next - 1])] } : script[next];
    const { status = 200, body: raw } = answer;
    const pieces = raw === undefined ? (answer.stream ?? STREAMS[format](answer, step)) : [raw];
    const holding = hold?.step === step ? hold : undefined;
    if (holding) hold = undefined;
    if (holding?.piece === 0) return holding.reached();
    response.writeHead(status, { "content-type": "text/event-stream" });
    for (const [at, piece] of pieces.entries()) {
      // The rest never comes: the process that asked for it is killed.
      if (holding?.piece === at) return holding.reached();
      await new Promise((resolve) => response.write(piece, resolve));
    }
    response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    ...{ format, requests, url: `http://127.0.0.1:${server.address().port}/` },
    /** Resolves when so many pieces of a step's answer are sent, and no more will be; 0: the request has come. */
    holdAt: (step, piece) =>
      new Promise((reached) => {
        hold = { step, piece, reached };
      }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The step after the last whose words are in a request; a summary repeats those of the last that it has read. */
function stepOf({ messages }, script) {
  const text = JSON.stringify(messages);
  return 1 + script.findLastIndex((answer) => text.includes(wordsOf(answer)));
}

const wordsOf = ({ words, mark }) => mark ?? words.join("");
