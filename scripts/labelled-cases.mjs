// Runs labelled cases: files of agents, and what the library and the command must make of them. A case is
// `{id, rule, kind, what, files, file?, folder?, expect}`; the README beside the cases says what `expect` can hold.
// `node scripts/labelled-cases.mjs CASES [PKG] [ID]`: CASES is a folder of JSON files, PKG the built package, ID an
// expression for the ids of the cases to run.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The mark that stands for a masked text. */
const MASK = /\[redacted [^\]]*\]/gu;
/** The most characters of a text that `summary()` keeps; a longer one is cut, and where depends on what is masked. */
const NEAR_CUT = 400;

const show = (value) => (value === undefined ? "nothing" : JSON.stringify(value)).slice(0, 600);
const isObject = (value) => typeof value === "object" && value !== null;

/** Whether two values are the same: sums of fractions may differ in their last digits. */
const isSame = (wanted, got) =>
  Object.is(wanted, got) || (!Number.isInteger(wanted) && Math.abs(wanted - got) < 1e-9);

/** The places where `got` lacks what `wanted` names: fields that are not named may be anything. */
function differences(wanted, got, at) {
  if (!isObject(wanted)) {
    return isSame(wanted, got) ? [] : [`${at}: expected ${show(wanted)}, got ${show(got)}`];
  }
  if (!isObject(got)) return [`${at}: expected ${show(wanted)}, got ${show(got)}`];
  if (Array.isArray(wanted) && wanted.length !== got.length) {
    return [`${at}: expected ${show(wanted)}, got ${show(got)}`];
  }
  return Object.keys(wanted).flatMap((key) => differences(wanted[key], got[key], `${at}.${key}`));
}

/** Whether a text of a copy is that of the file, masked or not. */
function isMasked(copy, text) {
  if (copy === text) return true;
  const pieces = copy.split(MASK);
  if (pieces.length === 1) return false;
  let rest = 0;
  for (const [i, piece] of pieces.entries()) {
    const place = text.indexOf(piece, rest);
    // What a long text ends with depends on the length of the marks in it.
    if (place < 0) return i === pieces.length - 1 && copy.length > NEAR_CUT;
    if (i === 0 && place !== 0) return false;
    rest = place + piece.length;
  }
  return true;
}

/** The places where the figures of a copy are not those of the file. */
function copyDifferences(file, copy, at) {
  if (typeof file === "string" && typeof copy === "string") {
    return isMasked(copy, file) ? [] : [`${at}: file ${show(file)}, copy ${show(copy)}`];
  }
  if (!(isObject(file) && isObject(copy))) {
    return Object.is(file, copy) ? [] : [`${at}: file ${show(file)}, copy ${show(copy)}`];
  }
  const keys = new Set([...Object.keys(file), ...Object.keys(copy)]);
  // A place in the file: its part has another id in the copy.
  if (keys.has("message") && keys.has("part")) keys.delete("id");
  return [...keys].flatMap((key) => copyDifferences(file[key], copy[key], `${at}.${key}`));
}

/** What of `inspect --json` is the same in a copy. */
function figuresOf({ summary, stats, loops, sessions, messageCount, partCount }) {
  const loopFigures = loops.map(({ kind, count, severity }) => ({ kind, count, severity }));
  const own = sessions.map(({ file: _, ...session }) => session);
  return { summary, stats, loops: loopFigures, sessions: own, messageCount, partCount };
}

/** The same of a run in a folder's list. */
function runFigures({ file: _file, format: _format, sessions, ...figures }) {
  return { ...figures, sessions: sessions.map(({ file: _, ...session }) => session) };
}

/** A case in a folder of its own. */
class LabelledCase {
  constructor(pkg, library, one) {
    this.cli = join(pkg, "cli.mjs");
    this.library = library;
    this.expect = one.expect;
    this.isFolder = one.folder === true;
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), "apex-parts-case-")));
    for (const [name, text] of Object.entries(one.files)) {
      const path = join(this.folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    this.file = join(this.folder, one.file ?? Object.keys(one.files)[0]);
  }

  close() {
    this.transcript?.free();
    rmSync(this.folder, { recursive: true, force: true });
  }

  run(args) {
    const filled = args.map((arg) =>
      arg.replaceAll("@FILE@", this.file).replaceAll("@DIR@", this.folder),
    );
    const { status, stdout, stderr } = spawnSync(process.execPath, [this.cli, ...filled], {
      ...{ encoding: "utf8", maxBuffer: 1 << 28, cwd: this.folder },
    });
    return { rc: status, out: stdout, err: stderr };
  }

  /** The opened file; of a folder, its first run. */
  get opened() {
    this.transcript ??= this.open();
    return this.transcript;
  }

  open() {
    const { Transcript, runFiles } = this.library;
    if (!this.isFolder) return Transcript.open(readFileSync(this.file));
    const files = readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => ({ path: path.slice(this.folder.length + 1), bytes: readFileSync(path) }));
    const [paths] = runFiles(files);
    return Transcript.openFiles(files.filter(({ path }) => paths.includes(path)));
  }

  get inspected() {
    this.text ??= this.run(["inspect", this.file]);
    return this.text;
  }

  get summary() {
    return this.opened.summary();
  }

  get stats() {
    return this.opened.stats();
  }

  /** Of each session its messages. */
  get messages() {
    return this.opened.sessions.map(({ id }) => ({ id, messages: this.opened.messagesOf(id) }));
  }

  get toolParts() {
    return this.messages.flatMap(({ messages }) =>
      messages.flatMap(({ parts }) => parts.filter(({ type }) => type === "tool")),
    );
  }

  /** Of a session each message as a line: `ROLE: TEXTS [TOOL CALL OUTCOME →CHILD]`. */
  lines(messages) {
    return messages.flatMap(({ info, parts }) => {
      const texts = parts.flatMap((part) => {
        if (part.type === "text" && !part.synthetic && part.text !== "") return [part.text];
        if (part.type !== "tool") return [];
        const child = part.state.metadata?.sessionId;
        const arrow = child === undefined ? "" : ` →${child}`;
        return [`[${part.tool} ${part.callID} ${this.library.outcome(part)}${arrow}]`];
      });
      return texts.length === 0 ? [] : [`${info.role}: ${texts.join(" ")}`];
    });
  }

  jsonOf(args) {
    const { out, err } = this.run(args);
    try {
      return JSON.parse(out);
    } catch {
      throw new Error(`${args.join(" ")} prints no JSON: ${show(out)} ${show(err)}`);
    }
  }

  /** What is not as `expect` says. */
  faults(expect = this.expect) {
    const faults = [];
    // Commands first: other fields speak of what they wrote.
    const { run, ...rest } = expect;
    const fields = run === undefined ? rest : { run, ...rest };
    for (const [name, wanted] of Object.entries(fields)) {
      const check = CHECKS[name];
      if (check === undefined) {
        faults.push(`${name}: no case has had this field before`);
        continue;
      }
      try {
        faults.push(...check(this, wanted));
      } catch (error) {
        faults.push(`${name}: ${error.message}`);
      }
    }
    return faults;
  }
}

/** Whether an expression fits; lines begin with `^`. */
const fits = (expression, text) => new RegExp(expression, "mu").test(text);
const same = (name, read) => (one, wanted) => differences(wanted, read(one), name);
const list = (value) => (Array.isArray(value) ? value : [value]);

const hasMessage = (one) =>
  one.opened.messageCount > 0 || one.messages.some(({ messages }) => messages.length > 0);
const warnings = (one) =>
  one.opened
    .problems()
    .filter(({ severity }) => severity === "warning")
    .map(({ message }) => message);
const errorRules = (one) =>
  one.opened
    .problems()
    .filter(({ severity }) => severity === "error")
    .map(({ rule }) => rule);

/** What is wrong with one command of `run`. */
function runFaults(one, { args, ...wanted }) {
  const { rc, out, err } = one.run(args);
  const at = args.join(" ");
  const faults = [];
  const missing = (name, expressions, text, isWanted) => {
    for (const expression of list(expressions ?? [])) {
      if (fits(expression, text) === isWanted) continue;
      faults.push(`${at}: ${name}${isWanted ? "" : " not"} /${expression}/, got ${show(text)}`);
    }
  };
  if (wanted.rc !== undefined && rc !== wanted.rc) {
    faults.push(`${at}: expected exit code ${wanted.rc}, got ${rc} ${show(err)}`);
  }
  missing("out", wanted.out, out, true);
  missing("out", wanted.outNot, out, false);
  missing("err", wanted.err, err, true);
  missing("err", wanted.errNot, err, false);
  if (wanted.hits === undefined && wanted.json === undefined) return faults;
  let json;
  try {
    json = JSON.parse(out);
  } catch {
    return [...faults, `${at}: prints no JSON: ${show(out)}`];
  }
  if (wanted.hits !== undefined) {
    const hits = (Array.isArray(json) ? json : (json.matches ?? [])).length;
    if (hits !== wanted.hits) faults.push(`${at}: expected ${wanted.hits} hits, got ${hits}`);
  }
  if (wanted.json !== undefined) faults.push(...differences(wanted.json, json, `${at}: json`));
  return faults;
}

/** What is wrong with the list of a folder. */
function listFaults(one, { runs: count, messages, child, own, clock, ...figures }) {
  const { runs } = one.jsonOf(["inspect", one.folder, "--json"]);
  const [first] = runs;
  const faults = [];
  if (count !== undefined && runs.length !== count) {
    faults.push(`list: expected ${count} runs, got ${runs.length}`);
  }
  if (first === undefined) return faults;
  if (messages !== undefined) {
    const all = first.sessions.reduce((sum, session) => sum + session.messages, 0);
    if (all !== messages) faults.push(`list: expected ${messages} messages, got ${all}`);
  }
  if (child !== undefined && !first.sessions.some(({ id }) => id === child)) {
    faults.push(`list: no session ${child} in ${show(first.sessions.map(({ id }) => id))}`);
  }
  if (own !== undefined) {
    faults.push(...differences(own, first.sessions[0]?.tokens, "list.own"));
  }
  if (clock === false) {
    const times = ["from", "start", "end"].filter((name) => first[name] !== undefined);
    if (times.length > 0) faults.push(`list: it has ${times.join(", ")}, and no clock`);
  }
  return [...faults, ...differences(figures, first, "list")];
}

function sameFolder(one, [a, b]) {
  const [first, second] = [a, b].map(
    (name) => one.jsonOf(["inspect", join(one.folder, name), "--json"]).runs,
  );
  const key = ({ file }) => file.replace(/\.[^./]*$/u, "");
  const sorted = (runs) =>
    [...runs].sort((x, y) => (key(x) < key(y) ? -1 : 1)).map((run) => runFigures(run));
  return copyDifferences(sorted(first), sorted(second), "sameFolder");
}

function copyOf(one) {
  const copy = join(one.folder, "the-copy.json");
  if (!existsSync(copy)) {
    const { rc, err } = one.run(["redact", one.file, "-o", copy]);
    if (rc !== 0) throw new Error(`redact exits with ${rc}: ${show(err)}`);
  }
  return copy;
}

/** Of each field of `expect`, what is wrong. */
const CHECKS = {
  oneOf(one, choices) {
    const faults = choices.map((choice) => one.faults(choice));
    if (faults.some((each) => each.length === 0)) return [];
    return [
      `none of ${choices.length} holds: ${faults.map((each) => each.join("; ")).join(" | ")}`,
    ];
  },
  refused(one, expression) {
    if (hasMessage(one)) return ["refused: it has messages"];
    const { rc, out, err } = one.inspected;
    if (rc !== 1) return [`refused: expected exit code 1, got ${rc}`];
    return fits(expression, out + err) ? [] : [`refused: /${expression}/, got ${show(out + err)}`];
  },
  readAtAll: (one) => (hasMessage(one) ? [] : ["readAtAll: it has no message"]),
  saysNotRefused(one, expression) {
    const { out, err } = one.inspected;
    return hasMessage(one) || !fits(expression, out + err)
      ? []
      : [`saysNotRefused: /${expression}/ in ${show(out + err)}`];
  },
  exit: same("exit", (one) => one.inspected.rc),
  error: (one, rule) =>
    errorRules(one).includes(rule) ? [] : [`error: no ${rule} in ${show(errorRules(one))}`],
  noError: (one, rule) => (errorRules(one).includes(rule) ? [`noError: there is ${rule}`] : []),
  format: (one, name) =>
    one.opened.format?.includes(name) ? [] : [`format: expected ${name}, got ${one.opened.format}`],
  formatNot: (one, name) =>
    one.opened.format?.startsWith(name) ? [`formatNot: it is ${one.opened.format}`] : [],
  asked: same("asked", (one) => one.summary.asked?.text),
  answered: same("answered", (one) => one.summary.answered?.text),
  ended: same("ended", (one) => one.summary.ended?.how),
  endedIn(one, hows) {
    const how = one.summary.ended?.how;
    return hows.includes(how) ? [] : [`endedIn: expected ${show(hows)}, got ${how}`];
  },
  reason(one, text) {
    const reason = one.summary.ended?.reason ?? "";
    return reason.includes(text) ? [] : [`reason: expected ${text}, got ${reason}`];
  },
  requests: same("requests", (one) => one.summary.requests),
  models: same("models", (one) => one.summary.models),
  failed: same("failed", (one) => one.summary.failed),
  messageErrors: same("messageErrors", (one) => one.summary.messageErrors),
  time: same("time", (one) => one.summary.time),
  totals: same("totals", (one) => one.summary.totals),
  totalsNot: (one, names) =>
    list(names)
      .filter((name) => name in one.summary.totals)
      .map((name) => `totalsNot: there is ${name}`),
  files: same("files", (one) =>
    Object.fromEntries(
      one.summary.files.map(({ path, added, removed }) => [path, [added, removed]]),
    ),
  ),
  tokens: same("tokens", (one) => one.stats.tokens),
  cost: same("cost", (one) => one.stats.cost),
  tools: same("tools", (one) => one.stats.tools),
  lines(one, sessions) {
    return Object.entries(sessions).flatMap(([id, wanted]) => {
      const own = one.messages.find((session) => session.id === id);
      if (own === undefined) return [`lines: no session ${id}`];
      const hasArrow = wanted.some((each) => each.includes("→"));
      const lines = one.lines(own.messages);
      // Without the sessions of calls, unless the case names some.
      const got = hasArrow ? lines : lines.map((each) => each.replaceAll(/ →[^\]]+\]/gu, "]"));
      return differences(wanted, got, `lines.${id}`);
    });
  },
  sessions(one, wanted) {
    const kinds = Object.fromEntries(one.opened.sessions.map(({ id, kind }) => [id, kind]));
    return [
      ...differences(wanted, kinds, "sessions"),
      ...Object.keys(kinds)
        .filter((id) => !(id in wanted))
        .map((id) => `sessions: also ${id}`),
    ];
  },
  sessionsN: same("sessionsN", (one) => one.opened.sessions.length),
  parent: same("parent", (one) => one.opened.session?.parentID),
  answeredIn(one, texts) {
    const lines = one.messages.flatMap(({ messages }) => one.lines(messages)).join("\n");
    return list(texts)
      .filter((text) => !lines.includes(text))
      .map((text) => `answeredIn: no ${text} in ${show(lines)}`);
  },
  notInMain(one, texts) {
    const main = JSON.stringify(one.messages[0]?.messages ?? []);
    return list(texts)
      .filter((text) => main.includes(text))
      .map((text) => `notInMain: ${text} is`);
  },
  calls(one, wanted) {
    const calls = one.toolParts.map(({ callID, tool, state }) => {
      const { exit, sessionId: session } = state.metadata ?? {};
      return [callID, { name: tool, exit, session }];
    });
    return differences(wanted, Object.fromEntries(calls), "calls");
  },
  warn: (one, expressions) =>
    list(expressions)
      .filter((each) => !warnings(one).some((text) => fits(each, text)))
      .map((each) => `warn: no /${each}/ in ${show(warnings(one))}`),
  noWarn(one, expression) {
    const found = warnings(one).filter((text) => expression === true || fits(expression, text));
    return found.map((text) => `noWarn: ${text}`);
  },
  compactions(one, count) {
    const parts = one.messages.flatMap(({ messages }) => messages.flatMap((each) => each.parts));
    const got = parts.filter(({ type }) => type === "compaction").length;
    return differences(count, got, "compactions");
  },
  find: (one, texts) =>
    list(texts)
      .filter((text) => one.opened.search(text).length === 0)
      .map((text) => `find: no hit for ${text}`),
  says: (one, expressions) =>
    list(expressions)
      .filter((each) => !fits(each, one.inspected.out + one.inspected.err))
      .map((each) => `says: no /${each}/ in ${one.inspected.out}${one.inspected.err}`),
  saysNot: (one, expressions) =>
    list(expressions)
      .filter((each) => fits(each, one.inspected.out + one.inspected.err))
      .map((each) => `saysNot: /${each}/ in ${one.inspected.out}${one.inspected.err}`),
  count: (one, counts) =>
    counts.flatMap(([expression, wanted]) => {
      const got = [...one.inspected.out.matchAll(new RegExp(expression, "gmu"))].length;
      return differences(wanted, got, `count /${expression}/`);
    }),
  list: listFaults,
  run: (one, commands) => commands.flatMap((command) => runFaults(one, command)),
  made: (one, files) =>
    Object.entries(files).flatMap(([name, { has = [], not = [] }]) => {
      const path = join(one.folder, name);
      if (!existsSync(path)) return [`made: no ${name}`];
      const text = readFileSync(path, "utf8");
      return [
        ...has.filter((each) => !text.includes(each)).map((each) => `made: no ${each} in ${name}`),
        ...not.filter((each) => text.includes(each)).map((each) => `made: ${each} in ${name}`),
      ];
    }),
  notMade: (one, names) =>
    list(names)
      .filter((name) => existsSync(join(one.folder, name)))
      .map((name) => `notMade: there is ${name}`),
  sameFolder,
  sameCopy(one) {
    const [file, copy] = [one.file, copyOf(one)].map((path) =>
      figuresOf(one.jsonOf(["inspect", path, "--json"])),
    );
    return copyDifferences(file, copy, "sameCopy");
  },
  validCopy(one) {
    const [file, copy] = [one.file, copyOf(one)].map(
      (path) =>
        one
          .jsonOf(["validate", path, "--json"])
          .problems.filter(({ severity }) => severity === "error").length,
    );
    return copy > file ? [`validCopy: ${copy} errors, the file has ${file}`] : [];
  },
  sameBytes: (one) =>
    readFileSync(copyOf(one)).equals(readFileSync(one.file)) ? [] : ["sameBytes: other bytes"],
};

/** Whether a folder has labelled cases. */
export function hasLabelledCases(folder) {
  return readdirSync(folder).some((name) => name.endsWith(".json") && casesIn(join(folder, name)));
}

/** The cases in a file; undefined if it has none. */
function casesIn(path) {
  const value = JSON.parse(readFileSync(path, "utf8"));
  const isCase = (one) => isObject(one) && isObject(one.files) && isObject(one.expect);
  return Array.isArray(value) && value.length > 0 && value.every(isCase) ? value : undefined;
}

/**
 * Runs the cases of a folder whose ids fit with a built package; `say` gets each that fails. Returns how many were run
 * and how many failed.
 */
export async function runLabelledCases(folder, pkg, { ids = /./u, say = console.log } = {}) {
  const library = await import(pathToFileURL(join(pkg, "node.mjs")).href);
  const cases = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .flatMap((name) => casesIn(join(folder, name)) ?? [])
    .filter(({ id }) => ids.test(id));
  let failed = 0;
  for (const one of cases) {
    const opened = new LabelledCase(pkg, library, one);
    const faults = opened.faults();
    opened.close();
    if (faults.length === 0) continue;
    failed++;
    say(
      `✗ ${one.id} (${one.rule}): ${one.what}\n${faults.map((each) => `    ${each}`).join("\n")}`,
    );
  }
  if (cases.length === 0) throw new Error(`${folder} has no case of this id`);
  say(`${cases.length - failed} of ${cases.length} cases pass`);
  return { run: cases.length, failed };
}

if (process.argv[1] && fileURLToPath(import.meta.url) === realpathSync(process.argv[1])) {
  const [, , folder, pkg = "pkg", id = "."] = process.argv;
  if (folder === undefined) throw new Error("Say which folder has the cases: CASES [PKG] [ID]");
  const { failed } = await runLabelledCases(resolve(folder), resolve(pkg), {
    ids: new RegExp(id, "u"),
  });
  process.exitCode = failed > 0 ? 1 : 0;
}
