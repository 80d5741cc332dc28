// What an editor shows of the declarations, as TypeScript's language service gives it; and that no type of them is `any`.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import ts from "typescript";
import { at } from "./helper.mjs";

const OPTIONS = {
  strict: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts"],
  types: [],
  noEmit: true,
};

/** A program of one file in the folder of this package, whose entries it imports by their names. */
function program(text) {
  const path = at("hovers.mts");
  const host = {
    ...ts.createCompilerHost(OPTIONS),
    getCompilationSettings: () => OPTIONS,
    getScriptFileNames: () => [path],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const source = name === path ? text : ts.sys.readFile(name);
      return source === undefined ? undefined : ts.ScriptSnapshot.fromString(source);
    },
    getCurrentDirectory: () => at("."),
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: (name) => name === path || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  const service = ts.createLanguageService(host);
  return {
    errors: () =>
      service
        .getSemanticDiagnostics(path)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
    /** The hover over the last name in a piece of the text. */
    hover(piece) {
      const place = text.indexOf(piece);
      assert.ok(place >= 0, `${piece} is in the program`);
      const info = service.getQuickInfoAtPosition(path, place + piece.length - 1);
      return ts.displayPartsToString(info?.displayParts);
    },
  };
}

const TEXT = `import { DEFAULT_DOOM_LOOP_CONFIG, isApexPartsError, type Part, ReActRecorder, Redactor, Tool } from "apex-parts";
export const read = Tool.define("read", {
  description: "Reads a file",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", description: "The path of the file" },
      lines: { type: ["integer", "null"] },
      mode: { enum: ["text", "hex"] },
    },
    required: ["path"],
  },
  execute: async (args) => args.path + args.mode,
});
export const define = Tool.define;
interface Library {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown): unknown;
    readonly types?: { readonly input: unknown; readonly output: { city: string } };
  };
}
const library = {} as Library;
export const weather = Tool.define("weather", {
  description: "",
  parameters: library,
  execute: ({ city }) => city,
});
export const part = {} as Part;
export const [event] = new ReActRecorder({ sessionID: "s", messageID: "m" }).takeEvents();
export const masked = new Redactor().redact([1]);
export const settings = DEFAULT_DOOM_LOOP_CONFIG;
export const error = {} as unknown;
if (isApexPartsError(error)) error.name;
`;

describe("a hover", () => {
  const editor = program(TEXT);

  test("is of a program that compiles", () => {
    assert.deepEqual(editor.errors(), []);
  });

  for (const [piece, wanted] of [
    ["define = Tool.define", /define<const S extends Tool\.Parameters>\(/],
    [
      "weather = Tool.define",
      /definition: Tool\.Source<Library>\): Tool\.Info<Library, Tool\.Metadata>$/,
    ],
    ["const weather", /: Tool\.Info<Library, Tool\.Metadata>$/],
    ["execute: async (args", /path: string;\n[\s\S]*lines\?: number \| null/],
  ]) {
    test(`over ${piece} has fewer than ten lines, and names its types`, () => {
      const shown = editor.hover(piece);
      assert.match(shown, wanted);
      assert.ok(shown.split("\n").length < 10, shown);
    });
  }

  test("shows types by their names, not what they are made of", () => {
    for (const [piece, wanted] of [
      ["const part", /: Part$/],
      ["const [event", /: StreamEvent$/],
      ["const masked", /: number\[\]$/],
    ]) {
      const shown = editor.hover(piece);
      assert.match(shown, wanted, piece);
      assert.ok(shown.split("\n").length < 15, shown);
    }
  });
});

/** Where `any` stands and why: what is not the package's to say. */
const ALLOWED = [
  // The AI SDK requires JSON values there, and apex-bridge has unknown ones: only `any` is assignable to and from both.
  ["index", /^\| \{ type: .*[pP]roviderMetadata\?: Record<string, any>/],
];

describe("the declarations", () => {
  const folder = at("pkg");
  const names = readdirSync(folder).filter((name) => /\.d\.c?ts$/.test(name));

  test("are those of every entry", () => assert.ok(names.length >= 20, names.join()));

  for (const name of names) {
    test(`of ${name} contain no any`, () => {
      const text = readFileSync(join(folder, name), "utf8");
      const file = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
      const found = [];
      const visit = (node) => {
        if (node.kind === ts.SyntaxKind.AnyKeyword) {
          const { line } = file.getLineAndCharacterOfPosition(node.getStart());
          const shown = text.split("\n")[line].trim();
          const [entry] = name.split(".");
          const isAllowed = ALLOWED.some(([where, what]) => where === entry && what.test(shown));
          if (!isAllowed) found.push(`${line + 1}: ${shown}`);
        }
        // What has no type is any, too: a parameter, a property, a result.
        const isUntyped =
          (ts.isParameter(node) ||
            ts.isPropertySignature(node) ||
            ts.isPropertyDeclaration(node) ||
            ts.isMethodSignature(node) ||
            ts.isFunctionDeclaration(node)) &&
          node.type === undefined &&
          // A private member is of nobody's concern.
          !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
        if (isUntyped) found.push(`${node.getText()} has no type`);
        ts.forEachChild(node, visit);
      };
      visit(file);
      assert.deepEqual(found, []);
    });
  }
});
