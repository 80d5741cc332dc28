// The entry of the built-in tools with the files, the shell and the network of Node.
import { at } from "../lib.mjs";
import { BUNDLED, bundledNames, commonjs, FOR_NODE, inLines, write } from "./package-files.mjs";

const INNER = `// What apex-parts/node calls of the glue and what is no part of the API. A variable, because Node would look for names in
// the whole glue if it were \`module.exports = require\`.
"use strict";
const glue = require("./tools.glue.cjs");

module.exports = glue;
`;

/**
 * Writes the entry `apex-parts/node`: a bundle over the entry of the built-in tools for Node. One for each kind of
 * module, because a bundle of ES modules has no `require` for Node's own; both share the instance of the module.
 */
export async function makeHost() {
  const { build } = await import("esbuild");
  const over = (path) => ({
    name: "tools",
    setup({ onResolve }) {
      onResolve({ filter: /^apex-parts:tools$/ }, () => ({ path, external: true }));
      // What is not part of the API: the entry above makes it ready.
      onResolve({ filter: /^apex-parts:glue$/ }, () => ({
        path: "./tools.inner.cjs",
        external: true,
      }));
    },
  });
  const options = {
    ...BUNDLED,
    ...FOR_NODE,
    entryPoints: [at("ts", "node", "index.ts")],
    platform: "node",
    target: "node20",
  };
  let names = [];
  for (const [name, format, entry] of [
    ["host.mjs", "esm", "./tools.node.mjs"],
    ["node-host.cjs", "cjs", "./tools.node.cjs"],
  ]) {
    // A program in CommonJS may run where nothing can be imported, as in jest.
    const supported = { "dynamic-import": format === "esm" };
    const plugins = [over(entry)];
    const result = await build({ ...options, format, supported, outfile: name, plugins });
    write(name, await inLines(result.outputFiles[0].text));
    if (format === "esm") names = bundledNames(result);
  }
  write("tools.inner.cjs", INNER);
  const head = "// The built-in tools with the files, the shell and the network of this machine.\n";
  write("host.cjs", `${head}${commonjs("./node-host.cjs", names)}`);
}
