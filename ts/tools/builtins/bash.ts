// The bash tool: asks for the directories and the commands of a text, runs it in a new shell, and gives the end
// of what it prints.
import type { Tool } from "apex-parts:glue";
import { type PermissionAsk, type RunContext, variablesOf } from "../context.ts";
import { Expected } from "../expected.ts";
import { folderOutside, requestOf } from "./bash-paths.ts";
import { define } from "./define.ts";
import { codeOf } from "./failures.ts";
import { below, located, type Place } from "./paths.ts";
import { Tail } from "./tail.ts";
import type { FileStat, Host, Shell, ShellEnd } from "./types.ts";

const TIMEOUT = 120_000;
const MAX_TIMEOUT = 600_000;
/** The least time between two states that show the output, in milliseconds. */
const STEP = 100;
const LONGEST_STEP = 1000;
/** Every state of a call is kept: when they hold this many characters, the steps have become twice as long. */
const SHOWN_AT_FIRST = 3_000_000;
/** After an abort the result counts for three seconds; a store has until then. */
const LAST_MOMENT = 2900;
/** Linux takes no longer argument. */
const MAX_LENGTH = 128 * 1024 - 1;
/** Errors of a machine that lacks permission or room, not of the shell. */
const TROUBLE = ["EACCES", "EPERM", "EAGAIN", "ENOMEM", "EMFILE", "ENFILE"];

const parameters = {
  type: "object",
  properties: {
    command: { type: "string", description: "The command, as text for the shell." },
    description: { type: "string", description: "What it does, in 5 to 10 words." },
    timeout: {
      type: "integer",
      minimum: 1,
      maximum: MAX_TIMEOUT,
      description: `After so many milliseconds it is stopped; ${TIMEOUT} unless given.`,
    },
    workdir: {
      type: "string",
      description: "The directory to run it in, instead of `cd`; the project's unless given.",
    },
  },
  required: ["command"],
};

interface BashArgs {
  command: string;
  description?: string;
  /** In milliseconds. */
  timeout?: number;
  workdir?: string;
}

const descriptionFor = (
  shell: string,
) => `Runs a command in a new ${shell} and returns what it prints.

- Nothing is kept from call to call: no directory, no variables. Use workdir to run in another directory.
- The input is empty: use options that answer questions (-y, --no-edit, -m).
- Of a long output you get the end, at most 2,000 lines and 50 KB.
- The call ends with the command. What must run longer goes to the background, with its output in a file: server > log.txt 2>&1 &
- Files are better read, found, searched and changed with the tools for that.`;

// ── Permission ──────────────────────────────────────────────────────────────────────────────────

/** Whether it needs a shell's parser other than ours. */
const isForeign = ({ name = "bash" }: Shell) => name !== "bash" && name !== "sh";

const patternIn = (folder: string) => (folder === "*" ? folder : below(folder, "*"));

/** Asks for what a command needs: first the directories outside, then the files it writes to, then what runs. */
async function ask(
  host: Host,
  context: RunContext,
  { command, description, workdir }: BashArgs,
  place: Place,
) {
  const variables = host.shell.environment?.(place.real);
  const line = { text: command, variables: variables && variablesOf(variables) };
  const { request, folders, writes, reads } = await requestOf(host, line, place.real);
  const requests: PermissionAsk[] = [];
  const first = await folderOutside(host, place);
  const directories = [...new Set(first === undefined ? folders : [first, ...folders])];
  if (directories.length > 0) {
    const patterns = directories.map(patternIn);
    requests.push({
      permission: "external_directory",
      patterns,
      // A place that is not known is approved for this time only.
      always: patterns.filter((pattern) => pattern !== "*"),
      metadata: { command, directories: directories.filter((path) => path !== "*"), patterns },
    });
  }
  const files = [...new Set(writes.flatMap((written) => written?.patterns ?? ["*"]))];
  if (files.length > 0) {
    requests.push({
      permission: "edit",
      patterns: files,
      // A file that is not known is approved for this time only.
      always: files.filter((pattern) => !pattern.endsWith("*")),
      metadata: { command },
    });
  }
  let { patterns, always } = request;
  const isOther = isForeign(host.shell);
  const isSeen = request.commands.some((one) => one.opaque);
  if (isOther || (request.opaque && !isSeen)) {
    // Rules see what cannot be read only in the text itself.
    patterns = [...new Set([...patterns, command])];
  }
  if (isOther) always = [];
  const metadata: Record<string, unknown> = { command };
  if (description) metadata.description = description;
  if (workdir !== undefined) metadata.workdir = place.path;
  const asked = { permission: "bash", patterns, always, metadata };
  // What is never asked, as `cd`, may be denied.
  requests.push(isOther ? asked : { ...asked, whole: line });
  const read = { permission: "read", patterns: reads, always: [], metadata };
  context.refuseDenied?.(reads.length > 0 ? [...requests, read] : requests);
  for (const request of requests) await context.ask(request);
}

// ── The run ─────────────────────────────────────────────────────────────────────────────────────

/** Shows the output while it grows, not more often than states can be kept. */
class Display {
  #show: () => number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStale = false;
  #characters = 0;

  /** `show()` makes a state and gives the number of its characters. */
  constructor(show: () => number) {
    this.#show = show;
  }

  update() {
    this.#isStale = true;
    if (this.#timer === undefined) this.#step();
  }

  #step() {
    this.#timer = undefined;
    if (!this.#isStale) return;
    this.#isStale = false;
    this.#characters += this.#show();
    const step = STEP * (1 + this.#characters / SHOWN_AT_FIRST);
    this.#timer = setTimeout(() => this.#step(), Math.min(step, LONGEST_STEP));
  }

  end() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isStale = false;
  }
}

/** Resolves when a call that was aborted must end. */
function lastMoment(abort: Tool.Abort) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = () => {};
  const come = new Promise<void>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve(), LAST_MOMENT);
    };
  });
  if (abort.aborted) onAbort();
  else abort.addEventListener("abort", onAbort);
  const cancel = () => {
    clearTimeout(timer);
    abort.removeEventListener("abort", onAbort);
  };
  return { come, cancel };
}

/** What the model is told of the end of a command. */
function remarks({ exit, signal, timedOut, aborted }: ShellEnd, timeout: number) {
  const lines: string[] = [];
  if (typeof exit === "number" && exit !== 0) lines.push(`(exit code ${exit})`);
  if (timedOut) {
    const advice =
      timeout < MAX_TIMEOUT
        ? "give a larger timeout if it needs longer"
        : "no timeout may be larger: run it in the background if it needs longer";
    lines.push(`(stopped after ${timeout} ms; ${advice})`);
  } else if (aborted) {
    lines.push("(stopped: the call was aborted)");
  } else if (signal) {
    lines.push(`(killed by ${signal})`);
  }
  return lines.join("\n");
}

/** The output with remarks after it, and a blank line between them. */
function withRemarks(output: string, remarks: string) {
  const text = output === "" ? "(no output)" : output;
  if (remarks === "") return text;
  return `${text}${text.endsWith("\n") ? "" : "\n"}\n${remarks}`;
}

const tooLong = ({ length }: string) =>
  new Expected(
    `The command is too long for the shell (${length} characters). Write it into a file, and run that.`,
  );

/** Runs a command; what keeps the shell from starting is an error for the model where it can do something. */
async function start(
  host: Host,
  command: string,
  place: Place,
  options: Parameters<Shell["run"]>[1],
) {
  try {
    return await host.shell.run(command, options);
  } catch (error) {
    await checkDirectory(host, place);
    const code = codeOf(error);
    if (code === "E2BIG") throw tooLong(command);
    if (code === undefined || !TROUBLE.includes(code)) throw error;
    throw new Expected(`The shell could not be started in ${place.path} (${code}).`);
  }
}

async function execute(host: Host, args: BashArgs, context: RunContext): Promise<Tool.Result> {
  const { command, description, timeout = TIMEOUT, workdir } = args;
  if (command.trim() === "") throw new Expected("The command is empty. Give a command.");
  if (command.includes("\0")) {
    throw new Expected("The command has a NUL character. Give it without, as \\0 for printf.");
  }
  if (command.length > MAX_LENGTH) throw tooLong(command);
  // The shell runs in the real directory, where `..` means to it what it means to the rules.
  const place = await located(host, workdir ?? host.directory);
  await ask(host, context, args, place);
  await checkDirectory(host, place);
  if (context.abort.aborted) throw new Expected("The call was stopped before the command ran.");

  const title = description || command;
  const common = description ? { description } : {};
  const store = host.store ?? context.store;
  const tail = new Tail({ isWholeWanted: store !== undefined });
  const display = new Display(() => {
    const output = tail.shown();
    context.metadata({ metadata: { output } });
    return output.length;
  });
  const { come: late, cancel } = lastMoment(context.abort);
  try {
    context.metadata({ title, metadata: { output: "", ...common } });
    const end = await start(host, command, place, {
      cwd: place.real,
      timeoutMs: timeout,
      abort: context.abort,
      onOutput: (bytes, stream) => {
        tail.push(bytes, stream);
        display.update();
      },
    });
    display.end();
    tail.finish();
    const { sessionID, callID } = context;
    const save = async (text: string) =>
      (await store?.save(text, { sessionID, callID, tool: "bash" })) ?? "";
    const { output, metadata } = await tail.cut(save, late);
    const { exit, signal, timedOut, aborted, detached } = end;
    return {
      title,
      output: withRemarks(output, remarks(end, timeout)),
      metadata: {
        output: tail.isEmpty ? "(no output)" : tail.shown(),
        exit,
        ...(signal && { signal }),
        ...metadata,
        ...(timedOut && { timedOut }),
        ...(aborted && { aborted }),
        ...(detached && { detached }),
        ...common,
      },
    };
  } finally {
    display.end();
    cancel();
  }
}

async function checkDirectory(host: Host, { path, real }: Place) {
  let stat: FileStat;
  try {
    stat = await host.fs.stat(real);
  } catch {
    throw new Expected(`There is no directory ${path}. Give a workdir that exists.`);
  }
  if (stat.kind !== "directory") {
    throw new Expected(`${path} is a file, not a directory. Give a directory as workdir.`);
  }
}

export const bashTool = (host: Host): Tool.Info =>
  define<BashArgs>("bash", {
    description: descriptionFor(host.shell.name ?? "bash"),
    parameters,
    execute: (args, context) => execute(host, args, context),
  });
