// Which request was sent where in a session.
import assert from "node:assert/strict";

/** The message as it stood at a time: outputs that were cleared later are not cleared. */
function asOf(message, time) {
  const isLater = ({ state }) => state?.time?.compacted > time;
  if (!message.parts.some(isLater)) return message;
  const parts = message.parts.map((part) => {
    if (!isLater(part)) return part;
    const { compacted, ...before } = part.state.time;
    return { ...part, state: { ...part.state, time: before } };
  });
  return { ...message, parts };
}

/**
 * The requests of steps, each with the messages that stood before its answer, as they stood then. Each request
 * has one assistant message for its answer, in the same order; assistant messages before them were imported.
 *
 * @param {object[]} messages a session, as it is afterwards
 * @param {{ kind: "step" | "summary", messages: object[] }[]} requests all that were sent, titles left out
 */
export function placed(messages, requests) {
  const answers = messages.filter(({ info }) => info.role === "assistant").slice(-requests.length);
  assert.deepEqual(
    answers.map(({ info }) => (info.summary === true ? "summary" : "step")),
    requests.map(({ kind }) => kind),
    "each request has its answer",
  );
  return requests.flatMap((request, index) => {
    if (request.kind !== "step") return [];
    const { info } = answers[index];
    const before = messages.slice(0, messages.indexOf(answers[index]));
    return { request, answer: info, before: before.map((one) => asOf(one, info.time.created)) };
  });
}
