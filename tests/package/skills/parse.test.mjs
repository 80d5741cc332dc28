// Skill.parse and Skill.listing: the labelled cases, and some of its own.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { at } from "../helper.mjs";

const { Skill } = await import("../../../pkg/tools.node.mjs");

const rulesOf = ({ problems }) =>
  [...new Set(problems.map(({ rule, severity }) => `${rule} ${severity}`))].sort();

const file = (fields, body = "Do it.\n") => `---\nname: a\ndescription: d\n${fields}\n---\n${body}`;

/** The input of a case: a text, texts that are repeated, or bytes. */
function inputOf({ input }) {
  if (Array.isArray(input.repeat)) return input.repeat.map(([text, n]) => text.repeat(n)).join("");
  if (typeof input.base64 === "string") return new Uint8Array(Buffer.from(input.base64, "base64"));
  return input;
}

describe("labelled cases", () => {
  const file = at("tests", "fixtures", "vectors", "skills-mcp", "skill-cases.json");
  const cases = JSON.parse(readFileSync(file, "utf8")).filter(({ kind }) => kind === "skill-parse");
  test("are there", () => assert.ok(cases.length > 50, `${cases.length}`));
  for (const one of cases) {
    test(one.id, () => {
      const { problems, data, ...read } = Skill.parse(inputOf(one), one.options);
      const named = Object.keys(read.extra).filter((name) => !Object.hasOwn(data, name));
      assert.deepEqual(named, [], "each further field is in data, too");
      const { rules, bodyLength, ...expected } = one.expect;
      if (bodyLength !== undefined) {
        assert.equal(read.body.length, bodyLength);
        delete read.body;
      }
      assert.deepEqual({ ...read, rules: rulesOf({ problems }) }, { ...expected, rules });
    });
  }
});

describe("Skill.parse", () => {
  test("reads bytes as it reads a text", () => {
    const text = file("metadata:\n  é: 1.10");
    assert.deepEqual(Skill.parse(new TextEncoder().encode(text)), Skill.parse(text));
    assert.deepEqual(Skill.parse(text).metadata, { é: "1.10" });
  });

  test("says where a problem is, in bytes", () => {
    const text = "---\nname: a\ndescription: é <b>\n---\nx";
    const [problem] = Skill.parse(text).problems;
    assert.equal(problem.path, "/description");
    assert.equal(problem.offset, text.indexOf("é"));
    assert.match(problem.message, /<b>/);
  });

  test("gives every field as an own one", () => {
    const { extra, metadata } = Skill.parse(
      file("arguments: {__proto__: {a: 1}, constructor: 2}\nmetadata: {__proto__: x}"),
    );
    assert.deepEqual(Object.keys(extra.arguments), ["__proto__", "constructor"]);
    assert.equal(Object.getPrototypeOf(extra.arguments), Object.prototype);
    assert.deepEqual(Object.entries(metadata), [["__proto__", "x"]]);
    assert.equal({}.a, undefined);
  });

  test("gives the frontmatter as it stands there, with its types", () => {
    const fields = [
      "name: '  pdf  '",
      "description: Reads PDFs",
      "version: 1.10",
      "metadata: {stars: 3, beta: true, of: [a, 2, ~]}",
      "allowed-tools: [Read, Grep]",
      "mode: direct",
    ].join("\n");
    const { data, name, metadata } = Skill.parse(`---\n${fields}\n---\nDo it.\n`);
    assert.deepEqual(data, {
      name: "  pdf  ",
      description: "Reads PDFs",
      version: 1.1,
      metadata: { stars: 3, beta: true, of: ["a", 2, null] },
      "allowed-tools": ["Read", "Grep"],
      mode: "direct",
    });
    assert.deepEqual([name, metadata.stars], ["pdf", "3"]);
    assert.deepEqual(Skill.parse("no frontmatter").data, {});
    assert.deepEqual(Skill.parse("---\na: [\n---\nx").data, {});
    const hostile = Skill.parse("---\n__proto__: {a: 1}\n---\nx").data;
    assert.deepEqual(Object.entries(hostile), [["__proto__", { a: 1 }]]);
    assert.equal({}.a, undefined);
  });

  test("keeps numbers that are none of JSON as they are written", () => {
    const fields = "version: .inf\nlevel: [-.inf, .nan, 0x10, -0, 9007199254740993]";
    const { extra } = Skill.parse(file(fields));
    assert.deepEqual(extra, {
      version: ".inf",
      level: ["-.inf", ".nan", 16, 0, "9007199254740993"],
    });
    assert.deepEqual(JSON.parse(JSON.stringify(extra)), extra);
  });

  test("gives a model what a person sees", () => {
    const text =
      "---\nname: pdf\ndescription: Reads\u200b PDFs\u202e.\n---\nOpen\u{e0041} it.\u001b[0m می\u200cخواهم";
    const skill = Skill.parse(text);
    assert.deepEqual([skill.description, skill.body], ["Reads PDFs.", "Open it. می\u200cخواهم"]);
    assert.deepEqual(
      [skill.valid, skill.problems.map(({ rule }) => rule)],
      [true, ["SK-24", "SK-24"]],
    );
    const { text: listing } = Skill.listing([{ name: "p\u200bdf", description: "a\u2066b" }]);
    assert.match(listing, /"pdf">ab</);
  });

  test("throws nothing, whatever it gets", () => {
    const throwing = new Proxy({}, { get: () => assert.fail("read") });
    for (const input of [undefined, null, 1, {}, [], Symbol.iterator, throwing, "\ud800"]) {
      assert.deepEqual(rulesOf(Skill.parse(input)), ["SK-01 error"]);
    }
    for (const options of [null, 1, { maxBytes: Number.NaN, dirName: 1, strict: "x" }]) {
      assert.deepEqual(rulesOf(Skill.parse(file("tags: a"), options)), []);
    }
    assert.deepEqual(rulesOf(Skill.parse(file("tags: a"), throwing)), ["SK-01 error"]);
  });

  test("counts maxBytes in bytes", () => {
    const text = file("tags: é");
    const maxBytes = Buffer.byteLength(text);
    assert.deepEqual(rulesOf(Skill.parse(text, { maxBytes })), []);
    assert.deepEqual(rulesOf(Skill.parse(text, { maxBytes: maxBytes - 1 })), ["SK-01 error"]);
  });
});

describe("Skill.listing", () => {
  const skill = (name, description = "d", more = {}) => ({
    ...Skill.parse(`---\nname: ${name}\ndescription: ${description}\n---\nx`),
    modelInvocable: true,
    ...more,
  });

  test("lists what a model may call", () => {
    const skills = [skill("a"), skill("b", "d", { modelInvocable: false }), skill("c <", "e")];
    const { text, cut, nameOnly, hidden } = Skill.listing(skills);
    assert.equal(
      text,
      '<available_skills>\n<skill name="a">d</skill>\n<skill name="c &lt;">e</skill>\n</available_skills>',
    );
    assert.deepEqual([cut, nameOnly, hidden], [[], [], []]);
    assert.equal(Skill.listing(skills, { style: "markdown" }).text, "- a: d\n- c &lt;: e");
    assert.equal(Skill.listing([]).text, "");
  });

  test("tells what it cuts, within its limit", () => {
    const skills = Array.from({ length: 20 }, (_, at) => skill(`s${at}`, "word ".repeat(100)));
    const options = { maxChars: 500, recent: ["s19"] };
    const listing = Skill.listing(skills, options);
    assert.ok([...listing.text].length <= 500);
    assert.equal(listing.cut.length + listing.nameOnly.length, 20);
    assert.ok(listing.cut.some(({ name, kept }) => name === "s19" && kept <= 40));
    assert.deepEqual(Skill.listing(skills, options), listing);
    const few = Skill.listing(skills, { maxChars: 60 });
    assert.ok(few.text.endsWith(`(${few.hidden.length} more)`));
  });

  test("refuses what is no skill, as an error of the package", () => {
    for (const skills of [undefined, "a", [null], [{}], [{ name: 1 }]]) {
      assert.throws(() => Skill.listing(skills), { name: "PartValidationError" });
    }
  });
});
