// The bodies have the types of the official SDKs: TypeScript checks what toRequest wrote.
import assert from "node:assert/strict";
import { join } from "node:path";
import { before, test } from "node:test";
import { at, consumer, requireFrom, run, tool, write } from "../helper.mjs";
import { answer, done, failed, file, PDF, PNG, reasoning, STEP, text, user } from "./histories.mjs";

let parts;
let folder;
before(async () => {
  folder = await consumer("sdk-types");
  parts = requireFrom(folder)("apex-parts");
});

const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const found = {
  type: "web_search_tool_result",
  content: [
    {
      ...{ type: "web_search_result", title: "W", url: "https://example.org/w" },
      ...{ encrypted_content: "E", page_age: null },
    },
  ],
};

/** One answer with state of every provider. */
const HISTORY = [
  user(
    "Look",
    file("image/png", PNG),
    file("application/pdf", PDF, "a.pdf"),
    file("text/plain", "data:,hi"),
  ),
  answer(
    {},
    STEP,
    reasoning("Hm.", { anthropic: { signature: "S" } }),
    reasoning("", { anthropic: { redactedData: "R" } }),
    reasoning("So.", { openai: { itemId: "rs_1", reasoningEncryptedContent: "E" } }),
    reasoning("Thus.", { google: { thought: true } }),
    text("I look.", { openai: { itemId: "msg_1", phase: "commentary" } }),
    done("w", "web_search", { query: "w" }, "found", {
      metadata: {
        providerExecuted: true,
        anthropic: { type: "server_tool_use", index: 3, result: found, resultIndex: 4 },
      },
    }),
    done("call_1", "read", { path: "a" }, "one", {
      attachments: [file("image/png", PNG)],
      metadata: { google: { thoughtSignature: "T", id: "g1" }, openai: { itemId: "fc_1" } },
    }),
    done("call_2", "sql", { input: "select 1" }, "1", {
      metadata: { openai: { itemId: "ctc_1", custom: "select 1" } },
    }),
    failed("call_3", "read", { path: "b" }, "no such file"),
  ),
  answer({}, STEP, text("Done.")),
  user("Thanks"),
];

/** A format, the module of its SDK, and the type that the body has there. */
const TYPES = [
  [
    "anthropic",
    "@anthropic-ai/sdk/resources/messages",
    "MessageCreateParams",
    "MessageCreateParams",
  ],
  [
    ...["openai-chat", "openai/resources/chat/completions"],
    ...["ChatCompletionCreateParams", "ChatCompletionCreateParams"],
  ],
  [
    ...["openai-responses", "openai/resources/responses/responses"],
    ...["ResponseCreateParams", "ResponseCreateParams"],
  ],
  [
    "gemini",
    "@google/genai",
    "Content, Tool",
    "{ contents: Content[]; tools: Tool[]; systemInstruction: { parts: { text: string }[] } }",
  ],
];

test("each body compiles as the parameters of its official SDK", async () => {
  const project = join(folder, "bodies");
  const sources = TYPES.map(([format, from, names, type]) => {
    const body = parts.toRequest(format, {
      ...{ model: format === "gemini" ? "gemini-3-pro" : "m", messages: HISTORY },
      ...{
        system: ["Be brief."],
        tools: [{ name: "read", description: "Reads", inputSchema: schema }],
      },
    });
    const source = `import type { ${names} } from "${from}";\nexport const body: ${type} = ${JSON.stringify(body, null, 1)};
// @ts-expect-error: the type is not any.
export const wrong: ${type} = 5;
`;
    return [`bodies/${format}.ts`, source];
  });
  write(folder, {
    ...Object.fromEntries(sources),
    "bodies/tsconfig.json": JSON.stringify({
      compilerOptions: {
        ...{
          strict: true,
          noEmit: true,
          skipLibCheck: true,
          target: "ES2022",
          lib: ["ES2022", "DOM"],
        },
        ...{ module: "ESNext", moduleResolution: "bundler", types: ["node"] },
        ...{ typeRoots: [at("node_modules", "@types")], preserveSymlinks: true },
        paths: { "*": [at("node_modules", "*")] },
      },
      include: ["*.ts"],
    }),
  });
  // The compiler's errors are in the error of a run that fails.
  const args = [tool("typescript", "tsc"), "--pretty", "false", "-p", project];
  const said = await run(process.execPath, args, { quiet: true, cwd: folder }).catch(
    ({ message }) => message,
  );
  assert.equal(said, "");
});
