// docs/results.md, the one page of results: `npm run bench -- --write [NAME…]` writes it from what the benchmarks hand over
// (benches/lib/figures.mjs), and then the figures of it that other pages quote. A test compares those with the page.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, release, totalmem, type } from "node:os";
import { at, run } from "./lib.mjs";

const PAGE = at("docs", "results.md");

const HEAD = `# Results

What \`npm run bench -- --write\` measured; with names (\`-- --write sessions imports\`) only the tables of these benchmarks
are written again. README.md, [what it costs](costs.md) and [limits](limits.md) quote this page. Compare ratios, not times:
another machine has other times.

- **parse** is \`JSON.parse\` of each line, or of the whole document, that is a string already.
- **bytes** is decode, split, \`JSON.parse\`.
- **plain** is that, and messages, calls, results and tokens counted by hand, as a person without the library would
  (\`benches/plain.mjs\`).

"2 × parse" is twice as fast as that, "0.5 × parse" half as fast. Warm figures are the best of several rounds in one
process, in which the contenders take turns; cold ones are CPU times of the first call in a process, the median of five
processes. Recorded sessions are small, so each is repeated as one long session, with ids of its own for each copy
(\`benches/scale.mjs\`). "0.2 to 0.4" is from the slowest session to the fastest. The first column of a table, where it has
one, names the figure for the pages that quote it.
`;

/** The page; only its head if it was never written. */
const read = () => (existsSync(PAGE) ? readFileSync(PAGE, "utf8") : HEAD);

const cellsOf = (line) =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());

/** The figures of a page that have a name: their cells by the heads of their columns. */
export function figuresOf(page) {
  const figures = new Map();
  let heads = [];
  for (const line of page.split("\n")) {
    if (!line.startsWith("|")) {
      heads = [];
      continue;
    }
    const cells = cellsOf(line);
    if (heads.length === 0) heads = cells;
    const [, id] = heads[0] === "figure" ? (/^`([^`]+)`$/.exec(cells[0]) ?? []) : [];
    if (id === undefined) continue;
    if (figures.has(id)) throw new Error(`docs/results.md has two figures ${id}`);
    figures.set(id, Object.fromEntries(heads.map((head, i) => [head, cells[i]])));
  }
  return figures;
}

/** The text of a figure on the page. */
export function cell(figures, [id, column]) {
  const text = figures.get(id)?.[column];
  if (!text) throw new Error(`docs/results.md has no figure ${id} with ${column}`);
  return text;
}

/** The figure of this name and column that the page has now. */
export const result = (id, column) => cell(figuresOf(read()), [id, column]);

/** The rows with the same columns are a table; the tables are in the order of their first rows. */
function tables(rows) {
  const made = new Map();
  const line = (cells) => `| ${cells.join(" | ")} |`;
  for (const { id, ...cells } of rows) {
    const row = id === undefined ? cells : { figure: id && `\`${id}\``, ...cells };
    const heads = Object.keys(row);
    const key = heads.join("|");
    if (!made.has(key)) made.set(key, [line(heads), line(heads.map(() => "---"))]);
    made.get(key).push(line(Object.values(row)));
  }
  return [...made.values()].map((lines) => lines.join("\n")).join("\n\n");
}

/** A page with these benchmarks written again. */
export function withResults(page, results, where) {
  const [, ...old] = page.split(/^(?=## )/m);
  const sections = new Map(old.map((text) => [/^## (.*)$/m.exec(text)[1], text.trim()]));
  for (const { name, rows } of results) {
    if (rows.length === 0) continue;
    sections.set(name, [`## ${name}`, where, tables(rows)].join("\n\n"));
  }
  // Real sessions come before all that is made up.
  const order = ([a], [b]) =>
    Number(b === "sessions") - Number(a === "sessions") || (a < b ? -1 : 1);
  const all = [...sections].sort(order).map(([, text]) => text);
  return `${[HEAD.trim(), ...all].join("\n\n")}\n`;
}

/** The machine, the versions and the date. */
export async function machine() {
  const [{ model }] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const rustc = (await run("rustc", ["--version"], { quiet: true })).split(" ")[1];
  const { version } = JSON.parse(readFileSync(at("package.json"), "utf8"));
  const date = new Date().toISOString().slice(0, 10);
  return (
    `${date}: apex-parts ${version}, Node ${process.versions.node}, rustc ${rustc}. ` +
    `${cpus().length} × ${model.trim()}, ${memory} of memory, ${type()} ${release().split("-")[0]} (${arch()}).`
  );
}

/** What figures look like in a sentence: numbers, durations, and sizes, each of them one or a range. */
const NUMBER = "[\\d.,]+(?:\\s+to\\s+[\\d.,]+)?";
const FORMS = { N: `(${NUMBER})`, T: `(${NUMBER}\\s+(?:s|ms|µs))`, B: `(${NUMBER}\\s+MB)` };

/** A pattern of a sentence in which `{N}`, `{T}` and `{B}` are figures; its lines may end at any blank. */
const says = (text) =>
  new RegExp(
    text
      .replace(/[.*+?^$()[\]|\\]/g, "\\$&")
      .replaceAll(" ", "\\s+")
      .replace(/\{(\w)\}/g, (_, form) => FORMS[form]),
  );

/** The row of a table with figures in its other cells. */
const row = (head, ...forms) => {
  const cells = forms.map((form) => ` *${FORMS[form]} *\\|`).join("");
  return new RegExp(`^\\| ${head.replace(/[()]/g, "\\$&")} *\\|${cells}`, "m");
};

/** The row of sessions in docs/costs.md. */
const sessions = (head, id) => [
  "docs/costs.md",
  row(head, "N", "N", "N", "N"),
  [`sessions.${id}`, "× parse"],
  [`sessions.${id}`, "× bytes"],
  [`sessions.${id}`, "× plain"],
  [`sessions.${id}.summary`, "× plain"],
];

/** The row of an entry in docs/costs.md. */
const imports = (head, ...ids) => [
  "docs/costs.md",
  row(head, ...ids.map(() => "T")),
  ...ids.map((id) => [`imports.${id}`, "half of the processes"]),
];

/** Where figures are quoted: a file, a pattern whose groups are figures, and of each its name and column on the page. */
const PLACES = [
  [
    "README.md",
    says("adds {T} to an empty program, `apex-parts/core` {T}, `apex-parts/node` {T}."),
    ["imports.full", "half of the processes"],
    ["imports.core", "half of the processes"],
    ["imports.node", "half of the processes"],
  ],
  [
    "README.md",
    says("into a message is {N} times as fast as decode, split,"),
    ["deltas.chunks", "times as fast"],
  ],
  [
    "README.md",
    says("already an object takes {N} times as long as a plain append ({T})."),
    ["deltas.object", "times the cost"],
    ["deltas.object.each", "takes"],
  ],
  [
    "README.md",
    says(
      "Real exports of OpenCode open {N} times as fast as `JSON.parse` reads them, real sessions of Claude Code {N} times, those of Codex {N} times, and arrays of messages {N} times.",
    ),
    ["sessions.opencode-export", "× parse"],
    ["sessions.claude-code", "× parse"],
    ["sessions.codex", "× parse"],
    ["sessions.messages", "× parse"],
  ],
  [
    "README.md",
    says("Searching an export of 100 MB is {N} times as fast as parsing and walking it."),
    ["transcripts.search", "times as fast"],
  ],
  [
    "README.md",
    says("A transcript of 1 GB is indexed in {T}, using {B} of memory."),
    ["transcripts.1000", "opened and judged"],
    ["transcripts.1000", "memory"],
  ],
  imports("`apex-parts`", "full", "full.require"),
  imports("`apex-parts/core`", "core", "core.require"),
  imports("`apex-parts/node`", "node"),
  [
    "docs/costs.md",
    says("- as an object: {T} ({N} times as long as a plain append);"),
    ["deltas.object.each", "takes"],
    ["deltas.object", "times the cost"],
  ],
  [
    "docs/costs.md",
    says("- as bytes in chunks of 4 KB: {T} ({N} times as fast as decode,"),
    ["deltas.chunks.each", "takes"],
    ["deltas.chunks", "times as fast"],
  ],
  [
    "docs/costs.md",
    says("- as bytes in chunks of one line: {T} ({N} times as fast;"),
    ["deltas.lines.each", "takes"],
    ["deltas.lines", "times as fast"],
  ],
  [
    "docs/costs.md",
    says("{T} of CPU time for 1 MB of Codex, {T} of Claude Code, {T} of an OpenCode export"),
    ["sessions.codex.first", "CPU time"],
    ["sessions.claude-code.first", "CPU time"],
    ["sessions.opencode-export.first", "CPU time"],
  ],
  sessions("Claude Code", "claude-code"),
  sessions("Codex", "codex"),
  sessions("pi", "pi"),
  sessions("Gemini CLI", "gemini-cli"),
  sessions("Copilot CLI", "copilot-cli"),
  sessions("SWE-agent", "swe-agent"),
  sessions("Inspect", "inspect"),
  sessions("OpenCode: exports", "opencode-export"),
  sessions("OpenCode: recorded events", "opencode-events"),
  sessions("messages of Anthropic's API", "messages-anthropic"),
  sessions("messages of OpenAI's chat API", "messages-openai-chat"),
  [
    "docs/costs.md",
    says("with 6 KB of text in each message, opens {N} times as fast as decode and `JSON.parse`;"),
    ["transcripts.open", "times as fast"],
  ],
  [
    "docs/costs.md",
    says(
      "judging it is {N} times as fast as `JSON.parse` and zod 4 together, and searching it {N} times as fast",
    ),
    ["transcripts.judge", "times as fast"],
    ["transcripts.search", "times as fast"],
  ],
  [
    "docs/costs.md",
    says("A transcript of 1 GB is indexed in {T}, using {B} of memory."),
    ["transcripts.1000", "opened and judged"],
    ["transcripts.1000", "memory"],
  ],
  [
    "docs/limits.md",
    says(
      "real sessions of agents at {N} times its speed, messages for models (`messages-…`) at {N} times",
    ),
    ["sessions.agents", "× parse"],
    ["sessions.messages", "× parse"],
  ],
  [
    "docs/limits.md",
    says(
      "For 100,000 parts `check` takes {T}, `prune` {T} and `plan` {T}; over a `Transcript` they take {T}, {T} and {T}.",
    ),
    ...["over an array", "over a transcript"].flatMap((column) =>
      ["check", "prune", "plan"].map((name) => [`compaction.${name}`, column]),
    ),
  ],
  [
    "docs/limits.md",
    says("10,000 writers in one process take about {B} in addition to the client and the module"),
    ["store.writers", "memory"],
  ],
];

/** Each figure that is quoted: where, what stands there, and what the page has. */
export function quoted(page = read(), textOf = (file) => readFileSync(at(file), "utf8")) {
  const figures = figuresOf(page);
  return PLACES.flatMap(([file, pattern, ...places]) => {
    const match = pattern.exec(textOf(file));
    if (!match) throw new Error(`${file} quotes no figures as ${pattern}`);
    return places.map((place, index) => ({
      what: `${file}: ${place.join(", ")}`,
      says: match[index + 1].replace(/\s+/g, " "),
      is: cell(figures, place),
    }));
  });
}

/** Writes the page's figures where they are quoted; returns the files that were changed. */
function writeQuoted(page) {
  const figures = figuresOf(page);
  const changed = new Set();
  for (const [file, pattern, ...places] of PLACES) {
    const text = readFileSync(at(file), "utf8");
    const match = new RegExp(pattern, `${pattern.flags}d`).exec(text);
    if (!match) throw new Error(`${file} quotes no figures as ${pattern}`);
    let written = text;
    // From the last one, so that the places of those before it stay.
    for (const [index, place] of [...places.entries()].reverse()) {
      const [from, to] = match.indices[index + 1];
      written = written.slice(0, from) + cell(figures, place) + written.slice(to);
    }
    if (written === text) continue;
    writeFileSync(at(file), written);
    changed.add(file);
  }
  return [...changed];
}

/**
 * Writes the results of benchmarks to the page, and what other pages quote of it.
 *
 * @param {{ name: string, rows: Record<string, string>[] }[]} results
 */
export async function writeResults(results) {
  const page = withResults(read(), results, await machine());
  writeFileSync(PAGE, page);
  const changed = writeQuoted(page);
  await run("biome", ["format", "--write", "docs/results.md", ...changed], { quiet: true });
}
