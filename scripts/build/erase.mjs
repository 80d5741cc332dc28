// TypeScript without its types. The rest of a file stays as it is written, with its comments and its lines: what is
// shipped reads as its source, and the command shows examples of rules by the text of their functions. Only for
// `erasableSyntaxOnly`, which the compilers check: nothing else in a file has to become something else.
import ts from "typescript";

const { SyntaxKind } = ts;

/** Modifiers that are types. */
const MODIFIERS = new Set([
  SyntaxKind.PublicKeyword,
  SyntaxKind.PrivateKeyword,
  SyntaxKind.ProtectedKeyword,
  SyntaxKind.ReadonlyKeyword,
  SyntaxKind.OverrideKeyword,
  SyntaxKind.AbstractKeyword,
]);

/** Is nothing of this node in JavaScript? */
function isType(node) {
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isImportDeclaration(node)) return node.importClause?.isTypeOnly === true;
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  // A signature of a function that has several.
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return !node.body;
  const isDeclared = ({ kind }) => kind === SyntaxKind.DeclareKeyword;
  return ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some(isDeclared) ?? false);
}

/**
 * The source without types; "" if there is nothing else in it. `specifier` gives the path or name that takes the place
 * of an imported one.
 *
 * @param {string} source
 * @param {string} name of the file, for errors
 * @param {(from: string) => string} specifier
 */
export function erased(source, name, specifier) {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS);
  if (file.statements.every(isType)) return "";
  const edits = [];
  const remove = (start, end) => edits.push({ start, end, text: "" });

  /** Removes a declaration with its lines: the comments right above it, and an empty line behind it. */
  function removeLines(node) {
    let start = node.getStart();
    // Above an import stands what the file is.
    const isImport = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
    const comments = isImport ? [] : (ts.getLeadingCommentRanges(source, node.pos) ?? []);
    for (const { pos, end } of comments.reverse()) {
      if (/\n\s*\n/.test(source.slice(end, start))) break;
      start = pos;
    }
    start = source.lastIndexOf("\n", start) + 1;
    const isFirst = source.slice(0, start).trim() === "" || source.slice(0, start).endsWith("\n\n");
    const end = source.indexOf("\n", node.end) + 1 || source.length;
    remove(start, isFirst && source[end] === "\n" ? end + 1 : end);
  }

  /** Removes `<…>` with what is in it. */
  function removeAngles(list) {
    if (list) remove(list.pos - 1, source.indexOf(">", list.end) + 1);
  }

  function visit(node) {
    if (isType(node)) {
      removeLines(node);
      return;
    }
    if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
      remove(node.expression.end, node.end);
      visit(node.expression);
      return;
    }
    if (ts.isNonNullExpression(node)) remove(node.expression.end, node.end);
    if (ts.isHeritageClause(node) && node.token === SyntaxKind.ImplementsKeyword) {
      remove(node.pos, node.end);
      return;
    }
    if (ts.isImportSpecifier(node) && node.isTypeOnly) {
      throw new Error(`${name}: a type among values is imported: use \`import type\``);
    }
    if (MODIFIERS.has(node.kind)) {
      remove(node.getStart(), node.end + /^\s*/.exec(source.slice(node.end))[0].length);
      return;
    }
    const module = node.moduleSpecifier ?? importedBy(node);
    if (module) {
      const to = specifier(module.text);
      edits.push({ start: module.getStart(), end: module.end, text: JSON.stringify(to) });
    }
    removeAngles(node.typeParameters);
    removeAngles(node.typeArguments);
    const mark = node.exclamationToken ?? (ts.isParameter(node) ? node.questionToken : undefined);
    if (mark) remove(mark.getStart(), mark.end);
    if (ts.isPropertyDeclaration(node) && node.questionToken) {
      remove(node.questionToken.getStart(), node.questionToken.end);
    }
    // The colon stands right before the type.
    if (node.type) remove(node.type.pos - 1, node.type.end);
    ts.forEachChild(node, (child) => {
      if (!ts.isTypeNode(child) || ts.isExpressionWithTypeArguments(child)) visit(child);
    });
  }
  visit(file);

  let text = "";
  let at = 0;
  for (const { start, end, text: other } of edits.sort((a, b) => a.start - b.start)) {
    text += source.slice(at, start) + other;
    at = end;
  }
  return text + source.slice(at);
}

/** The argument of `import("…")`. */
function importedBy(node) {
  const isImport = ts.isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword;
  const [module] = isImport ? node.arguments : [];
  return module && ts.isStringLiteral(module) ? module : undefined;
}
