// Links and pictures of README.md and docs/ lead somewhere: relative ones to a file and a heading of the repository;
// those of the README, which is also read on npm and in node_modules, are absolute and name what is there.
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { chart } from "../../scripts/chart.mjs";
import { hasAnchor, links, page, pageNames } from "./docs/pages.mjs";
import { at } from "./helper.mjs";

const OURS = /^https:\/\/(?:github|raw\.githubusercontent)\.com\/apex-parts\/apex-parts\/(.*)$/;
/** `blob/main/PATH`, `tree/main/PATH` for a folder; pictures are `main/PATH` of the host for raw files. */
const PATH = /^(?:(blob|tree)\/)?main\/([^#]+)(?:#(.+))?$/;

const pages = [...pageNames(), "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(page);
const every = pages.flatMap((one) => links(one).map((link) => ({ page: one.name, ...link })));

test("links are found at all", () => {
  assert.ok(every.length > 60, `${every.length}`);
  assert.ok(every.some(({ target }) => target.endsWith(".svg")));
});

test("what README.md links is absolute, because it is read outside of the repository too", () => {
  for (const { page, line, target } of every.filter(({ page }) => page === "README.md")) {
    assert.match(target, /^https:\/\//, `${page}:${line}`);
  }
});

test("absolute links to the repository name a file and a heading that are there", () => {
  const own = every.filter(({ target }) => OURS.test(target));
  assert.ok(own.length > 20);
  for (const { page, line, target } of own) {
    const [, kind, path, anchor] = PATH.exec(OURS.exec(target)[1]) ?? [];
    assert.ok(path && existsSync(at(path)), `${page}:${line}: ${target}`);
    assert.equal(statSync(at(path)).isDirectory(), kind === "tree", `${page}:${line}: ${target}`);
    assert.ok(hasAnchor(path, anchor), `${page}:${line}: no heading ${target}`);
  }
});

test("relative links name a file and a heading that are there", () => {
  const relative = every.filter(({ target }) => !/^[a-z]+:/.test(target));
  for (const { page, line, target } of relative) {
    const [path, anchor] = target.split("#");
    // Addresses of a site, as in examples of HTML.
    if (path.startsWith("/")) continue;
    const name = path ? normalize(join(dirname(page), path)) : page;
    assert.ok(existsSync(at(name)), `${page}:${line}: ${target}`);
    if (anchor) assert.ok(hasAnchor(name, anchor), `${page}:${line}: no heading ${target}`);
  }
});

test("the chart is what its script makes of the figures", () => {
  assert.equal(readFileSync(at("docs", "costs.svg"), "utf8"), chart());
});
