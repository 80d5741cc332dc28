// Builds the viewer in its other two forms: one self-contained file (www/dist/viewer.html), and the element
// of `apex-parts/viewer` (pkg/viewer.mjs). Vite builds the folder www/dist itself.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { at } from "./lib.mjs";
import { VIEWER_MODULE, VIEWER_WASM } from "./module.mjs";

const host = (name) => at("www", "src", "app", "host", `${name}.ts`);

/** Bundles for browsers; `where` ("single" or "element") selects how the viewer loads its files. */
async function bundle(where, options) {
  const { build } = await import("esbuild");
  return build({
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "error",
    logOverride: { "empty-import-meta": "silent" },
    // The element is part of the package and shares its module.
    alias: { "apex-parts": where === "element" ? at("pkg", "web.mjs") : VIEWER_MODULE },
    plugins: [
      {
        name: "host",
        setup(build) {
          build.onResolve({ filter: /\/host\/files$/ }, () => ({ path: host(where) }));
        },
      },
    ],
    write: false,
    outdir: "out",
    ...options,
  });
}

const named = (made, ending) => made.outputFiles.find((file) => file.path.endsWith(ending))?.text;

/** A compressed data block: single.ts decompresses it. */
const block = (name, content) =>
  `<script type="text/plain" data-name="${name}">${gzipSync(content, { level: 9 }).toString("base64")}</script>`;

const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * Builds the viewer as one page: script and style allowed by hash; worker, module and samples as data
 * blocks. Its policy allows no connections; the script of the worker is a blob that the page creates.
 */
export async function buildSingle() {
  const page = await bundle("single", { entryPoints: [at("www", "src", "app", "main.tsx")] });
  const worker = await bundle("single", {
    entryPoints: [at("www", "src", "worker", "worker.ts")],
    // A page opened from a disk cannot start a module worker.
    format: "iife",
  });
  // The bundler escapes `</script` but not `<!--`, which occurs only in strings and regular expressions,
  // where the escape means the same.
  const script = named(page, "main.js").replaceAll("<!--", "<\\x21--");
  const style = named(page, "main.css");
  const wasm = readFileSync(VIEWER_WASM);
  const samples = at("www", "public", "samples");
  const icon = readFileSync(at("www", "public", "icon.svg")).toString("base64");
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)} 'wasm-unsafe-eval'`,
    `style-src ${hashOf(style)}`,
    "img-src data: blob:",
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>apex-parts viewer</title>
<link rel="icon" href="data:image/svg+xml;base64,${icon}">
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This viewer reads transcripts in your browser and needs JavaScript.</noscript>
${block("worker", named(worker, "worker.js"))}
${block("wasm", wasm)}
${readdirSync(samples)
  .map((name) => block(`sample-${name}`, readFileSync(join(samples, name))))
  .join("\n")}
<script type="module">${script}</script>
</body>
</html>
`;
  writeFileSync(at("www", "dist", "viewer.html"), html);
}

/** Builds the element: a module for bundlers, its worker, and the files that it fetches on demand. */
export async function buildElement() {
  const style = await bundle("element", {
    entryPoints: [at("www", "src", "app", "style", "index.css")],
  });
  const made = await bundle("element", {
    entryPoints: { viewer: at("www", "src", "app", "element.ts") },
    splitting: true,
    outExtension: { ".js": ".mjs" },
    chunkNames: "viewer/[name]-[hash]",
    define: { VIEWER_STYLE: JSON.stringify(named(style, "index.css")) },
    metafile: true,
    outdir: at("pkg"),
  });
  const worker = await bundle("element", {
    entryPoints: { "viewer-worker": at("www", "src", "worker", "worker.ts") },
    outExtension: { ".js": ".mjs" },
    outdir: at("pkg"),
  });
  // The types are written last: the tests wait for them before packing.
  rmSync(at("pkg", "viewer.d.ts"), { force: true });
  rmSync(at("pkg", "viewer"), { recursive: true, force: true });
  mkdirSync(at("pkg", "viewer"), { recursive: true });
  const needed = reached(made.metafile.outputs, at("pkg", "viewer.mjs"));
  for (const file of [...made.outputFiles, ...worker.outputFiles]) {
    if (needed.has(file.path) || file.path === at("pkg", "viewer-worker.mjs")) {
      writeFileSync(file.path, file.contents);
    }
  }
  writeFileSync(
    at("pkg", "viewer.d.ts"),
    await declarations(at("www", "src", "app", "element.ts")),
  );
}

/**
 * The files that are loaded from this one, directly or indirectly. The bundler may also write files for what
 * it removed, and style sheets, which are in the script.
 */
function reached(outputs, from) {
  const found = new Set();
  const importsOf = new Map(
    Object.entries(outputs).map(([path, { imports }]) => [resolve(path), imports]),
  );
  const waiting = [from];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    waiting.push(...importsOf.get(file).map(({ path }) => resolve(path)));
  }
  return found;
}

/** The declarations of a self-contained file. */
async function declarations(file) {
  const { default: typescript } = await import("typescript");
  const made = typescript.transpileDeclaration(readFileSync(file, "utf8"), {
    compilerOptions: { isolatedDeclarations: true, target: typescript.ScriptTarget.ES2022 },
    fileName: file,
    reportDiagnostics: true,
  });
  const [wrong] = made.diagnostics ?? [];
  if (wrong) {
    throw new Error(`${file}: ${typescript.flattenDiagnosticMessageText(wrong.messageText, " ")}`);
  }
  return made.outputText;
}
