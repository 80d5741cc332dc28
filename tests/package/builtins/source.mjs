// A source of the package that no entry exports, for tests of what is inside it.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * The module of a TypeScript file, which not every Node reads.
 *
 * @param {string} path of the file, in ts/
 */
export async function imported(path) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../../ts/${path}`, import.meta.url))],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    tsconfigRaw: {},
    write: false,
  });
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}
