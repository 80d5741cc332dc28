// The entry of the built-in tools with the files, the shell and the network of Node.
import { join } from "node:path";
import { at } from "../lib.mjs";
import { commonjs, ERASE, pkg, write } from "./package-files.mjs";

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
    entryPoints: [at("ts", "node", "index.ts")],
    bundle: true,
    platform: "node",
    target: "node20",
    tsconfigRaw: ERASE,
    logLevel: "error",
  };
  const esm = { format: "esm", outfile: join(pkg, "host.mjs"), metafile: true };
  const result = await build({ ...options, ...esm, plugins: [over("./tools.node.mjs")] });
  const cjsFile = { format: "cjs", outfile: join(pkg, "node-host.cjs") };
  await build({ ...options, ...cjsFile, plugins: [over("./tools.node.cjs")] });
  const names = Object.values(result.metafile.outputs)[0].exports.sort();
  const head = "// The built-in tools with the files, the shell and the network of this machine.\n";
  write("host.cjs", `${head}${commonjs("./node-host.cjs", names)}`);
}
