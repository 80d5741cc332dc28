// `apex-parts skills`: what is found, every problem with its line, why others are not found, and what a model gets.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { at, folder as root } from "./command.mjs";

const skill = (name, more = [], body = `Do ${name}.`) =>
  ["---", `name: ${name}`, `description: About ${name}.`, ...more, "---", body, ""].join("\n");

/** A folder of its own with these files. */
function place(files = {}) {
  const dir = realpathSync(mkdtempSync(join(root, "skills-")));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return dir;
}

/** Runs the command in a folder, with a home directory of its own. */
function run(args, { cwd = root, home = place() } = {}) {
  const env = { ...process.env, HOME: home, USERPROFILE: home };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [at("pkg/cli.mjs"), "skills", ...args],
    { cwd, env, encoding: "utf8" },
  );
  return { status, stdout, stderr, lines: stdout.split("\n") };
}

/** The one line of an output that begins so. */
function line({ lines }, begins) {
  const found = lines.filter((text) => text.startsWith(begins));
  assert.equal(found.length, 1, `${begins}: ${lines.join("\n")}`);
  return found[0];
}

test("each skill with its name, what it runs, where it is and what it is for", () => {
  const dir = place({
    "a/SKILL.md": skill("a"),
    "b/SKILL.md": skill("b", ["disable-model-invocation: true", "user-invocable: false"]),
    "b/scripts/execute.js": "",
    "c/SKILL.md": skill("c").replace("About c.", `About ${"c".repeat(200)}`),
  });
  const { status, stdout, stderr } = run([dir]);
  assert.equal(stderr, "");
  assert.equal(status, 0);
  assert.equal(
    stdout,
    [
      `a direct ${dir}/a/SKILL.md`,
      "  About a.",
      `b sandbox ${dir}/b/SKILL.md`,
      "  About b.",
      "  not for a model (disable-model-invocation), not for a user (user-invocable: false)",
      `c direct ${dir}/c/SKILL.md`,
      `  About ${"c".repeat(93)}…`,
      "",
      "Looked in:",
      `${dir}: 3 skills`,
      "3 skills, 0 errors, 0 warnings",
      "",
    ].join("\n"),
  );
});

test("every problem with its rule, file and line; exit code 1 on errors", () => {
  const dir = place({
    "a/SKILL.md": "---\r\nname: a\r\ndescription: d\r\ndesciption: x\r\n---\r\nx\r\n",
    "b/SKILL.md": "---\nname: b\ndescription: d\nname: c\n---\nx\n",
    "js/SKILL.md": "---js\n{}\n---\n",
  });
  const { status, ...found } = run([dir]);
  assert.equal(status, 1);
  assert.ok(line(found, "warning SK-15").includes(`${dir}/a/SKILL.md:4 `));
  assert.ok(line(found, "error SK-04").includes(`${dir}/b/SKILL.md:4 `));
  assert.ok(line(found, "error SK-02").includes(`${dir}/js/SKILL.md:1 `));
  line(found, "1 skill, 2 errors, 1 warning");
  const warned = place({ "a/SKILL.md": skill("a", ["desciption: x"]) });
  assert.equal(run([warned]).status, 0);
  const strict = run([warned, "--strict"]);
  assert.equal(strict.status, 1);
  line(strict, "error SK-15");
});

test("why a skill is not there", () => {
  const one = place({ "same/SKILL.md": skill("same") });
  const dir = place({
    "a/SKILL.md": skill("a"),
    "a/inner/SKILL.md": skill("inner"),
    "same/SKILL.md": skill("same"),
    "wrong/SKILLS.md": skill("wrong"),
    "flat.md": skill("flat"),
    "README.md": "",
    "empty/x.txt": "",
    ".dot/SKILL.md": skill("dot"),
    "node_modules/m/SKILL.md": skill("m"),
    "1/2/3/4/5/6/SKILL.md": skill("deep"),
    "broken/SKILL.md": "",
    "broken/in/SKILL.md": skill("in"),
  });
  const { status, ...found } = run([one, dir]);
  assert.equal(status, 1);
  for (const [file, why] of [
    ["a/inner/SKILL.md", "is in the folder of the skill a, which is not searched further"],
    ["wrong/SKILLS.md", "is not read: the name of the file must be SKILL.md"],
    ["flat.md", "a skill is a folder: move it to flat/SKILL.md"],
    ["empty", "this folder has no SKILL.md"],
    [".dot/SKILL.md", "is in .dot, and such folders are not searched"],
    ["node_modules/m/SKILL.md", "is in node_modules, and such folders are not searched"],
    ["1/2/3/4/5/6/SKILL.md", `is more than 5 folders below ${dir}`],
    [
      "broken/in/SKILL.md",
      `is in the folder of ${dir}/broken/SKILL.md, which is not searched further`,
    ],
  ]) {
    assert.equal(line(found, `not a skill ${dir}/${file} `), `not a skill ${dir}/${file} ${why}`);
  }
  assert.equal(found.lines.filter((text) => text.startsWith("not a skill")).length, 8);
  const shadowed = line(found, "warning SK-20");
  assert.ok(shadowed.includes(`${one}/same/SKILL.md`) && shadowed.includes(`${dir}/same/SKILL.md`));
  line(found, "warning SK-22");
  line(found, "error SK-02");
});

test("the wrong case of the name", (t) => {
  const dir = place({ "a/Skill.md": skill("a"), "b/skill.md": skill("b") });
  if (existsSync(join(dir, "a/SKILL.md"))) return t.skip("names have no case here");
  const found = run([dir]);
  assert.equal(found.status, 0);
  const told = found.lines.filter((text) => text.includes("SK-19"));
  assert.equal(told.length, 2);
  assert.match(told[0], /a\/Skill\.md is not read/);
  assert.match(told[1], /b\/skill\.md the name of the file should be/);
});

test("links that lead out, and one skill under two names", {
  skip: process.platform === "win32",
}, () => {
  const outside = place({ "SKILL.md": skill("o") });
  const dir = place({ ".store/a/SKILL.md": skill("a") });
  symlinkSync(outside, join(dir, "out"));
  symlinkSync(".store/a", join(dir, "a"));
  const found = run([dir]);
  line(found, `warning SK-23 ${dir}/out`);
  line(found, `a direct ${dir}/a/SKILL.md`);
  assert.ok(!found.stdout.includes("not a skill"), found.stdout);
});

test("by default the folders of agents; those that are not there, and skills beside them, are told", () => {
  const home = place({
    ".claude/skills/h/SKILL.md": skill("h"),
    ".codex/skills/x/SKILL.md": skill("x"),
  });
  const project = place({
    ".git/HEAD": "",
    ".agents/skills/p/SKILL.md": skill("p"),
    ".agents/skills/p/scripts/execute.js": "",
    ".claude/loose/SKILL.md": skill("loose"),
    "skills/s/SKILL.md": skill("s"),
    "sub/x": "",
  });
  const { status, ...found } = run([], { cwd: join(project, "sub"), home });
  assert.equal(status, 0);
  line(found, `p direct ${project}/.agents/skills/p/SKILL.md`);
  line(found, `h direct ${home}/.claude/skills/h/SKILL.md`);
  line(found, `${project}/.agents/skills: 1 skill`);
  line(found, `${project}/sub/.opencode/skill: not there`);
  for (const file of [
    `${home}/.codex/skills/x/SKILL.md`,
    `${project}/.claude/loose/SKILL.md`,
    `${project}/skills/s/SKILL.md`,
  ]) {
    line(found, `not a skill ${file} is not in a folder that is searched for skills`);
  }
  assert.equal(found.lines.filter((text) => text.startsWith("not a skill")).length, 3);
});

test("a folder that is not there is an error", () => {
  const dir = join(place(), "missing");
  const { status, ...found } = run([dir]);
  assert.equal(status, 1);
  line(found, `error SK-21 ${dir} cannot be read: it does not exist`);
  line(found, `${dir}: not there`);
});

test("--json prints all of it", () => {
  const dir = place({ "a/SKILL.md": skill("a"), "b/SKILL.md": "", "c.md": "" });
  const { status, stdout } = run([dir, "--json"]);
  assert.equal(status, 1);
  const { roots, skills, problems, missed } = JSON.parse(stdout);
  assert.deepEqual(roots, [{ path: dir, scope: "custom", isThere: true }]);
  assert.deepEqual(
    skills.map(({ name, runs, body }) => [name, runs, body]),
    [["a", "direct", undefined]],
  );
  assert.deepEqual(
    problems.map(({ rule, file }) => [rule, file]),
    [["SK-02", `${dir}/b/SKILL.md`]],
  );
  assert.deepEqual(missed, [
    { file: `${dir}/c.md`, why: "a skill is a folder: move it to c/SKILL.md" },
  ]);
});

test("show: exactly what a model gets", () => {
  const dir = place({ "a/SKILL.md": skill("a", [], "\n\nDo $ARGUMENTS.\n\n"), "a/x.md": "" });
  const { status, stdout } = run(["show", "a", dir]);
  assert.equal(status, 0);
  assert.equal(
    stdout,
    [
      '<skill_content name="a">',
      "Do $ARGUMENTS.",
      "",
      `Skill directory: ${dir}/a`,
      "Paths are relative to it.",
      "<skill_files>",
      "<file>x.md</file>",
      "</skill_files>",
      "</skill_content>",
      "",
    ].join("\n"),
  );
  const part = JSON.parse(run(["show", "a", dir, "--json"]).stdout);
  assert.equal(part.state.status, "completed");
  assert.equal(part.state.title, "Loaded skill: a");
  const home = place({ ".claude/skills/h/SKILL.md": skill("h") });
  assert.equal(run(["show", "h"], { cwd: place(), home }).stdout, "Do h.\n");
});

test("show: a script is not run", () => {
  const ran = join(place(), "ran");
  const dir = place({
    "a/SKILL.md": skill("a"),
    "a/scripts/execute.js": `require("node:fs").writeFileSync(${JSON.stringify(ran)}, "")`,
    "b/SKILL.md": skill("b", ["mode: sandbox"]),
  });
  const { status, stdout } = run(["show", "a", dir]);
  assert.equal(status, 0);
  assert.match(stdout, /^A call to a runs .*\/a\/scripts\/execute\.js .* It is not run here\.\n$/);
  assert.ok(!existsSync(ran));
  const other = run(["show", "b", dir]);
  assert.equal(other.status, 1);
  assert.match(
    other.stderr,
    /^Skill b is to run in the sandbox \(mode: sandbox\), but its folder has no plain file/,
  );
});

test("show: an unknown name is answered with the nearest, and with the files that may be meant", () => {
  const dir = place({
    "pdf-tools/SKILL.md": skill("pdf-tools"),
    "other/SKILL.md": skill("other"),
    "broken/SKILL.md": "---\nname: [\n---\n",
    "hidden/SKILL.md": skill("hidden", ["disable-model-invocation: true"]),
  });
  const { status, stdout, stderr } = run(["show", "PDF_tool", dir]);
  assert.equal(status, 1);
  assert.equal(stdout, "");
  assert.equal(stderr, 'Skill "PDF_tool" not found. Available: pdf-tools, other\n');
  const broken = run(["show", "broken", dir]);
  assert.equal(broken.status, 1);
  assert.match(broken.stderr, /not found\. .*\nerror SK-03 .*\/broken\/SKILL\.md:\d+ /);
  const hidden = run(["show", "hidden", dir]);
  assert.equal(hidden.status, 1);
  assert.match(
    hidden.stderr,
    /may not be called by a model: disable-model-invocation in .*SKILL\.md\n$/,
  );
});

test("a wrong command line", () => {
  for (const [args, says] of [
    [["show"], /needs the name of a skill/],
    [["--limit", "3"], /skills has no --limit/],
    [["--nonsense"], /nonsense/],
  ]) {
    const { status, stdout, stderr } = run(args);
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.match(stderr, says);
  }
});
