// The commands of the documentation's shell blocks: whether what they name exists.
import { existsSync, readFileSync } from "node:fs";
import { at } from "../../../scripts/lib.mjs";

/** Commands of others, whose options are not checked. */
const OTHERS = new Set([
  "cargo",
  "cd",
  "curl",
  "docker",
  "export",
  "generate",
  "git",
  "npm",
  "npx",
  "opencode",
  "rustup",
  "wasm-pack",
]);

/** The words of a command line; quotes hold words together. */
const words = (command) =>
  [...command.matchAll(/'[^']*'|"[^"]*"|[^\s'"]+/g)].map(([word]) =>
    word.replace(/^['"]|['"]$/g, ""),
  );

/** The commands of a block, each with its line: comments, pipes, lists and redirections are taken apart. */
export function commands({ text, line }) {
  return text.split("\n").flatMap((source, index) => {
    const code = source.replace(/^\$ /, "").replace(/(^|\s)#.*$/, "");
    const parts = code.match(/(?:'[^']*'|"[^"]*"|[^'"|&;])+/g) ?? [];
    return parts
      .map((part) => ({ words: words(part.replace(/\s>.*$/, "")), line: line + index }))
      .filter(({ words }) => words.length > 0);
  });
}

const isFlag = (word) => /^--?[a-zA-Z]/.test(word);

/** What is wrong with an `apex-parts` command, by its help. */
function wrongOfOurs([subcommand, ...rest], help) {
  // Without one it is the viewer.
  if (subcommand === undefined) return [];
  if (subcommand?.startsWith("--")) return help.includes(subcommand) ? [] : [subcommand];
  const usage = new RegExp(`^  apex-parts ${subcommand}\\b`, "m");
  if (!usage.test(help)) return [`no command ${subcommand}`];
  const known = new Set(help.match(/(?<![\w-])--?[a-z][\w-]*/g));
  return rest.filter((word) => isFlag(word) && !known.has(word.split("=")[0]));
}

/** What is wrong with a command; an empty array if it is right. */
export function wrong(given, { help, scripts }) {
  const all = given.filter((word, index) => index > 0 || !/^\w+=/.test(word));
  const [command, ...args] = all.slice(all.findIndex((word) => !/^[A-Z_]+=/.test(word)));
  const [first] = args;
  if (command === "apex-parts") return wrongOfOurs(args, help);
  if (command === "npx" && first === "apex-parts") return wrongOfOurs(args.slice(1), help);
  if (command === "node") {
    const script = args.find((word) => !isFlag(word));
    if (!script?.includes("/")) return [];
    if (!existsSync(at(script))) return [`no file ${script}`];
    const source = readFileSync(at(script), "utf8");
    const flags = args.slice(args.indexOf(script) + 1).filter((word) => word.startsWith("--"));
    const named = (flag) =>
      source.includes(flag) || new RegExp(`\\b${flag.slice(2)}\\b`).test(source);
    return flags.filter((flag) => !named(flag));
  }
  if (command === "npm") {
    const script = first === "run" ? args[1] : first;
    const own = ["ci", "exec", "i", "init", "install", "pack", "publish"];
    return own.includes(script) || script in scripts ? [] : [`no script ${script}`];
  }
  return OTHERS.has(command) ? [] : [`unknown command ${command}`];
}
