// The command as it is shipped: its TypeScript without types, with its comments.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import ts from "typescript";
import { commandSources, importedName, shippedName } from "../../scripts/build/command.mjs";
import { erased } from "../../scripts/build/erase.mjs";
import { at, files } from "../../scripts/lib.mjs";

const erase = (source) => erased(source, "one.ts", (from) => from.replace(/\.ts$/, ".mjs"));

/** What the compiler makes of a text: without types and comments, in its own format. */
const compiled = (text, fileName) =>
  ts.transpileModule(text, {
    fileName,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      removeComments: true,
    },
  }).outputText;

/** The first lines of the comments of a text. */
function commentsOf(text) {
  const lines = new Set();
  const visit = (node) => {
    for (const { pos } of ts.getLeadingCommentRanges(text, node.pos) ?? []) {
      lines.add(text.slice(pos, text.indexOf("\n", pos)));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("one.ts", text, ts.ScriptTarget.ES2022, true));
  return lines;
}

describe("the shipped command", () => {
  const isTypes = (source) => erase(readFileSync(source, "utf8")) === "";
  const sources = commandSources().filter((source) => !isTypes(source));

  test("has a file for each source that is not types alone, and no other", () => {
    assert.ok(sources.length > 40);
    const shipped = files(at("pkg", "cli.mjs"), at("pkg", "cli"));
    const expected = sources.map((source) => at("pkg", shippedName(source)));
    assert.deepEqual(shipped, expected.sort());
  });

  test("does what its source does, by the judgement of the compiler", () => {
    for (const source of sources) {
      const own = readFileSync(at("pkg", shippedName(source)), "utf8");
      const given = compiled(readFileSync(source, "utf8"), source).replace(
        /(\bfrom |\bimport[ (])"([^"]+)"/g,
        (_, before, name) => `${before}"${importedName(name, source)}"`,
      );
      assert.equal(compiled(own, "own.mjs"), given, source);
    }
  });

  test("imports files that are there", () => {
    for (const source of sources) {
      const path = at("pkg", shippedName(source));
      for (const [, name] of readFileSync(path, "utf8").matchAll(/^import .*"(\..*)";$/gm)) {
        assert.ok(existsSync(join(path, "..", name)), `${path}: ${name}`);
      }
    }
  });

  test("begins as its source does, and has its comments", () => {
    for (const source of sources) {
      const [first] = readFileSync(source, "utf8").split("\n");
      const own = readFileSync(at("pkg", shippedName(source)), "utf8");
      assert.equal(own.split("\n")[0], first, source);
    }
    const all = commentsOf(readFileSync(at("ts", "cli", "units.ts"), "utf8"));
    const own = commentsOf(readFileSync(at("pkg", "cli", "units.mjs"), "utf8"));
    assert.ok(all.size > 5);
    assert.deepEqual(own, all);
  });
});

describe("types are erased", () => {
  for (const [name, source, expected] of [
    [
      "of parameters and results",
      "const f = (a: A, b?: B<C>): a is D => a;",
      "const f = (a, b) => a;",
    ],
    ["of variables", "let a: { b: () => C } | undefined;", "let a;"],
    ["of parameters of types", "function f<A extends B = C<D>>(a: A) {}", "function f(a) {}"],
    ["of arguments of types", "f<A<B>>(new Map<A, B>(), g<C>`a`);", "f(new Map(), g`a`);"],
    ["of expressions", "const a = (b as C).d! satisfies E;", "const a = (b).d;"],
    ["in nested expressions", "f((b as C<D>) as E, a!.b!.c as F);", "f((b), a.b.c);"],
    [
      "of classes",
      "abstract class A<B> extends C<D> implements E {\n  private readonly f?: G;\n  declare h: I;\n  #j!: K;\n  override l(): M {}\n  n(a: string): void;\n}",
      "class A extends C {\n  f;\n  #j;\n  l() {}\n}",
    ],
    [
      "that are imported",
      'import type { A } from "./a.ts";\nimport { b } from "./b.ts";',
      'import { b } from "./b.mjs";',
    ],
    [
      "that are exported",
      'export type { A } from "./a.ts";\nexport { b } from "./b.ts";',
      'export { b } from "./b.mjs";',
    ],
    [
      "that are declared, with their comments",
      "// File.\n\n/** A. */\ninterface A {\n  b: C;\n}\n\n// Two\n// lines.\ntype D = E;\n\n/** F. */\nconst f = 1;\n",
      "// File.\n\n/** F. */\nconst f = 1;\n",
    ],
    [
      "of what a function has several of",
      "function f(a: B): C;\nfunction f(a: D): E;\nfunction f(a: unknown) {}",
      "function f(a) {}",
    ],
    ["and what looks like one stays", "const a = { b: c ? d : e };", "const a = { b: c ? d : e };"],
    ["and dynamic imports lead to files", 'await import("./a.ts");', 'await import("./a.mjs");'],
  ]) {
    test(name, () => assert.equal(erase(source), expected));
  }

  test("and of a file of types nothing is left", () => {
    assert.equal(erase('// Types.\nimport type { A } from "./a.ts";\n\nexport type B = A;\n'), "");
  });

  test("but not a type that is imported among values", () => {
    assert.throws(() => erase('import { type A, b } from "./a.ts";'), /use `import type`/);
  });
});
