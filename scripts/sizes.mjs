// The sizes that README.md and docs/ name: measured here, written by `npm run pack:costs -- --write`, and compared by a
// test. docs/costs.svg takes them from docs/modules.md.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, brotliDecompressSync, gzipSync } from "node:zlib";
import { at } from "./lib.mjs";
import { EVERY_MODULE, MODULES } from "./modules.mjs";

/** The file of a module or of its glue; undefined if it is not built. */
function fileOf(name) {
  if (name !== "viewer") return existsSync(at("pkg", name)) ? at("pkg", name) : undefined;
  const assets = at("www", "dist", "assets");
  const asset = existsSync(assets) && readdirSync(assets).find((file) => file.endsWith(".wasm"));
  return asset ? at("www", "dist", "assets", asset) : undefined;
}

/** The size as brotli: of the copy that the package has of a module, which takes seconds to make again. */
function brotliOf(name, bytes) {
  const own = name.replace(/^apex_parts_|_?bg\.wasm$/g, "");
  const inline = at("pkg", [own, "inline.cjs"].filter(Boolean).join("."));
  if (name.endsWith(".wasm") && existsSync(inline)) {
    const [text] = /[\w+/]{1000,}=*/.exec(readFileSync(inline, "utf8")) ?? [];
    const compressed = Buffer.from(text ?? "", "base64");
    if (text && brotliDecompressSync(compressed).equals(bytes)) return compressed.length;
  }
  return brotliCompressSync(bytes).length;
}

const cache = new Map();

/** The bytes of a built file as they are and compressed; undefined if it is not built. */
function sizesOf(name) {
  if (!cache.has(name)) {
    const path = fileOf(name);
    const bytes = path && readFileSync(path);
    const sizes = bytes && {
      raw: bytes.length,
      gzip: gzipSync(bytes).length,
      brotli: brotliOf(name, bytes),
    };
    cache.set(name, sizes);
  }
  return cache.get(name);
}

const FULL = "apex_parts_bg.wasm";
const CORE = "apex_parts_core_bg.wasm";
const TOOLS = "apex_parts_tools_bg.wasm";
const AGENT = "apex_parts_agent_bg.wasm";

/** The most bytes that a module may have as brotli: a test and `npm run bench` compare it with what is built. */
const MOST = {
  // Of these 5 KB are how calls ended (`outcome`), with loops that go on to their last call, 5 JSON values that
  // follow one another in any way and the signs of five more formats, and 10 the state of providers: in deltas, parts,
  // logs and snapshots, 1 the rounds and refusals of the detector of loops, 2 approvals and pictures of a stream, and 3
  // the names of what is not read, custom parts of a block and heads of HTTP, half of one pieces of calls that are spelled
  // alike and keys that are hashed once. 8 less since no provider's format is detected there, and since lists, options and
  // fields are saved and read by code that is compiled once.
  [CORE]: 182_700,
  // Of these 27 KB are the way into OpenCode, 4 how calls ended, 31 secrets, 24 summaries, 80 agents' formats,
  // 22 the sessions of a file: branches, forks, sub-agents, and what is asked of all of them,
  // 21 texts of bash that are read as bash reads them, 3 what rules and approvals say of a request, 3 truncation,
  // 46 the streams of five more providers, and those of the others as servers send them, 26 the state of providers,
  // 4 messages for models, 1 the rounds and refusals of the detector of loops, 2 approvals, pictures of a stream and
  // the time of a run, half of one the fields of snapshots, 22 values that are said twice and what streams begin and end
  // with, 4 names of what is not read, 12 what Claude Code prints, and 12 what today's agents write and each figure of a
  // run once, 10 the files of a run, 12 records that hold a request and its answer and how much of a file its format
  // explains, 12 the language of queries, 9 copies that tell what their file does and texts that a person chose,
  // 1 arguments that keep their digits, 16 bash's own names, assignments, values that are followed to paths and walks,
  // 14 formats of tokens, names and commands that tell secrets; and 16 less since maps share one search, 5 lines that
  // are read once and messages that are written later. 51 are arrays of messages in seven formats, which are read over a
  // tape instead of in JavaScript, and 18 the crates that open files, which are compiled for speed.
  // 4 are messages of arrays that a walk reads for compaction, and 4 what is told of messages before they are written.
  // Numbers are read and written by code of our own and of the JSON library: that of the standard library took 18.
  // 12 less since the reader of streams is compiled once, not for each provider; 5 are texts that need no check.
  // 36 are records of OpenCode 2 as messages, 34 the way back and the schema for an import, 14 the reader of SQLite databases.
  [FULL]: 1_108_000,
  [TOOLS]: 208_500,
  // Of these 60 KB are permissions, the parser of bash and JSON Schema, 150 the formats of providers.
  [AGENT]: 434_000,
  // The full module without what the viewer's page never calls.
  // 38 of it are records of OpenCode 2.
  viewer: 902_000,
};

/** The file of a module, its bytes as they are and as brotli, and the most that those may be. */
function moduleSize({ wasm }) {
  const sizes = sizesOf(wasm);
  if (sizes === undefined) throw new Error(`${wasm} is not built`);
  return { module: wasm, raw: sizes.raw, brotli: sizes.brotli, most: MOST[wasm] };
}

/** The sizes of each module that has entries. */
export const moduleSizes = () => MODULES.map(moduleSize);

/** … and of those that have none. */
export const everyModuleSize = () => [
  ...moduleSizes(),
  ...EVERY_MODULE.filter((one) => !MODULES.includes(one)).map(moduleSize),
];

/** The same of the module that the viewer's page has of its own. */
export function viewerModuleSize() {
  const sizes = sizesOf("viewer");
  if (sizes === undefined) throw new Error("the viewer is not built");
  return { ...sizes, most: MOST.viewer };
}

/** A number of KB within a text. */
const KB = "([\\d,]+) KB";
/** The row of a table, and the numbers of KB in it, whatever its other cells say. */
const row = (head, ...cells) => new RegExp(`^\\| ${head}[^|]*\\| ${cells.join(" \\| ")} `, "m");
const right = ` *${KB}`;
const modules = (head) => row(head, "[^|]*", right, right, right);

/** Where sizes are named: a file, a pattern whose groups are numbers of KB, and what each of them is. */
const PLACES = [
  ["README.md", row("`apex-parts`", right), [FULL, "brotli"]],
  ["README.md", row("`apex-parts/core`", right), [CORE, "brotli"]],
  ["README.md", row("`apex-parts/tools`", right), [TOOLS, "brotli"]],
  ["docs/modules.md", modules("`apex-parts`"), [FULL, "raw"], [FULL, "gzip"], [FULL, "brotli"]],
  [
    "docs/modules.md",
    modules("`apex-parts/core`"),
    [CORE, "raw"],
    [CORE, "gzip"],
    [CORE, "brotli"],
  ],
  [
    "docs/modules.md",
    modules("`apex-parts/tools`"),
    ...[
      [TOOLS, "raw"],
      [TOOLS, "gzip"],
      [TOOLS, "brotli"],
    ],
  ],
  [
    "docs/modules.md",
    modules("in Node: an agent"),
    ...[
      [AGENT, "raw"],
      [AGENT, "gzip"],
      [AGENT, "brotli"],
    ],
  ],
  [
    "docs/modules.md",
    modules("the page of the viewer"),
    ...[
      ["viewer", "raw"],
      ["viewer", "gzip"],
      ["viewer", "brotli"],
    ],
  ],
  [
    "docs/modules.md",
    /In browsers, the glue of a module is ([\d,]+) KB, or ([\d,]+) KB for the small one \(some ([\d,]+) and ([\d,]+) KB/,
    ...[
      ["glue.mjs", "raw"],
      ["core.glue.mjs", "raw"],
      ["glue.mjs", "brotli"],
      ["core.glue.mjs", "brotli"],
    ],
  ],
  [
    "docs/costs.md",
    /The full module is ([\d,]+) KB, ([\d,]+) KB as brotli; the small one ([\d,]+) KB, ([\d,]+) KB/,
    ...[
      [FULL, "raw"],
      [FULL, "brotli"],
      [CORE, "raw"],
      [CORE, "brotli"],
    ],
  ],
  [
    "docs/costs.md",
    /that of the built-in tools[^;]*?, ([\d,]+) KB, ([\d,]+) KB\s+as brotli/,
    ...[
      [TOOLS, "raw"],
      [TOOLS, "brotli"],
    ],
  ],
  ["docs/guides/chat-page.md", /`apex-parts\/core` \(([\d,]+) KB\s+as brotli\)/, [CORE, "brotli"]],
  ["docs/viewer.md", /as gzip, of which ([\d,]+) KB are the module/, ["viewer", "gzip"]],
];

const inKilobytes = (bytes) => Math.round(bytes / 1000).toLocaleString("en");

/** Each size that is named: where, how many KB, and how many bytes it really has (undefined if it is not built). */
export function named() {
  return PLACES.flatMap(([file, pattern, ...facts]) => {
    const match = pattern.exec(readFileSync(at(file), "utf8"));
    if (!match) throw new Error(`${file} names no sizes as ${pattern}`);
    return facts.map(([name, form], index) => ({
      what: `${file}: ${name} (${form})`,
      kilobytes: Number(match[index + 1].replaceAll(",", "")),
      bytes: sizesOf(name)?.[form],
    }));
  });
}

/** Writes the sizes of what is built where they are named; returns the files that were changed. */
export function writeSizes() {
  const changed = new Set();
  for (const [file, pattern, ...facts] of PLACES) {
    const text = readFileSync(at(file), "utf8");
    const match = new RegExp(pattern, `${pattern.flags}d`).exec(text);
    if (!match) throw new Error(`${file} names no sizes as ${pattern}`);
    let written = text;
    // From the last one, so that the places of those before it stay.
    for (const [index, [name, form]] of [...facts.entries()].reverse()) {
      const bytes = sizesOf(name)?.[form];
      if (bytes === undefined) continue;
      const [from, to] = match.indices[index + 1];
      written = written.slice(0, from) + inKilobytes(bytes) + written.slice(to);
    }
    if (written === text) continue;
    writeFileSync(at(file), written);
    changed.add(file);
  }
  return [...changed];
}

/** The sizes of the modules as brotli that docs/modules.md names, by the first cell of their rows. */
export function brotliInDocs() {
  const text = readFileSync(at("docs", "modules.md"), "utf8");
  const rows = text.matchAll(
    /^\| (`[^|]*`|the page of the viewer) +\|[^|]*\|[^|]*\|[^|]*\| *([\d,]+) KB \|/gm,
  );
  return new Map(
    [...rows].map(([, head, kilobytes]) => [
      head.replaceAll("`", ""),
      Number(kilobytes.replaceAll(",", "")),
    ]),
  );
}
