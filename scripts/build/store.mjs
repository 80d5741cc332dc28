// The entries of the log of runs.
import { at } from "../lib.mjs";
import { BUNDLED, bundledNames, commonjs, esm, write } from "./package-files.mjs";

/** What is bundled of the store: the name of the file in the package, the glue that it uses, its source. */
const STORE_FILES = [
  ["store.shared", "./glue", "shared.ts"],
  ["store.glue", "./glue", "index.ts"],
  ["store.node.glue", "./node", "index.ts"],
  ["store.redis.glue", "./glue", "redis", "index.ts"],
];

/**
 * Writes the entries `apex-parts/store`, over the instance of the full module that the entry of the host makes ready,
 * and `apex-parts/store/redis`, which needs no module. Both use one file of what they share, as its error.
 */
export async function makeStore() {
  const { build } = await import("esbuild");
  const outside = (glue, ending) => ({
    name: "outside",
    setup({ onResolve }) {
      const to = (path) => () => ({ path: `${path}.${ending}`, external: true });
      onResolve({ filter: /^apex-parts:glue$/ }, to(glue));
      onResolve({ filter: /\/shared\.ts$/ }, ({ kind, path }) =>
        kind === "entry-point" ? { path } : to("./store.shared")(),
      );
    },
  });
  const names = {};
  for (const [name, glue, ...source] of STORE_FILES) {
    for (const [format, ending] of [
      ["esm", "mjs"],
      ["cjs", "cjs"],
    ]) {
      // ES modules on Node re-export CommonJS.
      if (name === "store.node.glue" && format === "esm") continue;
      const result = await build({
        ...BUNDLED,
        entryPoints: [at("ts", "store", ...source)],
        platform: "neutral",
        target: "es2022",
        format,
        outfile: `${name}.${ending}`,
        plugins: [outside(glue, ending)],
      });
      write(`${name}.${ending}`, result.outputFiles[0].text);
      if (format === "esm") names[name] = bundledNames(result);
    }
  }
  const head = "// A log of runs; the module is that of the entry `apex-parts`.\n";
  const { "store.glue": store, "store.redis.glue": redis } = names;
  write(
    "store.node.cjs",
    `${head}require("./node.cjs");\n${commonjs("./store.node.glue.cjs", store)}`,
  );
  write("store.node.mjs", `${head}${esm(store, "./store.node.cjs")}\n`);
  write("store.edge.mjs", `${head}import "./edge.mjs";\n\n${esm(store, "./store.glue.mjs")}\n`);
  write("store.web.mjs", `${head}${esm(store, "./store.glue.mjs")}\n`);
  write("store.web.cjs", `${head}${commonjs("./store.glue.cjs", store)}`);
  const over = "// A log of runs in Redis.\n";
  write("store.redis.cjs", `${over}${commonjs("./store.redis.glue.cjs", redis)}`);
  write("store.redis.node.mjs", `${over}${esm(redis, "./store.redis.cjs")}\n`);
  write("store.redis.mjs", `${over}${esm(redis, "./store.redis.glue.mjs")}\n`);
}
