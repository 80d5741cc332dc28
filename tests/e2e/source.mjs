/** Loads a module of the viewer's source, for tests that need no browser. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export async function load(path) {
  const entry = fileURLToPath(new URL(`../../www/src/${path}`, import.meta.url));
  const made = await build({ entryPoints: [entry], bundle: true, format: "esm", write: false });
  const [{ text }] = made.outputFiles;
  return import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
}
