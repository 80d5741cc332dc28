// Shared by the tests of the tools for files: the tools of the packed package over a folder of their own.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { consumer, requireFrom } from "../helper.mjs";

/** The package and its entry for Node, installed in a project of this name. */
export async function installed(name) {
  const require = requireFrom(await consumer(name));
  return { ...require("apex-parts"), ...require("apex-parts/node") };
}

const folders = [];

/** Removes what `workplace` has made. */
export function removeFolders() {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/**
 * A folder with `work`, where the tools are, and `outside`. `rules` decide, all that they do not is asked; `onAsk`
 * answers, `once` unless given. `asks` are the requests in order. `registryStore` is the registry's, not the host's.
 */
export function workplace(parts, { rules = {}, onAsk, registryStore: store, ...host } = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "apex-files-")));
  folders.push(folder);
  const work = join(folder, "work");
  const outside = join(folder, "outside");
  mkdirSync(work);
  mkdirSync(outside);
  const asks = [];
  const gate = new parts.Permission.Gate({
    onAsk(request) {
      asks.push(request);
      return onAsk ? onAsk(request) : "once";
    },
  });
  const options = { rules: [parts.Permission.fromConfig(rules)], gate, store };
  const registry = new parts.ToolRegistry(options);
  for (const tool of parts.builtinTools({ directory: work, worktree: work, ...host })) {
    registry.register(tool);
  }
  let calls = 0;
  const run = (tool, input, more = {}) =>
    registry.execute({
      callID: `call_${++calls}`,
      sessionID: "ses_1",
      messageID: "msg_1",
      tool,
      input,
      ...more,
    });
  return {
    folder,
    work,
    outside,
    asks,
    registry,
    run,
    at: (path) => join(work, path),
    put(path, content) {
      const file = join(work, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    text: (path) => readFileSync(join(work, path), "utf8"),
    /** The permissions that were asked, with their patterns. */
    asked: () => asks.map(({ permission, patterns }) => [permission, ...patterns]),
    /** The state of a call that must complete. */
    async done(tool, input, more) {
      const { state } = await run(tool, input, more);
      assert.equal(state.status, "completed", state.error);
      return state;
    },
    /** The message of a call that must be refused, without counting against the tool. */
    async refused(tool, input, more) {
      const { state } = await run(tool, input, more);
      assert.equal(state.status, "error", state.output);
      assert.notEqual(state.metadata?.kind, "fault", state.error);
      return state.error;
    },
  };
}
