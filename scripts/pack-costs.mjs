// What each group of files in the packed package costs: `npm run pack:costs` prints it.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { at, isMain, main, run } from "./lib.mjs";

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
  const found = GROUPS.map(([name]) => ({ name, files: 0, bytes: 0, gzip: 0 }));
  for (const file of files) {
    const group = found[GROUPS.findIndex(([, pattern]) => pattern.test(file))];
    const bytes = readFileSync(at(file));
    group.files += 1;
    group.bytes += bytes.length;
    group.gzip += gzipSync(bytes).length;
  }
  return found;
}

if (isMain(import.meta)) {
  main(async () => {
    const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--silent"];
    const [{ files }] = JSON.parse(await run("npm", args, { quiet: true }));
    const groups = costs(files.map(({ path }) => path));
    const sum = (field) => groups.reduce((total, group) => total + group[field], 0);
    const all = { name: "all", files: sum("files"), bytes: sum("bytes"), gzip: sum("gzip") };
    console.log("| what | files | unpacked | packed |\n| --- | ---: | ---: | ---: |");
    for (const { name, files: count, bytes, gzip } of [...groups, all]) {
      console.log(`| ${name} | ${count} | ${kilobytes(bytes)} | ${kilobytes(gzip)} |`);
    }
  });
}
