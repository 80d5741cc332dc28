// Requests whose bodies their providers take.
import assert from "node:assert/strict";
import { refusals } from "./refusals.mjs";

/** The model of each format where none is named. */
const MODELS = {
  ...{ anthropic: "m", "openai-chat": "m", "openai-responses": "m" },
  gemini: "gemini-3-pro",
};

/** A body, its problems, and the rules of these. */
export function requestOf(parts, format, options) {
  const problems = [];
  const onProblem = (problem) => problems.push(problem);
  const body = parts.toRequest(format, { model: MODELS[format], onProblem, ...options });
  assert.deepEqual(refusals(format, body, options.provider === "mistral"), []);
  return { body, problems, rules: problems.map(({ rule }) => rule) };
}
