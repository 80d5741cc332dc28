/** The viewer's TypeScript for tests that need no browser. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The module itself is not built in: it is that of the package. */
const MODULE = {
  name: "module",
  setup({ onResolve }) {
    const path = new URL("../../pkg/node.mjs", import.meta.url).href;
    onResolve({ filter: /^apex-parts(:formats)?$/ }, () => ({ path, external: true }));
  },
};

/**
 * What these files of www/src export, together.
 *
 * @param {...string} paths
 */
export async function load(...paths) {
  const { outputFiles } = await build({
    stdin: {
      contents: paths.map((path) => `export * from ${JSON.stringify(`./${path}`)};`).join("\n"),
      resolveDir: fileURLToPath(new URL("../../www/src/", import.meta.url)),
    },
    bundle: true,
    write: false,
    format: "esm",
    plugins: [MODULE],
    platform: "neutral",
    logLevel: "silent",
  });
  const [{ contents }] = outputFiles;
  return import(`data:text/javascript;base64,${Buffer.from(contents).toString("base64")}`);
}
