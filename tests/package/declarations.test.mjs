// The declarations of an entry, as scripts/build/declarations.mjs writes them of TypeScript sources.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { after, describe, test } from "node:test";
import ts from "typescript";
import { HERE, rolledUp } from "../../scripts/build/declarations.mjs";
import { at, cache, root } from "../../scripts/lib.mjs";

const folders = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** The declarations of `index.ts` among these files. */
function of(sources, outside = new Map()) {
  const folder = mkdtempSync(join(cache, "declarations-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
  const entry = relative(root, join(folder, "index.ts"));
  return rolledUp([entry], outside).text;
}

describe("the declarations of an entry", () => {
  test("are those that it exports, and what they need is there but not exported", () => {
    const text = of({
      "index.ts": `export type * from "./types.ts";\nexport { make } from "./make.ts";\n`,
      "types.ts":
        "/** A thing. */\nexport interface Thing {\n  /** Its size. */\n  size: number;\n}\n",
      "make.ts": `import type { Thing } from "./types.ts";
// A note for readers of the source.
interface Options { size: number }
export const unused: number = 1;
/** Makes one. */
export function make(options: Options): Thing { return options; }
`,
    });
    assert.equal(
      text,
      `/** A thing. */
export interface Thing {
  /** Its size. */
  size: number;
}

interface Options {
  size: number;
}

/** Makes one. */
export function make(options: Options): Thing;

export {};
`,
    );
  });

  test("name of a class what programs may use", () => {
    const text = of({
      "index.ts": `export class Box {
  #size: number;
  /** How \`instanceof\` works is nothing to declare. */
  static override [Symbol.hasInstance](one: unknown): boolean { return one === this; }
  private constructor(size: number) { this.#size = size; }
  /** Its size. */
  get size(): number { return this.#size; }
}
`,
    });
    assert.match(
      text,
      /^export class Box \{\n {2}private constructor\(\);\n {2}\/\*\* Its size. \*\/\n {2}readonly size: number;\n\}\n$/,
    );
  });

  test("are of constants what they are for a program: namespaces, functions, classes", () => {
    const text = of({
      "index.ts": `import { wrapped } from "./wrapped.ts";
/** Two functions. */
export const Both: {
  /** The one. */
  one(): number;
  other<T>(given: T): T;
} = wrapped({ one: () => 1, other: (given) => given });
/** Doubles. */
export const double: (given: number) => number = wrapped((given: number) => 2 * given);
export const names: { readonly first: string } = { first: "a" };
/** A counter. */
class Counter {
  /** The next number. */
  next(): number { return 1; }
}
export const Guarded: typeof Counter = wrapped(Counter);
export type Guarded = Counter;
`,
      "wrapped.ts": "export const wrapped = <T>(given: T): T => given;\n",
    });
    assert.equal(
      text,
      `/** Two functions. */
export namespace Both {
  /** The one. */
  function one(): number;
  function other<T>(given: T): T;
}

/** Doubles. */
export function double(given: number): number;

export const names: {
  readonly first: string;
};

/** A counter. */
export class Guarded {
  /** The next number. */
  next(): number;
}
`,
    );
  });

  test("are of constants with classes namespaces that have them, and the types of the same name", () => {
    const text = of({
      "index.ts": `import { Gate } from "./gate.ts";
/** Doors. */
export namespace Doors {
  /** How wide one is. */
  export type Width = number;
}
export const Doors: {
  /** Opens one. */
  open(width: Doors.Width): void;
  Gate: typeof Gate;
} = { open() {}, Gate };
`,
      "gate.ts": "/** A gate. */\nexport class Gate {\n  /** Shuts it. */\n  shut(): void {}\n}\n",
    });
    assert.equal(
      text,
      `/** Doors. */
export namespace Doors {
  /** How wide one is. */
  type Width = number;
  /** Opens one. */
  function open(width: Doors.Width): void;
  /** A gate. */
  class Gate {
    /** Shuts it. */
    shut(): void;
  }
}
`,
    );
  });

  test("import what is of other entries", () => {
    const source = `import type { Part } from "apex-parts:glue";\nexport type { Part };\nexport type List = Part[];\n`;
    const glue = new Map([["apex-parts:glue", "./index.js"]]);
    assert.equal(
      of({ "index.ts": source }, glue),
      `import type { Part } from "./index.js";
export type { Part } from "./index.js";

export type List = Part[];
`,
    );
    const here = new Map([["apex-parts:glue", HERE]]);
    assert.equal(of({ "index.ts": source }, here), "export type List = Part[];\n");
  });

  test("do not guess a type, and do not mix two of one name", () => {
    const given = { "index.ts": "export const made = [1].map(String);\n" };
    assert.throws(() => of(given), /isolatedDeclarations/);
    const two = {
      "index.ts": `import type { A } from "./a.ts";\nimport type { B } from "./b.ts";\nexport type Both = A | B;\n`,
      "a.ts": "type Same = 1;\nexport type A = Same;\n",
      "b.ts": "type Same = 2;\nexport type B = Same;\n",
    };
    assert.throws(() => of(two), /both declare Same/);
  });
});

/** The functions and the methods of classes in a source, as `name` or `Class.name`: how many parameters each has. */
function parametersOf(name, source) {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest);
  const found = new Map();
  const look = (node, of) => {
    const called = node.name?.text;
    if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node)) {
      // A bundler may write `var Name = class _Name {`.
      for (const member of node.members) look(member, of ?? called);
    } else if (ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) {
      found.set(`${of}.${called}`, node.parameters.length);
    } else if (ts.isFunctionDeclaration(node)) {
      found.set(called, node.parameters.length);
    } else {
      const variable = ts.isVariableDeclaration(node) ? called : undefined;
      ts.forEachChild(node, (child) => look(child, variable));
    }
  };
  look(file);
  return found;
}

test("what ts/glue.d.ts declares of the module is there, with as many parameters", () => {
  const declared = parametersOf("glue.d.ts", readFileSync(at("ts", "glue.d.ts"), "utf8"));
  const glue = ["glue.mjs", "tools.glue.mjs"].map((name) =>
    parametersOf(name, readFileSync(at("pkg", name), "utf8")),
  );
  const names = [...declared.keys()];
  const methods = names.filter((name) => name.includes("."));
  assert.ok(methods.length > 15 && names.length - methods.length > 20, names.join(" "));
  for (const [name, count] of declared) {
    const counts = glue.flatMap((one) => one.get(name) ?? []);
    assert.ok(counts.length > 0, `the module has no ${name}`);
    for (const there of counts) {
      assert.equal(count, there, `${name} has ${there} parameters in the module (src/wasm)`);
    }
  }
});
