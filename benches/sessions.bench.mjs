// Opening real sessions, beside what JavaScript does with the same bytes: the recordings of tests/fixtures, or the files
// below a folder (`npm run bench -- DIR`). A session is repeated until it is large enough to say something of reading.
//
// - parse: JSON.parse of each line, or of the document, that is a string already
// - bytes: decode, split, JSON.parse
// - plain: that, and messages, calls, results and tokens counted by hand
//
// Warm is the best of several rounds; cold is the CPU time of the first open in a process, the median of five processes.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { setLogger, Transcript } from "../pkg/node.mjs";
import { generate } from "../scripts/generate.mjs";
import { files } from "../scripts/lib.mjs";
import { requestMessages, shortMessages } from "./lib/arrays.mjs";
import { met } from "./lib/bars.mjs";
import { figure, inWords, range } from "./lib/figures.mjs";
import { barOf, sideBySide } from "./lib/measure.mjs";
import { isDocument, parseBytes, readable, textsOf } from "./lib/texts-of.mjs";
import { PLAIN, plain } from "./plain.mjs";
import { SCALED, scaled, timesFor } from "./scale.mjs";

setLogger(undefined);
const RECORDED = fileURLToPath(new URL("../tests/fixtures/recorded", import.meta.url));
const [own] = process.argv.slice(2);
const MB = 1e6;
/** What a session is repeated to, and the most that its rounds take. */
const SIZE = 12 * MB;
const MOST_MS = 3500;
/** The largest file that a string holds with ease. */
const LARGEST = 256 * MB;
/** Of the recordings of a format, so many: two of real runs and one of another kind, if there are, the largest of them. */
const MOST_FILES = 3;

/** The formats: how the page calls them, and how many times as fast as `parse` their sessions are to open. */
const FORMATS = {
  codex: ["Codex", 2],
  "claude-code": ["Claude Code", 2],
  pi: ["pi", 1.5],
  "gemini-cli": ["Gemini CLI", 1.5],
  "copilot-cli": ["Copilot CLI", 1.5],
  "swe-agent": ["SWE-agent", 1.5],
  inspect: ["Inspect", 1.5],
  "opencode-events": ["OpenCode: recorded events", 1.5],
  "opencode-export": ["OpenCode: exports", 3],
  "messages-anthropic": ["messages of Anthropic's API", 1.5],
  "messages-openai-chat": ["messages of OpenAI's chat API", 1.5],
};
/** The formats of agents that are read record by record. */
const AGENTS = Object.keys(FORMATS).filter((name) => !/^(?:opencode|messages)-/.test(name));
/** The most that the first open of 1 MB of Codex's may take, in ms of CPU time. */
const FIRST_OPEN = 25;

/** The format of a file, if it is a session. */
function formatOf(bytes) {
  if (bytes === undefined) return undefined;
  try {
    const transcript = Transcript.open(bytes);
    const name = transcript.stats().messages > 0 ? transcript.format : undefined;
    transcript.free();
    return name;
  } catch {
    return undefined; // Not a session, such as a log of requests.
  }
}

/** The bytes of a session, which are not kept: a folder may have gigabytes of them. */
const bytesOf = ({ bytes, path }) => bytes ?? readable(readFileSync(path));

/** The sessions below a folder, with their formats; not archives, of which JavaScript parses nothing. */
function sessionsIn(folder) {
  return files(folder)
    .filter((path) => /\.(?:jsonl|json|sse|traj)$/.test(path))
    .map((path) => ({ name: relative(folder, path).split(sep).join("/"), path }))
    .map((session) => ({ ...session, size: statSync(session.path).size }))
    .filter(({ size }) => size <= LARGEST)
    .map((session) => ({ ...session, format: formatOf(bytesOf(session)) }))
    .filter(({ format }) => format !== undefined);
}

/** The recordings of each format, and arrays of messages made of one. */
function recordings() {
  const all = sessionsIn(RECORDED)
    .filter(({ format }) => SCALED.includes(format))
    .sort((a, b) => b.size - a.size);
  const isReal = ({ name }) => /^(?:runs|opencode)\//.test(name);
  const chosen = Object.keys(FORMATS).flatMap((name) => {
    const own = all.filter(({ format }) => format === name);
    const [real, others] = [own.filter(isReal), own.filter((session) => !isReal(session))];
    const order = [
      ...real.slice(0, 2),
      ...others.slice(0, 1),
      ...real.slice(2),
      ...others.slice(1),
    ];
    // Of requests the largest says what the others do.
    return order.slice(0, name.startsWith("messages-") ? 1 : MOST_FILES);
  });
  const bytes = bytesOf(all.find(({ name }) => name === "opencode/many-steps.export.json"));
  const made = [
    ["a request of many-steps", requestMessages(bytes, "anthropic")],
    ["a request of many-steps", requestMessages(bytes, "openai-chat")],
    ["messages of 135 bytes", shortMessages(bytes)],
  ];
  const arrays = made.map(([name, array]) => ({ name, bytes: array, format: formatOf(array) }));
  return [...chosen, ...arrays];
}

/** A session of about so many bytes, or as it is if it cannot be repeated. */
function repeated(session, size) {
  const { format } = session;
  const bytes = bytesOf(session);
  if (!SCALED.includes(format)) return bytes;
  try {
    const made = scaled(bytes, format, timesFor(bytes, size));
    return formatOf(made) === format ? made : bytes;
  } catch {
    return bytes; // It has something that no recording has.
  }
}

const folder = mkdtempSync(join(tmpdir(), "apex-parts-sessions-"));

/** The CPU time of the first open in a process, or of the first JSON.parse, in nanoseconds. */
function first(path, how) {
  const script = fileURLToPath(new URL("./lib/first-open.mjs", import.meta.url));
  const times = Array.from({ length: 5 }, () => {
    const args = [script, path, how];
    const { stdout, status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`the first open ended with ${status}: ${stderr}`);
    return Number(stdout);
  });
  return times.toSorted((a, b) => a - b)[2];
}

/** Both of a session, at 1 MB or as large as it is. */
function cold(session) {
  const path = join(folder, "session");
  const bytes = repeated(session, MB);
  writeFileSync(path, bytes);
  return { size: bytes.length, ours: first(path, "open"), parse: first(path, "parse") };
}

/** The size at which the rounds of a session are not too many seconds. */
function sizeFor(session) {
  const small = repeated(session, MB / 2);
  const time = () => {
    const start = performance.now();
    Transcript.open(small).free();
    return performance.now() - start;
  };
  const each = Math.min(time(), time(), time()) / small.length;
  return Math.max(MB, Math.min(SIZE, MOST_MS / each / 9));
}

/** What is measured of a session, each beside the three that JavaScript does. */
const ROWS = { open: "open", summary: "open, stats(), summary()", problems: "open, problems()" };

/** Whether a session can be counted by hand: those of others may have something that no recording has. */
function isCounted(bytes, format) {
  try {
    return PLAIN.includes(format) && plain(bytes, format).messages > 0;
  } catch {
    return false;
  }
}

function warm(bytes, format) {
  const asDocument = isDocument(bytes);
  const texts = textsOf(bytes);
  const opened = (then) => () => {
    const transcript = Transcript.open(bytes);
    then(transcript);
    transcript.free();
  };
  return sideBySide(
    {
      open: opened(() => {}),
      summary: opened((transcript) => [transcript.stats(), transcript.summary()]),
      problems: opened((transcript) => transcript.problems()),
      parse: () => texts.forEach((text) => void JSON.parse(text)),
      bytes: () => parseBytes(bytes, asDocument),
      ...(isCounted(bytes, format) && { plain: () => plain(bytes, format) }),
    },
    { rounds: 7, minMs: 1, mostMs: MOST_MS },
  );
}

/** What the page calls a session: its file, or the folder of a run, whose files are called by their ids. */
const labelOf = ({ name }) => /^runs\/([^/]+)/.exec(name)?.[1] ?? basename(name);

const PEERS = ["parse", "bytes", "plain"];
const ratio = (best, row, peer) => (best[peer] === undefined ? undefined : best[peer] / best[row]);
const column = (text, width) => String(text).padStart(width);

/** Measures a session, and prints its figures. */
function measured(session) {
  const bytes = repeated(session, sizeFor(session));
  const best = warm(bytes, session.format);
  const start = session.isMade ? undefined : cold(session);
  const size = session.size ?? session.bytes.length;
  const times = Math.round(bytes.length / size);
  const kilobytes = `${(size / 1e3).toFixed(0)} KB`;
  console.log(
    `${session.name}, ${kilobytes}${times > 1 ? ` × ${times}` : ""}, ${(bytes.length / MB).toFixed(1)} MB`,
  );
  const row = {
    "session: × parse, bytes, plain": `${session.format}: ${labelOf(session)}`,
    size: `${(bytes.length / MB).toFixed(1)} MB`,
    speed: `${((bytes.length / best.open) * 1e3).toFixed(0)} MB/s`,
  };
  for (const [what, title] of Object.entries(ROWS)) {
    const speed = `${((bytes.length / best[what]) * 1e3).toFixed(0)} MB/s`;
    const ratios = PEERS.map((peer) => ratio(best, what, peer)?.toFixed(2) ?? "—");
    const said = PEERS.map((peer, i) => `${column(ratios[i], 6)} × ${peer}`).join("");
    console.log(`  ${title.padEnd(26)} ${column(speed, 9)} ${said}`);
    row[`\`${title}\``] = ratios.join(", ");
  }
  if (start) {
    const ratio = (start.parse / start.ours).toFixed(2);
    const what = `the first open of ${(start.size / MB).toFixed(0)} MB`;
    console.log(
      `  ${what.padEnd(26)} ${inWords(start.ours)} of CPU, JSON.parse ${inWords(start.parse)}, ${ratio} × parse`,
    );
  }
  figure({ ...row, "first open of 1 MB": start ? inWords(start.ours) : "" });
  return { ...session, best, cold: start };
}

/** The figures of several sessions together, and whether they meet a bar. */
function together(id, title, list, bar) {
  for (const [row, what] of Object.entries(ROWS)) {
    const ratios = (peer) =>
      list.map(({ best }) => ratio(best, row, peer)).filter((each) => each !== undefined);
    const cells = PEERS.map((peer) => [peer, ratios(peer)]);
    const said = cells.map(([peer, all]) => `${all.length > 0 ? range(all) : "—"} × ${peer}`);
    const least = Math.min(...ratios("parse"));
    const isJudged = row === "open" && bar !== undefined;
    const verdict = isJudged ? ` (at least ${bar} × parse) ${met(least >= bar)}` : "";
    console.log(`${title}: ${what}: ${said.join(", ")}${verdict}`);
    figure({
      id: row === "open" ? `sessions.${id}` : `sessions.${id}.${row}`,
      sessions: `${title} (${list.length})`,
      what: `\`${what}\``,
      ...Object.fromEntries(
        cells.map(([peer, all]) => [`× ${peer}`, all.length ? range(all) : "—"]),
      ),
      bar: isJudged ? barOf(`${bar} × parse`, true, least >= bar) : "",
    });
  }
}

function coldTogether(id, title, list, most) {
  const small = list.map(({ cold: start }) => start).filter((start) => start?.size < 1.5 * MB);
  const ms = (how) => small.map((start) => start[how] / 1e6);
  if (ms("ours").length === 0) return;
  const [ours, parse] = [ms("ours"), ms("parse")].map((all) => `${range(all)} ms`);
  const ratios = range(ms("parse").map((each, i) => each / ms("ours")[i]));
  const isMet = Math.max(...ms("ours")) <= most;
  const verdict = most === undefined ? "" : ` (at most ${most} ms) ${met(isMet)}`;
  console.log(`${title}: ${ours} of CPU, JSON.parse ${parse}, ${ratios} × parse${verdict}`);
  figure({
    id: `sessions.${id}.first`,
    "the first open of 1 MB in a process": title,
    "CPU time": ours,
    "JSON.parse": parse,
    "× parse": ratios,
    bar: most === undefined ? "" : barOf(`${most} ms`, false, isMet),
  });
}

/** A made-up export, with more text in each message than real ones have. */
function madeUp() {
  const chunks = generate({ format: "opencode-export", bytes: SIZE, seed: 1 });
  const bytes = Buffer.concat([...chunks]);
  return { name: "a made-up export", bytes, format: "opencode-export", isMade: true };
}

try {
  const sessions = own === undefined ? recordings() : sessionsIn(own);
  if (sessions.length === 0) throw new Error(`no sessions below ${own}`);
  const byFormat = new Map();
  for (const name of new Set(sessions.map(({ format }) => format))) {
    console.log(`\n# Real sessions: ${FORMATS[name]?.[0] ?? name}`);
    const list = sessions.filter(({ format }) => format === name);
    byFormat.set(name, list.map(measured));
  }
  let made;
  if (own === undefined) {
    console.log("\n# A made-up export of OpenCode");
    made = measured(madeUp());
  }

  console.log("\n# Real sessions together, from the slowest to the fastest");
  const groups = [...byFormat].map(([name, list]) => {
    const [title = name, bar] = FORMATS[name] ?? [];
    return [name, title, list, bar];
  });
  for (const group of groups) together(...group);
  if (made) {
    const of = (names) => names.flatMap((name) => byFormat.get(name) ?? []);
    together("agents", "all agents but OpenCode", of(AGENTS));
    together(
      "messages",
      "all arrays of messages",
      of(["messages-anthropic", "messages-openai-chat"]),
    );
    together("made-up", "a made-up export of OpenCode", [made]);
  }
  console.log("\n# The first open of 1 MB in a process");
  for (const [name, title, list] of groups) {
    coldTogether(name, title, list, name === "codex" ? FIRST_OPEN : undefined);
  }
} finally {
  rmSync(folder, { recursive: true });
}
