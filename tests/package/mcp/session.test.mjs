// A session with built-in tools, a skill and MCP servers: its parts are valid, and the command reads it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { at } from "../helper.mjs";
import { recordSession } from "./session.mjs";

const { PartValidator } = await import("../../../pkg/node.mjs");
let folder;
let session;

before(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "session-")));
  session = await recordSession(folder);
});
after(() => folder && rmSync(folder, { recursive: true, force: true }));

const command = (...args) => {
  const file = join(folder, "session.json");
  writeFileSync(file, JSON.stringify(session.messages));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [at("pkg", "cli.mjs"), ...args.map((arg) => (arg === "FILE" ? file : arg))],
    { encoding: "utf8" },
  );
  assert.equal(stderr, "");
  return { status, stdout };
};
const calls = () => session.messages[1].parts.filter(({ type }) => type === "tool");
const callOf = (tool) => calls().find((part) => part.tool === tool).state;

describe("a session with built-in tools, a skill and two MCP servers", () => {
  test("has told the model of all of them, each name once", () => {
    const names = session.definitions.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    for (const name of ["read", "skill", "everything_echo", "files_write_file"]) {
      assert.ok(names.includes(name), name);
    }
    for (const { name } of session.definitions) assert.match(name, /^[A-Za-z_][\w-]{0,63}$/);
    const { description } = session.definitions.find(({ name }) => name === "skill");
    assert.match(description, /harbour-report/);
    assert.deepEqual(
      session.problems.filter(({ severity }) => severity === "error").map(({ rule }) => rule),
      ["SK-10"],
    );
  });

  test("ran them", () => {
    const wrong = calls()
      .filter(({ state }) => state.status === "error")
      .map(({ tool, state }) => `${tool}: ${state.error.split("\n")[0]}`);
    assert.equal(wrong.length, 3, wrong.join("\n"));
    assert.match(wrong[0], /^files_read_text_file: Access denied/);
    assert.match(wrong[1], /^everything_simulate-research-query: .*task/);
    assert.match(wrong[2], /^everything_get-summ: There is no tool named .*everything_get-sum\./);
    assert.match(callOf("skill").output, /Read every log\. Then write one line a boat\./);
    assert.equal(callOf("skill").metadata.skill.name, "harbour-report");
    assert.equal(callOf("files_read_media_file").attachments.length, 1);
    assert.match(readFileSync(join(folder, "report.md"), "utf8"), /Ada: 07:40/);
  });

  test("is valid in every part", () => {
    const { problems } = PartValidator.validateTranscript(session.messages);
    assert.deepEqual(problems, []);
  });

  test("is valid for the command, which counts its calls", () => {
    const validated = command("validate", "FILE");
    assert.equal(validated.status, 0, validated.stdout);
    const inspected = command("inspect", "FILE", "--json");
    assert.equal(inspected.status, 0, inspected.stdout);
    const summary = JSON.stringify(JSON.parse(inspected.stdout));
    for (const { tool } of calls()) assert.ok(summary.includes(`"${tool}"`), tool);
    assert.match(command("inspect", "FILE").stdout, /everything_get-tiny-image/);
    assert.match(command("search", "FILE", "harbour-report").stdout, /input.name: harbour-report/);
    assert.match(
      command("convert", "FILE", "--to", "markdown").stdout,
      /everything_get-tiny-image/,
    );
  });

  test("becomes messages for a model, whose pictures are data and whose resources are text", () => {
    const converted = command("convert", "FILE", "--to", "ui-messages");
    assert.equal(converted.status, 0);
    assert.doesNotMatch(converted.stdout, /"url":"mcp:/);
    assert.match(converted.stdout, /Resource 1: This is a plaintext resource/);
  });
});
