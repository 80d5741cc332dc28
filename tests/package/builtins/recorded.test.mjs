// The built-in tools do what the calls of a real OpenCode did, compared by facts; where they do something
// else on purpose, the list in recorded-differences.mjs says why.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { changes, mapped, snapshot } from "../../../scripts/record/changes.mjs";
import { isOthers, recorded } from "../../recorded.mjs";
import { consumer, requireFrom } from "../helper.mjs";
import { DIFFERENCES } from "./recorded-differences.mjs";

const RECORDED = { demo: "/home/dev/demo", outside: "/home/dev/outside" };
/** The recorded calls; JSON with halves of surrogate pairs is read as it stands. */
const CASES = JSON.parse(readFileSync(recorded("tools", "cases.json"), "utf8")).filter(
  // Left out: other agents, whose rules the recording does not tell; calls that go on from earlier ones;
  // servers and agents that are not there; calls that did not end.
  ({ id, tool, agent, hung, abort }) =>
    agent === undefined &&
    !id.startsWith("more-always-") &&
    !["webfetch", "task", "skill"].includes(tool) &&
    !hung &&
    !abort,
);

let parts;
let node;
let makeWorkspace;
let base;

before(async () => {
  const require = requireFrom(await consumer("builtins-recorded"));
  parts = require("apex-parts");
  node = require("apex-parts/node");
  parts.setLogger(undefined);
  ({ makeWorkspace } = await import(pathToFileURL(recorded("tools", "make-workspace.mjs")).href));
  base = mkdtempSync(join(tmpdir(), "recorded-"));
});
after(() => base && rmSync(base, { recursive: true, force: true }));

/** A workspace of its own, at paths as long as the recorded ones where the system's folder allows it. */
function workspace() {
  for (;;) {
    const home = join(tmpdir(), Math.random().toString(36).slice(2, 6));
    try {
      mkdirSync(home);
    } catch {
      continue;
    }
    const [demo, outside] = [join(home, "demo"), join(home, "outside")];
    for (const made of [demo, outside]) mkdirSync(made);
    makeWorkspace(demo, outside);
    return { home, demo, outside, remove: () => rmSync(home, { recursive: true, force: true }) };
  }
}

const numbered = (output) => output.split("\n").filter((line) => /^\d+: /.test(line));
/** The lines that a diff adds and removes; how many stand around them is not OpenCode's. */
const diffLines = (diff) =>
  (diff ?? "").split("\n").filter((line) => /^[-+]/.test(line) && !/^(---|\+\+\+) /.test(line));
const nextOffset = (output) => /offset=(\d+)/.exec(output)?.[1];
/** The lines of a search that name a file or a match. */
const found = (output) => output.split("\n").filter((line) => /^(\/| {2}Line )/.test(line));

/** What a command printed, without the notes about how it ended. */
const printed = (output) =>
  output
    .replace(/<shell_metadata>[\s\S]*$/, "")
    .replace(/\n*\((exit code \d+|killed by \w+|stopped after .*)\)$/, "")
    .trimEnd();

/** What a call of each tool is compared by; `state` is completed. */
const FACTS = {
  read: ({ output, metadata }) => ({
    lines: numbered(output),
    next: metadata.display?.type === "directory" ? undefined : nextOffset(output),
    total: metadata.display?.totalLines,
    truncated: metadata.truncated,
  }),
  edit: ({ metadata }) => ({ diff: diffLines(metadata.diff) }),
  write: () => ({}),
  glob: ({ output, metadata }) => {
    const paths = output.split("\n").filter((line) => line.startsWith("/"));
    return metadata.truncated
      ? { truncated: true, shown: paths.length }
      : { truncated: false, paths: paths.sort() };
  },
  grep: ({ output, metadata }) =>
    metadata.truncated
      ? { truncated: true, shown: found(output).filter((line) => line.startsWith("  ")).length }
      : {
          truncated: false,
          lines: found(output)
            .map((line) => line.trim())
            .sort(),
        },
  bash: ({ output, metadata: { exit, truncated } }) =>
    truncated
      ? { exit, truncated, end: printed(output).slice(-1000) }
      : { exit, printed: printed(output) },
  todowrite: ({ output, title, metadata }) => ({ output, title, todos: metadata.todos }),
};

/** The facts of a recorded or of an own call. */
function factsOf(tool, state) {
  const facts = { status: state.status };
  // A command's title is its description here, and was the command there.
  if (state.status === "completed" && tool !== "bash") facts.title = state.title;
  if (state.status === "completed" && FACTS[tool]) Object.assign(facts, FACTS[tool](state));
  return facts;
}

const asksOf = (asks) => asks.map(({ permission, patterns }) => ({ permission, patterns }));

async function play(one) {
  const place = workspace();
  try {
    const there = (text) =>
      text.replaceAll(RECORDED.outside, place.outside).replaceAll(RECORDED.demo, place.demo);
    const back = (text) =>
      text.replaceAll(place.outside, RECORDED.outside).replaceAll(place.demo, RECORDED.demo);
    const asks = [];
    const replies = [...(one.reply ?? [])];
    const gate = new parts.Permission.Gate({
      onAsk(request) {
        asks.push(request);
        return replies.shift() ?? "once";
      },
    });
    const registry = new parts.ToolRegistry({
      rules: [parts.Permission.fromConfig({ "*": "ask" })],
      gate,
    });
    const host = { directory: place.demo, worktree: place.demo, home: place.home, guard: "off" };
    for (const tool of node.builtinTools({ ...host, rgPath: null })) registry.register(tool);
    const before = { ...snapshot(place.demo), ...snapshot(place.outside, "$O/") };
    const part = await registry.execute({
      callID: "call_1",
      sessionID: "ses_1",
      messageID: "msg_1",
      tool: one.tool,
      input: mapped(one.args, there),
    });
    const now = { ...snapshot(place.demo), ...snapshot(place.outside, "$O/") };
    return {
      state: mapped(part.state, back),
      asks: mapped(asks, back),
      files: mapped(changes(before, now), back),
    };
  } finally {
    place.remove();
  }
}

/** The facts of which a difference is on the list for a case. */
const decided = (id) => DIFFERENCES[id]?.facts ?? [];

describe("recorded calls", () => {
  test("are there", () => assert.ok(CASES.length > 0));
  for (const one of CASES) {
    const { id, tool, args } = one;
    // What git says depends on the repository, which the workspace is not.
    const machine = one.machine || /^git |\$\(git /.test(args.command ?? "");
    test(id, async () => {
      const own = await play(one);
      const compared = {};
      if (!machine) {
        compared.facts = [factsOf(tool, one.state), factsOf(tool, own.state)];
        compared.files = [one.files, own.files];
      }
      compared.asks = [asksOf(one.asks), asksOf(own.asks)];
      for (const [fact, [theirs, ours]] of Object.entries(compared)) {
        if (decided(id).includes(fact))
          assert.notDeepEqual(ours, theirs, `${fact} no longer differs: take it off the list`);
        else
          assert.deepEqual(
            ours,
            theirs,
            `${fact}: ${JSON.stringify(own.state.error ?? own.state.output)}`,
          );
      }
    });
  }
  // Our own recordings are fewer.
  if (isOthers) {
    test("the list names recorded cases only", () => {
      const known = new Set(CASES.map(({ id }) => id));
      assert.deepEqual(
        Object.keys(DIFFERENCES).filter((id) => !known.has(id)),
        [],
      );
    });
  }
});
