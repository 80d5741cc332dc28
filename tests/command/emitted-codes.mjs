// The codes that the sources can emit: rules of problems, codes and reasons and kinds of errors, kinds of loops.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { files } from "../../scripts/lib.mjs";
import { at } from "./command.mjs";

/** The sources without their tests and without the catalogue. */
function sources() {
  const all = files(at("src"), at("crates"), at("js"), at("ts")).filter((path) =>
    /\.(?:rs|mjs|js|ts)$/.test(path),
  );
  const own = all.filter((path) => !/catalogue|[\\/]tests?(?:\.rs|[\\/])/.test(path));
  return own.map((path) => ({ path, text: readFileSync(path, "utf8").split("#[cfg(test)]")[0] }));
}

/** Rules with a number, wherever they stand: comments say which rule a function is. */
const NUMBERED = /\b(?!SHA|ISO)[A-Z]{2}-\d{1,2}\b/g;
/** Other codes in a text that is an argument, or a part of one. */
const CODE = /"([a-z][a-z-]+)"/g;

/** The parts of a list of parameters or arguments, from behind its opening parenthesis. */
function listed(text, from) {
  const parts = [""];
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const one = text[at];
    if (one === '"') {
      const string = /"(?:[^"\\]|\\[\s\S])*"?/y;
      string.lastIndex = at;
      const [whole] = string.exec(text);
      parts[parts.length - 1] += whole;
      at += whole.length - 1;
      continue;
    }
    if ("([{".includes(one)) depth++;
    if (")]}".includes(one) && depth-- === 0) break;
    if (one === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += one;
  }
  return parts.map((part) => part.trim());
}

/** The functions of a Rust file with the arguments that are a rule: none, for most. */
function takers(text) {
  const found = new Map();
  for (const { 0: head, 1: name, index } of text.matchAll(/\bfn (\w+)(?:<[^(]*>)?\(/g)) {
    const parameters = listed(text, index + head.length);
    const own = parameters.filter((one) => !/^&?(?:'\w+ )?(?:mut )?self$/.test(one));
    const place = own.findIndex((one) => /^rule: &/.test(one));
    found.set(name, [...(found.get(name) ?? []), ...(place >= 0 ? [place] : [])]);
  }
  return found;
}

/** What is given as a rule to the functions of the Rust source. */
function givenRules(rust) {
  const own = rust.map(({ text }) => takers(text));
  const everywhere = new Map();
  for (const [name, places] of own.flatMap((one) => [...one])) {
    if (places.length === 0) continue;
    everywhere.set(name, [...(everywhere.get(name) ?? []), ...places]);
  }
  const found = new Set();
  for (const [index, { text }] of rust.entries()) {
    // A file's own function comes before others of its name.
    for (const [name, all] of everywhere) {
      const places = name === "new" ? all : (own[index].get(name) ?? all);
      // `new` is that of many: only those of what has a rule.
      const called = name === "new" ? "(?:Problem|Violation)::new" : name;
      for (const { 0: head, index: at } of text.matchAll(
        new RegExp(`(?<!fn )\\b${called}\\(`, "g"),
      )) {
        const given = listed(text, at + head.length);
        for (const place of new Set(places)) {
          if (!/^(?:"|if |match )/.test(given[place] ?? "")) continue;
          for (const [, code] of given[place].matchAll(CODE)) found.add(code);
        }
      }
    }
  }
  return found;
}

/** The names of the formats whose files are read into a `SessionLog`: a warning about a session has that code. */
function formatNames(rust) {
  const found = new Set();
  for (const { path, text } of rust) {
    for (const { 0: head, index } of text.matchAll(/\bSessionLog::new\(/g)) {
      const [given] = listed(text, index + head.length);
      // Messages of a run have no agent, and their reader reports these faults itself.
      if (given === '""') continue;
      assert.match(given, /^(?:"[a-z-]+"|(?:\w+::)?NAME)$/, path);
      const folder = rust.filter((file) => dirname(file.path) === dirname(path));
      const declared = folder.map((file) =>
        /\bconst NAME: &(?:'static )?str = "([a-z-]+)"/.exec(file.text),
      );
      const names = given.startsWith('"')
        ? [given.slice(1, -1)]
        : declared.flatMap((match) => match?.[1] ?? []);
      assert.equal(names.length, 1, `which name is ${given} in ${path}?`);
      found.add(names[0]);
    }
  }
  assert.ok(found.size > 0);
  return found;
}

/** Codes of unions of types, of classes of errors, and of what is made in JavaScript. */
function otherCodes(all) {
  const text = all.map((one) => one.text).join("\n");
  const found = new Set();
  const places = [
    /\bproblem\(\s*"(?:error|warning)",\s*"([a-z][a-z-]+)",/g,
    /\brule: "([a-z][a-z-]+)"/g,
    /const RULE: &str = "([a-z]+)"/g,
    // The rule and the message of a problem, as a pair.
    /(?<!\w)\("([a-z]+)", message\.to_owned\(\)\)/g,
    /\bLoopKind::\w+ => "([a-z_]+)"/g,
    /\bCallError\(\s*"([a-z]+)",/g,
    /\bMcpCallError\(\s*"([a-z]+)",/g,
    /\bRunStoreError\(\s*"([a-z_]+)",/g,
    /#told\([^;]*"([a-z]+)"\)/g,
    /\bkind = "([a-z]+)"/g,
    /#pushError\(\{ errorCode: "([a-z_]+)"/g,
  ];
  for (const place of places) for (const [, code] of text.matchAll(place)) found.add(code);
  const union = (file, declaration) => {
    const [, names] = declaration.exec(readFileSync(at(file), "utf8"));
    for (const [, code] of names.matchAll(/"(\w+)"/g)) found.add(code);
  };
  union("ts/store/types.ts", /type RunStoreErrorCode =([^;]*);/);
  union("ts/compaction/types.ts", /\breason: ([^;]*);/);
  union("ts/mcp/errors.ts", /\bkind: ("aborted"[^;]*);/);
  const classes = /(?:class (\w+) extends Error \{|classOf\("(\w+)"\))/g;
  const declared = [
    "ts/store/errors.ts",
    "ts/mcp/errors.ts",
    "ts/tools/error-types.ts",
    "src/wasm/errors.js",
  ];
  for (const file of declared) {
    for (const [, one, other] of readFileSync(at(file), "utf8").matchAll(classes)) {
      if (one ?? other) found.add(one ?? other);
    }
  }
  return found;
}

/** Every code that the sources can emit. */
export function emitted() {
  const all = sources();
  const rust = all.filter(({ path }) => path.endsWith(".rs"));
  const numbered = all.flatMap(({ text }) => text.match(NUMBERED) ?? []);
  return new Set([...numbered, ...givenRules(rust), ...formatNames(rust), ...otherCodes(all)]);
}
