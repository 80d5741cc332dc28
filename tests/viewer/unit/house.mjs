/** The order of the viewer's source: which file may import which, told from the import statements. */
import { posix } from "node:path";
import typescript from "typescript";

/** What a feature's folder holds, each a file or a folder of that name. */
const ROOMS = ["model", "store", "worker", "view"];

/** Files that are started from outside: nobody imports what they export. */
const ENTRIES = ["app/main.tsx", "app/element.ts", "worker/worker.ts"];
/** The hosts stand in for each other when the viewer is built (scripts/build/viewer.mjs). */
const HOSTS = "app/host/";

/** What the shells offer to features: the rest of app/ and worker/ imports features. */
const FROM_APP = {
  store: ["app/context.ts", "app/address.ts"],
  view: ["app/context.ts", "app/address.ts", "app/hooks.tsx"],
};
const PAGE_FROM_WORKER = ["worker/rpc.ts", "worker/client.ts"];

/** Of ui/, what draws nothing. */
const WORDS = ["ui/values.ts", "ui/format.ts", "ui/agents.ts"];

const LONGEST = 700;
const REASON = "Long because";

/**
 * What is to be known of a source file: its imports (those of types too, and dynamic ones), and the names
 * that it exports and those of its types.
 *
 * @param {string} path from www/src
 * @param {string} text
 * @param {(path: string) => boolean} exists
 */
function parse(path, text, exists) {
  const kind = path.endsWith("x") ? typescript.ScriptKind.TSX : typescript.ScriptKind.TS;
  const { statements } = typescript.createSourceFile(path, text, 99, true, kind);
  const file = { path, text, imports: [], exports: [], types: [] };
  const add = (specifier, names) => {
    const isRelative = specifier.startsWith(".");
    const base = posix.join(posix.dirname(path), specifier);
    const target = isRelative
      ? ["", ".ts", ".tsx", ".d.ts"].map((ending) => base + ending).find(exists)
      : undefined;
    file.imports.push({ specifier, target, names });
  };
  for (const statement of statements) {
    const isExported = statement.modifiers?.some(
      ({ kind }) => kind === typescript.SyntaxKind.ExportKeyword,
    );
    if (typescript.isImportDeclaration(statement)) {
      const { importClause: clause } = statement;
      const bindings = clause?.namedBindings;
      const names = bindings?.elements?.map(
        ({ name, propertyName }) => (propertyName ?? name).text,
      );
      add(statement.moduleSpecifier.text, bindings && !names ? ["*"] : (names ?? []));
    } else if (typescript.isExportDeclaration(statement) && statement.moduleSpecifier) {
      const names = statement.exportClause?.elements.map((element) => element.name.text) ?? ["*"];
      add(statement.moduleSpecifier.text, names);
      file.exports.push(...names);
    } else if (
      typescript.isInterfaceDeclaration(statement) ||
      typescript.isTypeAliasDeclaration(statement) ||
      typescript.isClassDeclaration(statement)
    ) {
      file.types.push(statement.name.text);
      if (isExported) file.exports.push(statement.name.text);
    } else if (isExported && typescript.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) file.exports.push(name.text);
    } else if (isExported && statement.name) file.exports.push(statement.name.text);
  }
  for (const [, specifier] of text.matchAll(/\bimport\("([^"]+)"\)/g)) add(specifier, ["*"]);
  return file;
}

/** The feature and the room that a file stands in, as `search/view`; undefined outside of features. */
function roomOf(path) {
  const [, feature, room] = /^features\/(\w+)\/(\w+)/.exec(path) ?? [];
  return feature && { feature, room, name: `${feature}/${room}` };
}

/** The first circle of a graph, as the list of its nodes; undefined where there is none. */
function circleOf(edges) {
  const done = new Set();
  const visit = (node, path) => {
    const at = path.indexOf(node);
    if (at >= 0) return [...path.slice(at), node];
    if (done.has(node)) return undefined;
    for (const next of edges.get(node) ?? []) {
      const circle = visit(next, [...path, node]);
      if (circle) return circle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of edges.keys()) {
    const circle = visit(node, []);
    if (circle) return circle;
  }
  return undefined;
}

/** The sentence that an import breaks; undefined where it may stand. */
function mistakeOf(from, to, specifier) {
  const own = roomOf(from);
  const other = to === undefined ? undefined : roomOf(to);
  if (to === undefined) {
    const isView = specifier.startsWith("preact") || specifier.startsWith("@preact");
    if (isView && (own?.room === "model" || own?.room === "worker")) {
      return "models and workers know nothing of Preact";
    }
    return undefined;
  }
  if (from.startsWith("ui/")) {
    return to.startsWith("ui/") ? undefined : "ui/ knows no feature and neither shell";
  }
  if (from.startsWith("worker/") && !ENTRIES.includes(from)) {
    if (other) return other.room === "model" ? undefined : "of features, worker/ knows the models";
    return to.startsWith("app/") ? "worker/ knows nothing of the page" : undefined;
  }
  if (from.startsWith("worker/")) {
    if (other) {
      return ["model", "worker"].includes(other.room)
        ? undefined
        : "the worker runs models and workers only";
    }
    return to.startsWith("app/") ? "worker/ knows nothing of the page" : undefined;
  }
  if (from.startsWith("app/")) {
    if (other) return other.room === "worker" ? "the page runs no worker's code" : undefined;
    if (to.startsWith("worker/") && !PAGE_FROM_WORKER.includes(to)) {
      return "the page runs no worker's code";
    }
    return undefined;
  }
  if (!own) return undefined;
  if (to.startsWith("app/")) {
    return FROM_APP[own.room]?.includes(to)
      ? undefined
      : `a feature's ${own.room} takes of app/ only: ${FROM_APP[own.room]?.join(", ") ?? "nothing"}`;
  }
  if (to.startsWith("worker/")) {
    if (own.room === "worker") return undefined;
    if (own.room === "model") return "models know nothing of the shells";
    return PAGE_FROM_WORKER.includes(to) ? undefined : "the page runs no worker's code";
  }
  if (to.startsWith("ui/")) {
    if (own.room === "store" || own.room === "view") return undefined;
    return WORDS.includes(to) ? undefined : "models and workers take of ui/ its values only";
  }
  if (!other) return undefined;
  const takes = {
    model: ["model"],
    store: ["model", "store"],
    worker: ["model", "worker"],
    view: ["model", "store", "view"],
  };
  return takes[own.room]?.includes(other.room)
    ? undefined
    : `a ${own.room} imports of a feature: ${takes[own.room]?.join(", ") ?? "nothing"}`;
}

/**
 * All that is wrong, in sentences.
 *
 * The order: `ui/` knows no feature. A feature has a model, a store, a worker, a view and a style. A model
 * imports models; a store models and stores; a worker models and workers; a view models, stores and views;
 * of its own feature or of another, as long as the rooms make no circle. `app/` is the shell of the page
 * and imports all but workers, `worker/worker.ts` that of the worker and imports models and workers;
 * features take of both shells only what stands below features.
 *
 * @param {Map<string, string>} sources texts by path from www/src
 * @param {string} tests the text of the tests, which may import what the viewer does not
 * @returns {string[]}
 */
export function mistakesIn(sources, tests = "") {
  const exists = (path) => sources.has(path);
  const scripts = [...sources].filter(([path]) => /\.tsx?$/.test(path));
  const files = scripts.map(([path, text]) => parse(path, text, exists));
  const found = [];

  const imports = new Map();
  const rooms = new Map();
  for (const file of files) {
    const targets = file.imports.flatMap(({ target }) => target ?? []);
    imports.set(file.path, targets);
    const own = roomOf(file.path);
    for (const { target, specifier } of file.imports) {
      const mistake = mistakeOf(file.path, target, specifier);
      if (mistake) found.push(`${file.path} imports ${target ?? specifier}: ${mistake}`);
      const other = target && roomOf(target);
      if (!own || !other || own.name === other.name) continue;
      rooms.set(own.name, [...(rooms.get(own.name) ?? []), other.name]);
    }
    if (own && !ROOMS.includes(own.room)) {
      found.push(
        `${file.path}: a feature has ${ROOMS.join(", ")} and style, each a file or a folder`,
      );
    }
  }
  for (const graph of [imports, rooms]) {
    const circle = circleOf(graph);
    if (circle) found.push(`a circle: ${circle.join(" → ")}`);
  }

  const defined = new Map();
  for (const { path, types } of files) {
    for (const name of types) defined.set(name, [...(defined.get(name) ?? []), path]);
  }
  for (const [name, paths] of defined) {
    if (paths.length > 1) found.push(`the type ${name} is defined twice: ${paths.join(", ")}`);
  }

  for (const [path, text] of sources) {
    const lines = text.split("\n").length - 1;
    const [head = ""] = /\/\*[\s\S]*?\*\/|(?:^\/\/.*\n)+/m.exec(text) ?? [];
    if (lines > LONGEST && !head.includes(REASON)) {
      found.push(`${path} has ${lines} lines: its first comment says no "${REASON} …"`);
    }
  }

  const used = new Set(
    files.flatMap((file) =>
      file.imports.flatMap(({ target, names }) => names.map((name) => `${target} ${name}`)),
    ),
  );
  for (const { path, exports } of files) {
    if (ENTRIES.includes(path) || path.startsWith(HOSTS) || path.endsWith(".d.ts")) continue;
    for (const name of exports) {
      const isTested = tests.includes(`"${path}"`) && new RegExp(`\\b${name}\\b`).test(tests);
      if (used.has(`${path} ${name}`) || used.has(`${path} *`) || isTested) continue;
      found.push(`${path} exports ${name}, which nobody imports`);
    }
  }

  const sheet = sources.get("app/style/index.css") ?? "";
  for (const path of sources.keys()) {
    const address = posix.relative("app/style", path);
    const isImported = sheet.includes(`"${address}"`) || sheet.includes(`"./${address}"`);
    if (path.endsWith(".css") && path !== "app/style/index.css" && !isImported) {
      found.push(`${path} is not imported by app/style/index.css`);
    }
  }
  return found;
}
