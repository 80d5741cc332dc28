// `apex-parts tool`: a built-in tool run by hand; and the example of a registry with all of them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { at, folder as root, run, start } from "./command.mjs";

/** A folder of its own with these files. */
function place(files = {}) {
  const dir = mkdtempSync(join(root, "tool-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
}

const tool = (dir, name, input, ...more) =>
  run([
    "tool",
    name,
    typeof input === "string" ? input : JSON.stringify(input),
    "--dir",
    dir,
    ...more,
  ]);

/** Whether a process runs; one that has ended and that nobody has collected yet does not. */
function runs(pid) {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

test("prints the title, the state and the output", () => {
  const dir = place({ "a.txt": "one\ntwo\n" });
  const { status, stdout } = tool(dir, "read", { filePath: "a.txt", offset: 2 });
  assert.equal(status, 0);
  assert.match(stdout, /^a\.txt completed\n<path>/);
  assert.match(stdout, /\n2: two\n/);
});

test("prints the part with --json", () => {
  const dir = place({ "a.txt": "one\n" });
  const { status, stdout } = tool(dir, "grep", { pattern: "one" }, "--json");
  assert.equal(status, 0);
  const part = JSON.parse(stdout);
  assert.equal(part.type, "tool");
  assert.equal(part.state.status, "completed");
  assert.equal(part.state.metadata.matches, 1);
});

test("without a terminal, what would be asked is denied; the error names the rule", () => {
  const dir = place({ "a.txt": "one\n" });
  const { status, stdout } = tool(dir, "edit", {
    ...{ filePath: "a.txt", oldString: "one", newString: "two" },
  });
  assert.equal(status, 1);
  assert.match(stdout, /^edit error\nedit of "a\.txt" needs permission/);
  assert.equal(readFileSync(join(dir, "a.txt"), "utf8"), "one\n");
});

test("--allow takes permissions, patterns and JSON", () => {
  const dir = place({ "a.txt": "0\n" });
  const edit = (from, to, ...allow) =>
    tool(dir, "edit", { filePath: "a.txt", oldString: from, newString: to }, ...allow).status;
  assert.equal(edit("0", "1", "--allow", "edit"), 0);
  assert.equal(edit("1", "2", "--allow", "bash, edit:*.txt"), 0);
  assert.equal(edit("2", "3", "--allow", "edit:*.md"), 1);
  assert.equal(edit("2", "3", "--allow", '{"edit": {"*": "allow", "a.*": "deny"}}'), 1);
  assert.equal(edit("2", "3", "--allow", "bash", "--allow", "*"), 0);
  assert.equal(readFileSync(join(dir, "a.txt"), "utf8"), "3\n");
  const wrong = tool(dir, "read", {}, "--allow", "{");
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /--allow takes PERMISSION/);
});

test("reads the arguments from standard input", () => {
  const dir = place();
  const input = JSON.stringify({ filePath: "new/a.txt", content: "x\n".repeat(100_000) });
  const { status } = run(["tool", "write", "-", "--dir", dir, "--allow", "edit"], input);
  assert.equal(status, 0);
  assert.equal(readFileSync(join(dir, "new", "a.txt"), "utf8").length, 200_000);
});

test("arguments that do not fit are an error that says what fits", () => {
  const dir = place();
  for (const [input, expected] of [
    ["{", /its arguments are not JSON/],
    ["{}", /- filePath: required/],
  ]) {
    const { status, stdout } = tool(dir, "read", input);
    assert.equal(status, 1);
    assert.match(stdout, expected);
  }
});

test("knows OpenCode's names, and lists the tools for an unknown one", () => {
  const dir = place();
  assert.equal(tool(dir, "todoread", {}).status, 0);
  const { status, stderr } = tool(dir, "reed", {});
  assert.equal(status, 2);
  assert.match(
    stderr,
    /There is no tool named reed\. Available tools: bash, read, .* Closest: read\./,
  );
  assert.equal(run(["tool", "read"]).status, 2);
});

test("a whole output that is too long is in a file", () => {
  const dir = place();
  const { status, stdout } = tool(dir, "bash", { command: "seq 1 3000" }, "--allow", "bash");
  assert.equal(status, 0);
  const [, path] = /Whole output: (.*): read it/.exec(stdout);
  assert.ok(path.startsWith(tmpdir()));
  assert.equal(
    readFileSync(path, "utf8"),
    `${Array.from({ length: 3000 }, (_, i) => i + 1).join("\n")}\n`,
  );
});

test("a signal stops the command and all that it started", async () => {
  const dir = place();
  const ready = join(dir, "ready");
  const command = `sleep 600 & echo $! > child; touch ready; wait`;
  const child = start(["tool", "bash", JSON.stringify({ command }), "--dir", dir, "--allow", "*"]);
  const output = [];
  child.stdout.on("data", (bytes) => output.push(bytes));
  while (!existsSync(ready)) {
    assert.equal(child.exitCode, null, "it ended before it was stopped");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill("SIGTERM");
  await new Promise((resolve) => child.once("close", resolve));
  const pid = Number(readFileSync(join(dir, "child"), "utf8"));
  assert.ok(!runs(pid));
  assert.match(Buffer.concat(output).toString(), /stopped/);
});

test("the example: asked, denied, repaired, mended", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [at("examples/tools.mjs")], {
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  assert.equal(status, 0);
  assert.match(stdout, /asked: edit of greet\.py\? once\n {4}waits for permission/);
  assert.match(stdout, /Matched ignoring indentation; newString was moved to fit\./);
  assert.match(stdout, /\(exit code 3\)/);
  assert.match(stdout, /permission: The rules deny bash of "env sudo sh -c 'rm -rf \.'"/);
  assert.match(stdout, /permission: The user turned this call down\./);
  assert.match(stdout, /unknown: There is no tool named reed\. .* Closest: read\./);
  assert.match(
    stdout,
    /\nclass Greeter:\n {4}def greet\(self, name\):\n {8}print\(f'hi \{name\}'\)\n/,
  );
});
