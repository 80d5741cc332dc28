// The blocks of a page as programs. Each block stands in a scope of its own inside that of the block before: it sees
// the names of the page so far, and may use one of them again for something else.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const IMPORT =
  /^(?:import\b[^;]*?from\s+"[^"]+";|import\s+"[^"]+";|export \* from "[^"]+";)(?: *\/\/.*)?$/gm;

/** The names that an import declares, each with what it stands for. */
function importedNames(statement) {
  const from = /(?:from|import)\s+"([^"]+)";/.exec(statement)[1];
  const clause = /^import\s+(?:type\s+)?([\s\S]*?)\s+from/.exec(statement)?.[1] ?? "";
  const [, usual, , star, list] =
    /^(\w+)?(,\s*)?(?:\*\s+as\s+(\w+))?(?:\{([\s\S]*)\})?$/.exec(clause) ?? [];
  const names = (list ?? "").split(",").map((name) => name.trim().replace(/^type /, ""));
  return [
    ...(usual ? [[usual, `import ${usual} from "${from}";`]] : []),
    ...(star ? [[star, `import * as ${star} from "${from}";`]] : []),
    ...names
      .filter(Boolean)
      .map((name) => [name.split(/\s+as\s+/).at(-1), `import { ${name} } from "${from}";`]),
  ];
}

/** `value; // 3: why` and `console.log(value); // 3` become checks of what the comment says. */
const SHOWN =
  /^(?!(?:const|let|var|return|throw|await|for|if|import|export|type)\b)([^\s/{}][^;]*); \/\/ ((?:-?\d[\d_.]*|"(?:[^"\\…]|\\.)*"|true|false|null|undefined|\[[^…]*\])(?=$|[:;,] | \())(.*)$/;
const PRINTED = /^((?:if \([^;]*\) )?console\.log\([^;]*\)); \/\/ ([^…]+)$/;

function checked(line) {
  const printed = PRINTED.exec(line.trim());
  if (printed) return `${printed[1]}; printed(${JSON.stringify(printed[2])});`;
  const shown = SHOWN.exec(line);
  return shown ? `shown(${shown[1]}, ${shown[2]});` : line;
}

/** The programs of a page: one, unless blocks import the same name from different modules, or are not run. */
export function programs({ name, blocks }, preambles) {
  const stem = name.replace(/\.md$/, "").replaceAll("/", "-");
  const file = join(preambles, `${stem}.mts`);
  const preamble = existsSync(file) ? readFileSync(file, "utf8") : "";
  const made = [];
  let current;
  const begin = () => {
    const empty = { names: new Map(), imports: new Map(), body: [], open: [], runs: true };
    current = { ...empty, stem: `${stem}-${made.length}` };
    made.push(current);
    add(preamble, `preambles/${stem}.mts`, 1);
  };
  /** Takes the imports of a text, and returns the rest line by line, with where each line stands. */
  const add = (text, page, line) => {
    const statements = [...text.matchAll(IMPORT)];
    for (const { 0: statement, index } of statements) {
      const place = `${page}:${line + text.slice(0, index).split("\n").length - 1}`;
      const names = importedNames(statement);
      const codes = names.length > 0 ? names.map(([, code]) => code) : [statement];
      for (const code of codes) if (!current.imports.has(code)) current.imports.set(code, place);
      for (const [as, code] of names) current.names.set(as, code);
    }
    const rest = text.replace(IMPORT, (statement) => statement.replaceAll(/[^\n]/g, ""));
    for (const [index, code] of rest.split("\n").entries())
      current.body.push({ code, place: `${page}:${line + index}` });
  };
  begin();
  for (const { text, page, line, marker } of blocks) {
    const names = [...text.matchAll(IMPORT)].flatMap(([statement]) => importedNames(statement));
    const before = current;
    if (marker || names.some(([as, what]) => (current.names.get(as) ?? what) !== what)) begin();
    current.runs = !marker;
    current.body.push({ code: "{", place: `${page}:${line}` });
    current.open.push("}");
    add(text.split("\n").map(checked).join("\n"), page, line);
    if (marker) current = before;
  }
  return made.map(({ stem, runs, imports, body, open }) => {
    const lines = [
      { code: 'import { printed, shown } from "../shown.mjs";', place: "" },
      ...[...imports].map(([code, place]) => ({ code, place })),
      ...body,
      { code: open.join(""), place: "" },
      // Connections and servers of the page keep no test waiting.
      {
        code: "await new Promise(setImmediate); void [printed, shown]; process.exit();",
        place: "",
      },
    ];
    const text = lines.map(({ code }) => code).join("\n");
    return { stem, runs, text, places: lines.map(({ place }) => place) };
  });
}
