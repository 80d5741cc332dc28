// Whether a name that a page writes is one that an entry of the package exports: `ToolRegistry`, `Tool.Context.metadata`.
// The declarations tell, and for values the entry itself, too.
import ts from "typescript";
import { ENTRIES } from "../../../scripts/reference.mjs";
import { at } from "../helper.mjs";

const OPTIONS = {
  strict: true,
  noEmit: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  types: [],
};

const isOf = (symbol, flags) => (symbol.flags & flags) !== 0;

/** The last symbol of a path, each looked up in the one before; undefined if one is not there. */
function walk(checker, first, rest) {
  let symbol = first;
  for (const name of rest) symbol &&= memberOf(checker, symbol, name);
  return symbol;
}

/** What a namespace exports under a name, or the property that a type or a value has. */
function memberOf(checker, symbol, name) {
  if (isOf(symbol, ts.SymbolFlags.Namespace)) {
    const own = checker.getExportsOfModule(symbol).find((one) => one.name === name);
    if (own) return own;
  }
  const types = [];
  if (isOf(symbol, ts.SymbolFlags.Type)) types.push(checker.getDeclaredTypeOfSymbol(symbol));
  if (isOf(symbol, ts.SymbolFlags.Value)) types.push(checker.getTypeOfSymbol(symbol));
  for (const type of types) {
    const property = checker.getPropertyOfType(checker.getNonNullableType(type), name);
    if (property) return property;
  }
  return undefined;
}

/**
 * Whether an entry has at run time what its declarations call a value: an export, a function of a namespace, a method of
 * a class. What only an object of a class has, or an object in a namespace, is left to the declarations.
 */
function hasValue(exports, exported, member, [name, ...rest]) {
  if (!isOf(exported, ts.SymbolFlags.Value)) return true;
  if (!Object.hasOwn(exports, name)) return false;
  if (rest.length !== 1) return true;
  const [value, [own]] = [exports[name], rest];
  if (isOf(member, ts.SymbolFlags.Function | ts.SymbolFlags.Variable)) return own in value;
  return !isOf(member, ts.SymbolFlags.Method) || own in (value.prototype ?? value);
}

/**
 * A function that tells whether an entry of the package exports a name, or a path of names.
 *
 * @returns {(path: string, entry: string) => Promise<boolean>}
 */
export function exportedNames() {
  const files = Object.values(ENTRIES).map(([name]) => at("pkg", `${name}.d.ts`));
  const program = ts.createProgram(files, OPTIONS);
  const checker = program.getTypeChecker();
  const symbols = new Map(
    Object.entries(ENTRIES).map(([entry, [name]]) => {
      const file = program.getSourceFile(at("pkg", `${name}.d.ts`));
      const all = checker.getExportsOfModule(checker.getSymbolAtLocation(file));
      return [entry, new Map(all.map((one) => [one.name, one]))];
    }),
  );
  return async (path, entry) => {
    const [name, ...rest] = path.split(".");
    const exported = symbols.get(entry)?.get(name);
    if (!exported) return false;
    const symbol = isOf(exported, ts.SymbolFlags.Alias)
      ? checker.getAliasedSymbol(exported)
      : exported;
    const member = walk(checker, symbol, rest);
    return member !== undefined && hasValue(await import(entry), symbol, member, [name, ...rest]);
  };
}
