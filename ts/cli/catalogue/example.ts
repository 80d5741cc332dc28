// The examples of rules as programs: their source, and the values that they begin with.
import { inspect } from "node:util";
import type { Rule } from "./rule.ts";
import * as given from "./values.ts";

const VALUES: Record<string, unknown> = { ...given };

/** The parameter of an example, and what follows it. */
const HEAD = /^(?:async )?\(\{ ?([^}]*?),? ?\}\) =>\s*/;

/** The text without the indentation that all its lines have; of the first line only if it is one of them. */
function outdented(text: string, hasFirst: boolean): string {
  const lines = text.trimEnd().split("\n");
  const rest = hasFirst ? lines : lines.slice(1);
  const indents = rest.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const least = indents.length === 0 ? 0 : Math.min(...indents);
  return lines
    .map((line, i) => (i > 0 || hasFirst ? line.slice(least) : line))
    .join("\n")
    .trim();
}

/** The statements of an example: its body, without `return`. */
function statements(source: string): string {
  const body = source.replace(HEAD, "");
  if (!body.startsWith("{")) return `${outdented(body, false)};`;
  return outdented(body.slice(1, -1).replace(/^\n/, ""), true).replace(/^return /gm, "");
}

const uses = (source: string, name: string) =>
  new RegExp(`(?<![\\w"'\`]|(?<!\\.\\.)\\.)${name}\\b(?!:)`).test(source);

/** The declaration of a value. */
const declaration = (name: string) => {
  const value = VALUES[name];
  if (typeof value !== "function") {
    // No string of them has a quote.
    const text = inspect(value, { depth: 9, breakLength: 90 })
      .replaceAll("'", '"')
      .replace(/(?<![{[,])(?=\n *[}\]])/g, ",");
    return `const ${name} = ${text};`;
  }
  const source = outdented(value.toString(), false);
  return source.includes("function") ? source : `const ${name} = ${source};`;
};

/** The declarations of the values that a text uses, each behind those that it uses itself. */
function declared(source: string, found = new Map<string, string>()): Map<string, string> {
  for (const name of Object.keys(VALUES)) {
    if (found.has(name) || !uses(source, name)) continue;
    const own = declaration(name);
    if (typeof VALUES[name] === "function") declared(own.replace(name, ""), found);
    found.set(name, own);
  }
  return found;
}

/** The example of a rule as a program; undefined if it has none. */
export function exampleOf({ example, from = "apex-parts" }: Rule): string | undefined {
  if (example === undefined) return undefined;
  const source = example.toString();
  const [head = "", imports = ""] = HEAD.exec(source) ?? [];
  const values = [...declared(source.slice(head.length)).values()];
  const imported = `import { ${imports.trim()} } from "${from}";`;
  return [imported, values.join("\n"), statements(source)]
    .filter((text) => text !== "")
    .join("\n\n");
}
