// scanSkills and defaultSkillRoots over folders that the test makes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, renameSync, symlinkSync, truncateSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { packed, place, put, readsAll, rules, skill } from "./place.mjs";

const isWindows = process.platform === "win32";
const NO_LINKS = isWindows && "this user may not be allowed to make links";

let node;
before(async () => {
  node = await packed("skills-scan");
});

const names = ({ skills }) => skills.map(({ name }) => name);
const scan = (roots, options) => node.scanSkills([roots].flat(), options);

describe("folders", () => {
  test("all that hold a SKILL.md, in the order of code units; a found one is not searched further", async () => {
    const root = place({
      "b/SKILL.md": skill("b"),
      "b/inner/SKILL.md": skill("inner"),
      "B/SKILL.md": skill("upper", { more: [] }).replace("upper", "b2"),
      "a/deep/er/SKILL.md": skill("er"),
      "a/SKILL.txt": skill("x"),
      "a-b/SKILL.md": skill("a-b"),
      "README.md": "x",
    });
    const found = await scan(root);
    assert.deepEqual(names(found), ["b2", "er", "a-b", "b"]);
    const last = found.skills[3];
    assert.equal(last.location, `${root}/b/SKILL.md`);
    assert.equal(last.dir, `${root}/b`);
    assert.equal(last.root, root);
    assert.equal(last.body, "Do b.\n");
    assert.deepEqual(last.files, ["inner/SKILL.md"]);
    assert.equal(last.valid, true);
    assert.deepEqual(rules(found.problems), ["SK-07 warning"], "b2 is in the folder B");
  });

  test("the root itself may be a skill", async () => {
    const root = place({ "pdf/SKILL.md": skill("pdf"), "pdf/other/SKILL.md": skill("other") });
    assert.deepEqual(names(await scan(join(root, "pdf"))), ["pdf"]);
  });

  test("node_modules, .git and dot folders are skipped, but not a root with dots in its path", async () => {
    const root = place({
      "x/node_modules/p/SKILL.md": skill("p"),
      "x/.git/SKILL.md": skill("git"),
      ".hidden/SKILL.md": skill("hidden"),
      ".claude/skills/y/SKILL.md": skill("y"),
    });
    assert.deepEqual(names(await scan(root)), []);
    assert.deepEqual(names(await scan(join(root, ".claude/skills"))), ["y"]);
  });

  test("skill.md is read with a warning, another case is told; SKILL.md counts where both are", async (t) => {
    const root = place({ "a/skill.md": skill("a"), "b/Skill.MD": skill("b") });
    if (existsSync(join(root, "a/SKILL.MD"))) return t.skip("names have no case here");
    put(root, { "c/SKILL.md": skill("c"), "c/skill.md": skill("other") });
    const { skills, problems } = await scan(root);
    assert.deepEqual(
      skills.map(({ name, location }) => [name, location]),
      [
        ["a", `${root}/a/skill.md`],
        ["c", `${root}/c/SKILL.md`],
      ],
    );
    assert.deepEqual(
      problems.map(({ rule, severity, file }) => [rule, severity, file]),
      [
        ["SK-19", "warning", `${root}/b/Skill.MD`],
        ["SK-19", "warning", `${root}/a/skill.md`],
      ],
    );
    assert.deepEqual(skills[1].files, ["skill.md"]);
  });

  test("files: at most 50 in order, relative, without SKILL.md, and told when there are more", async () => {
    const files = (n) =>
      Object.fromEntries(
        Array.from({ length: n }, (_, i) => [`f${String(i).padStart(3, "0")}`, ""]),
      );
    const root = place({
      "a/SKILL.md": skill("a"),
      "b/SKILL.md": skill("b"),
      "c/SKILL.md": skill("c"),
    });
    put(join(root, "a"), { "z.md": "", "scripts/run.py": "", "scripts/SKILL.md": "", ".env": "" });
    put(join(root, "a"), { "node_modules/x.js": "", ".git/HEAD": "" });
    put(join(root, "b"), files(50));
    put(join(root, "c"), files(51));
    const { skills } = await scan(root);
    const [a, b, c] = skills;
    assert.deepEqual(a.files, [".env", "scripts/SKILL.md", "scripts/run.py", "z.md"]);
    assert.deepEqual([b.files.length, b.filesCut], [50, false]);
    assert.deepEqual([c.files.length, c.filesCut], [50, true]);
    assert.equal(c.files[49], "f049");
  });

  test("a model and a user may be kept from a skill", async () => {
    const root = place({
      "a/SKILL.md": skill("a", { more: ["disable-model-invocation: true"] }),
      "b/SKILL.md": skill("b", { more: ["user-invocable: false"] }),
      "c/SKILL.md": skill("c", { more: ["disable-model-invocation: false"] }),
    });
    const { skills } = await scan(root);
    assert.deepEqual(
      skills.map(({ modelInvocable, userInvocable }) => [modelInvocable, userInvocable]),
      [
        [false, true],
        [true, false],
        [true, true],
      ],
    );
  });
});

describe("precedence", () => {
  test("the first of a name counts; the problem names both files", async () => {
    const one = place({ "a/SKILL.md": skill("same", { body: "one" }) });
    const two = place({
      "same/SKILL.md": skill("same", { body: "two" }),
      "b/SKILL.md": skill("b"),
    });
    const { skills, problems } = await scan([two, one]);
    assert.deepEqual(
      skills.map(({ name, body }) => [name, body.trim()]),
      [
        ["b", "Do b."],
        ["same", "two"],
      ],
    );
    const shadowed = problems.find(({ rule }) => rule === "SK-20");
    assert.equal(shadowed.severity, "warning");
    assert.equal(shadowed.file, `${one}/a/SKILL.md`);
    assert.ok(shadowed.message.includes(`${two}/same/SKILL.md`), shadowed.message);
    assert.ok(shadowed.message.includes(`${one}/a/SKILL.md`), shadowed.message);
  });

  test("a skill that is not valid takes nobody's name", async () => {
    const one = place({ "a/SKILL.md": "---\nname: a\n---\nx\n" });
    const two = place({ "a/SKILL.md": skill("a") });
    const { skills, problems } = await scan([one, two]);
    assert.equal(skills[0].location, `${two}/a/SKILL.md`);
    assert.deepEqual(rules(problems), ["SK-10 error"]);
    assert.equal(problems[0].file, `${one}/a/SKILL.md`);
  });

  test("one skill in two roots is one skill, and no problem", { skip: NO_LINKS }, async () => {
    const root = place({ "x/a/SKILL.md": skill("a") });
    symlinkSync(join(root, "x"), join(root, "y"));
    const { skills, problems } = await scan([join(root, "x"), join(root, "y"), root, root]);
    assert.deepEqual(
      skills.map(({ location }) => location),
      [`${root}/x/a/SKILL.md`],
    );
    assert.deepEqual(problems, []);
  });
});

describe("what runs", () => {
  const script = { "scripts/execute.js": "" };
  const tree = (more = []) => {
    const root = place();
    put(join(root, "a"), { "SKILL.md": skill("a", { more }), ...script });
    return root;
  };
  const runs = async (root) => (await scan([root])).skills[0].runs;

  test("a script, in custom roots and where the root has the right", async () => {
    const path = tree();
    assert.equal(await runs(path), "sandbox");
    assert.equal(await runs({ path }), "sandbox");
    assert.equal(await runs({ path, execute: false }), "direct");
    for (const scope of ["project", "user"]) {
      assert.equal(await runs({ path, scope }), "direct");
      assert.equal(await runs({ path, scope, execute: true }), "sandbox");
    }
  });

  test("not with mode: direct, and not without the file", async () => {
    assert.equal(await runs(tree(["mode: direct"])), "direct");
    assert.equal(await runs(tree(["mode: sandbox"])), "sandbox");
    assert.equal(
      await runs(place({ "a/SKILL.md": skill("a", { more: ["mode: sandbox"] }) })),
      "direct",
    );
  });

  test("no link, no folder, nothing outside the real folder", { skip: NO_LINKS }, async () => {
    const outside = place(script);
    const root = place({ "a/SKILL.md": skill("a"), "a/x.js": "", "b/SKILL.md": skill("b") });
    mkdirSync(join(root, "a/scripts"));
    symlinkSync("../x.js", join(root, "a/scripts/execute.js"));
    symlinkSync(join(outside, "scripts"), join(root, "b/scripts"));
    put(root, { "c/SKILL.md": skill("c"), "c/scripts/execute.js/x": "" });
    const { skills } = await scan(root);
    assert.deepEqual(
      skills.map((found) => found.runs),
      ["direct", "direct", "direct"],
    );
  });
});

describe("links", { skip: NO_LINKS }, () => {
  test("to folders inside the root are followed once each", async () => {
    const root = place({ ".store/s1/SKILL.md": skill("s1"), "z/SKILL.md": skill("z") });
    symlinkSync(".store/s1", join(root, "s1"));
    symlinkSync(".store/s1", join(root, "s2"));
    symlinkSync("z", join(root, "a"));
    const { skills, problems } = await scan(root);
    assert.deepEqual(
      skills.map(({ location }) => location),
      [`${root}/s1/SKILL.md`, `${root}/z/SKILL.md`],
    );
    assert.deepEqual(problems, []);
  });

  test("that leave the root, lead nowhere or to themselves are told", async () => {
    const outside = place({ "SKILL.md": skill("outside") });
    const root = place({ "a/SKILL.md": skill("a") });
    symlinkSync(outside, join(root, "out"));
    symlinkSync("nowhere", join(root, "gone"));
    symlinkSync("loop", join(root, "loop"));
    symlinkSync(outside, join(root, "a/out"));
    const { skills, problems } = await scan(root);
    assert.deepEqual(names({ skills }), ["a"]);
    assert.deepEqual(
      problems.map(({ rule, severity, file }) => [rule, severity, file.slice(root.length)]).sort(),
      ["/a/out", "/gone", "/loop", "/out"].map((file) => ["SK-23", "warning", file]),
    );
  });

  test("in circles end", async () => {
    const root = place({ "x/y/SKILL.md": skill("y"), "s/SKILL.md": skill("s"), "s/f": "" });
    symlinkSync("..", join(root, "x/up"));
    symlinkSync(root, join(root, "x/root"));
    symlinkSync("../..", join(root, "s/root"));
    symlinkSync(".", join(root, "s/self"));
    const { skills } = await scan(root);
    assert.deepEqual(names({ skills }), ["s", "y"]);
    assert.deepEqual(skills[0].files, ["f"]);
  });

  test("a SKILL.md that leads out of the root is not read; one inside is", async () => {
    const outside = place({ "secret.md": skill("secret") });
    const root = place({ "shared.md": skill("in"), "out/x": "", "in/x": "" });
    symlinkSync(join(outside, "secret.md"), join(root, "out/SKILL.md"));
    symlinkSync("../shared.md", join(root, "in/SKILL.md"));
    const { skills, problems } = await scan(root);
    assert.deepEqual(names({ skills }), ["in"]);
    assert.deepEqual(rules(problems), ["SK-23 warning"]);
    assert.ok(!JSON.stringify({ skills, problems }).includes("About secret"));
  });

  test("a root that is a link is searched where it leads", async () => {
    const root = place({ "real/a/SKILL.md": skill("a") });
    symlinkSync("real", join(root, "link"));
    const { skills } = await scan(join(root, "link"));
    assert.equal(skills[0].location, `${root}/link/a/SKILL.md`);
  });
});

describe("limits", () => {
  const left = ({ problems }) => problems.filter(({ rule }) => rule === "SK-22");

  test("maxDepth: five folders, and what is below is named", async () => {
    const root = place({
      "1/2/3/4/5/SKILL.md": skill("five"),
      "1/2/3/4/x/6/SKILL.md": skill("six"),
    });
    const found = await scan(root);
    assert.deepEqual(names(found), ["five"]);
    const [problem, ...others] = left(found);
    assert.equal(others.length, 0);
    assert.match(problem.message, /maxDepth.*\/1\/2\/3\/4\/x\/6 \(SK-22\)$/);
    assert.equal(problem.severity, "warning");
    assert.equal(problem.file, root);
    const none = await scan(root, { maxDepth: 0 });
    assert.match(left(none)[0].message, /\/1 \(SK-22\)$/);
    assert.deepEqual(names(await scan(root, { maxDepth: 6 })), ["five", "six"]);
  });

  test("maxDirs: the folders that are left are named, those of later roots too", async () => {
    const root = place({
      "a/SKILL.md": skill("a"),
      "b/SKILL.md": skill("b"),
      "c/SKILL.md": skill("c"),
    });
    const other = place({ "d/SKILL.md": skill("d") });
    const found = await scan([root, other], { maxDirs: 3 });
    assert.deepEqual(names(found), ["a", "b"]);
    assert.deepEqual(
      left(found).map(({ file, message }) => [file, message.split("searched: ")[1]]),
      [
        [root, `${root}/c (SK-22)`],
        [other, `${other} (SK-22)`],
      ],
    );
  });

  test("maxSkills: the files that are left out are named", async () => {
    const root = place(
      Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [`s${10 + i}/SKILL.md`, skill(`s${10 + i}`)]),
      ),
    );
    const found = await scan(root, { maxSkills: 17 });
    assert.equal(found.skills.length, 17);
    assert.match(left(found)[0].message, /maxSkills.*\/s27\/SKILL\.md.* and 3 more \(SK-22\)$/);
    assert.deepEqual(left(await scan(root, { maxSkills: 30 })), []);
  });
});

describe("bad files", () => {
  test("lose no other skill, and each is told", async () => {
    const canary = join(place(), "ran");
    const code = `require("node:fs").writeFileSync(${JSON.stringify(canary)}, "")`;
    const root = place({
      "binary/SKILL.md": Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7) % 256)),
      "empty/SKILL.md": "",
      "good/SKILL.md": skill("good"),
      "js/SKILL.md": `---js\n${code}\n({ name: "js", description: "d" })\n---\nx\n`,
      "path/SKILL.md": skill("../../etc"),
      "tag/SKILL.md": "---\nname: !!js/function 'function(){}'\ndescription: d\n---\nx\n",
      "folder/SKILL.md/x": "",
    });
    const { skills, problems } = await scan(root);
    assert.deepEqual(names({ skills }), ["good"]);
    assert.ok(!existsSync(canary), "nothing was evaluated");
    const told = problems
      .filter(({ severity }) => severity === "error")
      .map(({ rule, file }) => [rule, file.slice(root.length + 1, -"/SKILL.md".length)]);
    assert.deepEqual(told, [
      ["SK-01", "binary"],
      ["SK-02", "empty"],
      ["SK-21", "folder"],
      ["SK-02", "js"],
      ["SK-06", "path"],
      ["SK-03", "tag"],
    ]);
  });

  test("of any size are not read as a whole", async () => {
    const root = place({
      "a/SKILL.md": skill("a"),
      "big/SKILL.md": skill("big"),
      "huge/SKILL.md": "",
    });
    truncateSync(join(root, "big/SKILL.md"), 100_000_000);
    // More than Node reads into one buffer: reading it would be another error.
    truncateSync(join(root, "huge/SKILL.md"), 2 ** 33);
    const { skills, problems } = await scan(root);
    assert.deepEqual(names({ skills }), ["a"]);
    assert.deepEqual(rules(problems), ["SK-01 error", "SK-01 error"]);
  });

  test("that are no files are not waited for", { skip: isWindows && "no FIFOs" }, async () => {
    const root = place({ "a/SKILL.md": skill("a"), "fifo/x": "" });
    execFileSync("mkfifo", [join(root, "fifo/SKILL.md")]);
    const { skills, problems } = await scan(root);
    assert.deepEqual(names({ skills }), ["a"]);
    assert.deepEqual(rules(problems), ["SK-21 error"]);
  });

  test("folders and files without permission", async (t) => {
    if (readsAll()) return t.skip("this user may read everything");
    const root = place({ "a/SKILL.md": skill("a"), "b/x": "", "c/SKILL.md": skill("c") });
    chmodSync(join(root, "b"), 0);
    chmodSync(join(root, "c/SKILL.md"), 0);
    const { skills, problems } = await scan(root);
    chmodSync(join(root, "b"), 0o700);
    assert.deepEqual(names({ skills }), ["a"]);
    assert.deepEqual(rules(problems), ["SK-21 error", "SK-21 error"]);
  });

  test("a root that cannot be read is told, one of an agent that is not there is not", async () => {
    const root = place({ file: "" });
    const path = join(root, "none");
    for (const given of [path, join(root, "file"), "/\0", { path, scope: "custom" }]) {
      const { skills, problems } = await scan([given]);
      assert.deepEqual([skills, rules(problems)], [[], ["SK-21 error"]]);
    }
    assert.deepEqual(await scan([{ path, scope: "user" }]), { skills: [], problems: [] });
  });

  test("warnings are told, too, and with strict they leave a skill out", async () => {
    const root = place({ "a/SKILL.md": skill("a", { more: ["desciption: x"] }) });
    const found = await scan(root);
    assert.deepEqual(names(found), ["a"]);
    assert.deepEqual(rules(found.problems), ["SK-15 warning"]);
    assert.deepEqual(rules(found.skills[0].problems), ["SK-15 warning"]);
    const strict = await scan(root, { strict: true });
    assert.deepEqual(names(strict), []);
    assert.deepEqual(rules(strict.problems), ["SK-15 error"]);
  });
});

describe("the roots of agents", () => {
  const FOLDERS = [
    ".apex/skills",
    ".agents/skills",
    ".claude/skills",
    ".opencode/skill",
    ".opencode/skills",
  ];
  const below = (folder, scope) => FOLDERS.map((name) => ({ path: `${folder}/${name}`, scope }));

  test("from the working directory up to the repository, then home", () => {
    const root = place({ "home/x": "", "p/.git/HEAD": "", "p/a/b/x": "" });
    const home = `${root}/home`;
    const given = { cwd: `${root}/p/a/b`, home, trustProject: true };
    assert.deepEqual(node.defaultSkillRoots(given), [
      ...["p/a/b", "p/a", "p"].flatMap((path) => below(`${root}/${path}`, "project")),
      ...below(home, "user"),
    ]);
    // A work tree has a file there.
    renameSync(`${root}/p/.git`, `${root}/p/git`);
    put(root, { "p/a/.git": "gitdir: x" });
    const paths = (options) =>
      node.defaultSkillRoots({ ...given, ...options }).map(({ path }) => path);
    assert.equal(paths().length, 15);
    assert.equal(paths({ stopAt: root }).length, 25);
    assert.equal(paths({ stopAt: given.cwd }).length, 10);
    assert.equal(paths({ stopAt: `${root}/elsewhere` }).length, 10, "it is not above: cwd alone");
  });

  test("those of the project only if it is trusted", () => {
    const root = place();
    const given = { cwd: root, home: `${root}/home` };
    for (const trustProject of [false, undefined, "yes", 1]) {
      assert.deepEqual(
        node.defaultSkillRoots({ ...given, trustProject }),
        below(`${root}/home`, "user"),
      );
    }
    const same = node.defaultSkillRoots({
      cwd: root,
      home: root,
      stopAt: root,
      trustProject: true,
    });
    assert.deepEqual(same, below(root, "project"), "each folder once");
  });

  test("their scripts do not run", async () => {
    const root = place({
      ".claude/skills/a/SKILL.md": skill("a"),
      ".claude/skills/a/scripts/execute.js": "",
    });
    const roots = node.defaultSkillRoots({
      cwd: root,
      home: place(),
      stopAt: root,
      trustProject: true,
    });
    const { skills, problems } = await scan(roots);
    assert.deepEqual(
      skills.map(({ name, runs }) => [name, runs]),
      [["a", "direct"]],
    );
    assert.deepEqual(problems, []);
    const ours = await scan(roots.map((one) => ({ ...one, execute: true })));
    assert.equal(ours.skills[0].runs, "sandbox");
  });

  test("~/ is the home directory", async () => {
    const missing = `apex-parts-${process.pid}-none`;
    const { problems } = await scan(`~/${missing}`);
    assert.equal(problems[0].file, join(homedir(), missing));
  });
});

test("whatever is passed, the error is one of this package", async () => {
  const thrown = () => {
    throw new Error("a getter");
  };
  const hostile = Object.defineProperty({}, "path", { get: thrown });
  for (const roots of [undefined, null, "x", {}, [null], [{}], [{ path: 1 }], [hostile], [5]]) {
    await assert.rejects(node.scanSkills(roots), node.isApexPartsError);
  }
  await assert.rejects(node.scanSkills([{ path: "x", scope: "mine" }]), /custom, project or user/);
  for (const options of [undefined, null, {}, { cwd: 1 }, { cwd: "x" }, { cwd: "x", home: "" }]) {
    assert.throws(() => node.defaultSkillRoots(options), node.isApexPartsError);
  }
  const root = place({ "a/SKILL.md": skill("a") });
  for (const options of [null, { maxDepth: "x", maxDirs: -1, maxSkills: Number.NaN }]) {
    assert.deepEqual(names(await node.scanSkills([root], options)), ["a"]);
  }
});
