// The reference that `npm run docs` writes: static, complete, and without a link that leads nowhere.
// Needs: viewer.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, before, describe, test } from "node:test";
import { ruleAddress } from "../../docs/playground/rule.mjs";
import { RULES } from "../../pkg/cli/catalogue/index.mjs";
import { ENTRIES, writeReference } from "../../scripts/reference.mjs";
import { at } from "./helper.mjs";

let out;
/** The pages: their addresses within the folder, and what they contain. */
let pages;

before(async () => {
  out = mkdtempSync(join(tmpdir(), "apex-parts-reference-"));
  await writeReference(out);
  const files = readdirSync(out, { recursive: true }).filter((name) => name.endsWith(".html"));
  pages = new Map(files.map((name) => [name, readFileSync(join(out, name), "utf8")]));
});
after(() => {
  if (out) rmSync(out, { recursive: true });
});

/** The addresses in a page, without those that lead outside. */
const linked = (html) =>
  [...html.matchAll(/(?:href|src)="([^"]+)"/g)]
    .map(([, address]) => address.replaceAll("&amp;", "&"))
    .filter((address) => !/^(?:https?:|data:|mailto:)/.test(address));

describe("the reference", () => {
  test("has every entry of the package, and every name that the full one exports", async () => {
    const { exports } = JSON.parse(readFileSync(at("package.json"), "utf8"));
    const known = Object.keys(exports).filter((key) => !/slim$|wasm$|json$/.test(key));
    const names = known.map((key) => key.replace(/^\./, "apex-parts"));
    assert.deepEqual(Object.keys(ENTRIES).sort(), names.sort());
    const full = Object.keys(await import("../../pkg/node.mjs"));
    const named = [...pages.keys()].map((name) => name.replace(/^.*[./](\w+)\.html$/, "$1"));
    const missing = full.filter((name) => !named.includes(name));
    assert.deepEqual(missing, []);
  });

  test("has no link that leads nowhere", () => {
    const dead = [];
    for (const [name, html] of pages) {
      for (const address of linked(html)) {
        const [path, anchor] = address.split("#");
        const target = path ? join(dirname(name), decodeURIComponent(path)) : name;
        // The playground is not part of the reference: `npm run docs` puts it beside.
        if (target === join("playground", "index.html")) continue;
        const page = pages.get(target);
        const isThere = page !== undefined || existsSync(join(out, target));
        const id = anchor && page !== undefined && `id="${decodeURIComponent(anchor)}"`;
        if (!isThere || (id && !page.includes(id))) dead.push(`${name}: ${address}`);
      }
    }
    assert.deepEqual(dead, []);
  });

  test("has a section for each rule that the playground links", () => {
    for (const { code } of RULES) {
      const [path, anchor] = ruleAddress(code).split("#");
      const page = pages.get(join("playground", path));
      assert.ok(page?.includes(`id="${anchor}"`), `${code}: ${path}#${anchor}`);
    }
  });

  test("needs no server and connects to nothing", () => {
    for (const [name, html] of pages) {
      const loaded = /<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?\/\//.exec(html);
      assert.equal(loaded, null, `${relative(out, name)}: ${loaded?.[0]}`);
    }
    assert.ok(existsSync(join(out, "assets", "search.js")));
  });
});
