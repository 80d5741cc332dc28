// Messages for models have two readers: that of files, in Rust (crates/providers), and that of fromMessages, in TypeScript.
// Law: they read the same, whatever is damaged.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import fc from "fast-check";
import { at, consumer, requireFrom } from "../helper.mjs";
import { json, turns, WRITERS } from "./turns.mjs";

let parts;
before(async () => {
  parts = requireFrom(await consumer("two-readers"))("apex-parts");
  parts.setLogger(undefined);
});

const FORMATS = [
  ...["anthropic", "openai-chat", "openai-responses", "gemini"],
  ...["ai-sdk", "ai-sdk-model", "sharegpt"],
];
const now = 1_700_000_000_000;
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Fields that the readers ask for. */
const NAMES = [
  ...["role", "content", "type", "text", "id", "name", "input", "source", "url", "data", "title"],
  ...["tool_calls", "tool_call_id", "function", "arguments", "function_call", "refusal", "custom"],
  ...["tool_use_id", "is_error", "thinking", "signature", "citations", "reasoning_content"],
  ...["reasoning", "reasoning_details", "image_url", "file", "input_audio", "annotations"],
  ...["parts", "state", "output", "value", "toolCallId", "toolName", "approval", "approved"],
  ...["approvalId", "reason", "result", "providerOptions", "providerMetadata", "mediaType"],
  ...["cache_control", "block", "message", "1", "0", "a~/b", "é"],
  ...["thought", "thoughtSignature", "functionCall", "functionResponse"],
  ...["response", "executableCode", "codeExecutionResult", "tool_call", "toolResponse"],
  ...["inlineData", "inline_data", "fileData", "mimeType", "fileUri", "displayName", "args"],
  ...["call_id", "status", "execution", "environment", "summary", "encrypted_content", "phase"],
  ...["action", "tools", "approve", "approval_request_id", "detail", "filename"],
  ...["file_data", "file_url", "outcome", "stdout", "exit_code", "error"],
  ...["from", "parameters"],
];
/** Values that some field takes. */
const WORDS = [
  ...["user", "assistant", "system", "developer", "tool", "function", "text", "tool_use", "image"],
  ...[
    "tool_result",
    "server_tool_use",
    "x_tool_result",
    "redacted_thinking",
    "document",
    "refusal",
  ],
  ...[
    "",
    " ",
    '{"a":1}',
    '{"a": 1.0}',
    "[1]",
    "null",
    "{",
    "data:image/PNG;base64,AA",
    "a.b/c.pdf?d",
  ],
  ...["step-start", "dynamic-tool", "output-available", "output-denied", "input-streaming"],
  ...["tool-call", "tool-result", "tool-approval-request", "tool-approval-response", "content"],
  ...["model", "OUTCOME_OK", "image/png", "function_call", "function_call_output", "x_call"],
  ...["custom_tool_call", "shell_call", "shell_call_output", "mcp_call", "web_search_call"],
  ...["mcp_approval_request", "mcp_approval_response", "tool_search_output", "reasoning"],
  ...["input_image", "input_file", "output_text", "computer_screenshot", "server", "failed"],
  ...["human", "gpt", "function_response", "observation", '{"name":"f","arguments":"{}"}'],
  ...["\ud800", "é\u2028", "x".repeat(70), "base64", "custom", "image_url", "input_audio", "file"],
];
const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
  fc.constantFrom(null, true, 0, -1.5, [], {}, [null], [{ type: "text", text: "t" }]),
  json,
);
/** What is damaged: a place, how, and with what. */
const damage = fc.array(
  fc.record({
    place: fc.nat(),
    how: fc.constantFrom("replace", "drop", "repeat", "rename", "add"),
    name: fc.constantFrom(...NAMES),
    value,
  }),
  { maxLength: 4 },
);

/** Every place of a value: the container, and the field or index. */
const placesOf = (container) =>
  Object.keys(container).flatMap((key) => {
    const inner = container[key];
    const own = typeof inner === "object" && inner !== null ? placesOf(inner) : [];
    return [[container, key], ...own];
  });

function damaged(body, faults) {
  const copy = JSON.parse(JSON.stringify(body));
  for (const { place, how, name, value: given } of faults) {
    const places = placesOf(copy);
    if (places.length === 0) break;
    // A copy: the next fault may be in it, and it may come again.
    const value = structuredClone(given);
    const [container, key] = places[place % places.length];
    const isList = Array.isArray(container);
    if (how === "drop" && isList) container.splice(key, 1);
    else if (how === "drop") delete container[key];
    else if (how === "repeat" && isList) container.splice(key, 0, structuredClone(container[key]));
    else if (how === "rename" && !isList) container[name] = structuredClone(container[key]);
    else if (how === "add" && isObject(container[key])) container[key][name] = value;
    else container[key] = value;
  }
  return copy;
}

/** The fields of a body in which its messages stand. */
const LISTS = ["messages", "contents", "input", "conversations"];
/**
 * Whether a file takes an element of an array for a record that has messages of its own, and not for a message: it has a field
 * of a body and is not a call.
 */
const isRecord = (value) =>
  [...LISTS, "conversation", "prompt"].some((name) => value[name] != null) &&
  !(/_(?:call|output)$/.test(value.type) && ("call_id" in value || "id" in value));

/** How a file can spell the same. */
const SPELLINGS = [
  (body) => JSON.stringify(body),
  (body) => JSON.stringify(body, null, 2),
  (body) =>
    JSON.stringify(body).replace(
      /[^ -~]|\//g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`,
    ),
  // A name that comes twice: the last one counts.
  (body) => JSON.stringify(body).replaceAll('"content":', '"content":"before","content":'),
];

/** What a file says, and what fromMessages says of the same. */
function check(format, list, spell, given) {
  const text = spell(list);
  const body = JSON.parse(text);
  const model = { providerID: "", modelID: "" };
  const expected = parts.fromMessages(given, body, { sessionID: "session-1", now, model });
  // A file without messages says that, too.
  if (expected.messages.length === 0) return;
  const transcript = parts.Transcript.open(new TextEncoder().encode(text), {
    now,
    format: `messages-${format}`,
  });
  assert.equal(JSON.stringify(transcript.messages()), JSON.stringify(expected.messages));
  assert.equal(transcript.session?.system, expected.system);
  const said = ({ severity, rule, path, message }) =>
    `${severity} ${rule} ${path === "" ? "" : `${path}: `}${message}`;
  const problems = transcript.problems().filter(({ offset }) => offset !== undefined);
  assert.deepEqual(
    problems.map(({ severity, rule, message }) => `${severity} ${rule} ${message}`).sort(),
    expected.problems.map(said).sort(),
  );
  transcript.free();
}

for (const format of FORMATS) {
  const fixture = JSON.parse(
    readFileSync(at("tests", "fixtures", "messages", `${format}.json`), "utf8"),
  );
  const histories = fc.oneof(
    fc.constant(LISTS.map((name) => fixture[name]).find(Array.isArray) ?? fixture),
    ...(WRITERS[format] ? [turns.map((list) => list.flatMap(WRITERS[format]))] : []),
  );
  test(`${format}: a file and fromMessages say the same of any history`, () => {
    const law = fc.property(
      histories,
      damage,
      fc.constantFrom(...SPELLINGS),
      (list, faults, spell) => {
        const broken = damaged(list, faults).filter((one) => isObject(one) && !isRecord(one));
        check(format, broken, spell, format);
      },
    );
    fc.assert(law, { numRuns: 300 });
  });
}
