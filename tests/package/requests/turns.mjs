// Any histories of turns, and how each format writes them.
import fc from "fast-check";

export const word = fc.string({ minLength: 1 });
export const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));
export const input = fc
  .dictionary(fc.string(), json)
  .map((value) => JSON.parse(JSON.stringify(value)));
const call = fc.record({
  ...{ input, output: word, isError: fc.boolean() },
  isAnswered: fc.boolean(),
});
/** A turn: what was asked, what was said, the calls with what came of them. */
const turn = fc.record({ asked: word, said: word, calls: fc.array(call, { maxLength: 3 }) });
export const turns = fc.array(turn, { maxLength: 6 }).map((list) => {
  let id = 0;
  return list.map((one) => ({
    ...one,
    calls: one.calls.map((own) => ({ ...own, id: `call_${id++}` })),
  }));
});

/** The history of turns in each format. */
export const WRITERS = {
  anthropic: ({ asked, said, calls }) => [
    { role: "user", content: [{ type: "text", text: asked }] },
    {
      role: "assistant",
      content: [
        { type: "text", text: said },
        ...calls.map((own) => ({ type: "tool_use", id: own.id, name: "t", input: own.input })),
      ],
    },
    ...(calls.some(({ isAnswered }) => isAnswered)
      ? [
          {
            role: "user",
            content: calls
              .filter(({ isAnswered }) => isAnswered)
              .map(({ id, output, isError }) => ({
                ...{ type: "tool_result", tool_use_id: id, content: output, is_error: isError },
              })),
          },
        ]
      : []),
  ],
  "openai-chat": ({ asked, said, calls }) => [
    { role: "user", content: asked },
    {
      ...{ role: "assistant", content: said },
      ...(calls.length > 0 && {
        tool_calls: calls.map((own) => ({
          ...{ id: own.id, type: "function" },
          function: { name: "t", arguments: JSON.stringify(own.input) },
        })),
      }),
    },
    ...calls
      .filter(({ isAnswered }) => isAnswered)
      .map(({ id, output }) => ({ role: "tool", tool_call_id: id, content: output })),
  ],
  "openai-responses": ({ asked, said, calls }) => [
    { role: "user", content: [{ type: "input_text", text: asked }] },
    { role: "assistant", content: said },
    ...calls.map(({ id, input: own }) => ({
      ...{ type: "function_call", call_id: id, name: "t", arguments: JSON.stringify(own) },
    })),
    ...calls
      .filter(({ isAnswered }) => isAnswered)
      .map(({ id, output }) => ({ type: "function_call_output", call_id: id, output })),
  ],
  gemini: ({ asked, said, calls }) => [
    { role: "user", parts: [{ text: asked }] },
    {
      role: "model",
      parts: [
        { text: said },
        ...calls.map((own) => ({ functionCall: { id: own.id, name: "t", args: own.input } })),
      ],
    },
    ...calls
      .filter(({ isAnswered }) => isAnswered)
      .map(({ id, output, isError }) => ({
        role: "user",
        parts: [
          {
            functionResponse: {
              id,
              name: "t",
              response: { [isError ? "error" : "output"]: output },
            },
          },
        ],
      })),
  ],
  "ai-sdk": ({ asked, said, calls }) => [
    { role: "user", parts: [{ type: "text", text: asked }] },
    {
      role: "assistant",
      parts: [
        { type: "step-start" },
        { type: "text", text: said },
        ...calls.map(({ id, input: own, output, isError, isAnswered }) => ({
          ...{ type: "tool-t", toolCallId: id, input: own },
          ...(isAnswered
            ? isError
              ? { state: "output-error", errorText: output }
              : { state: "output-available", output }
            : { state: "input-available" }),
        })),
      ],
    },
  ],
  "ai-sdk-model": ({ asked, said, calls }) => [
    { role: "user", content: [{ type: "text", text: asked }] },
    {
      role: "assistant",
      content: [
        { type: "text", text: said },
        ...calls.map(({ id, input: own }) => ({
          ...{ type: "tool-call", toolCallId: id, toolName: "t", input: own },
        })),
      ],
    },
    ...(calls.some(({ isAnswered }) => isAnswered)
      ? [
          {
            role: "tool",
            content: calls
              .filter(({ isAnswered }) => isAnswered)
              .map(({ id, output, isError }) => ({
                ...{ type: "tool-result", toolCallId: id, toolName: "t" },
                output: { type: isError ? "error-text" : "text", value: output },
              })),
          },
        ]
      : []),
  ],
};
