// The pages of the documentation: their blocks of code, headings and links.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { fences } from "../../../scripts/fences.mjs";
import { at, files, root } from "../../../scripts/lib.mjs";

/** README.md and every page below docs/, as paths from the root; not what `npm run docs` writes there. */
export function pageNames() {
  const built = [at("docs", "dist", ""), at("docs", "rules.md")];
  const all = files(at("docs")).filter((path) => !built.some((own) => path.startsWith(own)));
  const pages = all.filter((path) => path.endsWith(".md"));
  return ["README.md", ...pages.map((path) => relative(root, path).replaceAll("\\", "/"))];
}

/** `<!-- not run: why -->`, `<!-- not compiled: why -->`, `<!-- run by: a test file -->`. */
const MARKER = /^<!-- (not run|not compiled|run by): (.+) -->$/;
/** Folders whose blocks, the files and commands of whole projects, have a test of their own. */
const FOLDERS_RUN_BY = { "docs/environments/": "tests/environments/environments.test.mjs" };

/** The marker above a block, if it has one. */
function markerAbove(lines, start) {
  let above = start - 1;
  if (lines[above]?.trim() === "") above--;
  const [, marker, why] = MARKER.exec(lines[above]?.trim() ?? "") ?? [];
  return { marker, why };
}

/** A page with its blocks, and its text without them. */
export function page(name) {
  const source = readFileSync(at(name), "utf8");
  const lines = source.split("\n");
  const folder = Object.keys(FOLDERS_RUN_BY).find((folder) => name.startsWith(folder));
  const tested = folder && { marker: "run by", why: FOLDERS_RUN_BY[folder] };
  const found = fences(source, name);
  const blocks = found.map(({ language, text, start }) => ({
    ...{ page: name, line: start + 2, language, text: text.replace(/\n$/, "") },
    ...markerAbove(lines, start),
    ...tested,
  }));
  const prose = lines
    .map((text, index) => ({ text, line: index + 1 }))
    .filter((_, index) => !found.some(({ start, end }) => start <= index && index <= end));
  return { name, blocks, prose };
}

/** The anchors of a page's headings, as forges make them. */
export function anchors({ prose }) {
  const seen = new Map();
  return prose.flatMap(({ text }) => {
    const heading = /^#{1,6} (.+)$/.exec(text)?.[1];
    if (!heading) return [];
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return [count === 0 ? anchor : `${anchor}-${count}`];
  });
}

/** Every link and picture of a page, with the line in which it begins. */
export function links({ prose }) {
  const text = prose.map((line) =>
    line.text.replace(/`[^`]*`/g, (code) => "x".repeat(code.length)),
  );
  const whole = text.join("\n");
  const found = [...whole.matchAll(/\]\(([^()\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)];
  return found.map((match) => ({
    target: match[1] ?? match[2],
    line: prose[whole.slice(0, match.index).split("\n").length - 1].line,
  }));
}

/** Whether a file of the repository has this heading; every file without one. */
export function hasAnchor(name, anchor) {
  if (!existsSync(at(name))) return false;
  return !anchor || (name.endsWith(".md") && anchors(page(name)).includes(anchor));
}
