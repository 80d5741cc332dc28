/** The viewer's own modules in Node: its sources are TypeScript, which is bundled on the way. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** @param {string} path of a module, from www/src */
export async function viewerModule(path) {
  const entry = fileURLToPath(new URL(`../../www/src/${path}`, import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "error",
  });
  const source = Buffer.from(outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${source}`);
}
