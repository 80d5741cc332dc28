/** The viewer's source keeps its order; and each rule of it is noticed where it is broken. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { mistakesIn } from "./house.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The files of a folder, by their path in it. */
function filesOf(folder, ending) {
  const paths = readdirSync(folder, { recursive: true }).filter((path) => ending.test(path));
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

test("the viewer's source is in order", () => {
  const sources = filesOf(at("../../../www/src"), /\.(?:tsx?|css)$/);
  const tests = [...filesOf(at(".."), /\.mjs$/).values()].join("\n");
  assert.ok(sources.size > 100);
  assert.deepEqual(mistakesIn(sources, tests), []);
});

/** Two files, the first of which uses what the second exports. */
function pair(from, to, kind = "import") {
  const specifier = `/${to.replace(/\.tsx?$/, "")}`;
  const up = "../".repeat(from.split("/").length - 1).replace(/\/$/, "") || ".";
  return {
    [from]: `${kind} { it } from "${up}${specifier}";\nit();\n`,
    [to]: "export const it = () => {};\n",
  };
}

const long = (head) => `${head}\n${"void 0;\n".repeat(700)}`;

const BROKEN = {
  "a circle of files": {
    sources: {
      "ui/a.ts": 'import { b } from "./b";\nexport const a = () => b;\n',
      "ui/b.ts": 'import { c } from "./c";\nexport const b = () => c;\n',
      "ui/c.ts": 'import { a } from "./a";\nexport const c = () => a;\n',
    },
    says: /^a circle: ui\/a\.ts → ui\/b\.ts → ui\/c\.ts → ui\/a\.ts$/,
  },
  "a circle of types": {
    sources: {
      "ui/a.ts": 'import type { B } from "./b";\nexport type A = B | 1;\n',
      "ui/b.ts": 'import type { A } from "./a";\nexport type B = A[];\n',
    },
    says: /^a circle: ui\/a\.ts → ui\/b\.ts → ui\/a\.ts$/,
  },
  "a circle by a dynamic import": {
    sources: {
      "ui/a.ts": 'export const a = () => import("./b");\n',
      "ui/b.ts": 'import { a } from "./a";\nexport const b = a;\n',
    },
    says: /^a circle: ui\/a\.ts → ui\/b\.ts → ui\/a\.ts$/,
  },
  "a circle of rooms": {
    sources: {
      "features/a/model/one.ts": 'import { two } from "../../b/model";\nvoid two;\n',
      "features/a/model/three.ts": "export const three = 3;\n",
      "features/b/model.ts":
        'import { three } from "../a/model/three";\nexport const two = three;\n',
    },
    says: /^a circle: a\/model → b\/model → a\/model$/,
  },
  "ui/ imports a feature": {
    sources: pair("ui/a.ts", "features/b/model.ts"),
    says: /^ui\/a\.ts imports features\/b\/model\.ts: ui\/ knows only itself$/,
  },
  "a model imports a store": {
    sources: pair("features/a/model.ts", "features/a/store.ts"),
    says: /a model imports of a feature: model$/,
  },
  "a model imports Preact": {
    sources: { "features/a/model.ts": 'import { h } from "preact";\nh("p", null);\n' },
    says: /models and workers know nothing of Preact$/,
  },
  "a model imports what draws": {
    sources: pair("features/a/model.ts", "ui/code.tsx"),
    says: /models and workers take of ui\/ its values only$/,
  },
  "a store imports a view": {
    sources: pair("features/a/store.ts", "features/a/view.tsx"),
    says: /a store imports of a feature: model, store, page$/,
  },
  "a store imports the page's store": {
    sources: pair("features/a/store.ts", "app/store.ts"),
    says: /features\/ knows nothing of app\/$/,
  },
  "a worker imports a view": {
    sources: pair("features/a/worker.ts", "features/a/view.tsx"),
    says: /a worker imports of a feature: model, worker$/,
  },
  "a view imports a worker": {
    sources: pair("features/a/view.tsx", "features/a/worker/read.ts"),
    says: /a view imports of a feature: model, store, view, page$/,
  },
  "the page imports a worker": {
    sources: pair("app/layout.tsx", "features/a/worker.ts"),
    says: /app\/ takes features from features\/page\.ts$/,
  },
  "the worker imports a view": {
    sources: pair("worker/worker.ts", "features/a/view.tsx"),
    says: /worker\/ takes features from features\/worker\.ts$/,
  },
  "a feature imports another": {
    sources: pair("features/a/view.tsx", "features/b/view.tsx"),
    says: /no feature imports another$/,
  },
  "a feature imports the worker's shell": {
    sources: pair("features/a/worker.ts", "worker/warm.ts"),
    says: /features\/ knows nothing of worker\/$/,
  },
  "what stands below features imports one": {
    sources: pair("core/rpc.ts", "features/a/worker.ts"),
    says: /core\/ knows no feature and neither shell$/,
  },
  "what stands below features imports the page": {
    sources: pair("core/page/hooks.tsx", "app/store.ts"),
    says: /core\/ knows no feature and neither shell$/,
  },
  "a model of core/ imports a worker": {
    sources: pair("core/model/rows.ts", "core/worker/read.ts"),
    says: /a model imports of core\/: model$/,
  },
  "the page runs a worker of core/": {
    sources: pair("app/layout.tsx", "core/worker/read.ts"),
    says: /the page runs no worker's code$/,
  },
  "the list of the page has a worker": {
    sources: pair("features/page.ts", "features/a/worker.ts"),
    says: /this list takes of each feature: feature$/,
  },
  "a feature has another room": {
    sources: { "features/a/helpers.ts": "void 0;\n" },
    says: /a feature has model, store, worker, view, feature and style/,
  },
  "the list of the page has a view": {
    sources: pair("features/page.ts", "features/a/view.tsx"),
    says: /this list takes of each feature: feature$/,
  },
  "the list of the element has a view": {
    sources: pair("features/element.ts", "features/a/view.tsx"),
    says: /this list takes of each feature: feature, store$/,
  },
  "a feature does not say what it is made of": {
    sources: { "features/a/view.tsx": "void 0;\n" },
    says: /^features\/a has no feature\.ts/,
  },
  "a worker keeps something in its file": {
    sources: { "core/worker/read.ts": "let read = 0;\nread++;\n" },
    says: /^core\/worker\/read\.ts keeps something in its file/,
  },
  "the page asks for a feature": {
    sources: {
      "app/keys.ts": "viewer.search.show();\n",
      "features/search/feature.ts": "void 0;\n",
    },
    says: /^app\/keys\.ts asks for search/,
  },
  "two types of one name": {
    sources: { "ui/a.ts": "type Range = 1;\n", "ui/b.ts": "interface Range {}\n" },
    says: /^the type Range is defined twice: ui\/a\.ts, ui\/b\.ts$/,
  },
  "a file that is long without a reason": {
    sources: { "ui/a.ts": long("/** Draws. */") },
    says: /^ui\/a\.ts has 701 lines: its first comment says no "Long because …"$/,
  },
  "an export that nobody imports": {
    sources: { "ui/a.ts": "export function a() {}\n" },
    says: /^ui\/a\.ts exports a, which nobody imports$/,
  },
  "a style sheet that is not in the page": {
    sources: { "app/style/index.css": '@import "./a.css";\n', "ui/style.css": "p {}\n" },
    says: /^ui\/style\.css is not imported/,
  },
};

describe("it is noticed where", () => {
  for (const [name, { sources, says }] of Object.entries(BROKEN)) {
    test(name, () => {
      const found = mistakesIn(new Map(Object.entries(sources)));
      assert.ok(
        found.some((mistake) => says.test(mistake)),
        `not found in ${JSON.stringify(found)}`,
      );
    });
  }

  test("nothing is broken", () => {
    const sources = {
      ...pair("features/a/view.tsx", "core/page/hooks.tsx"),
      ...pair("features/page.ts", "features/b/feature.ts"),
      "features/a/feature.ts": "void 0;\n",
      "ui/a.ts": long("/** Draws all. Long because all is one. */"),
      "features/a/model.ts": "export const tested = 1;\n",
    };
    const tests = 'const { tested } = await load("features/a/model.ts");';
    assert.deepEqual(mistakesIn(new Map(Object.entries(sources)), tests), []);
  });
});
