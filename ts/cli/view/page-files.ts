/**
 * The files of the viewer's page: each under the one address that it has. They are found when the server starts, so
 * that no request is ever made a path of.
 */
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { CliError } from "../output.ts";
import type { SharedTranscript } from "./single-page.ts";
import { classicWorker, singlePage } from "./single-page.ts";

/** A file of the page: on the disk, or made when it is wanted. */
export type PageFile =
  | { path: string; type: string; bytes?: undefined }
  | { bytes: () => Buffer; type: string };

/** The files of a page by their addresses. */
export type Page = Map<string, PageFile>;

/** The folder of the package's files, in which the page is. */
const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));
/** The page shares these files with the element. */
const SHARED = ["viewer-worker.mjs", "apex_parts_bg.wasm"];
const FOLDER = "viewer-page";

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".md": "text/plain; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

const typeOf = (file: string) => TYPES[extname(file).toLowerCase()] ?? "application/octet-stream";

/** A path in the folder as an address. */
const addressOf = (path: string) => `/${path.split(sep).map(encodeURIComponent).join("/")}`;

/**
 * The files of a folder by their addresses; a folder with an index.html has that for its own. A link that leads out of
 * the folder has no address.
 */
export function filesOfFolder(root: string): Page {
  const page: Page = new Map();
  const base = realpathSync(root) + sep;
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }).sort()) {
    let path: string;
    try {
      path = realpathSync(join(root, name));
      if (!path.startsWith(base) || !statSync(path).isFile()) continue;
    } catch {
      continue; // A link that leads nowhere.
    }
    const file = { path, type: typeOf(name) };
    const address = addressOf(name);
    page.set(address, file);
    if (/(?:^|\/)index\.html$/.test(address))
      page.set(address.slice(0, -"index.html".length), file);
  }
  return page;
}

/** Finds out whether the page is there, and whole. */
function checked(page: Page, root: string, shared: readonly string[] = []): Page {
  const missing = ["/", ...shared].find((address) => !page.has(address));
  if (missing === undefined) return page;
  const what = missing === "/" ? "index.html" : missing.slice(1);
  throw new CliError(
    `${root} does not contain the complete viewer (no ${what}): install or build it again`,
    2,
  );
}

/** The page in its own folder, as `www/dist`. */
export function folderPage(root: string): Page {
  let page: Page;
  try {
    page = filesOfFolder(root);
  } catch {
    page = new Map();
  }
  return checked(page, root);
}

/** The page of the package. */
export function packagePage(root: string = PACKAGE): Page {
  const page: Page = new Map();
  try {
    for (const [address, file] of filesOfFolder(join(root, FOLDER))) page.set(address, file);
    for (const name of SHARED) {
      statSync(join(root, name));
      page.set(`/${name}`, { path: join(root, name), type: typeOf(name) });
    }
  } catch {
    // What is missing is said below.
  }
  // The page asks for itself as one file, to be sent along with a transcript. Few do: it is made when it is wanted.
  let whole: Buffer | undefined;
  const bytes = () => {
    whole ??= Buffer.from([...packageSinglePage(undefined, root)].join(""));
    return whole;
  };
  page.set("/viewer.html", { bytes, type: typeOf("viewer.html") });
  return checked(
    page,
    root,
    SHARED.map((name) => `/${name}`),
  );
}

/** The page of the package as one file, in pieces; `shared` is the transcript that it opens. */
export function packageSinglePage(
  shared?: SharedTranscript,
  root: string = PACKAGE,
): Generator<string> {
  const read = (...path: string[]) => readFileSync(join(root, ...path));
  const samples = join(FOLDER, "samples");
  return singlePage(
    {
      script: read(FOLDER, "page.js").toString(),
      style: read(FOLDER, "style.css").toString(),
      icon: read(FOLDER, "icon.svg"),
      worker: classicWorker(read("viewer-worker.mjs").toString()),
      wasm: read("apex_parts_bg.wasm"),
      samples: readdirSync(join(root, samples)).map((name) => [name, read(samples, name)] as const),
    },
    shared,
  );
}
