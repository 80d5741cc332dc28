// What the tools of the real OpenCode do with calls: cases.json has a line for each call of calls.jsonl, made in a
// workspace of its own (make-workspace.mjs).
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { at } from "../lib.mjs";
import { changes, mapped, snapshot } from "./changes.mjs";
import { commitAll, demo, withCleanUp } from "./demo.mjs";
import { installed } from "./installed.mjs";
import { makeWorkspace } from "./make-workspace.mjs";
import { noTrace, write } from "./written.mjs";

const CALLS = at("scripts", "record", "calls.jsonl");
const WORKSPACE = at("scripts", "record", "make-workspace.mjs");
/** The package with ripgrep 15.0.0, which OpenCode takes from PATH. */
const RIPGREP = { [`@vscode/ripgrep-${process.platform}-${process.arch}`]: "1.18.0" };

/** The agents of the calls: one that asks for everything, one with rules, and `build` with OpenCode's own. */
const AGENTS = {
  asking: { mode: "primary", permission: { "*": "ask" } },
  rules: {
    mode: "primary",
    permission: {
      "*": "allow",
      read: { "*": "allow", "*.env": "deny" },
      edit: { "*": "deny", "src/*": "allow", "*.md": "ask" },
      bash: {
        ...{ "*": "ask", "git status*": "allow", "git push *": "deny", "rm *": "deny" },
        ...{ "echo *": "allow", "echo a?": "ask", ls: "allow", "node * --check *": "deny" },
      },
      external_directory: { "*": "ask" },
    },
  },
};

/** The state of a part without times and ids. */
function stateOf({ time, ...state }) {
  if (!state.attachments) return state;
  const plain = ({ id, sessionID, messageID, ...file }) => file;
  return { ...state, attachments: state.attachments.map(plain) };
}

/** What a screen saw of a state. */
const step = ({ status, title, metadata }) => ({
  ...{ status, ...(title === undefined ? {} : { title }) },
  ...(metadata && Object.keys(metadata).length > 0 ? { metadataKeys: Object.keys(metadata) } : {}),
});

const textOf = (content) =>
  typeof content === "string" ? content : content?.map(({ text }) => text ?? "").join("");

/** Makes each folder as it was, but for the repository. */
function restore(cwd, outside) {
  for (const name of readdirSync(cwd)) {
    if (name !== ".git") rmSync(join(cwd, name), { recursive: true, force: true });
  }
  makeWorkspace(cwd, outside);
}

/** The words of OpenCode in which each time another id stands. */
const withoutIds = (text) => text.replace(/\b(tool|ses)_[0-9a-f]{8}\w+/g, "$1_ID");

/** Answers the permissions that a session asks for, and keeps the requests. */
function answering(server, sessionID, replies) {
  const asks = [];
  const stop = server.events.on(({ type, properties }) => {
    if (type !== "permission.asked" || properties.sessionID !== sessionID) return;
    const { id, permission, patterns, always, metadata } = properties;
    asks.push({ permission, patterns, always, metadata });
    const reply = replies.shift() ?? "once";
    server.reply(id, typeof reply === "string" ? { reply } : reply);
  });
  return { asks, stop };
}

async function play({ place, server, outside }, call, number) {
  const { id, tool, args, agent, reply, machine, unordered } = call;
  const { cwd, home, model } = place;
  restore(cwd, outside);
  const there = (text) => text.replaceAll("/home/dev", home);
  const before = { ...snapshot(cwd), ...snapshot(outside, "$O/") };
  const callID = `call_${number}`;
  const input = mapped(args, there);
  model.left.splice(0, Number.POSITIVE_INFINITY, { calls: [{ id: callID, name: tool, input }] });
  model.add({ text: "ok" });
  const { id: sessionID } = await server.session(id);
  const from = server.events.list.length;
  const { asks, stop } = answering(server, sessionID, [...(reply ?? [])]);
  await server.prompt(sessionID, "Do it", { agent: agent ?? "asking" });
  await server.events.find(
    ({ type, properties }) => type === "session.idle" && properties.sessionID === sessionID,
  );
  stop();
  const states = server.events.list
    .slice(from)
    .filter(({ type, properties: { part } }) => {
      return type === "message.part.updated" && part.callID === callID;
    })
    .map(({ properties: { part } }) => part);
  const last = states.at(-1);
  const steps = states
    .map(({ state }) => step(state))
    .filter((one, at, all) => at === 0 || JSON.stringify(one) !== JSON.stringify(all[at - 1]));
  const seen = model.requests.findLast(({ kind }) => kind === "step").messages;
  const saw = textOf(seen.find(({ tool_call_id }) => tool_call_id === callID)?.content);
  const { output, metadata } = last.state;
  const files = changes(before, { ...snapshot(cwd), ...snapshot(outside, "$O/") });
  const saved = metadata?.outputPath && statSync(metadata.outputPath).size;
  return {
    ...{ id, tool, args, agent, reply, recordedTool: last.tool, state: stateOf(last.state) },
    ...{ asks, steps, modelSaw: saw === output ? undefined : saw, files, savedBytes: saved },
    ...{ unordered, machine },
  };
}

/** Records the calls into a folder. */
export async function recordTools(folder, only) {
  const calls = readFileSync(CALLS, "utf8").trim().split("\n");
  const wanted = calls.map((line) => JSON.parse(line)).filter(({ id }) => !only || only.test(id));
  await withCleanUp(async (t) => {
    const [name] = Object.keys(RIPGREP);
    const path = join(
      dirname((await installed(t, RIPGREP)).resolve(`${name}/package.json`)),
      "bin",
    );
    const config = { permission: {}, agent: AGENTS };
    // The shell says its own name in what it prints.
    const env = { SHELL: "/bin/bash" };
    const place = await demo(t, { config, path, env }, (cwd) => {
      makeWorkspace(cwd, join(dirname(cwd), "outside"));
      commitAll(cwd);
    });
    const outside = join(place.home, "outside");
    const server = await place.serve();
    const cases = [];
    for (const [number, call] of wanted.entries()) {
      const record = await play({ place, server, outside }, call, number);
      const back = (text) => withoutIds(place.recorded(text));
      cases.push(noTrace(JSON.stringify({ ...mapped(record, back), args: call.args })));
      if (process.stdout.isTTY) process.stdout.write(`\r${call.id.padEnd(40)}`);
    }
    write(join(folder, "cases.json"), `[\n${cases.join(",\n")}\n]\n`);
    copyFileSync(WORKSPACE, join(folder, "make-workspace.mjs"));
  });
}
