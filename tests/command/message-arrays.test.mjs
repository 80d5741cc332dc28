// Files of messages for models: every command reads them as it reads sessions of agents.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { at, file, run } from "./command.mjs";

const format = (name) => at(`tests/fixtures/formats/messages-${name}.txt`);
const jsonOf = (args) => JSON.parse(run(args).stdout);

test("inspect says what a body asks for, and which sessions a data set has", () => {
  const body = run(["inspect", format("anthropic")]);
  assert.equal(body.status, 0, body.stderr);
  assert.match(body.stdout, /^messages-anthropic: 4 messages, /m);
  assert.match(body.stdout, /^instructions: Answer in one sentence\.$/m);
  const records = run(["inspect", format("sharegpt")]);
  assert.match(records.stdout, /^messages-sharegpt: 7 messages, /m);
  assert.match(records.stdout, /identity_0[\s\S]*identity_1/);
  const { session } = jsonOf(["inspect", format("anthropic"), "--json"]);
  assert.equal(session.fields.model, "claude-test");
});

test("inspect lists the first sessions of a large data set", () => {
  const record = { messages: [{ role: "user", content: "x" }] };
  const data = file("data.jsonl", `${JSON.stringify(record)}\n`.repeat(120));
  const { stdout } = run(["inspect", data]);
  assert.match(stdout, /session-100\b/);
  assert.doesNotMatch(stdout, /session-101\b/);
  assert.match(stdout, /… and 20 more sessions/);
  assert.equal(jsonOf(["inspect", data, "--json"]).sessions.length, 120);
});

test("a session of a data set has the same id in every command", () => {
  const options = ["--to", "with-parts", "--session", "identity_1"];
  const made = jsonOf(["convert", format("sharegpt"), ...options]);
  const texts = made.flatMap(({ parts }) => parts.map(({ text }) => text).filter(Boolean));
  const record = JSON.parse(readFileSync(format("sharegpt"), "utf8"))[1];
  assert.deepEqual(
    texts,
    record.conversations.map(({ value }) => value),
  );
  const found = run(["search", format("sharegpt"), "slug", "--session", "identity_1"]);
  assert.equal(found.status, 0, found.stderr);
  assert.match(found.stdout, /slug/);
});

test("they convert to everything else, and to OpenCode", () => {
  for (const name of ["anthropic", "openai-responses", "gemini", "ai-sdk-model"]) {
    for (const to of ["with-parts", "ui-messages", "messages"])
      assert.ok(jsonOf(["convert", format(name), "--to", to]).length > 2, `${name} ${to}`);
    const session = jsonOf(["convert", format(name), "--to", "opencode"]);
    assert.equal(session.messages.length, 4, name);
    const again = file(`${name}.json`, JSON.stringify(session));
    assert.equal(run(["validate", again, "--for", "opencode"]).status, 0, name);
    const page = run(["convert", format(name), "--to", "markdown"]);
    assert.match(page.stdout, /What is in these files\?/);
    const told = page.stderr.includes("its instructions are not in it (apex-parts inspect --json)");
    // The items of a Responses request have none: they stand beside them.
    assert.equal(told, name !== "openai-responses", page.stderr);
  }
});

test("what is lost is told with its place", () => {
  const text = '[{"role":"user","content":"x"},\n{"role":"nobody","content":"y"}]';
  const { status, stdout } = run(["validate", file("lost.json", text)]);
  assert.equal(status, 1);
  assert.match(stdout, /^error schema \(byte 32\): \/1\/role: a role must be /m);
});
