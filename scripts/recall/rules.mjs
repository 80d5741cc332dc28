// The rules of Nosey Parker and of Kingfisher: an expression, and examples of texts with a secret in them.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/** Where a checkout has its rules. */
const LISTS = {
  "Nosey Parker": ["crates", "noseyparker", "data", "default", "builtin", "rules"],
  Kingfisher: ["data", "rules"],
};

const CLASSES = { alnum: "0-9A-Za-z", alpha: "A-Za-z", digit: "0-9", xdigit: "0-9A-Fa-f" };

/** An expression as Rust writes it, in verbose mode or not, as one of JavaScript; none if it cannot be. */
export function toRegExp(expression) {
  const text = expression.trim();
  const flags = [...text.matchAll(/\(\?([imsux]+)\)/gu)].map(([, letters]) => letters).join("");
  const isVerbose = flags.includes("x");
  const isAnyCase = flags.includes("i") || text.includes("(?i:");
  let out = "";
  let inSet = false;
  for (let at = 0; at < text.length; at++) {
    const rest = text.slice(at);
    const [flag] = /^\(\?(?:[imsux]+|#[^)]*)\)/u.exec(rest) ?? [];
    const [named] = /^\[:(\w+):\]/u.exec(rest)?.slice(1) ?? [];
    if (rest[0] === "\\") {
      out += rest.startsWith("\\A") ? "^" : rest.startsWith("\\z") ? "$" : rest.slice(0, 2);
      at++;
    } else if (flag && !inSet) at += flag.length - 1;
    else if (named && inSet) {
      out += CLASSES[named];
      at += named.length + 3;
    } else if (isVerbose && /\s/u.test(rest[0])) continue;
    else if (isVerbose && rest[0] === "#" && !inSet) at += rest.search(/\n|$/u);
    else {
      if (rest[0] === "[") inSet = true;
      if (rest[0] === "]") inSet = false;
      out += rest[0];
    }
  }
  out = out.replaceAll("(?P<", "(?<").replaceAll(/\(\?-?[is]+:/gu, "(?:");
  try {
    return new RegExp(
      out,
      `gd${isAnyCase ? "i" : ""}${flags.replaceAll(/[^sm]/gu, "").replaceAll(/(.)\1+/gu, "$1")}`,
    );
  } catch {
    return undefined;
  }
}

/** What a rule takes for the secret in a text: the places of its groups, or of all that it matches. */
export function secretsIn(text, regExp) {
  const matches = regExp ? [...text.matchAll(regExp)] : [];
  const groups = matches.flatMap(({ indices }) => {
    const named = indices.slice(1).filter((place) => place && place[1] > place[0]);
    return named.length > 0 ? named : [indices[0]];
  });
  return groups.length > 0 ? groups : [[0, text.length]];
}

/** The rules of a checkout, and which list, commit and date it is. */
export function listIn(folder) {
  const [name, path] =
    Object.entries(LISTS).find(([, parts]) => existsSync(join(folder, ...parts))) ?? [];
  if (!name) throw new Error(`${folder} is no checkout of ${Object.keys(LISTS).join(" or ")}`);
  const rules = readdirSync(join(folder, ...path))
    .filter((file) => file.endsWith(".yml"))
    .flatMap((file) => parse(readFileSync(join(folder, ...path, file), "utf8"))?.rules ?? [])
    .map(({ id, name, pattern, categories, examples, negative_examples: others }) => {
      const texts = (list) => (list ?? []).map(String);
      return { id, name, pattern, categories, examples: texts(examples), others: texts(others) };
    });
  const git = ["-C", folder, "log", "-1", "--format=%H %cs"];
  const [commit, date] = execFileSync("git", git, { encoding: "utf8" }).trim().split(" ");
  return { name, commit, date, rules };
}

/** Does an expression ask for a name near the value: `heroku(?:.|[\n\r]){0,32}?…`? */
export const isBeside = (expression) => /\(\?:\.\|\[\\+n\\+r\]\)\{\d+,\d+\}/u.test(expression);
