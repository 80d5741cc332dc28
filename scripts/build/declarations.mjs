// The declarations of an entry, from its TypeScript source: those of its files one by one, as the compiler emits them
// without looking at others (`isolatedDeclarations`), and of these what the entry exports, in one file.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { at } from "../lib.mjs";

const OPTIONS = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  declaration: true,
  isolatedDeclarations: true,
  stripInternal: true,
  verbatimModuleSyntax: true,
  newLine: ts.NewLineKind.LineFeed,
};

/** Of declarations that stand in the file of these. */
export const HERE = ".";

/** What the compiler emits for one file. Throws if it needs other files for that. */
function emitted(path) {
  const { outputText, diagnostics } = ts.transpileDeclaration(readFileSync(path, "utf8"), {
    fileName: path,
    compilerOptions: OPTIONS,
    reportDiagnostics: true,
  });
  const [problem] = diagnostics ?? [];
  if (problem) {
    throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(problem.messageText, "\n")}`);
  }
  return outputText;
}

/**
 * A declaration as it stands in a package: of a class what programs may use, with half of the indentation. Without
 * `#private` another object of this shape will do, as one of a test.
 */
const readable = (text) =>
  text
    .replace(/^ +#private;\n/gm, "")
    .replace(/(?:^ +\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^ +static \[Symbol\.hasInstance\].*\n/gm, "")
    .replace(/^( +)get (\w+)\(\): /gm, "$1readonly $2: ")
    .replace(/^(?: {4})+/gm, (indent) => indent.slice(indent.length / 2));

/** A member of a constant that is a class, which `typeof` names. */
const CLASS_MEMBER = /^( *)(\w+): typeof (\w+);$/gm;

/**
 * A constant as what it is for those who use it: an object of functions and classes is a namespace, as
 * scripts/build/namespaces.mjs makes those of the module, so that an editor shows the docs of each; a constant of a
 * function's type is a function.
 */
function asUsed(code) {
  const file = ts.createSourceFile("one.ts", code, ts.ScriptTarget.ES2022, true);
  const { name, type } = file.statements[0]?.declarationList?.declarations[0] ?? {};
  if (!type || !code.startsWith("const ")) return code;
  if (ts.isFunctionTypeNode(type)) {
    const parameters = code.slice(type.pos, type.type.pos).trim().replace(/ *=>$/, "");
    return `function ${name.text}${parameters}: ${type.type.getText()};`;
  }
  const isMember = (member) =>
    (ts.isMethodSignature(member) && !member.questionToken) ||
    (ts.isPropertySignature(member) && ts.isTypeQueryNode(member.type));
  if (!ts.isTypeLiteralNode(type) || !type.members.every(isMember)) return code;
  const members = type
    .getText()
    .slice(1, -1)
    .replace(/^( {4})(?=\w+[(<])/gm, "$1function ");
  return `namespace ${name.text} {${members}}`;
}

/** Two pieces of one namespace as one: its types, and its functions. */
function mergeNamespaces({ declared }) {
  for (const [name, one] of declared) {
    const head = `namespace ${name} {`;
    const pieces = one.pieces.filter(({ code }) => code.startsWith(head));
    if (pieces.length < 2) continue;
    const bodies = pieces.map(({ code }) => code.slice(head.length, -1).trimEnd());
    const above = pieces.map((piece) => piece.above).find((text) => text !== "") ?? "";
    const code = `${head}${bodies.join("")}\n}`;
    const others = one.pieces.filter((piece) => !pieces.includes(piece));
    one.pieces = [{ above, code }, ...others];
  }
}

/** A class that is exported as another constant and type, which a function has made of it: under that name. */
function renameClasses({ declared }) {
  for (const [name, { pieces, isExported }] of declared) {
    const own = /^const \w+: typeof (\w+);$/.exec(pieces[0]?.code)?.[1];
    const source = declared.get(own);
    if (!source || pieces[1]?.code !== `type ${name} = ${own};`) continue;
    for (const piece of source.pieces) {
      piece.code = piece.code.replace(/^((?:abstract )?class )\w+/, `$1${name}`);
    }
    declared.delete(own);
    declared.set(name, { ...source, isExported });
  }
}

/** The names of types and values that a declaration uses. */
function namesIn(statement) {
  const names = new Set();
  const add = (name) => {
    let first = name;
    while (!ts.isIdentifier(first)) first = first.left ?? first.expression;
    names.add(first.text);
  };
  const visit = (node) => {
    if (ts.isTypeReferenceNode(node)) add(node.typeName);
    else if (ts.isTypeQueryNode(node)) add(node.exprName);
    else if (ts.isExpressionWithTypeArguments(node)) add(node.expression);
    else if (ts.isComputedPropertyName(node)) add(node.expression);
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return names;
}

/** A file: what it declares, from where it imports, and what it exports of other files. */
function moduleOf(path) {
  const text = emitted(path);
  const file = ts.createSourceFile("module.d.ts", text, ts.ScriptTarget.ES2022, true);
  const module = { path, declared: new Map(), imported: new Map(), named: new Map(), stars: [] };
  // A path in this project, or the name of another module.
  const target = ({ text: to }) => (to.startsWith(".") ? join(dirname(path), to) : to);
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) {
      const from = target(statement.moduleSpecifier);
      for (const one of statement.importClause?.namedBindings?.elements ?? []) {
        module.imported.set(one.name.text, { from, name: (one.propertyName ?? one.name).text });
      }
    } else if (ts.isExportDeclaration(statement)) {
      const from = statement.moduleSpecifier && target(statement.moduleSpecifier);
      if (!statement.exportClause) module.stars.push(from);
      for (const one of statement.exportClause?.elements ?? []) {
        const name = (one.propertyName ?? one.name).text;
        module.named.set(one.name.text, { from, name, isType: statement.isTypeOnly });
      }
    } else declare(module, statement, text);
  }
  renameClasses(module);
  mergeNamespaces(module);
  return module;
}

/** Notes a declaration with its comment; one of several of a function belongs to the others. */
function declare({ declared }, statement, text) {
  const name = (statement.name ?? statement.declarationList?.declarations[0]?.name)?.text;
  if (name === undefined) return;
  const comments = ts.getLeadingCommentRanges(text, statement.pos) ?? [];
  const comment = comments.findLast(({ pos }) => text.startsWith("/**", pos));
  const above = comment ? `${text.slice(comment.pos, comment.end)}\n` : "";
  const code = asUsed(statement.getText().replace(/^(?:export )?(?:declare )?/, ""));
  const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  const before = declared.get(name) ?? { pieces: [], names: new Set(), isExported };
  before.pieces.push({ above: readable(above), code: readable(code) });
  for (const used of namesIn(statement)) before.names.add(used);
  declared.set(name, before);
}

/**
 * The text of declarations of what a file exports. What comes of modules outside of it is imported: `outside` has their
 * names, as the sources and as the declarations have them; it may have paths of files, too. What is in the same file
 * has the name `HERE`.
 *
 * @param {string[]} entry the path of the file
 * @param {Map<string, string>} outside
 * @returns {{ text: string, paths: string[] }} the declarations, and the files that they come from
 */
export function rolledUp(entry, outside) {
  const modules = new Map();
  const load = (path) => {
    if (!modules.has(path)) modules.set(path, moduleOf(path));
    return modules.get(path);
  };

  /** Where something is declared: a module of this entry, or one outside. */
  function found(path, name) {
    if (outside.has(path)) return { outside: outside.get(path), name };
    const module = load(path);
    if (module.declared.has(name)) return { module, name };
    const other = module.named.get(name);
    if (other?.from) return found(other.from, other.name);
    const imported = module.imported.get(other?.name ?? name);
    if (imported) return found(imported.from, imported.name);
    for (const star of module.stars) {
      const there = exportsOf(star).has(name) && found(star, name);
      if (there) return there;
    }
    return undefined;
  }

  /** The names that a file exports. */
  function exportsOf(path) {
    if (outside.has(path)) return new Set();
    const { declared, named, stars } = load(path);
    const own = [...declared].filter(([, { isExported }]) => isExported).map(([name]) => name);
    return new Set([...stars.flatMap((star) => [...exportsOf(star)]), ...own, ...named.keys()]);
  }

  const path = at(...entry);
  const taken = new Map();
  const imports = new Map();
  const reexports = new Map();
  const typeReexports = new Map();
  const into = (list, { outside: from, name }) =>
    list.set(from, list.get(from)?.add(name) ?? new Set([name]));

  function take(name, from, isExported) {
    const there = found(from, name);
    if (!there) return; // a name of the language
    if (there.name !== name) throw new Error(`${from} names ${there.name} ${name}: not handled`);
    if (there.outside) {
      const exports = load(path).named.get(name)?.isType ? typeReexports : reexports;
      if (there.outside !== HERE) into(isExported ? exports : imports, there);
      return;
    }
    const before = taken.get(name);
    if (before && before.module !== there.module) {
      throw new Error(`${before.module.path} and ${there.module.path} both declare ${name}`);
    }
    if (before) before.isExported ||= isExported;
    if (before) return;
    taken.set(name, { module: there.module, isExported });
    for (const used of there.module.declared.get(name).names) take(used, there.module.path, false);
  }
  for (const name of exportsOf(path)) take(name, path, true);

  /** The text of a namespace with the classes that it has, which are not declared beside it. */
  function withClasses(code, from) {
    if (!code.startsWith("namespace ")) return code;
    return code.replace(CLASS_MEMBER, (_, indent, member, name) => {
      const { module } = found(from, name);
      const [{ above, code: body }] = module.declared.get(name).pieces;
      if (!taken.get(name).isExported) taken.delete(name);
      const text = above + body.replace(/^((?:abstract )?class )\w+/, `$1${member}`);
      return text.replace(/^(?=.)/gm, indent);
    });
  }
  for (const module of modules.values()) {
    for (const { pieces } of module.declared.values()) {
      for (const piece of pieces) piece.code = withClasses(piece.code, module.path);
    }
  }

  const pieces = [];
  for (const module of modules.values()) {
    for (const [name, { pieces: own }] of module.declared) {
      const one = taken.get(name);
      if (one?.module !== module) continue;
      for (const { above, code } of own) {
        const isType = /^(?:interface|type)\b/.test(code);
        pieces.push(`${above}${one.isExported ? "export " : isType ? "" : "declare "}${code}\n`);
      }
    }
  }
  const lists = (list, word) =>
    [...list].map(
      ([from, names]) => `${word} { ${[...names].sort().join(", ")} } from "${from}";\n`,
    );
  // All of a module outside that the entry exports.
  const stars = load(path).stars.filter((star) => outside.has(star) && outside.get(star) !== HERE);
  const all = stars.map((star) => `export type * from "${outside.get(star)}";\n`);
  const head = [
    ...lists(imports, "import type"),
    ...lists(typeReexports, "export type"),
    ...lists(reexports, "export"),
    ...all,
  ];
  // Without `export {}`, every declaration of such a file counts as exported.
  const isHiding = [...taken.values()].some(({ isExported }) => !isExported);
  const text = [head.join(""), ...pieces, isHiding ? "export {};\n" : ""]
    .filter(Boolean)
    .join("\n");
  return { text, paths: [...modules.keys()] };
}
