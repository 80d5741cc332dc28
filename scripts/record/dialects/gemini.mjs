// Gemini's `generateContent`, as the Gemini CLI asks for it.

const PATH = /:(streamG|g)enerateContent/;

const kindOf = ({ tools = [] }) => (tools.length > 0 ? "step" : "title");

function partsOf({ reasoning, text, calls = [] }) {
  const parts = [];
  if (reasoning) parts.push({ text: [reasoning].flat().join(""), thought: true });
  for (const piece of [text ?? []].flat()) parts.push({ text: piece });
  for (const { id, name, input } of calls) parts.push({ functionCall: { id, name, args: input } });
  return parts;
}

function usageOf({ reasoning, input = 100, output = 10, cached = 0 }) {
  const thoughtsTokenCount = reasoning ? 4 : 0;
  return {
    ...{ promptTokenCount: input, candidatesTokenCount: output, thoughtsTokenCount },
    ...{ cachedContentTokenCount: cached, totalTokenCount: input + output + thoughtsTokenCount },
  };
}

function* events(answer, _request, id, model) {
  const event = (value) => `data: ${JSON.stringify(value)}\n\n`;
  const of = { modelVersion: model, responseId: `r${id}` };
  for (const part of partsOf(answer)) {
    yield event({ candidates: [{ index: 0, content: { role: "model", parts: [part] } }], ...of });
  }
  const end = { index: 0, content: { role: "model", parts: [{ text: "" }] }, finishReason: "STOP" };
  yield event({ candidates: [end], usageMetadata: usageOf(answer), ...of });
}

function whole(answer, _request, id, model) {
  const content = { role: "model", parts: partsOf(answer) };
  return {
    candidates: [{ index: 0, content, finishReason: "STOP" }],
    ...{ usageMetadata: usageOf(answer), modelVersion: model, responseId: `r${id}` },
  };
}

const refusal = (status, message) => ({
  error: { code: status, message, status: status >= 500 ? "INTERNAL" : "INVALID_ARGUMENT" },
});

export const gemini = { path: PATH, kindOf, events, whole, refusal };
