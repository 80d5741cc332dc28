// The example, as a person runs it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { at } from "../helper.mjs";

test("the example has built-in tools, a skill and a server's tools in one registry", () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [at("examples", "skills-and-mcp.mjs")],
    { encoding: "utf8" },
  );
  assert.equal(stderr, "");
  assert.equal(status, 0);
  assert.match(stdout, /^warning SK-16: .*description/);
  assert.match(stdout, /\d+ tools: .*read, .*skill, .*files_read_text_file/);
  assert.match(stdout, /skill \{"name":"greeting"\}\n {2}Say hi, then the name\./);
  assert.match(stdout, /files_read_text_file .*\n {2}Hello, world\n/);
  assert.match(stdout, /files_read_text_file .*\n {2}hi Ada\n/);
  assert.match(stdout, /error: Access denied/);
});
