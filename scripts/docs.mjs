// `npm run docs`: the documentation as static files in docs/dist. With `-- --serve` it is served on this machine.
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { at, main, say } from "./lib.mjs";
import { provide } from "./needs.mjs";
import { writeReference } from "./reference.mjs";
import { rulesPage } from "./rules.mjs";

const OUT = at("docs", "dist");

/** What a page needs of the package: unchanged, so that the playground is the package itself. */
const PACKAGE = [
  "web.mjs",
  "glue.mjs",
  "apex_parts_bg.wasm",
  "viewer.mjs",
  "viewer-worker.mjs",
  "viewer",
];
/** Files of the viewer that the playground shares: colours, the icon, the sessions of its start page. */
const SHARED = [
  [["www", "src", "app", "style", "tokens.css"], "tokens.css"],
  [["www", "public", "icon.svg"], "icon.svg"],
  [["www", "public", "samples"], "samples"],
];

/** The package's files for browsers, in `package/`. */
function copyPackage(out) {
  for (const name of PACKAGE) {
    const from = at("pkg", name);
    if (!existsSync(from)) throw new Error(`pkg/${name} is not there: npm run build`);
    cpSync(from, join(out, "package", name), { recursive: true });
  }
}

/** The playground, in `playground/`. */
function copyPlayground(out) {
  const place = join(out, "playground");
  cpSync(at("docs", "playground"), place, { recursive: true });
  for (const [from, name] of SHARED) cpSync(at(...from), join(place, name), { recursive: true });
}

/** Writes the playground and what it needs into this folder. */
export function buildPlayground(out) {
  mkdirSync(out, { recursive: true });
  copyPackage(out);
  copyPlayground(out);
}

/** Builds everything into this folder, which is emptied before. */
export async function buildDocs(out) {
  rmSync(out, { recursive: true, force: true });
  writeFileSync(at("docs", "rules.md"), await rulesPage());
  await writeReference(out);
  buildPlayground(out);
}

/** The reference has scripts and styles in its pages; those of the playground have a stricter policy of their own. */
export const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; " +
  "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' data:; " +
  "worker-src 'self'";

async function serveDocs(port) {
  const { serve } = await import("../pkg/cli/view/server.mjs");
  const server = await serve({
    root: OUT,
    isPublic: true,
    policy: POLICY,
    port: Number(port ?? 4180),
    fallback: port === undefined,
  });
  say(`the documentation: ${server.url}, the playground: ${server.url}playground/`);
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => server.close().then(() => process.exit(0)));
  }
}

if (process.argv[1] === at("scripts", "docs.mjs")) {
  main(async () => {
    const options = { serve: { type: "boolean" }, port: { type: "string" } };
    const { values } = parseArgs({ options });
    await provide(["viewer"]);
    say("the reference and the playground");
    await buildDocs(OUT);
    say("the documentation is in docs/dist");
    if (values.serve) await serveDocs(values.port);
  });
}
