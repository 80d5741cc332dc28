// Opening, validating, searching and replaying transcripts, against JSON.parse, zod and plain JavaScript.
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setLogger, Transcript } from "../pkg/node.mjs";
import { generate } from "../scripts/generate.mjs";
import { met } from "./lib/bars.mjs";
import { figure, inWords, range, rounded } from "./lib/figures.mjs";
import { duration, report, sideBySide } from "./lib/measure.mjs";
import { replay } from "./lib/plain-events.mjs";
import { OpenCode } from "./lib/zod-schema.mjs";

setLogger(undefined);
const MB = 1e6;
const make = (format, bytes) => Buffer.concat([...generate({ format, bytes, seed: 1 })]);
const quick = { rounds: 5, minMs: 1 };

const file = make("opencode-export", 100 * MB);
const parse = () => JSON.parse(file.toString());
const opened = () => Transcript.open(file);

console.log(`\n# A file of ${(file.length / MB).toFixed(0)} MB, an OpenCode export`);
{
  const best = sideBySide({ ours: () => opened().free(), parse }, quick);
  report("open, against decode and JSON.parse", best.ours, best.parse, {
    ...{ target: 3, faster: true, id: "transcripts.open" },
  });
  const speed = (ns) => `${(file.length / ns).toFixed(2)} GB/s`;
  console.log(`  ${speed(best.ours)} and ${speed(best.parse)}`);
}
{
  const best = sideBySide(
    {
      ours: () => {
        const t = opened();
        t.problems();
        t.stats();
        t.free();
      },
      zod: () => OpenCode.Transcript.safeParse(parse().messages),
    },
    { ...quick, rounds: 3 },
  );
  report("open, judge and sum, against JSON.parse + zod 4", best.ours, best.zod, {
    target: 10,
    faster: true,
    id: "transcripts.judge",
  });
}

/** Counts the strings of a value that match: what a search without an index does. */
function occurrences(value, query) {
  if (typeof value === "string") return value.toLowerCase().includes(query) ? 1 : 0;
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  for (const key in value) count += occurrences(value[key], query);
  return count;
}

const held = opened();
const searches = [];
for (const [title, query] of [
  ["a word that is nowhere", "quetzalcoatlus"],
  ["two words that are somewhere", "return value"],
]) {
  const best = sideBySide(
    {
      ours: () => held.search(query),
      walk: () => occurrences(parse().messages, query),
    },
    { ...quick, rounds: 3 },
  );
  searches.push(best.walk / best.ours);
  report(`search for ${title}, against JSON.parse and walk`, best.ours, best.walk, {
    target: 20,
    faster: true,
  });
}
figure({
  id: "transcripts.search",
  searches: "from the slower to the faster",
  "times as fast": range(searches),
});
{
  const best = { each: Number.POSITIVE_INFINITY, bytes: 0 };
  const count = Math.min(2_000, held.messageCount);
  best.bytes = file.length / held.messageCount;
  for (let round = 0; round < 5; round++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < count; i++) held.message(i);
    best.each = Math.min(best.each, Number(process.hrtime.bigint() - start) / count);
  }
  const kb = (best.bytes / 1000).toFixed(1);
  console.log(
    `message(i), ${kb} KB as a mean: ${duration(best.each)} (at most 50 µs) ${met(best.each <= 50e3)}`,
  );
}
held.free();

console.log("\n# opencode-events, 10 MB");
{
  const events = make("opencode-events", 10 * MB);
  const best = sideBySide(
    { ours: () => Transcript.open(events).free(), plain: () => replay(events.toString()) },
    quick,
  );
  report("events, against a plain reducer over JSON.parse", best.ours, best.plain, {
    target: 3,
    faster: true,
  });
}

console.log("\n# Files that are not held");
const folder = mkdtempSync(join(tmpdir(), "apex-parts-"));
try {
  const measured = {};
  for (const size of [100, 1000]) {
    const path = join(folder, `${size}.json`);
    const fd = openSync(path, "w");
    for (const chunk of generate({ format: "opencode-export", bytes: size * MB, seed: 2 })) {
      writeSync(fd, chunk);
    }
    closeSync(fd);
    const program = fileURLToPath(new URL("lib/unheld.mjs", import.meta.url));
    let best;
    for (let round = 0; round < 3; round++) {
      const seen = JSON.parse(
        execFileSync(process.execPath, [program, path], { encoding: "utf8" }),
      );
      if (best === undefined || seen.opened < best.opened) best = seen;
    }
    measured[size] = best;
    figure({
      id: `transcripts.${size}`,
      "a file that is not held": `${size} MB`,
      "opened and judged": inWords(best.opened),
      searched: inWords(best.searched),
      memory: `${rounded(best.memory / MB)} MB`,
    });
    console.log(
      `${size} MB: opened and judged in ${duration(best.opened)}, searched in ${duration(best.searched)}, ` +
        `${best.messages} messages, ${(best.memory / MB).toFixed(0)} MB of memory (at most 200) ${met(best.memory <= 200 * MB)}`,
    );
  }
  const ratio = measured[1000].opened / measured[100].opened;
  console.log(
    `1 GB takes ${ratio.toFixed(1)} times as long as 100 MB (at most 11) ${met(ratio <= 11)}`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
