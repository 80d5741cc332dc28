import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("."),
  // Relative addresses: the built folder works under any path of any static server.
  base: "./",
  resolve: {
    alias: {
      "apex-parts:formats": here("../.cache/viewer-module/formats.mjs"),
      "apex-parts": here("../.cache/viewer-module/web.mjs"),
    },
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es" },
  build: {
    outDir: here("dist"),
    emptyOutDir: true,
    target: "es2022",
    // No `data:` scripts or modules: the content security policy allows files of this origin only.
    assetsInlineLimit: 0,
  },
});
