// `tool`: runs one built-in tool, and asks on the terminal where a rule says ask.
import { mkdtemp, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { generateMessageId, Permission, ToolRegistry } from "apex-parts";
import { escaped, painter } from "./colour.ts";
import { CliError, print } from "./output.ts";
import { rulesets } from "./rules.ts";

/** Asks on the terminal; a rejection where there is none to ask on. */
class Terminal {
  #lines;
  /** Stops the call: nobody answers any more. */
  stop = () => {};

  /** Whether somebody can be asked. */
  static get isThere() {
    return process.stdin.isTTY === true && process.stderr.isTTY === true;
  }

  async ask({ permission, patterns, always, metadata }) {
    this.#lines ??= this.#open();
    const { diff } = metadata;
    if (typeof diff === "string") process.stderr.write(`${escaped(diff)}\n`);
    const what = patterns.map(escaped).join(", ");
    const wider = always.length > 0 ? `, a = always ${always.map(escaped).join(", ")}` : "";
    const answer = await this.#lines.question(
      `${permission} of ${what}? [y = once${wider}, n = no, or say why not] `,
    );
    const said = answer.trim();
    if (/^y(es)?$/i.test(said)) return "once";
    if (/^a(lways)?$/i.test(said)) return "always";
    return { reply: "reject", message: /^n?o?$/i.test(said) ? undefined : said };
  }

  #open() {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    // Ctrl-C and Ctrl-D at a question.
    lines.on("SIGINT", () => this.stop());
    lines.on("close", () => this.stop());
    return lines;
  }

  close() {
    this.#lines?.close();
  }
}

/** Keeps whole outputs in files of a folder that is made when the first comes. */
function folderStore() {
  let folder;
  return {
    async save(content, { tool }) {
      folder ??= mkdtemp(join(tmpdir(), "apex-parts-"));
      const path = join(await folder, `${tool}.txt`);
      await writeFile(path, content);
      return path;
    },
  };
}

/** The arguments of the tool as they are given; `-` reads them from standard input. */
const argumentsOf = (given) => (given === "-" ? text(process.stdin) : given);

function printed(part, json) {
  if (json) {
    print(JSON.stringify(part, null, 2));
    return;
  }
  const { state } = part;
  const paint = painter(process.stdout);
  const shown = process.stdout.isTTY ? escaped : String;
  const isDone = state.status === "completed";
  const title = isDone ? state.title : part.tool;
  print(`${shown(title)} ${paint(isDone ? "good" : "bad", state.status)}`);
  print(shown(isDone ? state.output : state.error));
  for (const { filename, mime } of state.attachments ?? []) print(`[${mime} ${filename ?? ""}]`);
}

export async function tool(name, values, [given]) {
  const { builtinTools } = await import("apex-parts/node");
  const directory = resolve(values.dir ?? ".");
  const store = folderStore();
  const terminal = new Terminal();
  const rules = rulesets(values.allow ?? [], homedir());
  const gate = Terminal.isThere
    ? new Permission.Gate({ onAsk: (request) => terminal.ask(request) })
    : undefined;
  const registry = new ToolRegistry({ rules, gate, store });
  // A person who writes a file here has no session that could have read it.
  for (const info of builtinTools({ directory, worktree: directory, store, guard: "off" })) {
    registry.register(info);
  }
  const raw = await argumentsOf(given);
  const run = registry.execute({
    callID: "call_1",
    sessionID: generateMessageId(),
    messageID: generateMessageId(),
    tool: name,
    raw,
  });
  const stop = () => run.abort("interrupted");
  terminal.stop = stop;
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  try {
    const part = await run;
    if (part.state.metadata?.kind === "unknown") throw new CliError(part.state.error, 2);
    printed(part, values.json);
    return part.state.status === "completed" ? 0 : 1;
  } finally {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
    terminal.close();
  }
}
