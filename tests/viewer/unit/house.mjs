/** The order of the viewer's source: which file may import which, told from the import statements. */
import { posix } from "node:path";
import typescript from "typescript";

/** What a feature's folder holds, each a file or a folder of that name. */
const ROOMS = ["model", "store", "worker", "view", "feature"];

/** Files that are started from outside: nobody imports what they export. */
const ENTRIES = ["app/main.tsx", "app/element.ts", "worker/worker.ts"];
/** The hosts stand in for each other when the viewer is built (scripts/build/viewer.mjs). */
const HOSTS = "app/host/";

/** Where the two shells find the features: nothing else of app/ and worker/ names one. */
const LISTS = { app: "features/page.ts", worker: "features/worker.ts" };
/** It stands in for the page's list when the element is built; of some features it has the store alone. */
const ELEMENT = "features/element.ts";
const TAKEN = {
  [LISTS.app]: ["feature"],
  [ELEMENT]: ["feature", "store"],
  [LISTS.worker]: ["worker"],
};

/** The element's own methods are those of a live stream. */
const ASKING = ["app/element.ts"];

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
      const elements = statement.exportClause?.elements;
      const taken = elements?.map(({ name, propertyName }) => (propertyName ?? name).text);
      add(statement.moduleSpecifier.text, taken ?? ["*"]);
      file.exports.push(...(elements?.map(({ name }) => name.text) ?? ["*"]));
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

/** Which rooms a file of a room takes, of its own feature and of core/; the rest of core/ is for all. */
const TAKES = {
  model: ["model"],
  store: ["model", "store", "page"],
  worker: ["model", "worker"],
  view: ["model", "store", "view", "page"],
  page: ["model", "store", "page"],
  feature: ["model", "store", "view", "page"],
};
const SHARED = ["rpc", "client"];

/** The room of a file of core/. */
function coreRoomOf(path) {
  return /^core\/(\w+)/.exec(path)?.[1];
}

/** The sentence that an import breaks; undefined where it may stand. */
function mistakeOf(from, to, specifier) {
  const [area] = from.split("/", 1);
  const own = roomOf(from);
  const room = own?.room ?? coreRoomOf(from);
  if (to === undefined) {
    const isView = specifier.startsWith("preact") || specifier.startsWith("@preact");
    if (isView && (room === "model" || room === "worker")) {
      return "models and workers know nothing of Preact";
    }
    return undefined;
  }
  const [target] = to.split("/", 1);
  if (area === "ui") return target === "ui" ? undefined : "ui/ knows only itself";
  if (target === "ui") {
    const draws = room !== "model" && room !== "worker" && area !== "worker";
    return draws || WORDS.includes(to)
      ? undefined
      : "models and workers take of ui/ its values only";
  }
  if (from in TAKEN) {
    const isTaken = target === "core" || TAKEN[from].includes(roomOf(to)?.room);
    return isTaken ? undefined : `this list takes of each feature: ${TAKEN[from].join(", ")}`;
  }
  if (target === "core") return coreMistake(area, room, coreRoomOf(to));
  if (area === "core") return "core/ knows no feature and neither shell";
  if (target === "features") {
    if (!own) return to === LISTS[area] ? undefined : `${area}/ takes features from ${LISTS[area]}`;
    if (own.feature !== roomOf(to)?.feature) return "no feature imports another";
    const takes = TAKES[own.room];
    return takes?.includes(roomOf(to).room)
      ? undefined
      : `a ${own.room} imports of a feature: ${takes?.join(", ") ?? "nothing"}`;
  }
  return target === area ? undefined : `${area}/ knows nothing of ${target}/`;
}

/** The same for an import of core/. */
function coreMistake(area, room, taken) {
  if (area === "app") return taken === "worker" ? "the page runs no worker's code" : undefined;
  if (area === "worker") {
    return ["model", "worker", "rpc"].includes(taken)
      ? undefined
      : "the worker runs models and workers only";
  }
  // What stands in core/ itself is the protocol: what models say, and nothing that runs in one place only.
  const takes = TAKES[room] ?? (SHARED.includes(room) ? ["model"] : undefined);
  if (SHARED.includes(taken)) {
    const isTaken = room !== "model" && (taken === "rpc" || room !== "worker");
    return isTaken ? undefined : `a ${room} knows nothing of the ${taken}`;
  }
  return takes?.includes(taken) ? undefined : `a ${room} imports of core/: ${takes?.join(", ")}`;
}

/**
 * All that is wrong, in sentences.
 *
 * The order: `ui/` knows only itself, `core/` only that. A feature has a model, a store, a worker, a view, a
 * style, and a feature.ts that says what it is made of. A model imports models; a store models and stores; a worker models and workers; a view models, stores
 * and views; of its own feature and of core/, and of no other. `app/` is the shell of the page and
 * `worker/` that of the worker; each takes all features from one list and names none.
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

  const features = new Set(files.flatMap(({ path }) => roomOf(path)?.feature ?? []));
  for (const feature of features) {
    if (!exists(`features/${feature}/feature.ts`)) {
      found.push(`features/${feature} has no feature.ts, which says what it is made of`);
    }
  }
  const asked = new RegExp(`\\b(?:viewer|page|app)\\.(${[...features].join("|")})\\b`);
  for (const { path, text } of features.size > 0 ? files : []) {
    const [, feature] = /^(?:app|core)\//.test(path) ? (asked.exec(text) ?? []) : [];
    if (!feature || ASKING.includes(path)) continue;
    found.push(`${path} asks for ${feature}: what it needs of features it asks of the list of all`);
  }

  for (const { path, text } of files) {
    const isWorker =
      path.startsWith("worker/") || (roomOf(path)?.room ?? coreRoomOf(path)) === "worker";
    if (isWorker && /^(?:export )?let /m.test(text)) {
      found.push(`${path} keeps something in its file: what a worker keeps belongs to its desk`);
    }
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
    if ([...ENTRIES, ELEMENT].includes(path) || path.startsWith(HOSTS) || path.endsWith(".d.ts"))
      continue;
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
