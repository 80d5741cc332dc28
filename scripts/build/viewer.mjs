// Builds the viewer in its other forms: the page of `apex-parts view` (pkg/viewer-page/), one self-contained file
// (www/dist/viewer.html), and the element of `apex-parts/viewer` (pkg/viewer.mjs). Vite builds the folder www/dist
// itself.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Script } from "node:vm";
import { at } from "../lib.mjs";
import { VIEWER_FORMATS, VIEWER_MODULE, VIEWER_WASM } from "./viewer-module.mjs";

const host = (name) => at("www", "src", "app", "host", `${name}.ts`);

/** The list of the features that are bundled. */
const features = (where) => at("www", "src", "features", `${where}.ts`);

/** Bundles for browsers; `where` ("page" or "element") selects the features, and how the viewer loads its files. */
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
    alias: {
      "apex-parts": where === "element" ? at("pkg", "web.mjs") : VIEWER_MODULE,
      "apex-parts:formats": VIEWER_FORMATS,
    },
    plugins: [
      {
        name: "host",
        setup(build) {
          build.onResolve({ filter: /\/host\/files$/ }, () => ({ path: host(where) }));
          build.onResolve({ filter: /\/features\/page$/ }, () => ({ path: features(where) }));
        },
      },
    ],
    write: false,
    outdir: "out",
    ...options,
  });
}

const named = (made, ending) => made.outputFiles.find((file) => file.path.endsWith(ending))?.text;

const PUBLIC = at("www", "public");
/** The page of the package. Its worker and its module are those of the element. */
const PAGE = at("pkg", "viewer-page");

/** What the command has for a page that is one file: of the package, which is made before the viewer. */
const ofCommand = () => import("../../pkg/cli/view/single-page.mjs");

/** The page's HTML, with what `buildPage` writes in place of what Vite finds by itself. */
function pageHtml() {
  const html = readFileSync(at("www", "index.html"), "utf8");
  const source = '<script type="module" src="./src/app/main.tsx"></script>';
  if (!html.includes(source)) throw new Error(`www/index.html has changed: no ${source} found`);
  return html
    .replace(source, '<script type="module" src="./page.js"></script>')
    .replace("</head>", '  <link rel="stylesheet" href="./style.css" />\n  </head>');
}

/** Builds the page of the package: one script, which is that of the one file as well. */
async function buildPage() {
  const result = await bundle("page", { entryPoints: [at("www", "src", "app", "main.tsx")] });
  rmSync(PAGE, { recursive: true, force: true });
  mkdirSync(PAGE, { recursive: true });
  writeFileSync(join(PAGE, "index.html"), pageHtml());
  writeFileSync(join(PAGE, "page.js"), named(result, "main.js"));
  writeFileSync(join(PAGE, "style.css"), named(result, "main.css"));
  cpSync(PUBLIC, PAGE, { recursive: true });
}

/** Builds the page and, of its script, the viewer as one file, with the smaller module of the folder www/dist. */
export async function buildPages() {
  await buildPage();
  const worker = await bundle("page", {
    entryPoints: [at("www", "src", "worker", "worker.ts")],
  });
  const { classicWorker, singlePage } = await ofCommand();
  const samples = readdirSync(join(PUBLIC, "samples"));
  const html = singlePage({
    script: readFileSync(join(PAGE, "page.js"), "utf8"),
    style: readFileSync(join(PAGE, "style.css"), "utf8"),
    icon: readFileSync(join(PUBLIC, "icon.svg")),
    worker: classicWorker(named(worker, "worker.js")),
    wasm: readFileSync(VIEWER_WASM),
    samples: samples.map((name) => [name, readFileSync(join(PUBLIC, "samples", name))]),
  });
  writeFileSync(at("www", "dist", "viewer.html"), [...html].join(""));
}

/** Builds the element: a module for bundlers, its worker, and the files that it fetches on demand. */
export async function buildElement() {
  const style = await bundle("element", {
    entryPoints: [at("www", "src", "app", "style", "index.css")],
  });
  const result = await bundle("element", {
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
  // The command puts it into one page. What cannot be there (an import, an export) is no script.
  const { classicWorker } = await ofCommand();
  new Script(classicWorker(named(worker, "viewer-worker.mjs")));
  rmSync(at("pkg", "viewer"), { recursive: true, force: true });
  mkdirSync(at("pkg", "viewer"), { recursive: true });
  const needed = reached(result.metafile.outputs, at("pkg", "viewer.mjs"));
  for (const file of [...result.outputFiles, ...worker.outputFiles]) {
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
  const names = new Set();
  const importsOf = new Map(
    Object.entries(outputs).map(([path, { imports }]) => [resolve(path), imports]),
  );
  const waiting = [from];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (names.has(file)) continue;
    names.add(file);
    waiting.push(...importsOf.get(file).map(({ path }) => resolve(path)));
  }
  return names;
}

/** The declarations of a self-contained file. */
async function declarations(file) {
  const { default: typescript } = await import("typescript");
  const output = typescript.transpileDeclaration(readFileSync(file, "utf8"), {
    compilerOptions: { isolatedDeclarations: true, target: typescript.ScriptTarget.ES2022 },
    fileName: file,
    reportDiagnostics: true,
  });
  const [wrong] = output.diagnostics ?? [];
  if (wrong) {
    throw new Error(`${file}: ${typescript.flattenDiagnosticMessageText(wrong.messageText, " ")}`);
  }
  return output.outputText;
}
