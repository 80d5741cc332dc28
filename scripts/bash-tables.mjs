// The tables of bash that the shell reader goes by, taken from a real bash 5.2: which of its variables it evaluates
// when they are set, which are arrays, which builtins there are. `npm run bash-tables [BASH]` writes them into
// crates/shell/src/shell/bash_tables.rs.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FILE = new URL("../crates/shell/src/shell/bash_tables.rs", import.meta.url);
/** What makes bash set its variables, and what shows them all. */
const STATES = [
  "declare -p",
  "[[ abc =~ (b) ]]; declare -p",
  "mapfile <<< x; declare -p",
  "coproc { :; }; declare -p; wait",
  "f() { declare -p; }; f 1",
  "f() { declare -p; COMPREPLY=(x); declare -p COMPREPLY; }; compgen -F f x",
  "getopts a o_ -a; read -r <<< x; select s_ in a; do break; done <<< 1; declare -p",
];

/**
 * Every way to set a variable: texts of bash that give NAME the value that the word `value` expands to. Words that are
 * in no quotes, as lists, must have no blanks in them.
 */
export const WAYS = {
  "=": (name, value) => `${name}=${value}`,
  "+=": (name, value) => `${name}+=${value}`,
  "=( )": (name, value) => `${name}=(${value})`,
  "[ ]=": (name, value) => `${name}[0]=${value}`,
  for: (name, value) => `for ${name} in ${value}; do :; done`,
  select: (name, value) => `select ${name} in ${value}; do break; done <<< 1`,
  read: (name, value) => `read -r ${name} <<< ${value}`,
  "read -a": (name, value) => `read -r -a ${name} <<< ${value}`,
  "printf -v": (name, value) => `printf -v ${name} %s ${value}`,
  mapfile: (name, value) => `mapfile -t ${name} <<< ${value}`,
  readarray: (name, value) => `readarray -t ${name} <<< ${value}`,
  getopts: (name, value) => `OPTIND=1; getopts :x ${name} ${value}`,
  export: (name, value) => `export ${name}=${value}`,
  declare: (name, value) => `declare ${name}=${value}`,
  "declare -g": (name, value) => `declare -g ${name}=${value}`,
  typeset: (name, value) => `typeset ${name}=${value}`,
  local: (name, value) => `f() { local ${name}=${value}; }; f`,
  readonly: (name, value) => `readonly ${name}=${value}`,
  nameref: (name, value) => `declare -n r_=${name}; r_=${value}`,
  ":=": (name, value) => `unset ${name}; : \${${name}:=${value}}`,
  "before a command": (name, value) => `${name}=${value} :`,
};
/** Values that leave a mark where they are evaluated as arithmetic, or as the elements of an array. */
const VALUES = {
  number: (mark) => `'a[$(>${mark})0]'`,
  words: (mark) => `'($(>${mark}))'`,
};

function run(bash, folder, text) {
  const env = { PATH: process.env.PATH, HOME: folder };
  const options = { cwd: folder, env, encoding: "utf8", input: "" };
  const { error, stdout } = spawnSync(bash, ["--norc", "--noprofile", "-c", text], options);
  if (error) throw error;
  return stdout;
}

/** The attributes of each variable in any state; "" for one that only has a name. */
function attributesIn(bash, folder) {
  const attributes = new Map();
  for (const name of run(bash, folder, "compgen -A variable").split("\n")) {
    if (name !== "") attributes.set(name, "");
  }
  for (const state of STATES) {
    for (const [, letters, name] of run(bash, folder, state).matchAll(/^declare -(\S+) (\w+)/gmu)) {
      if (name !== "o_" && name !== "s_")
        attributes.set(name, (attributes.get(name) ?? "") + letters);
    }
  }
  return attributes;
}

/** What bash itself says, in a throw-away folder: which variables it evaluates, its arrays, its builtins, all its names. */
export function measuredTables(bash = "bash") {
  const folder = mkdtempSync(join(tmpdir(), "bash tables "));
  try {
    const attributes = attributesIn(bash, folder);
    const numbers = new Set();
    const arrays = new Set();
    for (const [name, letters] of attributes) {
      if (letters.includes("i")) numbers.add(name);
      if (/[aA]/u.test(letters)) arrays.add(name);
      const texts = Object.values(WAYS).flatMap((way, at) =>
        Object.entries(VALUES).map(([kind, value]) => `( ${way(name, value(`${kind}.${at}`))} )`),
      );
      // Each in a shell of its own; a variable that is read shows what was put off.
      run(bash, folder, texts.map((text) => `${text.slice(0, -1)}; : "\${${name}}" )`).join("\n"));
      for (const mark of readdirSync(folder)) {
        (mark.startsWith("number") ? numbers : arrays).add(name);
        rmSync(join(folder, mark));
      }
    }
    const builtins = run(bash, folder, "enable -a").match(/(?<=^enable )\S+/gmu) ?? [];
    return {
      version: run(bash, folder, 'printf %s "$BASH_VERSION"'),
      numbers: [...numbers].sort(),
      arrays: [...arrays].sort(),
      builtins: [...builtins].sort(),
      names: [...attributes.keys()].sort(),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const CONSTANTS = {
  numbers: ["NUMBERS", "Variables of which bash evaluates what they get, as arithmetic."],
  arrays: [
    "ARRAYS",
    "Arrays of bash: of what `declare` gives them, a text in parentheses is read as elements.",
  ],
  builtins: ["BUILTINS", "The builtins."],
};

/** A list as a constant of Rust, in lines of at most 115 characters. */
function constant(name, words) {
  const lines = [`pub(super) const ${name}: &str = "`];
  for (const word of words) {
    if (lines.at(-1).length + word.length > 112) lines.push("");
    lines.push(`${lines.pop()}${word} `);
  }
  return `${lines.join("\\\n").trimEnd()}";`;
}

/** The tables as the source has them. */
export function writtenTables() {
  const source = readFileSync(FILE, "utf8").replaceAll("\\\n", "");
  const list = (name) => source.match(new RegExp(`${name}: &str = "([^"]*)"`, "u"))[1].split(" ");
  const tables = Object.entries(CONSTANTS).map(([key, [name]]) => [key, list(name)]);
  return { version: source.match(/bash (\S+), written/u)[1], ...Object.fromEntries(tables) };
}

function source(tables) {
  const parts = Object.entries(CONSTANTS).map(
    ([key, [name, doc]]) => `/// ${doc}\n${constant(name, tables[key])}\n`,
  );
  return `//! Tables of bash ${tables.version}, written by \`npm run bash-tables\`.\n\n${parts.join("\n")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tables = measuredTables(process.argv[2]);
  writeFileSync(FILE, source(tables));
  const counts = Object.keys(CONSTANTS).map((key) => `${tables[key].length} ${key}`);
  console.log(`bash ${tables.version}: ${counts.join(", ")}`);
}
