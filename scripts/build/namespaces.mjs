// The declarations of objects of functions, as namespaces. wasm-bindgen declares each function beside the object, under
// a name that nobody can import: an editor then shows none of the docs, and a reference has nothing to link to.

/** `export let Name: {` … `};`, with a line `method: typeof Name__method,` a method. */
const OBJECT = /^export let (\w+): \{\n((?: {4}\w+: typeof \w+,\n)+)\};\n/gm;
const METHOD = /^ {4}(\w+): typeof (\w+),$/gm;

/** A declaration with its comment; `name` is that beside the object. */
const declared = (name) =>
  new RegExp(
    `((?:^/\\*\\*\\n(?: \\*.*\\n)+)?)^declare (function|const) ${name}\\b(.*;)\\n\\n?`,
    "m",
  );

const indented = (text) => text.replace(/^(?=.)/gm, "    ");

/**
 * A file of declarations in which the objects of functions are namespaces.
 *
 * @param {string} text
 */
export function namespaced(text) {
  let rest = text;
  const objects = [...text.matchAll(OBJECT)];
  for (const [whole, name, methods] of objects) {
    const members = [];
    for (const [, method, beside] of methods.matchAll(METHOD)) {
      const match = declared(beside).exec(rest);
      if (!match) throw new Error(`${beside} is not declared`);
      const [declaration, comment, kind, signature] = match;
      rest = rest.replace(declaration, () => "");
      members.push(indented(`${comment}${kind} ${method}${signature}\n`));
    }
    rest = rest.replace(whole, () => `export namespace ${name} {\n${members.join("")}}\n`);
  }
  return rest;
}
