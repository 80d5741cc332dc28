// Opening real sessions, against JSON.parse of each of their lines: the recordings of tests/fixtures, or the files of a
// folder (`node --expose-gc benches/sessions.bench.mjs DIR`). Warm: the best of many rounds. The first open in a process is
// measured in a process of its own.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setLogger, Transcript } from "../pkg/node.mjs";
import { duration, sideBySide } from "./lib/measure.mjs";

setLogger(undefined);
const RECORDED = fileURLToPath(new URL("../tests/fixtures/recorded", import.meta.url));
const SESSIONS = /\.(?:jsonl|json|sse|traj|eval)$/;
/** Shorter files say more of a call than of reading. */
const SHORTEST = 20_000;

/** The sessions below a folder. */
function sessionsIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sessionsIn(path);
    return SESSIONS.test(entry.name) && statSync(path).size >= SHORTEST ? [path] : [];
  });
}

/** What JSON.parse is given: the document, or each line that is one. */
function textsOf(bytes) {
  const text = bytes.toString();
  try {
    JSON.parse(text);
    return [text];
  } catch {
    const lines = text.split("\n").map((line) => line.replace(/^data: ?/, ""));
    return lines.filter((line) => line.startsWith("{"));
  }
}

function format(bytes) {
  try {
    const transcript = Transcript.open(bytes);
    const name = transcript.stats().messages > 0 ? transcript.format : undefined;
    transcript.free();
    return name;
  } catch {
    return undefined; // Not a session, such as a log of requests.
  }
}

/** The CPU time of the first open in a process, without that of importing, in nanoseconds. */
function first(path) {
  const script = fileURLToPath(new URL("./lib/first-open.mjs", import.meta.url));
  const times = Array.from({ length: 5 }, () => {
    const { stdout, status } = spawnSync(process.execPath, [script, path], { encoding: "utf8" });
    if (status !== 0) throw new Error(`the first open of ${path} ended with ${status}`);
    return Number(stdout);
  });
  return times.toSorted((a, b) => a - b)[2];
}

const byFormat = new Map();
for (const path of sessionsIn(process.argv[2] ?? RECORDED)) {
  const bytes = readFileSync(path);
  const name = format(bytes);
  if (name === undefined) continue;
  const texts = textsOf(bytes);
  if (texts.length === 0) continue;
  const best = sideBySide(
    {
      ours: () => Transcript.open(bytes).free(),
      parse: () => texts.forEach((text) => void JSON.parse(text)),
    },
    { rounds: 7, minMs: 20 },
  );
  const rows = byFormat.get(name) ?? [];
  byFormat.set(name, [...rows, { path, size: bytes.length, best, first: first(path) }]);
}
if (byFormat.size === 0) throw new Error("no sessions to open");

console.log("\n# Real sessions: opening, against JSON.parse of each line that is a string already");
for (const [name, rows] of [...byFormat].toSorted(([a], [b]) => a.localeCompare(b))) {
  const ratios = rows.map(({ best }) => best.parse / best.ours).toSorted((a, b) => a - b);
  const range = [ratios[0], ratios.at(-1)].map((ratio) => ratio.toFixed(2));
  console.log(`${name}: ${[...new Set(range)].join(" to ")} times as fast (${rows.length} files)`);
  for (const { path, size, best, first: cold } of rows) {
    const speed = ((size / best.ours) * 1e3).toFixed(0);
    const ratio = (best.parse / best.ours).toFixed(2);
    console.log(
      `  ${path.split(/[\\/]/).at(-1).padEnd(36)} ${(size / 1e3).toFixed(0).padStart(5)} KB ${speed.padStart(5)} MB/s  ${ratio.padStart(5)} × parse  first ${duration(cold)}`,
    );
  }
}
