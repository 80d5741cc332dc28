// Pictures of Gemini: a custom part of the stream's message, a file part for `toWithParts`, and back in place (RQ-9).
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { consumer, requireFrom } from "../helper.mjs";
import { answer, text, user } from "./histories.mjs";
import { requestOf } from "./request.mjs";

let parts;
before(async () => {
  parts = requireFrom(await consumer("pictures"))("apex-parts");
});

const DATA = "aGVsbG8=";
const PICTURE = { inlineData: { mimeType: "image/png", data: DATA }, thoughtSignature: "UElD" };
const CONTENTS = {
  "a picture": [{ text: "Here:" }, PICTURE],
  "pictures between texts": [PICTURE, { text: "and" }, PICTURE, { text: "done" }],
  "without a signature": [{ inlineData: { mimeType: "image/jpeg", data: DATA } }],
  "a thought": [{ thought: true, ...PICTURE }, { text: "ok" }],
  "with a name and more fields": [
    { inlineData: { mimeType: "audio/wav", data: DATA, displayName: "a.wav", extra: [1] } },
  ],
  "fields beside it": [{ ...PICTURE, mediaResolution: { level: "HIGH" }, partMetadata: { a: 1 } }],
  "an address": [
    { fileData: { mimeType: "video/mp4", fileUri: "gs://bucket/a.mp4" }, thoughtSignature: "UElD" },
    { fileData: { mimeType: "image/png", fileUri: "https://example.org/a.png" } },
  ],
};
const MODEL = { providerID: "google", modelID: "gemini-3-pro" };
const ASKED = { provider: "google", model: "gemini-3-pro" };

/** The answer as it is streamed: each part in a chunk of its own. */
function streamed(content) {
  const assembler = new parts.DeltaAssembler({ format: "gemini" });
  const chunk = (part, finish) => ({
    candidates: [
      { content: { role: "model", parts: [part] }, ...(finish && { finishReason: "STOP" }) },
    ],
    modelVersion: "gemini-3-pro",
    responseId: "r",
  });
  for (const [at, part] of content.entries()) {
    const line = `data: ${JSON.stringify(chunk(part, at === content.length - 1))}\n\n`;
    assembler.pushBytes(Buffer.from(line));
  }
  assembler.end();
  return assembler;
}

/** A part without its ids and time. */
const bare = ({ id, sessionID, messageID, time, ...part }) => part;
const saidIn = (message) => message.parts.filter(({ type }) => !type.startsWith("step-")).map(bare);
const CONTEXT = { sessionID: "s", providerID: "google" };

for (const [name, content] of Object.entries(CONTENTS))
  describe(name, () => {
    test("is a custom part of the message and a file part for toWithParts, as in fromMessages", () => {
      const assembler = streamed(content);
      const kinds = assembler.message().parts.map(({ kind }) => kind);
      assert.deepEqual(
        kinds,
        content.map((part) => (part.text === undefined ? "custom" : "text")),
      );
      const { messages, problems } = parts.fromMessages(
        "gemini",
        { contents: [{ role: "model", parts: content }] },
        { model: MODEL },
      );
      assert.deepEqual(problems, []);
      const made = saidIn(assembler.toWithParts(CONTEXT));
      assert.deepEqual(made, saidIn(messages[0]));
      assert.deepEqual(
        made.map(({ type }) => type),
        content.map((part) => (part.text === undefined ? "file" : "text")),
      );
    });

    test("goes back to Gemini in its place, from the stream and from its body", () => {
      const contents = [
        { role: "user", parts: [{ text: "draw" }] },
        { role: "model", parts: content },
        { role: "user", parts: [{ text: "more" }] },
      ];
      const fromStream = [user("draw"), streamed(content).toWithParts(CONTEXT), user("more")];
      const fromBody = parts.fromMessages("gemini", { contents }, { model: MODEL }).messages;
      for (const messages of [fromStream, fromBody]) {
        const { body, rules } = requestOf(parts, "gemini", { ...ASKED, messages });
        assert.deepEqual([body.contents, rules], [contents, []]);
      }
    });
  });

describe("to others", () => {
  const messages = () => [
    user("draw"),
    streamed(CONTENTS["a picture"]).toWithParts(CONTEXT),
    user("more"),
  ];

  test("a picture is left out, with a problem", () => {
    for (const [format, provider] of [
      ["anthropic", "anthropic"],
      ["openai-chat", "openai"],
      ["openai-responses", "openai"],
    ]) {
      const { body, rules } = requestOf(parts, format, { provider, messages: messages() });
      assert.ok(!JSON.stringify(body).includes(DATA), format);
      assert.ok(rules.includes("RQ-6"), format);
    }
  });

  test("a file of another provider's model is left out", () => {
    const file = { type: "file", mime: "image/png", url: `data:image/png;base64,${DATA}` };
    const said = answer({ providerID: "openai", modelID: "gpt-5" }, text("Here"), file);
    const { body, rules } = requestOf(parts, "gemini", { ...ASKED, messages: [user("q"), said] });
    assert.ok(!JSON.stringify(body).includes(DATA));
    assert.deepEqual(rules, ["RQ-6"]);
  });

  test("another model of Gemini gets it without the signature", () => {
    const { body, rules } = requestOf(parts, "gemini", {
      ...{ provider: "google", model: "gemini-2.5-flash" },
      messages: messages(),
    });
    const { thoughtSignature: _, ...unsigned } = PICTURE;
    assert.deepEqual(body.contents[1].parts, [{ text: "Here:" }, unsigned]);
    assert.deepEqual(rules, ["RQ-2"]);
  });

  test("the AI SDK gets it as a file", () => {
    const ui = parts.toModelMessage(messages());
    assert.deepEqual(ui[1].parts[1], {
      ...{ type: "file", mediaType: "image/png", url: `data:image/png;base64,${DATA}` },
      providerMetadata: { google: { thoughtSignature: "UElD" } },
    });
  });
});
