// `validate --for opencode` names each reason for which `opencode import` would stop, before it does. Each case breaks
// one thing; the real program judges those that stand for a kind of reason.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openCodeProblems, Transcript } from "../../../pkg/node.mjs";
import { findOpenCode, openCode } from "../../../scripts/record/place.mjs";
import { exported, History } from "./sessions.mjs";

const { reason } = await findOpenCode();
const cli = fileURLToPath(new URL("../../../pkg/cli.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "apex-parts-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A session of its own. */
function session() {
  const history = new History();
  history.user("Hello");
  history.step({ reasoning: "Hm.", text: "Hi", calls: [{ input: { a: 1 }, output: "o" }] });
  history.step({ text: "Done" });
  // As text and back: no object is in two places.
  return JSON.parse(JSON.stringify(exported(history.messages)));
}

const answer = ({ messages }) => messages[1];
const part = (made, type) => answer(made).parts.find((one) => one.type === type);
const add = (made, fields) => {
  const { id, sessionID, messageID } = part(made, "text");
  answer(made).parts.push({ id: `${id}z`, sessionID, messageID, ...fields });
};
const error = (made, name, data) => {
  answer(made).info.error = { name, data };
};
const file = { mime: "text/plain", url: "file:///a" };
const place = { line: 0, character: 0 };
const symbol = (kind) => ({
  ...{ type: "symbol", name: "n", path: "p", kind, range: { start: place, end: place } },
  text: { value: "v", start: -0.5, end: 2 },
});

/** What import takes, though it looks odd. */
const TAKEN = {
  "nothing is wrong": () => {},
  "a user's time with a fraction": (made) => {
    made.messages[0].info.time.created += 0.5;
  },
  "a parent that is not there": (made) => {
    made.info.parentID = "ses_unknown";
  },
  "negative cost and tokens with fractions": (made) => {
    answer(made).info.cost = -1;
    answer(made).info.tokens.input = 0.5;
  },
  "archived with a fraction": (made) => {
    made.info.time.archived = 1.5;
  },
  "null as structured output": (made) => {
    answer(made).info.structured = null;
  },
  "ids that only begin as they must": (made) => {
    made.info.workspaceID = "wrk";
    add(made, { type: "compaction", auto: true, tail_start_id: "msg" });
  },
  "an attachment of another message": (made) => {
    const ids = { id: "prt_x", sessionID: "ses_x", messageID: "msg_x" };
    part(made, "tool").state.attachments = [{ ...ids, type: "file", ...file }];
  },
  "no length": (made) => error(made, "MessageOutputLengthError", {}),
};

/** What import refuses: the path of the problem, and how the session is broken. */
const REFUSED = {
  "/info/id": (made) => {
    made.info.id = crypto.randomUUID();
  },
  "/info/slug": (made) => delete made.info.slug,
  "/info/title": (made) => delete made.info.title,
  "/info/version": (made) => {
    made.info.version = 1;
  },
  "/info/time": (made) => delete made.info.time,
  "/info/time/created": (made) => {
    made.info.time.created = -1;
  },
  "/info/time/updated": (made) => {
    made.info.time.updated += 0.5;
  },
  "/info/parentID": (made) => {
    made.info.parentID = "parent";
  },
  "/info/workspaceID": (made) => {
    made.info.workspaceID = "x";
  },
  "/info/agent": (made) => {
    made.info.agent = null;
  },
  "/info/model/providerID": (made) => {
    made.info.model = { id: "m" };
  },
  "/info/share/url": (made) => {
    made.info.share = {};
  },
  "/info/permission/0/action": (made) => {
    made.info.permission = [{ permission: "a", pattern: "b", action: "c" }];
  },
  "/info/revert/messageID": (made) => {
    made.info.revert = { messageID: "x" };
  },
  "/info/summary/files": (made) => {
    made.info.summary = { additions: 1, deletions: 1 };
  },
  "/info/metadata": (made) => {
    made.info.metadata = [];
  },
  "/messages/1/info": (made) => {
    answer(made).info.role = "system";
  },
  "/messages/1/info/id": (made) => {
    answer(made).info.id = crypto.randomUUID();
    answer(made).parts = [];
  },
  "/messages/1/info/sessionID": (made) => {
    answer(made).info.sessionID = "x";
  },
  "/messages/1/info/parentID": (made) => {
    answer(made).info.parentID = "";
  },
  "/messages/1/info/mode": (made) => delete answer(made).info.mode,
  "/messages/1/info/time/created": (made) => {
    answer(made).info.time.created += 0.5;
  },
  "/messages/1/info/time/completed": (made) => {
    answer(made).info.time.completed = 1e17;
  },
  "/messages/1/info/variant": (made) => {
    answer(made).info.variant = null;
  },
  "/messages/1/info/cost": (made) => delete answer(made).info.cost,
  "/messages/1/info/tokens/cache": (made) => delete answer(made).info.tokens.cache,
  "/messages/1/info/path": (made) => {
    answer(made).info.path = [];
  },
  "/messages/1/info/error": (made) => error(made, "OddError", { message: "x" }),
  "/messages/1/info/error/data": (made) => error(made, "UnknownError"),
  "/messages/1/info/error/data/retries": (made) =>
    error(made, "StructuredOutputError", { message: "x", retries: 0.5 }),
  "/messages/1/info/error/data/responseHeaders/a": (made) =>
    error(made, "APIError", { message: "x", isRetryable: true, responseHeaders: { a: 1 } }),
  "/messages/0/info/time/created": (made) => {
    made.messages[0].info.time.created = -1;
  },
  "/messages/0/info/model": (made) => delete made.messages[0].info.model,
  "/messages/0/info/summary/diffs": (made) => {
    made.messages[0].info.summary = {};
  },
  "/messages/0/info/format": (made) => {
    made.messages[0].info.format = { type: "x" };
  },
  "/messages/0/info/tools/a": (made) => {
    made.messages[0].info.tools = { a: 1 };
  },
  "/messages/1/parts/0/id": (made) => {
    answer(made).parts[0].id = "x";
  },
  "/messages/1/parts/0/sessionID": (made) => {
    answer(made).parts[0].sessionID = "x";
  },
  "/messages/1/parts/0/messageID": (made) => {
    answer(made).parts[0].messageID = made.messages[2].info.id;
  },
  "/messages/1/parts/1/time": (made) => delete part(made, "reasoning").time,
  "/messages/1/parts/2/time/start": (made) => {
    part(made, "text").time.start += 0.5;
  },
  "/messages/1/parts/2/metadata": (made) => {
    part(made, "text").metadata = [];
  },
  "/messages/1/parts/3/state": (made) => {
    part(made, "tool").state.status = "done";
  },
  "/messages/1/parts/3/state/input": (made) => {
    part(made, "tool").state.input = [1];
  },
  "/messages/1/parts/3/state/title": (made) => delete part(made, "tool").state.title,
  "/messages/1/parts/3/state/output": (made) => {
    part(made, "tool").state.output = { a: 1 };
  },
  "/messages/1/parts/3/state/time/end": (made) => delete part(made, "tool").state.time.end,
  "/messages/1/parts/3/state/raw": (made) => {
    part(made, "tool").state = { status: "pending", input: {} };
  },
  "/messages/1/parts/3/state/attachments/0/id": (made) => {
    const ids = { id: "x", sessionID: "ses_x", messageID: "msg_x" };
    part(made, "tool").state.attachments = [{ ...ids, type: "file", ...file }];
  },
  "/messages/1/parts/4/reason": (made) => delete part(made, "step-finish").reason,
  "/messages/1/parts/5": (made) => add(made, { type: "x-chart" }),
  "/messages/1/parts/5/url": (made) => add(made, { type: "file", mime: "a" }),
  "/messages/1/parts/5/source/kind": (made) =>
    add(made, { type: "file", ...file, source: symbol(-1) }),
  "/messages/1/parts/5/source/start": (made) =>
    add(made, { type: "agent", name: "a", source: { value: "v", start: 0.5, end: 1 } }),
  "/messages/1/parts/5/tail_start_id": (made) =>
    add(made, { type: "compaction", auto: true, tail_start_id: "" }),
  "/messages/1/parts/5/error": (made) => {
    const unknown = { name: "UnknownError", data: { message: "m" } };
    add(made, { type: "retry", attempt: 1, time: { created: 1 }, error: unknown });
  },
  "/messages/1/parts/5/attempt": (made) => {
    const api = { name: "APIError", data: { message: "m", isRetryable: false } };
    add(made, { type: "retry", attempt: -1, time: { created: 1 }, error: api });
  },
};

/** The kinds of reasons, which the real program judges too. */
const JUDGED = [
  ...[
    "/info/id",
    "/info/version",
    "/info/time/updated",
    "/info/agent",
    "/info/permission/0/action",
  ],
  ...["/messages/1/info/parentID", "/messages/1/info/mode"],
  ...["/messages/1/info/time/completed", "/messages/1/info/error"],
  ...["/messages/1/parts/0/messageID", "/messages/1/parts/3/state/input"],
  ...["/messages/1/parts/5", "/messages/1/parts/5/source/kind"],
];

const problems = (made) =>
  openCodeProblems(
    Transcript.open(Buffer.from(JSON.stringify(made)), { format: "opencode-export" }),
  ).filter(({ severity }) => severity === "error");

describe("reasons for which import stops", () => {
  for (const [path, spoil] of Object.entries(REFUSED)) {
    test(path, () => {
      const made = session();
      spoil(made);
      assert.deepEqual(
        problems(made).map((problem) => problem.path),
        [path],
      );
    });
  }

  for (const [name, change] of Object.entries(TAKEN)) {
    test(`no reason: ${name}`, () => {
      const made = session();
      change(made);
      assert.deepEqual(problems(made), []);
    });
  }
});

function validate(name, content, ...options) {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  const args = [cli, "validate", path, "--for", "opencode", ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { path, status, stdout, stderr };
}

describe("validate --for opencode", () => {
  test("prints every reason, and what is dropped in silence", () => {
    const made = session();
    made.info.mood = "good";
    for (const { info } of made.messages) info.mood = "good";
    answer(made).info.mode = null;
    part(made, "tool").state.input = 1;
    const { status, stdout } = validate("many.json", made);
    assert.equal(status, 1);
    const lines = stdout.trim().split("\n");
    assert.equal(lines.length, 5, stdout);
    assert.match(lines[0], /^warning opencode at \/info\/mood: .*drops it silently/);
    assert.match(lines[1], /^warning opencode at \/messages\/0\/info\/mood \(byte \d+\): /);
    assert.match(
      lines[2],
      /^error opencode at \/messages\/1\/info\/mode .*expected a string, got null/,
    );
    assert.match(lines[3], /^error opencode at \/messages\/1\/parts\/3\/state\/input /);
    assert.equal(lines[4], "2 errors, 2 warnings in 3 messages");
    const json = JSON.parse(validate("many.json", made, "--json").stdout);
    assert.equal(json.valid, false);
    assert.equal(json.problems.length, 4);
  });

  test("tells what comes in another order, or not at all", () => {
    const made = session();
    made.messages.reverse();
    const [, { parts }] = made.messages;
    parts.reverse();
    parts.push({ ...parts[0] });
    const { status, stdout } = validate("order.json", made);
    assert.equal(status, 0, stdout);
    for (const said of [/sorts messages by time/, /sorts parts by id/, /skips this one/]) {
      assert.match(stdout, said);
    }
    made.messages[0].info.time.created = Date.now() + 86_400_000;
    assert.match(validate("future.json", made).stdout, /it is in the future/);
  });

  test("a file that is no export is told so, with what else is wrong in it", () => {
    const { messages } = session();
    delete answer({ messages }).info.mode;
    const { status, stdout } = validate("array.json", messages);
    assert.equal(status, 1);
    assert.match(
      stdout,
      /^error opencode: import accepts \{info, messages\}, and this is with-parts/,
    );
    assert.match(stdout, /^error opencode at \/1\/info\/mode /m);
    const line = { type: "user", uuid: "u", sessionId: "s", timestamp: "2025-01-01T00:00:00Z" };
    const claude = { ...line, message: { role: "user", content: "Hi" } };
    const other = validate("claude.jsonl", `${JSON.stringify(claude)}\n`);
    assert.equal(other.status, 1);
    assert.match(
      other.stdout,
      /this is claude-code: `apex-parts convert --to opencode` converts it/,
    );
  });

  test("damage is a reason", () => {
    const text = JSON.stringify(session());
    for (const [name, damaged] of [
      ["cut.json", text.slice(0, -20)],
      ["more.json", `${text}x`],
      ["before.json", `x ${text}`],
      ["element.json", text.replace('"messages":[', '"messages":[7,')],
      ["no-list.json", JSON.stringify({ info: session().info })],
      ["null.json", JSON.stringify({ info: session().info, messages: null })],
      ["no-parts.json", JSON.stringify({ ...session(), messages: [{ info: {} }] })],
    ]) {
      const { status, stdout } = validate(name, damaged);
      assert.equal(status, 1, `${name}: ${stdout}`);
    }
    assert.equal(validate("bom.json", `\ufeff${text}`).status, 0);
  });

  test("another reader is not known", () => {
    const path = join(folder, "any.json");
    writeFileSync(path, JSON.stringify(session()));
    const args = [cli, "validate", path, "--for", "other"];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    assert.equal(status, 2);
    assert.equal(stderr, "--for must be opencode, opencode2, not other\n");
  });
});

describe("the real import", { skip: reason ?? false, concurrency: 2 }, () => {
  test("stops for these reasons", async (t) => {
    const place = await openCode(t);
    for (const path of JUDGED) {
      const made = session();
      REFUSED[path](made);
      const file = join(folder, "judged.json");
      writeFileSync(file, JSON.stringify(made));
      const { code } = await place.command(["import", file]);
      assert.equal(code, 1, path);
    }
    writeFileSync(join(folder, "no-list.json"), JSON.stringify({ info: session().info }));
    const { code } = await place.command(["import", join(folder, "no-list.json")]);
    assert.equal(code, 1, "no messages");
    assert.deepEqual(place.outside, []);
  });

  test("takes what is no reason", async (t) => {
    const place = await openCode(t);
    const made = session();
    for (const change of Object.values(TAKEN)) change(made);
    assert.deepEqual(problems(made), []);
    await place.import(made);
  });
});
