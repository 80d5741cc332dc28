// The entry of the built-in tools with the files, the shell and the network of Node.
import { at } from "../lib.mjs";
import { BUNDLED, bundledNames, commonjs, write } from "./package-files.mjs";

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
        path: "./tools.glue.cjs",
        external: true,
      }));
    },
  });
  const options = {
    ...BUNDLED,
    entryPoints: [at("ts", "node", "index.ts")],
    platform: "node",
    target: "node20",
  };
  let names = [];
  for (const [name, format, entry] of [
    ["host.mjs", "esm", "./tools.node.mjs"],
    ["node-host.cjs", "cjs", "./tools.node.cjs"],
  ]) {
    const result = await build({ ...options, format, outfile: name, plugins: [over(entry)] });
    write(name, result.outputFiles[0].text);
    if (format === "esm") names = bundledNames(result);
  }
  const head = "// The built-in tools with the files, the shell and the network of this machine.\n";
  write("host.cjs", `${head}${commonjs("./node-host.cjs", names)}`);
}
