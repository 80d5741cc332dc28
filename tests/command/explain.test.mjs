// The catalogue of rules and errors: the command `apex-parts explain`, the page of `npm run docs`, and that it is true and whole.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { at as below, files } from "../../scripts/lib.mjs";
import { rulesPage } from "../../scripts/rules.mjs";
import { folder, run } from "./command.mjs";
import { emitted } from "./emitted-codes.mjs";

const { GROUPS, nearest, RULES, ruleOf } = await import("../../pkg/cli/catalogue/index.mjs");
const { exampleOf } = await import("../../pkg/cli/catalogue/example.mjs");

/** The codes that a result or an error has: rules of its problems, codes, reasons, kinds, names. */
function codesOf(value, found = new Set()) {
  if (Array.isArray(value)) {
    for (const one of value) codesOf(one, found);
    return found;
  }
  const isOpen = typeof value?.problems === "function";
  const lists = [isOpen ? value.problems() : value?.problems, value?.details?.problems];
  for (const list of [...lists, value?.metadata?.mcp?.problems]) if (list) codesOf(list, found);
  const { details } = value ?? {};
  const kinds = [value?.kind, value?.state?.metadata?.kind, value?.meta?.error?.errorCode];
  for (const code of [value?.rule, value?.code, details?.rule, details?.reason, ...kinds]) {
    if (typeof code === "string") found.add(code);
  }
  if (value instanceof Error) {
    found.add(value.name);
    const [, last] = / \(([\w-]+)\)$/.exec(value.message) ?? [];
    if (last) found.add(last);
  }
  return found;
}

/** All that is said: the messages of a result or an error, each with the code in which it has to end. */
function messagesOf(value, found = []) {
  if (Array.isArray(value)) for (const one of value) messagesOf(one, found);
  else if (typeof value?.rule === "string" && typeof value.message === "string") {
    found.push([value.message, value.rule]);
  } else if (value) {
    const list = typeof value.problems === "function" ? value.problems() : value.problems;
    messagesOf([...(list ?? []), ...(value.details?.problems ?? [])], found);
    const { rule, reason } = value.details ?? {};
    const code = rule ?? reason ?? value.details?.problems?.[0].rule ?? value.code;
    if (value instanceof Error && typeof code === "string") found.push([value.message, code]);
  }
  return found;
}

describe("the catalogue", () => {
  let entries;
  before(async () => {
    const names = ["node.mjs", "host.mjs", "store.node.mjs", "store.redis.node.mjs"];
    const [main, node, store, redis] = await Promise.all(
      names.map((name) => import(`../../pkg/${name}`)),
    );
    main.setLogger(undefined);
    entries = {
      "apex-parts": main,
      "apex-parts/node": node,
      "apex-parts/store": store,
      "apex-parts/store/redis": redis,
    };
  });

  test("a loop's action is what the detector suggests", async () => {
    for (const rule of RULES.filter(({ action }) => action)) {
      const { kind, suggestedAction } = rule.example(entries["apex-parts"]);
      assert.deepEqual([kind, suggestedAction], [rule.code, rule.action]);
    }
  });

  const outcome = async ({ example, from = "apex-parts" }) => {
    try {
      return await example(entries[from]);
    } catch (error) {
      return error;
    }
  };

  for (const { title, rules } of GROUPS) {
    test(`each example breaks its rule, and each message ends in its code: ${title}`, async () => {
      for (const rule of rules.filter(({ example }) => example)) {
        const made = await outcome(rule);
        const codes = codesOf(made);
        assert.ok(codes.has(rule.gives ?? rule.code), `${rule.code}: ${[...codes]} ${made}`);
        for (const [message, code] of messagesOf(made)) {
          assert.ok(message.endsWith(` (${code})`), `${rule.code}: ${message}`);
        }
      }
    });
  }

  test("an example is a program of its own", async () => {
    const { transform } = await import("esbuild");
    for (const rule of RULES) {
      const program = exampleOf(rule);
      if (program === undefined) continue;
      // Names that are declared nowhere would be globals.
      const { code } = await transform(program, { format: "esm" });
      const text = code.replace(/^import .*$/gm, "");
      const names = /\{ (.*) \}/.exec(program)[1].split(", ");
      assert.doesNotMatch(text, /native code|\[(?:Async)?Function/, rule.code);
      for (const name of names) assert.match(text, new RegExp(`\\b${name}\\b`), rule.code);
      for (const name of ["ID", "IDS", "START", "CALL", "TOKENS", "CONTEXT", "MODEL", "TIME"]) {
        if (new RegExp(`(?<!["'\\w])${name}\\b`).test(text)) {
          assert.match(text, new RegExp(`const ${name} =`), rule.code);
        }
      }
    }
  });

  test("every rule says all there is to say", () => {
    assert.equal(new Set(RULES.map(({ code }) => code.toLowerCase())).size, RULES.length);
    for (const { code, says, cure, source, example, never } of RULES) {
      for (const text of [says, cure]) assert.match(text, /[.)`]$/, code);
      assert.ok(source, code);
      assert.ok(!(example && never), code);
    }
    const silent = RULES.filter(({ example, never }) => !example && !never);
    assert.deepEqual(
      silent.map(({ code }) => code),
      ["ReasoningStateError"],
    );
  });

  test("every code of the sources is in it, and no other", () => {
    const found = emitted();
    const known = new Set(RULES.map(({ code }) => code.toLowerCase()));
    const missing = [...found].filter((code) => !known.has(code.toLowerCase()));
    assert.deepEqual(missing, [], "the catalogue has no");
    const emittedToo = new Set([...found].map((code) => code.toLowerCase()));
    const unused = RULES.map(({ code }) => code).filter(
      (code) => !emittedToo.has(code.toLowerCase()),
    );
    // Nothing in the code is about these: they say what a caller does.
    const OF_CALLERS = ["RL-1", "RL-2", "RL-3", "RL-4", "RL-5", "RL-6", "RL-7", "RL-8"];
    const notOurs = [...OF_CALLERS, "writer_lost"];
    assert.deepEqual(
      unused.filter((code) => !notOurs.includes(code)),
      [],
      "no code is about",
    );
  });

  test("every rule that the pages and the declarations name is in it", () => {
    // This page shows how one is added that there is not.
    const adding = below("docs", "adding.md");
    const pages = files(below("README.md"), below("CHANGELOG.md"), below("docs")).filter(
      (path) => path.endsWith(".md") && path !== adding,
    );
    const declarations = files(below("js"), below("ts")).filter((path) => path.endsWith(".ts"));
    const text = [...pages, ...declarations].map((path) => readFileSync(path, "utf8"));
    const named = text.join("\n").match(/\b(?:BR|WP|DC|CP|SK|MN|MU|MT|MC|RL)-\d+\b/g);
    assert.ok(named.length > 50, `${named.length}`);
    assert.deepEqual(
      [...new Set(named)].filter((code) => ruleOf(code)?.code !== code),
      [],
    );
  });

  test("every rule that our own fixtures break is in it", () => {
    const broken = new Set();
    const folders = ["formats", "streams"].map((name) => below("tests", "fixtures", name));
    const exports = ["aborted", "subtask"].map((name) =>
      below("tests", "fixtures", `${name}.export.json`),
    );
    for (const path of files(...folders, ...exports)) {
      const { status, stdout } = run(["validate", "--json", path]);
      if (status > 1 || !stdout.trim().startsWith("{")) continue;
      for (const { rule } of JSON.parse(stdout).problems ?? []) broken.add(rule);
    }
    assert.ok(broken.size > 3, `${[...broken]}`);
    assert.deepEqual(
      [...broken].filter((code) => !ruleOf(code)),
      [],
    );
  });

  test("the page has a section for every rule", async () => {
    const sections = (await rulesPage()).match(/(?<=^### ).+$/gm);
    assert.deepEqual(
      sections,
      RULES.map(({ code }) => code),
    );
  });
});

describe("explain", () => {
  test("prints a rule, in any case of letters and as messages end", () => {
    for (const code of ["BR-09", "br-09", "(BR-09)"]) {
      const { status, stdout, stderr } = run(["explain", code]);
      assert.deepEqual([status, stderr], [0, ""]);
      assert.match(stdout, /^BR-09 {2}error; a warning/);
      assert.match(stdout, /The output of a completed tool is not empty\.\n\nCure: /);
      assert.match(stdout, /^Source: /m);
      assert.match(stdout, /^ {2}import \{ PartValidator \} from "apex-parts";$/m);
    }
    assert.match(run(["explain", "dc-5"]).stdout, /No input breaks it: /);
  });

  test("an example that it prints runs as it is", () => {
    const { stdout } = run(["explain", "BR-01"]);
    const entry = new URL("../../pkg/node.mjs", import.meta.url).href;
    const program = stdout
      .slice(stdout.indexOf("  import"))
      .replace('"apex-parts"', JSON.stringify(entry))
      .replace("PartValidator.validatePart(", "console.log(PartValidator.validatePart(")
      .replace(/\);\s*$/, ").problems[0].rule);");
    const file = join(folder, "example.mjs");
    return import("node:fs").then(async ({ writeFileSync }) => {
      writeFileSync(file, program);
      const { spawnSync } = await import("node:child_process");
      const { stdout: said, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
      assert.equal(said.trim(), "BR-01", stderr);
    });
  });

  test("prints several, and all by their groups", () => {
    const two = run(["explain", "SK-06", "fenced"]);
    assert.equal(two.status, 0);
    assert.match(two.stdout, /^SK-06 [\s\S]*\n\nfenced /);
    const { status, stdout } = run(["explain"]);
    assert.equal(status, 0);
    for (const { title, rules } of GROUPS) {
      assert.ok(stdout.includes(`${title}\n`), title);
      for (const { code, says } of rules) {
        const line = stdout.split("\n").find((text) => text.startsWith(`  ${code} `));
        assert.ok(line?.endsWith(says), code);
      }
    }
  });

  test("an unknown code names the nearest, and how to list", () => {
    const { status, stdout, stderr } = run(["explain", "BR-9"]);
    assert.deepEqual([status, stdout], [2, ""]);
    assert.match(
      stderr,
      /^unknown code BR-9; the closest: .*BR-09.*apex-parts explain lists all\n$/,
    );
    assert.deepEqual(nearest("schemo"), ["schema"]);
    assert.equal(ruleOf("toString"), undefined);
    assert.equal(run(["explain", "x".repeat(100_000)]).status, 2);
  });

  test("--json prints one, several or all as data", () => {
    const json = (...args) => JSON.parse(run(["explain", "--json", ...args]).stdout);
    const one = json("br-09");
    assert.deepEqual([one.code, one.group], ["BR-09", "Parts and messages"]);
    assert.match(one.example, /^import \{ PartValidator \}/);
    assert.deepEqual(
      json("dc-1", "dc-5").map(({ code, never }) => [code, typeof never]),
      [
        ["DC-1", "undefined"],
        ["DC-5", "string"],
      ],
    );
    assert.equal(json().length, RULES.length);
  });

  test("stands in the help", () => {
    assert.match(run(["--help"]).stdout, /^ {2}apex-parts explain \[CODE\] /m);
    assert.equal(run(["explain", "BR-09", "--limit", "1"]).status, 2);
  });
});
