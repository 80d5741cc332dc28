// The parts of the glue that Node loads at the first call of one of their functions: a program that imports the package
// does not read them. Browsers get one file, from which a bundler removes what a program does not use.
import { basename } from "node:path";
import { at } from "../lib.mjs";
import { BUNDLED, bundledNames, FOR_NODE, inLines, write } from "./package-files.mjs";

/** The folders of ts/ that export functions only. */
const LATER = ["requests", "events", "tools/builtins"];

/** What both files share is that of the glue: there is one instance, and one class of each error. */
const OF_GLUE = /^apex-parts:(?:errors|glue|shared)$/;

const sourceOf = (folder) => at("ts", folder, "index.ts");
const reexports = (path) => `export * from ${JSON.stringify(path)};\n`;

/** Writes a part of its own; returns the names of its functions. */
async function part(folder, name, glue) {
  const { build } = await import("esbuild");
  const result = await build({
    ...BUNDLED,
    ...FOR_NODE,
    stdin: { contents: reexports(sourceOf(folder)), resolveDir: at("ts"), loader: "ts" },
    platform: "neutral",
    target: "es2022",
    format: "cjs",
    outfile: name,
    plugins: [
      {
        name: "glue",
        setup({ onResolve }) {
          onResolve({ filter: OF_GLUE }, () => ({ path: `./${glue}`, external: true }));
        },
      },
    ],
  });
  write(name, await inLines(result.outputFiles[0].text));
  const other = await build({
    ...BUNDLED,
    stdin: { contents: reexports(sourceOf(folder)), resolveDir: at("ts"), loader: "ts" },
    external: ["apex-parts:*"],
    platform: "neutral",
    format: "esm",
    outfile: name,
  });
  return bundledNames(other);
}

/** What stands in the glue for a part: its functions, which load it. */
const standIn = (file, names) => `let part;
const load = () => (part ??= require("./${file}"));
${names.map((name) => `export function ${name}(...given) {\n  return load().${name}(...given);\n}`).join("\n")}
`;

/** A plugin of esbuild that puts the functions of `LATER` into files beside the glue, which is named `glue`. */
export function later(prefix, glue) {
  const parts = new Map();
  const partOf = (folder) => {
    const file = `${prefix}glue.${basename(folder)}.cjs`;
    if (!parts.has(folder))
      parts.set(
        folder,
        part(folder, file, glue).then((names) => standIn(file, names)),
      );
    return parts.get(folder);
  };
  return {
    name: "later",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\.\/[\w.]*glue\.\w+\.cjs$/ }, ({ path }) => ({ path, external: true }));
      for (const folder of LATER) {
        const source = sourceOf(folder).replaceAll(/[/\\.]/g, "\\$&");
        onResolve({ filter: new RegExp(`^${source}$`) }, () => ({
          path: folder,
          namespace: "later",
        }));
      }
      onLoad({ filter: /./, namespace: "later" }, async ({ path }) => ({
        contents: await partOf(path),
        loader: "js",
      }));
    },
  };
}
