// What editors show of the declarations: every name and every parameter is described, errors are tags, and every
// example compiles under `strict` with the packed package and runs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { tagged, withTags } from "../../scripts/build/tsdoc.mjs";
import { at, consumer, run, tool, write } from "./helper.mjs";
import { examplesOf, programOf } from "./tsdoc/examples.mjs";

const require = createRequire(at("package.json"));
const ts = require("typescript");

const FILES = ["index", "tools", "host", "store", "store-redis", "slim"];
const textOf = (name) => readFileSync(at("pkg", `${name}.d.ts`), "utf8");

describe("comments become TSDoc", () => {
  const of = (text, codes) => tagged(text.split("\n"), { canThrow: true, codes });

  test("a sentence that says what is thrown becomes a tag for each error", () => {
    const text =
      "Reads it. Throws `A` if it is\nlong, `B` (`limit`) if it is longer. Never sleeps.";
    assert.deepEqual(of(text), [
      "Reads it. Never sleeps.",
      "@throws {A} if it is long.",
      "@throws {B} (`limit`) if it is longer.",
    ]);
  });

  test("what else a sentence says stays", () => {
    const text = "Returns it as it is; throws `A` for anything else.";
    assert.deepEqual(of(text), [text, "@throws {A} for anything else."]);
  });

  test("what never throws has no tag, and neither has a type", () => {
    assert.deepEqual(of("Checks it. Never throws."), ["Checks it. Never throws."]);
    const comment = "/** Logged; only `f` throws it. */\nexport interface A {}\n";
    assert.equal(withTags(comment), comment);
  });

  test("codes are those of a class", () => {
    assert.deepEqual(of("Claims. Throws `held` while another writes.", "RunStoreError"), [
      "Claims.",
      "@throws {RunStoreError} `held` while another writes.",
    ]);
  });

  test("tags come in the order of TSDoc, and code becomes an example", () => {
    const text =
      "Doubles. Throws as `g` does.\n\n```js\nf(1); // 2\n```\n@param n - A number.\n@returns Another.";
    assert.deepEqual(of(text), [
      "Doubles.",
      "@param n - A number.",
      "@returns Another.",
      "@throws As `g` does.",
      "@example",
      "```ts",
      "f(1); // 2",
      "```",
    ]);
  });

  test("links of Rust become names, and `free` is described", () => {
    assert.equal(
      withTags("/** See [`crate::a::b`]. */\ntype A = 1;"),
      "/** See `b`. */\ntype A = 1;",
    );
    assert.match(withTags("class A {\n    free(): void;\n}"), /Releases the memory/);
  });
});

/** The comment of a declaration; that of its statement, for a constant. */
function docOf(node) {
  const at = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const text = at.getSourceFile().text;
  const ranges = ts.getLeadingCommentRanges(text, at.getFullStart()) ?? [];
  const comments = ranges.map(({ pos, end }) => text.slice(pos, end));
  return comments.filter((comment) => comment.startsWith("/**")).at(-1) ?? "";
}

const isFunction = (node) =>
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isMethodSignature(node) ||
  ts.isConstructorDeclaration(node);
const isPrivate = (node) =>
  (node.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);

/** The exported names, the functions and the methods of a file, with their comments. */
function declared(name) {
  const source = ts.createSourceFile(name, textOf(name), ts.ScriptTarget.Latest, true);
  const [names, functions] = [[], []];
  const isExported = (node) =>
    (node.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  const visit = (node, scope, exported) => {
    const own = ts.isConstructorDeclaration(node) ? "constructor" : node.name?.getText(source);
    const path = own ? [...scope, own] : scope;
    const inside = exported || isExported(node);
    const isNamed =
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isModuleDeclaration(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isVariableDeclaration(node);
    if (isNamed && inside) names.push({ name: path.join("."), doc: docOf(node) });
    if (isFunction(node) && inside && !isPrivate(node)) {
      const parameters = node.parameters.map((one) => one.name.getText(source));
      const isError = node.parent.heritageClauses?.[0]?.getText(source) === "extends Error";
      functions.push({ name: path.join("."), doc: docOf(node), parameters, isError });
    }
    const creates = ts.isVariableDeclaration(node) && node.type?.getText(source);
    if (creates && /^Create(?:From)?</.test(creates)) {
      const members = [...creates.matchAll(/(\w+)\??: /g)].map(([, name]) => name);
      const parameters = creates.startsWith("CreateFrom") ? ["options"] : members;
      functions.push({ name: path.join("."), doc: docOf(node), parameters });
    }
    // The members of shapes inside of types have no comments of their own.
    if (isFunction(node) || ts.isTypeAliasDeclaration(node) || ts.isTypeLiteralNode(node)) return;
    ts.forEachChild(node, (child) => visit(child, path, inside));
  };
  ts.forEachChild(source, (child) => visit(child, [], false));
  return { names, functions };
}

const all = FILES.map((name) => ({ name, ...declared(name) }));
const every = (kind) =>
  all.flatMap((file) => file[kind].map((one) => ({ ...one, at: `${file.name}: ${one.name}` })));
const places = (list) => list.map((one) => one.at);

test("every exported name is described", (t) => {
  const names = every("names");
  assert.deepEqual(places(names.filter(({ doc }) => doc === "")), []);
  t.diagnostic(`${names.length} names`);
  assert.ok(names.length > 250, `${names.length}`);
});

test("every parameter is described, under its name", (t) => {
  let count = 0;
  const missing = every("functions").flatMap(({ doc, parameters, at }) => {
    count += parameters.length;
    const open = parameters.filter((name) => !new RegExp(`@param ${name} - \\S`).test(doc));
    return open.map((name) => `${at}(${name})`);
  });
  assert.deepEqual(missing, []);
  t.diagnostic(`${count} parameters`);
  assert.ok(count > 200, `${count}`);
});

test("no parameter has the name of something unused", () => {
  const functions = every("functions");
  const named = functions.filter(({ parameters }) =>
    parameters.some((name) => name.startsWith("_")),
  );
  assert.deepEqual(places(named), []);
});

test("what mentions that it throws says so in a tag", (t) => {
  const throwing = every("functions").filter(({ doc }) =>
    /\bthrows\b/i.test(
      doc.replace(/[\s*]+/g, " ").replace(/\b(?:never|not|what it) throws?\b/gi, ""),
    ),
  );
  const open = throwing.filter(({ doc }) => !doc.includes("@throws"));
  assert.deepEqual(places(open), []);
  t.diagnostic(`${throwing.length} functions that throw`);
  assert.ok(throwing.length > 60, `${throwing.length}`);
});

test("every field of the options of `create…` functions, and of tool states, is described", (t) => {
  const source = ts.createSourceFile("index", textOf("index"), ts.ScriptTarget.Latest, true);
  const shapes = source.statements.filter(
    (one) =>
      ts.isInterfaceDeclaration(one) &&
      /^(?:Create\w+Options|ToolState[A-Z]\w+)$/.test(one.name.text),
  );
  assert.ok(shapes.length > 15, `${shapes.length}`);
  const fields = shapes.flatMap(({ name, members }) =>
    members.map((one) => ({ at: `${name.text}.${one.name.getText(source)}`, doc: docOf(one) })),
  );
  assert.deepEqual(places(fields.filter(({ doc }) => doc === "")), []);
  t.diagnostic(`${fields.length} fields`);
});

const examples = FILES.flatMap((name) => examplesOf(`${name}.d.ts`, textOf(name)));

test("every function of the main entry has an example, itself or with its object", () => {
  const { names, functions } = declared("index");
  const shows = (path) =>
    [...names, ...functions].some(({ name, doc }) => name === path && doc.includes("@example"));
  // Members of a namespace count as shown by another of them.
  const groups = functions.filter(
    ({ name, doc }) => name.includes(".") && doc.includes("@example"),
  );
  const shown = new Set(groups.map(({ name }) => name.split(".")[0]));
  const open = functions.filter(({ name }) => {
    const [first] = name.split(".");
    return !shows(name) && !shows(first) && !(name.includes(".") && shown.has(first));
  });
  // What is declared for others to implement has no example, and `init` is shown by the README.
  const INTERFACES = [
    ...["init", "ToolInfo", "OutputStore", "ToolRun", "ExecuteOptions"],
    ...["McpClientLike", "McpResultContext", "SqliteSource"],
  ];
  const rest = open.filter(({ name, isError }) => {
    if (isError) return false;
    const [first] = name.split(".");
    return !INTERFACES.includes(first);
  });
  assert.deepEqual(
    rest.map(({ name }) => name),
    [],
  );
});

test("every function and class of the other entries has an example", () => {
  const open = FILES.slice(1).flatMap((name) => {
    const source = ts.createSourceFile(name, textOf(name), ts.ScriptTarget.Latest, true);
    const own = source.statements.filter(
      (one) => ts.isFunctionDeclaration(one) || ts.isClassDeclaration(one),
    );
    const silent = own.filter((one) => !docOf(one).includes("@example"));
    return silent.map((one) => `${name}: ${one.name.text}`);
  });
  assert.deepEqual(open, []);
});

describe("every example", () => {
  let folder;
  let programs;
  before(async () => {
    const { names } = declared("index");
    const exported = names.filter(({ name }) => !name.includes(".")).map(({ name }) => name);
    const values = new Set(Object.keys(await import("../../pkg/node.mjs")));
    const known = [...new Set(exported)].filter((name) => values.has(name));
    programs = examples.map((example, index) => ({
      ...example,
      ...programOf(example, known),
      stem: `e${index}`,
    }));
    folder = await consumer("tsdoc", {
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          ...{ strict: true, module: "nodenext", target: "es2023", lib: ["ES2023", "DOM"] },
          ...{ types: ["node"], skipLibCheck: true, outDir: "out", rootDir: "." },
        },
      }),
    });
    write(folder, {
      "shown.mts": readFileSync(at("tests", "package", "docs", "shown.mts"), "utf8"),
      "all.mts": programs
        .map(
          ({ stem, file, line }) =>
            `console.error("${file}:${line}");\nawait import("./programs/${stem}.mjs");`,
        )
        .join("\n"),
      ...Object.fromEntries(programs.map(({ stem, text }) => [`programs/${stem}.mts`, text])),
    });
  });

  test("compiles under strict and shows what its comments say", async (t) => {
    const places = programs.map(({ stem, file, line }) => `${stem} is ${file}:${line}`).join("\n");
    const options = { quiet: true, cwd: folder };
    await assert.doesNotReject(
      run(process.execPath, [tool("typescript", "tsc"), "--pretty", "false", "-p", "."], options),
      places,
    );
    await assert.doesNotReject(run(process.execPath, [join("out", "all.mjs")], options), places);
    const checks = programs.reduce((sum, one) => sum + one.checks, 0);
    t.diagnostic(`${programs.length} examples, ${checks} values compared`);
    assert.ok(programs.length > 60 && checks > 60, `${programs.length}, ${checks}`);
  });
});
