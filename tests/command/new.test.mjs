// `npm run new` in a copy of the files that it changes: what it writes, what it says is left, and what it refuses.
// Needs only: npm.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { at, files } from "../../scripts/lib.mjs";
import { KINDS } from "../../scripts/new/kinds.mjs";
import { filled } from "../../scripts/new/names.mjs";
import { Project } from "../../scripts/new/project.mjs";

let copy;
before(() => {
  copy = mkdtempSync(join(tmpdir(), "apex-parts-"));
  const places = Object.values(KINDS).flatMap((kind) => kind.places.map(({ path }) => path));
  const folders = ["ts/tools/builtins", "crates/wire/src/providers", "tests/fixtures/streams"];
  const own = ["scripts/new", "scripts/new.mjs", "scripts/lib.mjs", "biome.json", "rustfmt.toml"];
  for (const path of [...own, ...folders, ...places]) {
    if (existsSync(at(path))) cpSync(at(path), join(copy, path), { recursive: true });
  }
});
after(() => rmSync(copy, { recursive: true, force: true }));

/** The command in the copy; its formatters are those of the project. */
function add(...args) {
  const PATH = [at("node_modules", ".bin"), process.env.PATH].join(delimiter);
  const script = join(copy, "scripts", "new.mjs");
  return spawnSync(process.execPath, [script, ...args], {
    env: { ...process.env, PATH },
    encoding: "utf8",
  });
}

/** All that is in the copy, by path. */
const contents = () => new Map(files(copy).map((path) => [path, readFileSync(path, "utf8")]));

/** What a call that must fail says; it writes nothing. */
function refusal(...args) {
  const earlier = contents();
  const { status, stdout, stderr } = add(...args);
  assert.deepEqual([status, stdout], [1, ""], stderr);
  assert.deepEqual(contents(), earlier);
  return stderr;
}

const NAMES = {
  provider: "acme_chat",
  format: "acme-cli",
  rule: "BR-99",
  tool: "word-count",
  column: "busy-days",
};

describe("each kind", () => {
  for (const [kind, given] of Object.entries(NAMES)) {
    test(kind, () => {
      const { places, counts = [], spell, names, own = names, test: narrowest } = KINDS[kind];
      const words = spell(given);
      const earlier = new Project(at());
      const { status, stdout, stderr } = add(kind, given);
      assert.equal(status, 0, stderr);
      // On Windows a formatter starts only from the node_modules of its own project, which the copy has not.
      if (process.platform !== "win32") assert.doesNotMatch(stdout, /did not succeed/);
      assert.ok(stdout.includes(`Begin with: ${narrowest(words)}`), stdout);

      const project = new Project(copy);
      assert.ok(own(project).includes(words.name));
      for (const { path: pattern, template, insert, has, write } of places) {
        const path = filled(pattern, words);
        if (template || insert) {
          assert.notEqual(project.read(path), earlier.read(path), path);
          assert.doesNotMatch(project.read(path), /\{\{\w+\}\}/, path);
          assert.ok(stdout.includes(`\n  ${path}\n`), path);
          if (has) assert.ok(has(project, words), path);
        } else {
          assert.ok(stdout.includes(`${path}: ${filled(write, words)}`), path);
        }
        // What a file that is made says is left stands where it says.
        for (const [, line] of stdout.matchAll(new RegExp(`\\b${path}:(\\d+): `, "g"))) {
          assert.match(project.read(path).split("\n")[line - 1], /\bWRITE: /);
        }
      }
      for (const { path, says } of counts) assert.ok(project.read(path).includes(says(project)));
      assert.match(stdout, /^ {2}1\. /m);
      assert.match(refusal(kind, given), new RegExp(`there is already a ${kind} ${words.name}`));
    });
  }
});

test("what it writes is as its formatters write it", () => {
  const rust = files(copy).filter((path) =>
    /acme_\w+[\\/](?:\w+[\\/])?\w+\.rs$|registry\.rs$/.test(path),
  );
  assert.ok(rust.length > 6, `${rust}`);
  const config = ["--edition", "2024", "--config-path", at(), "--check"];
  for (const path of rust) {
    const input = readFileSync(path, "utf8");
    const { status, stdout } = spawnSync("rustfmt", config, { input, encoding: "utf8" });
    assert.deepEqual([status, stdout], [0, ""], path);
  }
});

test("a wrong call says what is right", () => {
  const { status, stdout } = add();
  assert.equal(status, 0);
  for (const [kind, { example }] of Object.entries(KINDS)) {
    assert.ok(stdout.includes(`  ${kind} `) && stdout.includes(example), kind);
  }
  const kinds = Object.keys(KINDS).join(", ");
  assert.match(refusal("part", "x"), new RegExp(`no kind "part"; there are: ${kinds}`));
  assert.match(refusal("tool"), /give one name, as in: npm run new -- tool word-count/);
  assert.match(refusal("tool", "a", "b"), /give one name/);
  for (const name of ["Acme", "acme chat", "1st", "../x", "a--b", "", "while"]) {
    assert.match(refusal("provider", name), /cannot be a name .*such as acme-chat/, name);
  }
  assert.match(refusal("rule", "BR-1"), /cannot be the code of a rule: it is such as BR-15/);
  assert.match(refusal("format", "ollama"), /there is already a format ollama/);
});

test("nothing is written if one of the places is not there, or a file already is", () => {
  const path = join(copy, "docs", "tools.md");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace("| `task` ", "| `tasks` "));
  assert.match(refusal("tool", "line-count"), /task.* stands nowhere; nothing was written/);
  writeFileSync(path, text);
  const file = join(copy, "ts", "tools", "builtins", "line-count.ts");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "// mine\n");
  assert.match(
    refusal("tool", "line-count"),
    /line-count\.ts is there already; nothing was written/,
  );
});
