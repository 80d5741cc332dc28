// The examples in the comments of declarations, as programs.
const IMPORT = /^import .* from ".*";$/gm;

/** The blocks of code after `@example` in a file of declarations, each with its line. */
export function examplesOf(file, text) {
  const blocks = text.matchAll(/^ *\* @example\n *\* ```ts\n([\s\S]*?)^ *\* ```$/gm);
  return [...blocks].map(({ 1: inside, index }) => ({
    file,
    line: text.slice(0, index).split("\n").length,
    code: inside.replace(/^ *\* ?/gm, ""),
  }));
}

/** What a comment shows, if it is a literal. */
function literal(text) {
  if (/[…]/.test(text)) return undefined;
  try {
    const value = new Function(`"use strict"; return (${text});`)();
    return value === undefined || typeof value === "function" ? undefined : text;
  } catch {
    return undefined;
  }
}

/**
 * The program of an example: names of `apex-parts` are imported, and the values that comments show are checked. What it
 * declares is its own.
 *
 * @param {{ code: string }} example
 * @param {string[]} names what `apex-parts` exports
 */
export function programOf({ code }, names) {
  const imports = code.match(IMPORT) ?? [];
  const body = code.replace(IMPORT, "").trim();
  const imported = new Set(imports.flatMap((line) => line.match(/\w+/g)));
  const used = names.filter(
    (name) => !imported.has(name) && new RegExp(`\\b${name}\\b`).test(body),
  );
  let checks = 0;
  const lines = body.split("\n").map((line) => {
    const [, indent, expression, comment] = /^( *)(\S.*); \/\/ (.+)$/.exec(line) ?? [];
    if (!expression || /^(?:const|let|for|if|return)\b/.test(expression)) return line;
    const wanted = literal(comment);
    if (wanted === undefined) return line;
    checks++;
    return `${indent}shown(${expression}, ${wanted});`;
  });
  const head = [
    'import { shown } from "../shown.mjs";',
    ...(used.length > 0 ? [`import { ${used.join(", ")} } from "apex-parts";`] : []),
    ...imports,
  ];
  return { text: `${head.join("\n")}\nvoid shown;\n${lines.join("\n")}\nexport {};\n`, checks };
}
