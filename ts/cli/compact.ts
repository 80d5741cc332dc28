// `compact`: what a compaction or truncation of a session would do, the request for its summary, and the session after it.
import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import type {
  CompactionConfig,
  CompactionPlan,
  ContextCheck,
  ModelLimits,
  Problem,
  Transcript,
  WithParts,
} from "apex-parts";
import { generateMessageId, SessionCompaction } from "apex-parts";
import { escaped } from "./colour.ts";
import type { Examined, Findings, History, Task } from "./compact-report.ts";
import { reportOf } from "./compact-report.ts";
import { withTranscript } from "./file.ts";
import { areOpenCodes, withOpenCodeIds } from "./opencode-ids.ts";
import type { TextFlag, Values } from "./options.ts";
import { isSame, writeWhole } from "./out-file.ts";
import { CliError, nameOf, print, unreadable, wholeNumber } from "./output.ts";
import type { WrittenSession } from "./sessions.ts";
import { mainSession } from "./sessions.ts";
import { count, plural } from "./units.ts";

// ── Options ─────────────────────────────────────────────────────────────────────────────────────

/** Each option of a number: its name, the least, and what it is in the settings of the library. */
const SETTINGS: [name: TextFlag, least: number, field: keyof CompactionConfig][] = [
  ["reserved", 0, "reserved"],
  ["threshold", 1, "threshold"],
  ["tail-turns", 0, "tail_turns"],
  ["keep", 0, "preserve_recent_tokens"],
  ["protect", 0, "protect"],
  ["minimum", 0, "minimum"],
];

/** An object without its fields of undefined. */
function withoutMissing<T extends object>(fields: T): T {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // A field that may be undefined may be missing, too.
  return Object.fromEntries(entries) as T;
}

function modelOf(values: Values): ModelLimits {
  const context = wholeNumber(values, "context", 1);
  if (context === undefined) {
    throw new CliError(
      "compact needs --context N: the tokens that the model accepts, such as 200000",
      2,
    );
  }
  const [input, output] = [wholeNumber(values, "input", 1), wholeNumber(values, "output", 1)];
  return { limit: withoutMissing({ context, input, output }) };
}

function configOf(values: Values): CompactionConfig {
  const { estimator } = values;
  if (estimator !== undefined && estimator !== "chars" && estimator !== "classes") {
    throw new CliError(`--estimator must be chars or classes, not ${estimator}`, 2);
  }
  const numbers = SETTINGS.map(([name, least, field]) => [field, wholeNumber(values, name, least)]);
  const prune = values.prune === true || undefined;
  return withoutMissing({ ...Object.fromEntries(numbers), estimator, prune });
}

type Wish = "plan" | "request" | "prune" | "summary" | "truncate";

/** What these options ask for. */
function wishOf(file: string, values: Values): Wish {
  const { out, summary, plan, request, prune, truncate, json } = values;
  const isToFile = out !== undefined && out !== "-";
  const wrong = (message: string) => {
    throw new CliError(message, 2);
  };
  if (plan && request)
    wrong("--plan shows the plan, --request prints the request: use one of them");
  if (request && summary !== undefined) {
    wrong("--request asks for the summary that --summary takes: use one of them");
  }
  if (truncate && (request || summary !== undefined)) {
    wrong("--truncate drops turns without a summary: leave out --request and --summary");
  }
  if (plan && out !== undefined) wrong("--plan writes nothing: leave out -o");
  if (summary === "-" && file === "-") wrong("standard input is FILE or --summary, not both");
  for (const read of [file, summary]) {
    if (isToFile && read !== undefined && isSame(read, out)) {
      wrong(`${out}: it cannot be both read and written`);
    }
  }
  if (request) return "request";
  if (!plan && summary !== undefined) {
    if (json && !isToFile) wrong("--json prints what was done: add -o FILE for the session");
    return "summary";
  }
  if (out === undefined) return "plan";
  if (!prune && !truncate) {
    const results = "--summary FILE, --truncate, --prune or --request";
    wrong(`-o writes the result of ${results}: use one of them`);
  }
  if (json && !isToFile) wrong("--json prints what was done: add -o FILE for the session");
  return truncate ? "truncate" : "prune";
}

async function summaryOf(file: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = file === "-" ? await buffer(process.stdin) : readFileSync(file);
  } catch (error) {
    throw unreadable(file, error);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CliError(`${nameOf(file)}: the summary must be text in UTF-8`, 2);
  }
  if (text.trim() !== "") return text.trimEnd();
  throw new CliError(`${nameOf(file)}: the summary is blank: ask the model again`, 1);
}

// ── The session ─────────────────────────────────────────────────────────────────────────────────

const note = (text: string) => process.stderr.write(`${text}\n`);

/** The messages of a session. */
const historyOf = (transcript: Transcript, { id, others }: WrittenSession): History =>
  others > 0 ? transcript.messagesOf(id ?? "") : transcript;

const messagesOf = (history: History) => (Array.isArray(history) ? history : history.messages());

/** How the plan makes room. */
const strategyOf = ({ truncate }: Values): "truncate" | "summary" =>
  truncate ? "truncate" : "summary";

/**
 * Everything that is known before something is done. `beside` are the tokens of the system prompt and the tools, as far
 * as an answer reports them; once outputs are cleared or messages summarised no answer does any more, so `seen` adds
 * them to what is counted then.
 */
function examine(history: History, { model, config, values, now }: Task): Findings {
  const input = { model, config, overflow: values.overflow === true, strategy: strategyOf(values) };
  const check = SessionCompaction.check({ messages: history, model, config });
  const plan = SessionCompaction.plan(history, input);
  const beside = check.used.source === "counted" ? 0 : plan.cache.prefix;
  const seen = ({ used }: ContextCheck) =>
    used.source === "counted" ? Math.round(beside + check.used.factor * used.tokens) : used.tokens;
  const findings = { check, history, plan, seen };
  if (!config.prune) return findings;
  const prune = SessionCompaction.prune(history, config);
  if (prune.partIDs.length === 0) return { ...findings, prune };
  const messages = SessionCompaction.applyPrune(messagesOf(history), prune, now);
  const after = SessionCompaction.plan(messages, input);
  const tokens = seen(SessionCompaction.check({ messages, model, config }));
  const limit = config.threshold ?? check.usable;
  const pruned = { tokens, headroom: limit - tokens, overflow: tokens >= limit };
  const next = { history: messages, plan: withBeside(after, tokens, check.usable) };
  return { ...findings, ...next, prune, pruned };
}

/** A plan for messages that no answer reports, with what stands beside them. */
function withBeside(plan: CompactionPlan, before: number, usable: number): CompactionPlan {
  const more = before - plan.tokens.before;
  const after = plan.tokens.after + more;
  const { prefix, ...cache } = plan.cache;
  plan.tokens = { before, after };
  plan.fits = after < usable;
  plan.cache = { prefix: prefix + more, ...cache };
  return plan;
}

// ── What is printed and written ─────────────────────────────────────────────────────────────────

/** The text of a session in pieces: of an export as an export, of anything else as an array of messages. */
function* textOf(
  messages: readonly WithParts[],
  { transcript, session, now }: Task,
): Generator<string> {
  const own = transcript.format === "opencode-export" ? transcript.session : undefined;
  const isExport = own !== undefined && (session.id === undefined || own.id === session.id);
  if (isExport) {
    const time = typeof own.time === "object" ? { ...own.time, updated: now } : { updated: now };
    yield `{\n"info": ${JSON.stringify({ ...own, time })},\n"messages": [`;
  } else yield "[";
  let isFirst = true;
  for (const message of messages) {
    yield `${isFirst ? "\n" : ",\n"}${JSON.stringify(message)}`;
    isFirst = false;
  }
  yield isExport ? "\n]\n}\n" : "\n]\n";
}

/** The messages after a compaction with this summary, or after a truncation. */
function compacted(
  messages: WithParts[],
  plan: CompactionPlan,
  { text = "", values, now }: Task,
): WithParts[] {
  const added = new Set<string>();
  const id = () => {
    const next = generateMessageId();
    added.add(next);
    return next;
  };
  const meta = { id, now, auto: false, overflow: values.overflow === true };
  const after = values.truncate
    ? SessionCompaction.applyTruncation(messages, plan, meta)
    : SessionCompaction.applySummary(messages, plan, text, meta);
  return areOpenCodes(messages) ? withOpenCodeIds(after, added, now) : after;
}

const NOTHING = "there is nothing to summarise: the history would not become smaller";
const NO_TURNS = "no turn can be dropped: all of them fit in the budget, or there is only one";

/** Says what was left out of the file that is written, or could not be read. */
function tellLost(name: string, transcript: Transcript, { others }: WrittenSession): void {
  if (others > 0) note(`${name}: ${plural(others, "other session")} not written`);
  const lost = transcript.problems().filter((p) => p.path === "" && p.severity === "error");
  const [first] = lost;
  if (first === undefined) return;
  const more = lost.length > 1 ? ` (and ${lost.length - 1} more: apex-parts validate)` : "";
  note(`${name}: byte ${first.offset}: ${first.message}${more}`);
}

/** What is wrong with this compaction: by its plan, and now that it is in the session. */
function problemsOf(
  plan: CompactionPlan,
  index: number,
  messages: WithParts[],
  { model, config, values }: Task,
): Problem[] {
  const input = { model, config, strategy: strategyOf(values) };
  const { problems } = SessionCompaction.plan(messages, input);
  const added = problems.filter(({ path }) => Number(path.split("/")[1]) >= index);
  return added.length > 0 ? added : plan.problems.filter(({ path }) => path === "");
}

/** What was done, in words and as data. */
interface Done {
  done: string;
  [fact: string]: unknown;
}

async function write(messages: WithParts[], all: Examined, result: Done): Promise<void> {
  const { transcript, session, values, name, model, config, findings } = all;
  tellLost(name, transcript, session);
  await writeWhole(values.out, textOf(messages, all));
  const before = findings.check.used.tokens;
  const after = findings.seen(SessionCompaction.check({ messages, model, config }));
  if (values.json) {
    print(JSON.stringify({ ...result, tokens: { before, after } }, null, 2));
    return;
  }
  const line = `${result.done}: the next request was ${count(before)} tokens, and is now about ${count(after)}`;
  if (values.out !== undefined && values.out !== "-") print(line);
  else note(line);
}

/** Writes the session with the compaction of its plan; `word` says what becomes of these messages. */
async function writeCompacted(all: Examined, changed: string[], word: string): Promise<void> {
  const { plan, history, check, prune } = all.findings;
  const before = messagesOf(history);
  const messages = compacted(before, plan, all);
  const problems = problemsOf(plan, before.length, messages, all);
  for (const { severity, rule, message } of problems) note(`${severity} ${rule}: ${message}`);
  const kept = plan.keep.length === 1 ? "1 stays" : `${plan.keep.length} stay`;
  const cleared = prune?.partIDs.length
    ? `, ${plural(prune.partIDs.length, "output")} cleared`
    : "";
  const done = `${plural(changed.length, "message")} ${word}, ${kept}${cleared}`;
  const added = messages.slice(before.length).map(({ info }) => info.id);
  await write(messages, all, { done, check, prune, plan, added, problems });
}

async function writeSummary(all: Examined): Promise<void> {
  const { summarise } = all.findings.plan;
  if (summarise.length === 0) throw new CliError(`${all.name}: ${NOTHING}`, 1);
  await writeCompacted(all, summarise, "summarised");
}

async function writeTruncated(all: Examined): Promise<void> {
  const { drop } = all.findings.plan;
  if (drop.length === 0) throw new CliError(`${all.name}: ${NO_TURNS}`, 1);
  await writeCompacted(all, drop, "dropped");
}

async function writePruned(all: Examined): Promise<void> {
  const { prune, history, check } = all.findings;
  const count = prune?.partIDs.length ?? 0;
  const done = count > 0 ? `${plural(count, "output")} cleared` : "nothing to clear";
  await write(messagesOf(history), all, { done, check, prune });
}

async function writeRequest({ findings, name, values }: Examined): Promise<void> {
  const { plan, history } = findings;
  if (plan.summarise.length === 0) throw new CliError(`${name}: ${NOTHING}`, 1);
  const request = SessionCompaction.summaryRequest(history, plan);
  const part = request[0]?.parts[0];
  const words = part?.type === "text" ? part.text : "";
  const text = values.json ? JSON.stringify(request, null, 2) : words;
  const isShown = values.out === undefined && process.stdout.isTTY && !values.json;
  await writeWhole(values.out, [`${isShown ? escaped(text) : text}\n`]);
}

function printPlan(all: Examined): void {
  const { values, session, model, config, findings } = all;
  const { check, prune, pruned, plan } = findings;
  if (values.json) {
    const { id } = session;
    print(JSON.stringify({ session: id, model, config, check, prune, pruned, plan }, null, 2));
    return;
  }
  for (const line of reportOf(all)) print(line);
}

const TASKS: Record<Wish, (all: Examined) => void | Promise<void>> = {
  plan: printPlan,
  request: writeRequest,
  prune: writePruned,
  summary: writeSummary,
  truncate: writeTruncated,
};

/** The error of the library as one of the command. */
function refused(name: string, error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== "CompactionError") return error;
  return new CliError(`${name}: ${error.message}`, 1);
}

export async function compact(file: string, values: Values): Promise<number> {
  const [model, config] = [modelOf(values), configOf(values)];
  const wish = wishOf(file, values);
  const { summary } = values;
  const isSummary = wish === "summary" && summary !== undefined;
  const text = isSummary ? await summaryOf(summary) : undefined;
  return withTranscript(file, values, async (transcript) => {
    const name = nameOf(file);
    if (transcript.messageCount === 0) throw new CliError(`${name}: there are no messages`, 1);
    const session = mainSession(transcript, name, values.session);
    const task = { transcript, session, name, values, model, config, text, now: Date.now() };
    try {
      const findings = examine(historyOf(transcript, session), task);
      await TASKS[wish]({ ...task, findings });
    } catch (error) {
      throw refused(name, error);
    }
    return 0;
  });
}
