// What each group of files in the packed package costs: `npm run pack:costs` prints it. With `-- --write` every size that
// README.md and docs/ name, and the chart, become those of what is built.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { chart } from "./chart.mjs";
import { at, isMain, main, run } from "./lib.mjs";
import { writeSizes } from "./sizes.mjs";

/** A file belongs to the first group whose pattern matches. */
const GROUPS = [
  ["modules: `*.wasm`", /\.wasm$/],
  ["the same as text, for bundles for Node: `*inline.cjs`", /inline\.cjs$/],
  ["glue as ES modules and CommonJS: `*glue.*`", /glue\.[cm]js$/],
  ["`apex-parts/node`: `host.mjs`, `node-host.cjs`", /^pkg\/(?:host\.mjs|node-host\.cjs)$/],
  ["the viewer: `viewer*`", /^pkg\/viewer/],
  ["declarations: `*.d.ts`, `*.d.cts`", /\.d\.c?ts$/],
  ["the command: `cli*`", /^pkg\/cli/],
  ["loaders, one for each host and entry", /^pkg\//],
  ["README, CHANGELOG, licences, package.json", /./],
];

const kilobytes = (bytes) => `${Math.round(bytes / 1000).toLocaleString("en")} KB`;

/** The groups with their number of files and bytes, as they are and compressed one by one. */
export function costs(files) {
  const groups = GROUPS.map(([name]) => ({ name, files: 0, bytes: 0, gzip: 0 }));
  for (const file of files) {
    const group = groups[GROUPS.findIndex(([, pattern]) => pattern.test(file))];
    const bytes = readFileSync(at(file));
    group.files += 1;
    group.bytes += bytes.length;
    group.gzip += gzipSync(bytes).length;
  }
  return groups;
}

const PAGE = at("docs", "publishing.md");

/** The row of a group, or of all, in docs/publishing.md. */
const rowOf = (name) =>
  new RegExp(
    `^(\\| ${name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")} +\\| *)([\\d,]+)( \\| *)([\\d,]+ KB)( \\| *)([\\d,]+ KB)`,
    "m",
  );

const total = (groups) => {
  const sum = (field) => groups.reduce((all, group) => all + group[field], 0);
  return { name: "all", files: sum("files"), bytes: sum("bytes"), gzip: sum("gzip") };
};

/** The table of docs/publishing.md beside what is built: each number that it names, and the real one. */
export function namedCosts(files) {
  const page = readFileSync(PAGE, "utf8");
  const groups = costs(files);
  return [...groups, total(groups)].map(({ name, files: count, bytes, gzip }) => {
    const cells = rowOf(name).exec(page);
    if (!cells) throw new Error(`docs/publishing.md has no row for ${name}`);
    const number = (text) => Number(text.replace(/[^\d]/g, ""));
    const [, , files, , unpacked, , packed] = cells;
    return {
      name,
      files: [number(files), count],
      unpacked: [number(unpacked) * 1000, bytes],
      packed: [number(packed) * 1000, gzip],
    };
  });
}

function writeCosts(groups) {
  let page = readFileSync(PAGE, "utf8");
  for (const { name, files, bytes, gzip } of groups) {
    const cells = [files, kilobytes(bytes), kilobytes(gzip)];
    page = page.replace(rowOf(name), (_, a, _files, b, _unpacked, c) => {
      return `${a}${cells[0]}${b}${cells[1]}${c}${cells[2]}`;
    });
  }
  writeFileSync(PAGE, page);
}

if (isMain(import.meta)) {
  main(async () => {
    const pack = async () => {
      const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--silent"];
      const [{ files }] = JSON.parse(await run("npm", args, { quiet: true }));
      const groups = costs(files.map(({ path }) => path));
      return [...groups, total(groups)];
    };
    if (process.argv.includes("--write")) {
      const changed = writeSizes();
      writeFileSync(at("docs", "costs.svg"), chart());
      writeCosts(await pack());
      await run("biome", ["format", "--write", ...changed, "docs/publishing.md"], { quiet: true });
    }
    console.log("| what | files | unpacked | packed |\n| --- | ---: | ---: | ---: |");
    for (const { name, files: count, bytes, gzip } of await pack()) {
      console.log(`| ${name} | ${count} | ${kilobytes(bytes)} | ${kilobytes(gzip)} |`);
    }
  });
}
