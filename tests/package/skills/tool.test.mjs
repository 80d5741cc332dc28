// The tool `skill`: its description and schema, Direct mode, and what a model is told that asks for something else.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { packed, place, put, skill } from "./place.mjs";

const isWindows = process.platform === "win32";

let node;
before(async () => {
  node = await packed("skills-tool");
});

const found = async (...roots) => (await node.scanSkills(roots)).skills;

/** The definition of the tool over the skills below a folder. */
async function defined(root, options) {
  const skills = await found(root);
  return node.skillTool(() => skills, options).init();
}

/** The definition's answer to a call, as the tool gives it. */
const call = async (root, args, options) => (await defined(root, options)).execute(args, {});

/** What a call is told that fails on purpose. */
async function told(execute) {
  try {
    await execute();
  } catch (error) {
    assert.equal(error.expected, true, error.stack);
    return error.message;
  }
  assert.fail("it did not fail");
}

const many = (n) =>
  place(
    Object.fromEntries(Array.from({ length: n }, (_, i) => [`s${i}/SKILL.md`, skill(`s${i}`)])),
  );

describe("what the model sees", () => {
  test("the names and descriptions of what it may call", async () => {
    const root = place({
      "a/SKILL.md": skill("a"),
      "b/SKILL.md": skill("b", { more: ["disable-model-invocation: true"] }),
      "c/SKILL.md": skill("c"),
    });
    const { description, parameters } = await defined(root);
    assert.match(description, /About a\.[\s\S]*About c\./);
    assert.doesNotMatch(description, /About b/);
    assert.deepEqual(parameters.properties.name.enum, ["a", "c"]);
    assert.deepEqual(parameters.required, ["name"]);
    assert.ok(parameters.properties.args);
  });

  test("the schema has the names up to a hundred of them, and not where some are hidden", async () => {
    const enumOf = ({ parameters }) => parameters.properties.name.enum;
    const root = many(101);
    assert.equal(enumOf(await defined(root)), undefined);
    rmSync(join(root, "s100"), { recursive: true });
    assert.equal(enumOf(await defined(root)).length, 100);
    // A hidden one can be called all the same.
    const small = await defined(root, { maxChars: 300 });
    assert.equal(enumOf(small), undefined);
    assert.equal((await small.execute({ name: "s99" })).output, "Do s99.");
  });

  test("the skills are asked for at each call; the schema is the same while they are", async () => {
    const skills = await found(place({ "a/SKILL.md": skill("a") }));
    const tool = node.skillTool(() => skills);
    const before = await tool.init();
    assert.equal((await tool.init()).parameters, before.parameters);
    assert.equal((await tool.init()).description, before.description);
    skills.push(...(await found(place({ "b/SKILL.md": skill("b") }))));
    assert.match((await tool.init()).description, /About b\./);
    assert.equal((await before.execute({ name: "b" })).output, "Do b.");
  });

  test("of two skills of one name the first; one that is not valid is none", async () => {
    const one = await found(place({ "a/SKILL.md": skill("a", { body: "one" }) }));
    const two = await found(place({ "a/SKILL.md": skill("a", { body: "two" }) }));
    const broken = { ...one[0], name: "b", valid: false };
    const tool = await node.skillTool(() => [broken, ...one, ...two]).init();
    assert.deepEqual(tool.parameters.properties.name.enum, ["a"]);
    assert.equal((await tool.execute({ name: "a" })).output, "one");
  });

  test("without skills there is nothing to call", async () => {
    const { description, parameters, execute } = await node.skillTool(() => []).init();
    assert.equal(description, "No skills are available.");
    assert.equal(parameters.properties.name.enum, undefined);
    assert.equal(await told(() => execute({ name: "x" })), "No skills are available.");
  });
});

describe("a name that there is not", () => {
  test("is answered with the nearest first, whatever the case, `_` or `-`", async () => {
    const names = ["alpha", "pdf-tools", "pdf-tool", "zeta"];
    const root = place(Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skill(name)])));
    for (const [name, list] of [
      ["PDF_Tools", "pdf-tools, pdf-tool, alpha, zeta"],
      ["pdf-too", "pdf-tool, pdf-tools, alpha, zeta"],
      ["zzzzzzzz", "alpha, pdf-tool, pdf-tools, zeta"],
    ]) {
      assert.equal(
        await told(() => call(root, { name })),
        `Skill "${name}" not found. Available: ${list}`,
      );
    }
  });

  test("20 names are told at most, and a long name is cut", async () => {
    const root = many(30);
    const said = await told(() => call(root, { name: "s29x" }));
    const list = said.split("Available: ")[1].split(", ");
    assert.equal(list.length, 20);
    assert.equal(list[0], "s29");
    const long = await told(() => call(root, { name: "x".repeat(1_000_000) }));
    assert.ok(long.length < 500);
    assert.match(await told(() => call(root, {})), /^Skill "undefined" not found/);
  });

  test("is never a path", async () => {
    const root = place({
      "skills/a/SKILL.md": skill("a"),
      "secret/SKILL.md": skill("secret", { body: "the secret" }),
    });
    const names = [
      "../secret",
      "../../secret",
      `${root}/secret`,
      "a/../../secret",
      "secret",
      "./a",
    ];
    for (const name of [...names, "__proto__", "constructor", "a\0", ""]) {
      const said = await told(() => call(join(root, "skills"), { name }));
      assert.match(said, /not found\. Available: a$/);
    }
  });

  test("is the same answer through a registry, and no fault of the tool", async () => {
    const skills = await found(place({ "pdf/SKILL.md": skill("pdf") }));
    const registry = new node.ToolRegistry();
    registry.register(
      node.skillTool(() => skills),
      "skill",
    );
    const ids = { callID: "c", sessionID: "s", messageID: "m", tool: "skill" };
    for (let i = 0; i < 5; i++) {
      const { state } = await registry.execute({ ...ids, input: { name: "pdg" } });
      assert.equal(state.status, "error");
      assert.equal(state.error, 'Skill "pdg" not found. Available: pdf');
    }
    assert.ok(registry.get("skill"), "it is still well");
    const { state } = await registry.execute({ ...ids, input: { name: "pdf", args: { a: 1 } } });
    assert.equal(state.status, "completed");
    assert.equal(state.title, "Loaded skill: pdf");
    assert.equal(state.output, "Do pdf.");
    assert.equal(state.metadata.skill.keep, true);
    const wrong = await registry.execute({ ...ids, input: {} });
    assert.match(wrong.state.error, /name: required/);
  });
});

describe("Direct mode", () => {
  test("the body, trimmed; title and metadata", async () => {
    const root = place({
      "a/SKILL.md": skill("a", { body: "\n\n  Do it.\n\n", more: ["allowed-tools: Read"] }),
    });
    assert.deepEqual(await call(root, { name: "a" }), {
      title: "Loaded skill: a",
      output: "Do it.",
      metadata: {
        skill: {
          name: "a",
          dir: `${root}/a`,
          location: `${root}/a/SKILL.md`,
          mode: "direct",
          allowedTools: ["Read"],
          keep: true,
        },
      },
    });
  });

  test("with other files, where they are and what is there", async () => {
    const root = place({ "a/SKILL.md": skill("a"), "a/ref/x.md": "", "a/b&c.txt": "" });
    const around = (body, files) =>
      [
        '<skill_content name="a">',
        body,
        "",
        `Skill directory: ${root}/a`,
        "Paths are relative to it.",
        ...files,
        "</skill_content>",
      ].join("\n");
    const files = [
      "<skill_files>",
      "<file>b&amp;c.txt</file>",
      "<file>ref/x.md</file>",
      "</skill_files>",
    ];
    const output = async (wrap) => (await call(root, { name: "a" }, { wrap })).output;
    assert.equal(await output(), around("Do a.", files));
    assert.equal(await output("always"), around("Do a.", files));
    assert.equal(await output("never"), "Do a.");
    rmSync(join(root, "a/ref"), { recursive: true });
    rmSync(join(root, "a/b&c.txt"));
    assert.equal(await output(), "Do a.");
    assert.equal(await output("always"), around("Do a.", []));
  });

  test("a blank body says so", async () => {
    const root = place({ "a/SKILL.md": skill("a", { body: " \n\n" }) });
    assert.equal((await call(root, { name: "a" })).output, "(this skill has no instructions)");
  });

  test("nothing in the body is run or replaced", async () => {
    const canary = join(place(), "ran");
    const body = `!\`touch ${canary}\` $ARGUMENTS {{x}} \${1 + 1} $(touch ${canary})`;
    const root = place({ "a/SKILL.md": skill("a", { body }) });
    assert.equal((await call(root, { name: "a", args: { x: "y" } })).output, body);
    assert.ok(!existsSync(canary));
  });

  test("the file is read again at each call", async () => {
    const root = place({ "a/SKILL.md": skill("a") });
    const tool = await defined(root);
    const output = async () => (await tool.execute({ name: "a" })).output;
    assert.equal(await output(), "Do a.");
    put(root, { "a/SKILL.md": skill("a", { body: "Do more.", more: ["mode: direct"] }) });
    assert.equal(await output(), "Do more.");
    put(root, { "a/new.txt": "" });
    assert.match(await output(), /<file>new\.txt<\/file>/);
    put(root, { "a/SKILL.md": "---\nname: a\n---\nx\n" });
    assert.match(await told(output), /^Skill a can no longer be used: .*SK-10/);
    put(root, { "a/SKILL.md": skill("a", { more: ["disable-model-invocation: true"] }) });
    assert.match(await told(output), /may no longer be called by a model/);
    rmSync(join(root, "a"), { recursive: true });
    assert.match(await told(output), /^Skill a cannot be read: .*it does not exist$/);
  });

  test("not from outside the root, wherever a link leads by now", { skip: isWindows }, async () => {
    const outside = place({ "SKILL.md": skill("a", { body: "the secret" }) });
    const root = place({ "a/SKILL.md": skill("a"), "b/SKILL.md": skill("b") });
    const tool = await defined(root);
    renameSync(join(root, "a"), join(root, "was"));
    symlinkSync(outside, join(root, "a"));
    rmSync(join(root, "b/SKILL.md"));
    symlinkSync(join(outside, "SKILL.md"), join(root, "b/SKILL.md"));
    for (const name of ["a", "b"]) {
      assert.match(await told(() => tool.execute({ name })), /it leads out of its root$/);
    }
    mkdirSync(join(root, "c"));
  });
});

describe("mode: sandbox", () => {
  const script = { "a/scripts/execute.js": 'console.log("ran")' };
  const tree = (mode) =>
    place({ "a/SKILL.md": skill("a", { more: mode ? [`mode: ${mode}`] : [] }), ...script });

  test("without the file or the right it is an error, never Direct", async () => {
    const root = tree("sandbox");
    rmSync(join(root, "a/scripts"), { recursive: true });
    assert.match(await told(() => call(root, { name: "a" })), /no plain file scripts\/execute\.js/);
    const user = { path: tree("sandbox"), scope: "user" };
    assert.match(await told(() => call(user, { name: "a" })), /may not be run$/);
    const off = () => call(tree("sandbox"), { name: "a" }, { sandbox: false });
    assert.match(await told(off), /scripts are turned off here$/);
  });

  test("where it is not asked for, the instructions are there without the right", async () => {
    const user = { path: tree(), scope: "user" };
    assert.equal((await call(user, { name: "a" })).metadata.skill.mode, "direct");
    const off = await call(tree(), { name: "a" }, { sandbox: false });
    assert.equal(off.metadata.skill.mode, "direct");
    assert.equal((await call(tree("direct"), { name: "a" })).metadata.skill.mode, "direct");
  });

  test("a skill that has become direct runs no script", async () => {
    const root = tree();
    const tool = await defined(root);
    assert.equal((await tool.execute({ name: "a" })).output, "ran\n");
    put(root, { "a/SKILL.md": skill("a", { more: ["mode: direct"] }) });
    assert.equal((await tool.execute({ name: "a" })).metadata.skill.mode, "direct");
  });
});

test("onLoad is told what was loaded; that it throws fails no call", async () => {
  const root = place({ "a/SKILL.md": skill("a"), "b/SKILL.md": "x" });
  const loaded = [];
  const tool = await defined(root, { onLoad: (name) => loaded.push(name) });
  await told(() => tool.execute({ name: "c" }));
  await tool.execute({ name: "a" });
  assert.deepEqual(loaded, ["a"]);
  const warned = new Promise((resolve) => process.once("warning", resolve));
  const throwing = () => {
    throw new Error("the host's own");
  };
  assert.equal((await call(root, { name: "a" }, { onLoad: throwing })).output, "Do a.");
  assert.match((await warned).message, /the host's own/);
});

test("whatever is passed, the error is one of this package", async () => {
  for (const [skills, options] of [
    [undefined],
    [[]],
    [() => [], { wrap: "sometimes" }],
    [() => [], { sandbox: { env: "PATH" } }],
    [() => [], { sandbox: { allowWrite: [1] } }],
    [() => [], { sandbox: { workspaceRoot: 1 } }],
  ]) {
    assert.throws(() => node.skillTool(skills, options), node.isApexPartsError);
  }
  for (const skills of [undefined, {}, "x"]) {
    await assert.rejects(node.skillTool(() => skills).init(), node.isApexPartsError);
  }
  const odd = [null, {}, { name: 1 }, { name: "" }];
  const { parameters } = await node.skillTool(() => odd).init();
  assert.equal(parameters.properties.name.enum, undefined);
});
