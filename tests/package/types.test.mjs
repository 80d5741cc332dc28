// The declarations in programs with the strictest settings: without `skipLibCheck`, without DOM or Node types,
// with ES2020 only, under every module resolution, with TypeScript 5.9 and 7. Those of the element use the
// DOM types and nothing else.
// Needs: viewer.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { page } from "./docs/pages.mjs";
import { at, consumer, fixture, node, run, tool, write } from "./helper.mjs";

const bridge = JSON.parse(readFileSync(fixture("apex-bridge.json"), "utf8")).exports;
const source = (name) => readFileSync(fixture("types", name), "utf8");

/** An object type in TypeScript, from a list of fields. */
const fields = (list) =>
  `{ ${list.map(({ field, type, optional }) => `${field}${optional ? "?" : ""}: ${type}`).join("; ")} }`;

/** apex-bridge's two files as declarations, generated from the facts in apex-bridge.json. */
function bridgeDeclarations() {
  return bridge
    .map(({ name, kind, parameters, returns, fields: list, extends: bases, of }) => {
      switch (kind) {
        case "function": {
          const of = parameters.map((p) => `${p.name}${p.optional ? "?" : ""}: ${p.type}`);
          return `export declare function ${name}(${of.join(", ")}): ${returns};`;
        }
        case "interface":
          return `export interface ${name}${bases ? ` extends ${bases.join(", ")}` : ""} ${fields(list)}`;
        case "object type":
          return `export type ${name} = ${fields(list)};`;
        case "union": {
          const members = of.map((member) => (Array.isArray(member) ? fields(member) : member));
          return `export type ${name} = ${members.join(" | ")};`;
        }
        default:
          throw new Error(`${name} is of an unknown kind: ${kind}`);
      }
    })
    .join("\n");
}

const TOOLS = `type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type IsAny<T> = 0 extends 1 & T ? true : false;
type IsOptional<T, K extends keyof T> = {} extends Pick<T, K> ? true : false;
`;

/** What the main entry types more exactly than apex-bridge does: errors of messages, diffs, and what it takes. */
const MORE_EXACT = new Set([
  ...["UserMessage", "AssistantMessage", "MessageInfo", "WithParts", "RetryPart", "Part"],
  ...["CreateTextPartOptions", "CreateRetryPartOptions", "CreateUserMessageOptions"],
  ...["createTextPart", "createRetryPart", "createUserMessage", "createAssistantMessage"],
  "toModelMessage",
]);

/** For each of the 80 names: it is not \`any\`, and the types of apex-bridge and of the package are mutually assignable. */
function bridgeChecks(from, names = bridge) {
  const lines = names.flatMap(({ name, kind, fields: list = [] }) => {
    const [ours, theirs] =
      kind === "function" ? [`typeof P.${name}`, `typeof B.${name}`] : [`P.${name}`, `B.${name}`];
    const lines = [
      `export const ${name}_fits: [Same<${ours}, ${theirs}>, IsAny<${ours}>] = [true, false];`,
      ...list.map(({ field, optional = false }) => {
        const [our, their] = [`${ours}["${field}"]`, `${theirs}["${field}"]`];
        return `export const ${name}_${field}: [Same<${our}, ${their}>, IsAny<${our}>, IsOptional<${ours}, "${field}">] = [true, false, ${optional}];`;
      }),
    ];
    if (kind === "function") {
      lines.push(`export const ${name}_ours: ${ours} = undefined as unknown as ${theirs};`);
      lines.push(`export const ${name}_theirs: ${theirs} = undefined as unknown as ${ours};`);
    } else {
      lines.push(`export function ${name}_both(a: ${ours}, b: ${theirs}): void { a = b; b = a; }`);
    }
    return lines;
  });
  return `import * as P from "${from}";\nimport * as B from "./bridge.js";\n${TOOLS}${lines.join("\n")}\n`;
}

/** What programs were promised: these names, in these types or better ones. */
const CONTRACT = readFileSync(at("tests", "fixtures", "api.d.ts"), "utf8");

/** The names that it exports. */
function contractNames() {
  const EXPORT = /^export (default function|function|namespace|interface|type|class|const) (\w+)/gm;
  return [...CONTRACT.matchAll(EXPORT)].map(([, kind, name]) => ({ kind, name }));
}

/** For each of them: the type of the package is assignable to that of the contract. */
function contractChecks(names) {
  const lines = names.flatMap(({ kind, name }) => {
    if (["interface", "type"].includes(kind)) {
      return [
        `export const ${name}_any: IsAny<P.${name}> = false;`,
        `export function ${name}_is(ours: P.${name}): C.${name} { return ours; }`,
        // Values of the contract's types are accepted too. Except errors, which programs do not create,
        // and whose details have more exact types here.
        ...(name === "ApexPartsError"
          ? []
          : [`export function ${name}_takes(theirs: C.${name}): P.${name} { return theirs; }`]),
      ];
    }
    const member = kind === "default function" ? "default" : name;
    return [
      `export const ${name}_any: IsAny<typeof P.${member}> = false;`,
      `export const ${name}_is: typeof C.${member} = P.${member};`,
    ];
  });
  return `import * as P from "apex-parts";\nimport * as C from "./contract.js";\n${TOOLS}${lines.join("\n")}\n`;
}

/** Relative imports have the extension of their file. */
const ending = (text, js) => text.replace(/(from "\.\/[\w-]+)\.js"/g, `$1.${js}"`);

const sources = () => ({
  bridge: bridgeDeclarations(),
  "bridge-main": bridgeChecks(
    "apex-parts",
    bridge.filter(({ name }) => !MORE_EXACT.has(name)),
  ),
  "bridge-subpath": bridgeChecks("apex-parts/apex-bridge"),
  program: source("program.ts"),
  slim: source("slim.ts"),
  core: source("core.ts"),
  builtins: source("builtins.ts"),
  "skills-mcp": source("skills-mcp.ts"),
  errors: source("errors.ts"),
  "message-errors": source("message-errors.ts"),
  events: source("events.ts"),
  "tool-arguments": source("tool-arguments.ts"),
  store: source("store.ts"),
  // Code for the small module also compiles with the full one.
  "core-full": source("core.ts")
    .replaceAll('"apex-parts/core', '"apex-parts')
    .replaceAll("apex_parts_core_bg", "apex_parts_bg"),
  "core-not": source("core-not.ts"),
  reexport: source("reexport.ts"),
  "reexport-use": source("reexport-use.ts"),
  "reexport-not": source("reexport-not.ts"),
  "contract-check": contractChecks(contractNames()),
});

const COMMON = {
  strict: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: false,
  noEmit: true,
  types: [],
  lib: ["ES2020"],
  target: "ES2020",
};

/** Module resolution → compiler options and the extension of the program's files. */
const MODES = {
  node10: { options: { module: "commonjs", moduleResolution: "node10" }, endings: [["ts", "js"]] },
  nodenext: {
    options: { module: "nodenext", moduleResolution: "nodenext" },
    endings: [
      ["mts", "mjs"],
      ["cts", "cjs"],
    ],
  },
  bundler: { options: { module: "esnext", moduleResolution: "bundler" }, endings: [["ts", "js"]] },
};
const COMPILERS = { "TypeScript 5.9": "typescript", "TypeScript 7": "typescript7" };

let folder;
before(async () => {
  folder = await consumer("types");
  for (const [mode, { options, endings }] of Object.entries(MODES)) {
    const contents = {
      "tsconfig.json": JSON.stringify({ compilerOptions: { ...COMMON, ...options } }),
    };
    for (const [ts, js] of endings) {
      for (const [name, text] of Object.entries(sources()))
        contents[`${name}.${ts}`] = ending(text, js);
      contents[`contract.d.${ts}`] = CONTRACT;
    }
    write(
      folder,
      Object.fromEntries(Object.entries(contents).map(([n, t]) => [`${mode}/${n}`, t])),
    );
    write(folder, {
      [`${mode}-page/tsconfig.json`]: JSON.stringify({
        compilerOptions: {
          ...COMMON,
          ...options,
          lib: [...COMMON.lib, "DOM"],
          // The DOM's own types are checked once: that takes half of the time.
          skipDefaultLibCheck: mode !== "bundler",
        },
      }),
      ...Object.fromEntries(
        endings.map(([ts]) => [`${mode}-page/element.${ts}`, source("element.ts")]),
      ),
    });
  }
});

/** Compiles a project and returns the output of the compiler; "" if there are no errors. */
async function compile(compiler, project) {
  try {
    return await run(
      process.execPath,
      [tool(compiler, "tsc"), "--pretty", "false", "-p", project],
      {
        quiet: true,
        cwd: folder,
      },
    );
  } catch (error) {
    return error.message;
  }
}

/** The example of docs/parts.md: a declaration of a module, which no function of a program can hold. */
const [ofDocs] = page("docs/parts.md").blocks.filter(({ marker }) => marker === "run by");

for (const [title, compiler] of Object.entries(COMPILERS)) {
  for (const [mode, { options, endings }] of Object.entries(MODES)) {
    if (mode === "node10" && compiler === "typescript7") continue;
    test(`a program adds types to Part, for every entry that has it (${title}, ${mode})`, async () => {
      const project = `custom-parts-${compiler}-${mode}`;
      // One at a time: each adds to the module that it imports.
      for (const [ts] of endings) {
        write(folder, {
          [`${project}/${ts}/custom-parts.${ts}`]: source("custom-parts.ts"),
          [`${project}/${ts}/of-the-docs.${ts}`]: ofDocs.text,
          [`${project}/${ts}/tsconfig.json`]: JSON.stringify({
            compilerOptions: { ...COMMON, ...options },
          }),
        });
        assert.equal(await compile(compiler, `${project}/${ts}`), "");
      }
    });
  }
}

test("the facts about apex-bridge are complete: 80 names, 29 functions", () => {
  assert.equal(bridge.length, 80);
  assert.equal(new Set(bridge.map(({ name }) => name)).size, 80);
  assert.equal(bridge.filter(({ kind }) => kind === "function").length, 29);
});

test("every name of the contract is checked", () => {
  const names = contractNames().map(({ name }) => name);
  for (const name of [
    "init",
    "Part",
    "PartFactory",
    "ToolStateTransition",
    "DeltaAssembler",
    "MessageDelta",
    "checkRun",
    "DoomLoopDetector",
    "DEFAULT_DOOM_LOOP_CONFIG",
    "LoopKind",
    "findLoops",
    "UIPart",
    "setLogger",
  ]) {
    assert.ok(names.includes(name), `${name} is found`);
  }
  assert.ok(names.includes("ReActRecorder"));
});

for (const [title, compiler] of Object.entries(COMPILERS)) {
  describe(title, { concurrency: 2 }, () => {
    for (const mode of Object.keys(MODES)) {
      if (mode === "node10" && compiler === "typescript7") {
        test("has no moduleResolution node10 any more, so there is nothing to check", async () => {
          assert.match(await compile(compiler, "node10"), /TS5108.*node10.*has been removed/);
        });
        continue;
      }
      test(`a strict program that uses every name compiles under ${mode}`, async () => {
        assert.equal(await compile(compiler, mode), "");
      });
      test(`a page that imports ./viewer knows the element under ${mode}`, async () => {
        assert.equal(await compile(compiler, `${mode}-page`), "");
      });
    }
  });
}

test("a project without the types does not compile: the negative checks are effective", async () => {
  // The same program without the package's declarations.
  const contents = {
    "untyped/program.ts": source("program.ts"),
    "untyped/any.d.ts": 'declare module "apex-parts";',
    "untyped/tsconfig.json": JSON.stringify({
      compilerOptions: { ...COMMON, ...MODES.bundler.options, paths: { "apex-parts": ["./none"] } },
    }),
  };
  write(folder, contents);
  const printed = await compile("typescript7", "untyped");
  const unused = printed.match(/TS2578: Unused '@ts-expect-error' directive/g) ?? [];
  assert.ok(unused.length > 10, `${unused.length} of the negative checks noticed:\n${printed}`);
});

for (const [title, compiler] of Object.entries(COMPILERS)) {
  test(`the AI SDK accepts the result of toModelMessage, and functions can be re-declared (${title})`, async () => {
    const project = `ai-${compiler}`;
    write(folder, {
      [`${project}/ai.mts`]: source("ai.ts"),
      [`${project}/tsconfig.json`]: JSON.stringify({
        // The SDK's own declarations are not tested.
        compilerOptions: {
          ...COMMON,
          ...MODES.nodenext.options,
          lib: ["ES2022", "DOM", "DOM.AsyncIterable"],
          skipLibCheck: true,
          noEmit: false,
          declaration: true,
          outDir: "out",
        },
      }),
    });
    assert.equal(await compile(compiler, project), "");
  });
}

for (const [title, compiler, options] of [
  ["moduleResolution node10", "typescript", MODES.node10.options],
  ["nodenext", "typescript", MODES.nodenext.options],
  ["nodenext, TypeScript 7", "typescript7", MODES.nodenext.options],
]) {
  test(`a CommonJS file with \`export * from "apex-parts/apex-bridge"\` together with its own types compiles and runs (${title})`, async () => {
    const project = `reexport-${compiler}-${options.moduleResolution}`;
    write(folder, {
      [`${project}/reexport.ts`]: source("reexport.ts"),
      [`${project}/use.ts`]: source("reexport-use.ts"),
      [`${project}/tsconfig.json`]: JSON.stringify({
        compilerOptions: { ...COMMON, ...options, noEmit: false, outDir: "out", rootDir: "." },
      }),
    });
    assert.equal(await compile(compiler, project), "");
    const emitted = readFileSync(`${folder}/${project}/out/reexport.js`, "utf8");
    assert.match(emitted, /require\("apex-parts\/apex-bridge"\)/, "it is CommonJS");
    assert.deepEqual(await node(folder, `${project}/out/use.js`), ["ses_1: first", "hello", "out"]);
  });
}
