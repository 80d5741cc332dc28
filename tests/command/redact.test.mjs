// The command `apex-parts redact`.
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Transcript } from "../../pkg/node.mjs";
import { generate } from "../../scripts/generate.mjs";
import { at, DELTAS, file, folder, ndjson, run, start } from "./command.mjs";

// Put together here, so that none stands in this file.
const TOKEN = ["ghp", "abcdefghij0123456789ABCDEFGHIJ012345"].join("_");
const KEY = ["sk", "ant", "api03", "abcdefghij0123456789ABCDEFGHIJ012345"].join("-");

const part = (id, type, rest) => ({ id, sessionID: "ses_1", messageID: "msg_1", type, ...rest });
const info = (id) => ({ id, sessionID: "ses_1", role: "user", time: { created: 1 } });
const MESSAGES = [
  {
    info: info("msg_1"),
    parts: [
      part("prt_1", "text", { text: `key ${TOKEN}, again ${TOKEN}, mail alice@corp.io` }),
      part("prt_2", "tool", {
        callID: "call_1",
        tool: "bash",
        state: {
          status: "completed",
          input: { command: "cat .env", password: "hunter2" },
          output: `ANTHROPIC_API_KEY=${KEY}\ncd /home/alice/app`,
          title: "t",
          metadata: { cwd: "/home/alice/app" },
          time: { start: 1, end: 2 },
        },
      }),
    ],
  },
  { info: info("msg_2"), parts: [] },
];
const EXPORT = {
  info: { id: "ses_1", title: "For bob@corp.io", directory: "/home/alice/app", version: "1" },
  messages: MESSAGES,
};
const SECRETS = [TOKEN, KEY, "alice@", "bob@corp", "hunter2", "/home/alice"];

function redacted(path, ...options) {
  const { status, stdout, stderr } = run(["redact", path, ...options]);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /^(.*: the copy is printed anew, not byte for byte\n)?$/);
  return stdout;
}

describe("redact", () => {
  test("writes an export as an export, everything else as messages with parts, and no secret", () => {
    const whole = redacted(file("secrets.export.json", EXPORT));
    const list = redacted(file("secrets.json", MESSAGES));
    for (const text of [whole, list])
      for (const secret of SECRETS) assert.ok(!text.includes(secret));
    const made = JSON.parse(whole);
    assert.equal(made.info.title, "For [redacted email 1]");
    assert.equal(made.info.directory, "/home/[redacted user 1]/app");
    const [{ parts }, second] = JSON.parse(list);
    assert.equal(
      parts[0].text,
      "key [redacted github-token 1], again [redacted github-token 1], mail [redacted email 1]",
    );
    const { input, output, metadata } = parts[1].state;
    assert.deepEqual(input, { command: "cat .env", password: "[redacted password 1]" });
    assert.equal(
      output,
      "ANTHROPIC_API_KEY=[redacted anthropic-key 1]\ncd /home/[redacted user 1]/app",
    );
    assert.equal(metadata.cwd, "/home/[redacted user 1]/app");
    assert.deepEqual(second, MESSAGES[1]);
  });

  test("leaves ids, types, the order and what has no secret", () => {
    const path = at("tests/fixtures/subtask.export.json");
    const { messages } = JSON.parse(readFileSync(path, "utf8"));
    const made = JSON.parse(redacted(path)).messages;
    const links = ({ info, parts }) => [
      info.id,
      info.role,
      parts.map(({ id, messageID, type, callID, tool, state }) => [
        ...[id, messageID, type, callID, tool, state?.status],
      ]),
    ];
    assert.deepEqual(made.map(links), messages.map(links));
    assert.equal(run(["validate", file("again.export.json", redacted(path))]).status, 0);
  });

  test("once is enough", () => {
    const once = redacted(file("once.export.json", EXPORT));
    const again = file("twice.export.json", once);
    assert.equal(redacted(again), once);
    assert.equal(redacted(again, "--list"), "no secrets or personal data found\n");
  });

  test("--keep leaves kinds as they are, and knows their names", () => {
    const text = redacted(file("keep.json", MESSAGES), "--keep", "email,github-token");
    assert.ok(text.includes(TOKEN) && text.includes("alice@corp.io"));
    assert.ok(!text.includes(KEY) && !text.includes("hunter2") && !text.includes("/home/alice"));
    const { status, stdout, stderr } = run(["redact", "x.json", "--keep", "emails"]);
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /^--keep: .*unknown kind of secret "emails"; the kinds are private-key,/);
  });

  test("--list prints kinds with their places, and of a secret its beginning and length only", () => {
    const text = redacted(file("list.export.json", EXPORT), "--list");
    for (const secret of SECRETS) assert.ok(!text.includes(secret), text);
    assert.match(text, /^github-token: 2, 1 different \(tokens of GitHub\)$/m);
    assert.match(text, /^ {2}msg_1 {2}prt_1 {2}\/parts\/0\/text {2}ghp_… \(40 characters\)$/m);
    assert.match(text, /^ {2}msg_1 {2}prt_2 {2}\/parts\/1\/state\/input\/password {2}h… \(7 char/m);
    assert.match(text, /^ {2}\/title {2}bob@… \(11 characters\)$/m);
    const json = JSON.parse(redacted(file("list.json", MESSAGES), "--list", "--json"));
    const kinds = ["anthropic-key", "github-token", "password", "email", "home-folder"];
    assert.deepEqual(
      json.map(({ kind }) => kind),
      kinds,
    );
    assert.ok(json.every(({ masked, count, places }) => masked && count === places.length));
  });

  test("--list speaks of the whole file, with the line of what no copy has", () => {
    const line = (value) => `${JSON.stringify(value)}\n`;
    const meta = { type: "session_meta", timestamp: "2026-01-01T00:00:00.000Z" };
    const instructions = { text: "ask eve@corp.io" };
    const payload = { id: "0198c3f0", cwd: "/w", base_instructions: instructions };
    const content = [{ type: "input_text", text: "mail bob@corp.io" }];
    const said = { type: "message", role: "user", content };
    const session =
      line({ ...meta, payload: { ...payload, timestamp: meta.timestamp } }) +
      line({ ...meta, type: "response_item", payload: said });
    const path = file("beside.jsonl", session);
    for (const text of [redacted(path, "--list"), run(["redact", "-", "--list"], session).stdout]) {
      assert.match(text, /^email: 2 /m);
      const beside = " {2}line 1 {2}/payload/base_instructions/text {2}eve@…";
      assert.match(text, new RegExp(`^${beside} \\(11 characters\\) {2}not in the copy$`, "m"));
      assert.match(text, /\/parts\/0\/text {2}bob@… \(11 characters\)$/m);
    }
    assert.ok(!redacted(path).includes("eve@"));
    const other = { ...EXPORT, messages: [], extra: { note: "eve@corp.io" } };
    const list = run(["redact", file("extra.json", { ...other, messages: MESSAGES }), "--list"]);
    assert.match(list.stdout, /^ {2}\/extra\/note {2}eve@… \(11 characters\) {2}not in the copy$/m);
    // An archive cannot be looked through.
    const archive = redacted(at("tests/fixtures/archives/inspect.eval"), "--list");
    assert.match(archive, /do not share the file itself\n$/);
    assert.ok(!archive.includes("data found\n"));
  });

  test("--mask masks chosen texts, and refuses what is none", () => {
    const path = file("mask.json", MESSAGES);
    const masked = redacted(path, "--mask", "app", "--mask", "/api_key=/i", "--mask", "/AG.IN/i");
    assert.match(masked, /cd \/home\/\[redacted user 1\]\/\[redacted masked \d\]/);
    assert.match(masked, /, \[redacted masked \d\] /);
    const nowhere = run(["redact", path, "--mask", "nowhere", "--out", join(folder, "m.json")]);
    assert.equal(nowhere.status, 0);
    assert.match(nowhere.stderr, /^--mask nowhere: it occurs nowhere$/m);
    for (const wrong of ["", "/(/"]) {
      const { status, stdout, stderr } = run(["redact", path, "--mask", wrong]);
      assert.deepEqual([status, stdout], [2, ""]);
      assert.match(stderr, /^--mask/);
    }
    // A path is no expression.
    assert.equal(run(["redact", path, "--mask", "/home/alice/app"]).status, 0);
  });

  test("the copy is the file where nothing has to change, and says so where it does", () => {
    const message = { ...MESSAGES[1], info: { ...MESSAGES[1].info, agent: "a", model: {} } };
    message.info.model = { providerID: "p", modelID: "m" };
    const whole = `{ "info": {"id":"ses_1","version":"1"},\n"messages": [${JSON.stringify(message)}] }\n\n`;
    const anew = /: the copy is printed anew, not byte for byte$/m;
    const copy = (text, ...options) => run(["redact", "-", ...options], text);
    assert.equal(copy(whole).stdout, whole);
    assert.equal(copy(whole).stderr, "");
    for (const text of [
      `noise ${whole}`,
      `${whole}{}`,
      whole.replace('"version":"1"', '"version":"1","version":"2"'),
      whole.replace('"version":"1"', '"version":"ann@corp.io"'),
      whole.replace('"info": {', '"extra": "ann@corp.io", "info": {'),
      whole.replace('"role":"user"', '"role":"none"'),
    ]) {
      const { stdout, stderr } = copy(text);
      assert.notEqual(stdout, text);
      assert.match(stderr, anew, text);
      assert.ok(!stdout.includes("ann@corp"));
    }
    assert.equal(copy(whole, "--mask", "1").stderr.match(anew)?.length, 1);
  });

  test("--out writes the file whole or not at all, and never over what is read", () => {
    const path = file("out.json", MESSAGES);
    const out = join(folder, "masked.json");
    assert.equal(redacted(path, "--out", out), "");
    assert.equal(readFileSync(out, "utf8"), redacted(path));
    const same = run(["redact", path, "--out", path]);
    assert.equal(same.status, 2);
    assert.match(same.stderr, /cannot be both read and written/);
    assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), MESSAGES);
    const nowhere = join(folder, "none", "x.json");
    assert.equal(run(["redact", path, "--out", nowhere]).status, 2);
    assert.ok(!existsSync(nowhere));
  });

  test("reads every format that convert reads", () => {
    for (const format of ["opencode-events", "claude-code", "deltas"]) {
      const bytes = Buffer.concat([...generate({ format, bytes: 100_000 })]);
      const path = file(`made.${format}`, bytes);
      const given = Transcript.open(bytes);
      const made = JSON.parse(redacted(path));
      assert.equal(made.length, given.messageCount, format);
      given.free();
    }
    const secret = DELTAS.map((one) =>
      one.seq === 3 ? { ...one, payload: { textDelta: `mail alice@corp.io ${TOKEN} ` } } : one,
    );
    const text = redacted(file("secret.deltas", ndjson(secret)));
    assert.ok(text.includes("mail [redacted email 1] [redacted github-token 1] "), text);
  });

  test("takes standard input, and stops when its reader does", async () => {
    const { status, stdout } = run(["redact", "-"], JSON.stringify(MESSAGES));
    assert.equal(status, 0);
    assert.equal(stdout, redacted(file("stdin.json", MESSAGES)));
    const path = file(
      "long.json",
      Buffer.concat([...generate({ format: "with-parts", bytes: 5e6 })]),
    );
    assert.ok(statSync(path).size > 1e6);
    const child = start(["redact", path]);
    child.stdout.once("data", () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.on("close", resolve));
    assert.equal(code, 0);
  });

  test("refuses options that do not go together, and what is no transcript", () => {
    const path = file("options.json", MESSAGES);
    for (const options of [["--json"], ["--list", "--out", "x"], ["--session", "none"]]) {
      assert.notEqual(run(["redact", path, ...options]).status, 0, options.join(" "));
    }
    assert.equal(run(["redact", file("no.txt", "no transcript")]).status, 1);
    assert.equal(run(["redact", join(folder, "missing.json")]).status, 2);
  });
});
