// An agent whole: `API_KEY=… node examples/agent.mjs "Fix it" --url https://api.anthropic.com/v1/messages > a.json`, then
// `npx apex-parts a.json`. The log is the truth: RUN/0 is the prompt, each turn adds a message. With `--redis URL`,
// a process with the same `--run` goes on where another was killed; calls that had ended are not run again.
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import * as apex from "apex-parts";
import { builtinTools } from "apex-parts/node";
import { memoryRunLog, RunReader, RunWriter } from "apex-parts/store";
import { redisRunLog } from "apex-parts/store/redis";

const flag = (value) => ({ type: "string", default: value });
const options = {
  ...{ run: flag(apex.generateMessageId()), url: flag(), format: flag("anthropic") },
  ...{ model: flag("claude-opus-4-5"), context: flag("200000"), dir: flag(process.cwd()) },
  ...{ rules: flag("{}"), redis: flag(), lease: flag("10000") },
};
const { values: flags, positionals } = parseArgs({ options, allowPositionals: true });
const { run, url, format, model, dir } = flags;
if (!url) throw new Error('usage: agent.mjs "PROMPT" --url URL [--run ID] [--redis URL] …');
const { SessionCompaction: Compaction, generateMessageId: id } = apex;
const about = { agent: "build", providerID: format, modelID: model };
const info = apex.createUserMessage({ ...about, sessionID: id() });
const ids = { sessionID: info.sessionID, messageID: info.id };
const prompt = { info, parts: [apex.createTextPart({ ...ids, text: positionals[0] ?? "" })] };
const redis = flags.redis && (await import("redis")).createClient({ url: flags.redis });
redis?.on("error", () => {}); // it connects again by itself, and the log says when it is away
await redis?.connect();
if (!redis) console.error("without --redis, no other process can take the run over");
const log = redis ? redisRunLog(redis, { endedTtlMs: 86_400_000 }) : memoryRunLog();
const open = (name) => RunWriter.open(log, name, { leaseMs: Number(flags.lease), wait: true });
const lease = await open(run); // one process at a time works on a run, the others wait here
const READING = ["read", "glob", "grep", "todo-read"]; // these may run twice: they change nothing
const rules = { read: "allow", glob: "allow", grep: "allow", ...JSON.parse(flags.rules) }; // what else: asked
const terminal = process.stdin.isTTY && createInterface(process.stdin, process.stderr);
const onAsk = ({ permission, patterns }) =>
  terminal ? terminal.question(`${permission} ${patterns}: once, always, reject? `) : "reject";
const gate = new apex.Permission.Gate({ onAsk });
const registry = new apex.ToolRegistry({ rules: [apex.Permission.fromConfig(rules)], gate });
const guard = lease.tookOver ? "off" : "require"; // what was read, only the process before knew
for (const tool of builtinTools({ directory: dir, guard })) registry.register(tool);
const tools = await registry.definitions();
const limit = { context: Number(flags.context), output: 8000 };
const common = { model: { limit }, tools, system: `You are an agent in the folder ${dir}.` };
const detector = new apex.DoomLoopDetector();
const recorder = new apex.ReActRecorder({ sessionID: run, messageID: run });
const history = []; // the session: messages with parts
let [next, seq, isLost] = [0, 0, false]; // the next message and the last delta; the last message is not whole

/** Takes what the log has and the history has not. */
async function readLog() {
  for (; (await log.latest(`${run}/${next}`)).state.status !== "none"; next++) {
    // One that is open is of a process that is gone, and the provider's stream with it: the step is run again.
    const writer = await open(`${run}/${next}`).catch(({ code }) => code);
    await writer.fail?.({ errorCode: "writer_lost", retryable: true });
    const { meta } = await (await RunReader.open(log, `${run}/${next}`)).result();
    isLost = meta.error !== undefined;
    for (const [at, message] of meta.changed ?? []) history[at] = message;
  }
}

/** The answer of the model; `hear` is told what it says as it comes. */
async function ask(request, hear) {
  const key = process.env.API_KEY ?? "";
  const own = { "x-api-key": key, "anthropic-version": "2023-06-01" };
  const headers = format === "anthropic" ? own : { authorization: `Bearer ${key}` };
  const body = JSON.stringify(apex.toRequest(format, { ...request, model, provider: format }));
  const response = await fetch(url, { method: "POST", headers, body, signal: lease.signal });
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
  const assembler = new apex.DeltaAssembler({ format });
  for await (const chunk of response.body) {
    assembler.pushBytes(chunk);
    for (const delta of apex.readDeltas("delta", assembler.takeDeltas())) await hear?.(delta);
  }
  assembler.end();
  const { error } = assembler.preview().meta;
  if (assembler.status !== "done") throw new Error(error?.message ?? "the stream broke off");
  const { id: parentID, sessionID } = history.findLast(({ info }) => info.role === "user").info;
  return assembler.toWithParts({ ...about, sessionID, parentID, path: { cwd: dir, root: dir } });
}

/** The history with an answer. */
async function answered(say) {
  recorder.startStep();
  const answer = await ask({ ...common, messages: history }, async ({ kind, payload }) => {
    if (kind === "text") recorder.appendText(payload.textDelta);
    if (!["start", "done", "error"].includes(kind)) await say(kind, payload);
  });
  recorder.finishStep(answer.info.finish, { tokens: answer.info.tokens });
  return [...history, answer];
}

/** The history with the result of a call. Nobody knows what one has done whose process was killed in it. */
async function called(part) {
  const { parts, ...last } = history.at(-1);
  const state = apex.ToolStateTransition.abort(part.state, "Interrupted: look first", Date.now());
  const call = { ...part, part, input: part.state.raw || part.state.input, abort: lease.signal };
  const mayRun = !isLost || READING.includes(part.tool);
  const result = mayRun ? await registry.execute(call, { detector, recorder }) : { ...part, state };
  delete result.state.attachments; // with them, a delta might have more than the 1 MB that it may
  return history.with(-1, { ...last, parts: parts.with(parts.indexOf(part), result) });
}

/** The history with old outputs cleared; if there are none, with a summary of what is old. */
async function compacted() {
  const pruning = Compaction.prune(history, { prune: true, protectTurns: 0 });
  if (pruning.saved > 0) return Compaction.applyPrune(history, pruning, Date.now());
  const plan = Compaction.plan(history, common);
  if (plan.problems.some(({ rule }) => rule === "CP-2")) throw new Error("too small a context");
  const [{ role, parts }] = Compaction.summaryRequest(history, plan); // one text
  const summary = await ask({ messages: [{ role, parts: [{ kind: "text", payload: parts[0] }] }] });
  const text = summary.parts.map(({ text = "" }) => text).join("");
  return Compaction.applySummary(history, plan, text, { id, now: Date.now() });
}

/** What comes next; undefined when the run is over. */
function nextStep() {
  const { info, parts } = history.at(-1) ?? {};
  if (!info) return () => [prompt];
  if (parts.some(({ state }) => state?.metadata?.kind === "loop")) return undefined;
  const call = parts.find(({ state }) => state && !apex.isToolCompleted(state));
  if (call) return () => called(call);
  if (info.role === "assistant" && info.finish !== "tool-calls") return undefined;
  return Compaction.check({ messages: history, ...common }).overflow ? compacted : answered;
}

await readLog();
for (const { callID, tool: toolName, state } of history.flatMap(({ parts }) => parts))
  if (callID && detector.check({ callID, toolName, parameters: state.input }))
    detector.record({ callID, result: state.output ?? state.error, isError: !state.output });
for (let step = nextStep(); step; step = nextStep()) {
  const writer = await open(`${run}/${next}`);
  const say = (kind, payload) =>
    writer.push({ runId: run, seq: ++seq, timestamp: new Date().toISOString(), kind, payload });
  try {
    await say("start", { modelId: model, requestId: "" });
    const now = await step(say);
    lease.signal.throwIfAborted();
    const changed = [...now.entries()].filter(([at, message]) => message !== history[at]); // past 8: next turn
    await say("done", { finishReason: "stop", meta: { changed: changed.slice(0, 8) } });
    await writer.end();
  } catch (error) {
    if (!lease.signal.aborted) await writer.fail({ errorCode: error.name, message: error.message });
    throw error;
  }
  await readLog();
  for (const event of recorder.takeEvents()) console.error(JSON.stringify(event));
}
console.log(JSON.stringify(apex.toOpenCode(history, { directory: dir }), null, 2));
for (const one of [lease, redis, terminal]) await one?.close?.(); // the lease while there is Redis
