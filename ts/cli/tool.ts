// `tool`: runs one built-in tool, and asks on the terminal where a rule says ask.
import { mkdtemp, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Interface } from "node:readline/promises";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import type { OutputStore, ToolPart } from "apex-parts";
import { generateMessageId, Permission, ToolRegistry } from "apex-parts";
import { escaped, painter } from "./colour.ts";
import type { Values } from "./options.ts";
import { CliError, print } from "./output.ts";
import { rulesets } from "./rules.ts";

/** Asks the person at the terminal. */
class Terminal {
  #lines: Interface | undefined;
  /** Stops the call: nobody answers any more. */
  stop: () => void = () => {};

  /** Whether somebody can be asked. */
  static get isThere(): boolean {
    return process.stdin.isTTY === true && process.stderr.isTTY === true;
  }

  async ask({
    permission,
    patterns,
    always,
    metadata,
  }: Permission.Request): Promise<Permission.Reply> {
    this.#lines ??= this.#open();
    const { diff } = metadata;
    if (typeof diff === "string") process.stderr.write(`${escaped(diff)}\n`);
    const what = patterns.map(escaped).join(", ");
    const wider = always.length > 0 ? `, a = always ${always.map(escaped).join(", ")}` : "";
    const answer = await this.#lines.question(
      `${permission} of ${what}? [y = once${wider}, n = no, or say why not] `,
    );
    const words = answer.trim();
    if (/^y(es)?$/i.test(words)) return "once";
    if (/^a(lways)?$/i.test(words)) return "always";
    return { reply: "reject", message: /^n?o?$/i.test(words) ? undefined : words };
  }

  #open(): Interface {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    // Ctrl-C and Ctrl-D at a question.
    lines.on("SIGINT", () => this.stop());
    lines.on("close", () => this.stop());
    return lines;
  }

  close(): void {
    this.#lines?.close();
  }
}

/** Keeps whole outputs in files of a folder that is made when the first comes. */
function folderStore(): OutputStore {
  let folder: Promise<string> | undefined;
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
const argumentsOf = (given: string) => (given === "-" ? text(process.stdin) : given);

function printPart(part: ToolPart, json: boolean | undefined): void {
  if (json) {
    print(JSON.stringify(part, null, 2));
    return;
  }
  const { state } = part;
  const paint = painter(process.stdout);
  const plain = process.stdout.isTTY ? escaped : String;
  if (state.status !== "completed") {
    print(`${plain(part.tool)} ${paint("bad", state.status)}`);
    print(plain(state.status === "error" ? state.error : ""));
    return;
  }
  print(`${plain(state.title)} ${paint("good", state.status)}`);
  print(plain(state.output));
  for (const { filename, mime } of state.attachments ?? []) print(`[${mime} ${filename ?? ""}]`);
}

export async function tool(
  name: string,
  values: Values,
  [given = ""]: readonly string[],
): Promise<number> {
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
    const { state } = part;
    const isUnknown = state.status === "error" && state.metadata?.kind === "unknown";
    if (isUnknown) throw new CliError(state.error, 2);
    printPart(part, values.json);
    return state.status === "completed" ? 0 : 1;
  } finally {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
    terminal.close();
  }
}
