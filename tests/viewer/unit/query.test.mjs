/** The language of the search field, its filters over a layout, and what else is pure. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Transcript } from "../../../pkg/node.mjs";
import { inputs } from "../../inputs.mjs";
import { workOf } from "../../work.mjs";
import { load } from "../typescript.mjs";

const { matchesName } = await load("core/model/query.ts");
const { readQuery } = await load("core/worker/read_query.ts");
const { completionsAt } = await load("features/search/model/completion.ts");
const { RowFilter } = await load("core/model/filter.ts");
const { withoutResults } = await load("core/model/layout.ts");
const { NO_TIME, withoutNoTime } = await load("core/worker/no_time.ts");
const { RowMap } = await load("core/model/row_map.ts");
const { prettyHead, prettySize } = await load("core/worker/pretty.ts");
const { damageOf } = await load("core/worker/problems/damage.ts");
const { firstLine } = await load("core/worker/fields.ts");
const { readLink, linkHash } = await load("core/page/address.ts");

const PLAIN = { regex: false, caseSensitive: false };

function read(source, toggles = PLAIN) {
  const { query, mistake } = readQuery(source, toggles);
  assert.equal(mistake, undefined, `${source}: ${mistake?.sentence}`);
  return query;
}

const texts = (source, toggles) =>
  read(source, toggles).terms.map(({ text, regex }) => (regex ? `/${text}/` : text));
const filters = (source) =>
  read(source).filters.map(
    ({ name, negated, values, than, value }) =>
      `${negated ? "not " : ""}${name} ${values ? values.join("|") : `${than} ${value}`}`,
  );

describe("a word that is written as a filter and names none", () => {
  const unknown = (source, toggles = PLAIN) => readQuery(source, toggles).unknown;

  test("is named, and searched for as text", () => {
    assert.equal(unknown("foo:bar"), "foo");
    assert.equal(unknown("error tool:bash -foo:bar baz:1"), "foo");
    assert.equal(unknown("foo:"), "foo");
    assert.deepEqual(texts("foo:bar"), ["foo:bar"]);
  });

  test("is none in addresses, code, sentences, quotation marks and regular expressions", () => {
    for (const source of [
      ...["http://a.b/c", "std::fs", "c:\\x", "error: no", "Error:no", "10:30", '"foo:bar"'],
      ...["/foo:bar/", "a foo: b", "tool:bash"],
    ]) {
      assert.equal(unknown(source), undefined, source);
    }
    assert.equal(unknown("(?:a)foo:b", { regex: true, caseSensitive: false }), undefined);
  });
});

describe("the word at the caret completes", () => {
  const names = { tool: ["bash", "read", "web fetch"], agent: ["build"], type: ["text", "tool"] };
  const at = (text, caret = text.length) =>
    completionsAt(text, caret, names)?.list.map((each) => each.text);

  test("to keys", () => {
    assert.deepEqual(at("ag"), ["agent:"]);
    assert.deepEqual(at("exit code -t"), ["-tool:", "-type:", "-tokens>"]);
    assert.deepEqual(at("xyz"), undefined);
    assert.deepEqual(at(""), undefined);
    assert.deepEqual(at("tool", 2), undefined, "in the middle of a word");
    assert.deepEqual(at("to foo", 2), ["tool:", "tokens>"]);
  });

  test("to values that there are, of several the last", () => {
    assert.deepEqual(at("tool:"), ["tool:bash ", "tool:read ", "tool:web*fetch "]);
    assert.deepEqual(at("tool:bash,re"), ["tool:bash,read "]);
    assert.deepEqual(at("role:u"), ["role:user "]);
    assert.deepEqual(at("tool:bash"), undefined);
    assert.deepEqual(at("foo:b"), undefined);
    assert.deepEqual(at("a:b"), undefined);
  });
});

describe("texts of a query", () => {
  test("words are one phrase, just as it was typed", () => {
    assert.deepEqual(texts("exit code"), ["exit code"]);
    assert.deepEqual(texts("  two  spaces "), ["two  spaces"]);
    assert.deepEqual(texts(""), []);
    assert.deepEqual(texts("   "), []);
  });

  test("filters are taken out of it", () => {
    assert.deepEqual(texts("exit tool:bash code"), ["exit code"]);
    assert.deepEqual(texts("tool:bash exit code status:error"), ["exit code"]);
    assert.deepEqual(texts("tool:bash"), []);
  });

  test("quoted texts stand for themselves, and beside each other", () => {
    assert.deepEqual(texts('"tool:bash"'), ["tool:bash"]);
    assert.deepEqual(texts('"one" "two"'), ["one", "two"]);
    assert.deepEqual(texts('a b "one" c'), ["a b", "one", "c"]);
    assert.deepEqual(texts('"say \\"hi\\""'), ['say "hi"']);
    assert.deepEqual(texts('""'), []);
  });

  test("quotation marks inside words are text", () => {
    assert.deepEqual(texts('{"type": 1}'), ['{"type": 1}']);
    assert.deepEqual(texts('print("x")'), ['print("x")']);
    assert.deepEqual(texts('"type": 5'), ['"type": 5']);
  });

  test("slashes around a term make it a regular expression, those of paths do not", () => {
    assert.deepEqual(texts("/exit [1-9]/"), ["/exit [1-9]/"]);
    assert.deepEqual(texts("/a\\/b/i"), ["/a\\/b/"]);
    assert.deepEqual(texts("/[/]/"), ["/[/]/"]);
    assert.deepEqual(texts("/home/dev/file.txt"), ["/home/dev/file.txt"]);
    assert.deepEqual(texts("/home/dev"), ["/home/dev"]);
    assert.deepEqual(texts("//"), ["//"]);
    assert.deepEqual(texts("a.b c", { ...PLAIN, regex: true }), ["/a.b c/"]);
    assert.deepEqual(texts('"a.b"', { ...PLAIN, regex: true }), ["a.b"]);
  });

  test("case matters where the toggle is on, but for a pattern with i", () => {
    const aa = { ...PLAIN, caseSensitive: true };
    const sensitive = (source, toggles) => read(source, toggles).terms[0].caseSensitive;
    for (const source of ["error", "Error", "École", '"Error"', "/Error/"]) {
      assert.equal(sensitive(source, PLAIN), false, source);
      assert.equal(sensitive(source, aa), true, source);
    }
    assert.equal(sensitive("\\S+ \\W", { ...PLAIN, regex: true }), false);
    assert.equal(sensitive("/Error/i", PLAIN), false);
    assert.equal(sensitive("/Error/i", aa), false);
  });

  test("words with a colon that name no filter are text", () => {
    for (const source of ["Error: no", "http://a.b/c", "x:y", "-x", "tool>3", "a<b"]) {
      assert.deepEqual(texts(source), [source]);
    }
  });
});

describe("filters of a query", () => {
  test("name, with lists, wildcards, quotation marks and a minus", () => {
    assert.deepEqual(filters("tool:bash,read"), ["tool bash|read"]);
    assert.deepEqual(filters("Tool:Web*"), ["tool Web*"]);
    assert.deepEqual(filters('tool:"my tool"'), ["tool my tool"]);
    assert.deepEqual(filters("-role:user -tool:a"), ["not role user", "not tool a"]);
    assert.deepEqual(filters("type:from-the-future"), ["type from-the-future"]);
  });

  test("compare numbers, with units", () => {
    assert.deepEqual(filters("cost>0.05 cost<=$2"), ["cost > 0.05", "cost <= 2"]);
    assert.deepEqual(filters("tokens>=1.5k tokens<2M"), ["tokens >= 1500", "tokens < 2000000"]);
    assert.deepEqual(filters("dur>10s dur>10 dur<500ms"), [
      "dur > 10000",
      "dur > 10000",
      "dur < 500",
    ]);
    assert.deepEqual(filters("dur>1.5m dur<2h"), ["dur > 90000", "dur < 7200000"]);
    // Their products have a rest: 1.005 * 1000 is 1004.9999999999999.
    assert.deepEqual(filters("tokens<1.005k dur>=1.005s"), ["tokens < 1005", "dur >= 1005"]);
  });

  test("compare numbers with spaces around the sign; what is no number is text", () => {
    assert.deepEqual(filters("cost > 0.05 dur >=10s"), ["cost > 0.05", "dur >= 10000"]);
    assert.deepEqual(texts("ls cost > $1 -la"), ["ls -la"]);
    assert.deepEqual(texts("cost < effort"), ["cost < effort"]);
    assert.deepEqual(texts("tool > 5"), ["tool > 5"]);
    assert.deepEqual(texts("cost=low"), ["cost=low"]);
  });

  test("names match whatever their case, and * stands for any letters", () => {
    assert.ok(matchesName("bash", "Bash"));
    assert.ok(matchesName("web*", "webfetch"));
    assert.ok(matchesName("*fetch", "webfetch"));
    assert.ok(matchesName("w*f*h", "webfetch"));
    assert.ok(matchesName("*", ""));
    assert.ok(!matchesName("web", "webfetch"));
    assert.ok(!matchesName("ab*ba", "aba"));
    assert.ok(!matchesName("a*b*c", "acb"));
    assert.ok(!matchesName("a.c", "abc"));
  });
});

describe("mistakes are a sentence with a place", () => {
  for (const [source, at, says] of [
    ['one "two', 4, /quotation mark is not closed/],
    ["a tool:", 7, /value is missing behind tool:.*tool:bash/],
    ["tool:,", 6, /value is missing/],
    [
      "status:broken",
      7,
      /no status “broken”: it is pending, running, completed, error, failed or requested/,
    ],
    ["exit:one", 5, /“one” is not an exit code, as in exit:101/],
    ["exit:", 5, /value is missing behind exit:.*exit:101/],
    ["role:robot", 5, /user, assistant or other/],
    ["x cost>abc", 7, /“abc” is not an amount of dollars/],
    ["cost>", 5, /An empty value is not an amount of dollars/],
    ["cost:5", 0, /Write cost>0\.05/],
    ["x cost=5", 2, /Write cost>0\.05/],
    ["tokens>5s", 7, /not an amount of tokens/],
    ["dur>5x", 4, /not an amount of time/],
    ["dur>$5", 4, /not an amount of time/],
    ["a /(/", 3, /not a valid regular expression/],
    ["/a/g", 3, /only flag/],
    ["x".repeat(2001), 2000, /at most 2000 characters/],
  ]) {
    test(source.slice(0, 20), () => {
      const { query, mistake } = readQuery(source, PLAIN);
      assert.equal(query, undefined);
      assert.match(mistake.sentence, says);
      assert.match(mistake.sentence, /\.$/);
      assert.equal(mistake.at, at);
    });
  }

  test("anything at all is a query or a mistake, never an exception", () => {
    const pieces = [
      '"',
      "/",
      "\\",
      "tool:",
      "cost>",
      "-",
      "*",
      "a",
      " ",
      "(",
      "[",
      "<",
      "é",
      "\ud800",
      "\n",
    ];
    let seed = 7;
    const next = () => {
      seed = (seed * 48271) % 2147483647;
      return pieces[seed % pieces.length];
    };
    for (let i = 0; i < 5000; i++) {
      const source = Array.from({ length: 1 + (i % 9) }, next).join("");
      for (const toggles of [PLAIN, { regex: true, caseSensitive: true }]) {
        const { query, mistake } = readQuery(source, toggles);
        assert.equal(Boolean(query), !mistake, source);
        if (mistake) assert.ok(mistake.at <= source.length, source);
      }
    }
  });

  test("a hostile query is read in no time", () => {
    const work = workOf(() => {
      for (const piece of ['"\\', "/[", "/\\", "-tool:", '" ', "* "])
        readQuery(piece.repeat(900).slice(0, 2000), PLAIN);
      assert.ok(matchesName("a*".repeat(900), "b".repeat(5000)) === false);
    });
    // Tens of ms; without end where it tried every way to read them.
    assert.ok(work < 10_000, `${work} ms`);
  });
});

const NO_EXIT = -(2 ** 31);

/** Two messages: what the user said, and an answer of two steps with three calls. */
function layout() {
  const types = [0, 3, 2, 2, 4, 1, 255, 4];
  return {
    firstPart: Uint32Array.from([0, 1, 8]),
    types: Uint8Array.from(types),
    statuses: Uint8Array.from([0, 0, 3, 4, 0, 0, 0, 0]),
    exits: Int32Array.from([NO_EXIT, NO_EXIT, 0, NO_EXIT, NO_EXIT, NO_EXIT, NO_EXIT, NO_EXIT]),
    roles: Uint8Array.from([1, 2]),
    flags: Uint8Array.from([0, 1]),
    sizes: new Uint32Array(8),
    starts: Float64Array.from([NaN, NaN, 0, 0, NaN, 100, NaN, NaN]),
    ends: Float64Array.from([NaN, NaN, 12_000, 500, NaN, 200, NaN, NaN]),
    costs: Float32Array.from([0, 0, 0, 0, 0.04, 0, 0, 0.03]),
    tokens: Uint32Array.from([0, 0, 0, 0, 900, 0, 0, 300]),
    tools: Uint16Array.from([0, 0, 1, 2, 0, 0, 0, 0]),
    created: Float64Array.from([0, 10]),
    completed: Float64Array.from([NaN, 20_010]),
    agents: Uint16Array.from([1, 2]),
    sessions: new Uint32Array(2),
    toolNames: ["bash", "webfetch"],
    agentNames: ["build", "plan"],
  };
}

/** The rows that pass: `0` is the first message's own, `1.2` the third part of the second. */
function passing(source, all = layout()) {
  const { terms, filters: list } = read(source);
  const map = new RowMap(all.firstPart);
  const filter = new RowFilter(all, map, list, terms.length > 0, () => "future");
  const rows = [];
  for (let message = 0; message < map.messages; message++) {
    for (let part = -1; part < map.parts(message); part++) {
      if (filter.passes(message, part)) rows.push(part < 0 ? `${message}` : `${message}.${part}`);
    }
  }
  return rows.join(" ");
}

/** The same, but the first call has failed with an exit code. */
function failedWith(exit) {
  const all = layout();
  all.statuses[2] = 5;
  all.exits[2] = exit;
  return all;
}

test("a call that failed is not completed, and an error is a call that failed", () => {
  const all = failedWith(101);
  assert.equal(passing("status:failed", all), "1.1 1.2");
  assert.equal(passing("status:failed,error", all), "1 1.1 1.2");
  assert.equal(passing("status:error", all), "1 1.2");
  assert.equal(passing("status:completed", all), "");
  assert.equal(passing("exit:101", all), "1.1");
  assert.equal(passing("exit:1,101 tool:bash", all), "1.1");
  assert.equal(passing("exit:1", all), "");
  assert.equal(passing("exit:0", all), "");
  // As 32 bits, with a sign or without.
  assert.equal(passing("exit:3221225786", failedWith(-1073741510)), "1.1");
  assert.equal(passing("exit:-1073741510", failedWith(-1073741510)), "1.1");
});

describe("rows that pass", () => {
  for (const [source, rows] of [
    ["role:user", "0"],
    ["-role:user", "1"],
    ["agent:plan", "1"],
    ["role:user words", "0.0"],
    ["tool:bash", "1.1"],
    ["tool:web*", "1.2"],
    ["tool:bash,webfetch", "1.1 1.2"],
    ["tool:*", "1.1 1.2"],
    ["type:tool -tool:bash", "1.2"],
    ["status:error", "1 1.2"],
    ["status:error tool:bash", ""],
    ["status:completed", "1.1"],
    ["status:failed", "1.2"],
    ["exit:0", "1.1"],
    ["exit:101", ""],
    ["-exit:0 tool:*", "1.2"],
    ["type:reasoning", "1.4"],
    ["type:custom", "1.5"],
    ["type:future", "1.5"],
    ["type:past", ""],
    ["type:step-*", "1.0 1.3 1.6"],
    ["cost>0.05", "1"],
    ["cost>0.035", "1 1.3"],
    ["cost<0.035", "0 1.6"],
    ["tokens>1000", "1"],
    ["tokens>=300", "1 1.3 1.6"],
    ["dur>10s", "1 1.1"],
    ["dur<200ms", "1.4"],
    ["dur<=0s", ""],
    ["role:assistant dur>10s", "1 1.1"],
    ["tool:webfetch cost>0.05", "1.2"],
    ["tool:webfetch cost>1", ""],
    ["words cost>0.05 type:reasoning", "1.4"],
  ]) {
    test(source, () => assert.equal(passing(source), rows));
  }
});

test("the filters of the viewer and of the module choose the same parts", () => {
  let chosen = 0;
  const folder = fileURLToPath(new URL("../../fixtures/recorded/agents/", import.meta.url));
  for (const name of inputs(folder, /\.jsonl?$/)) {
    const transcript = Transcript.open(readFileSync(`${folder}${name}`), { now: NO_TIME });
    const layout = transcript.layout();
    if (!transcript.holdsResults) layout.statuses = withoutResults(layout.statuses);
    for (const times of [layout.starts, layout.ends, layout.created, layout.completed]) {
      withoutNoTime(times);
    }
    const map = new RowMap(layout.firstPart);
    const typeOf = (message, part) => transcript.message(message).parts[part].type;
    for (const source of [
      ...["tool:*", "tool:b*,read", "-tool:bash type:tool", "status:failed", "status:completed"],
      ...["status:requested", "exit:0", "-exit:0 tool:*", "type:reasoning,step-*", "type:custom"],
      ...["cost>0", "cost<0.01", "tokens>=100", "tool:* tokens>1k", "dur>1s", "dur<=1s type:tool"],
      "role:assistant tool:* cost<=1",
    ]) {
      const { filters: list } = read(source);
      const filter = new RowFilter(layout, map, list, false, typeOf);
      const own = [];
      for (let message = 0; message < map.messages; message++) {
        for (let part = 0; part < map.parts(message); part++) {
          if (filter.passes(message, part)) own.push(`${message}:${part}`);
        }
      }
      const { messages, parts } = transcript.searchColumns(source, { query: true, limit: 1e6 });
      const found = Array.from(messages, (message, i) => `${message}:${parts[i]}`);
      assert.deepEqual(found, own, `${name}: ${source}`);
      chosen += own.length;
    }
    transcript.free();
  }
  assert.ok(chosen > 1000, `${chosen} parts`);
});

describe("a cost that is just the one compared with", () => {
  /** The steps of the second message cost this much; the layout has them in 32 bits. */
  const costing = (first, second) => {
    const costs = Float32Array.from([0, 0, 0, 0, first, 0, 0, second]);
    return { ...layout(), costs };
  };
  const steps = (source, cost) => passing(`type:step-finish ${source}`, costing(cost, cost));
  // 0.05, 0.1 and 12.3 are more in 32 bits than in 64; 0.06, 0.07 and 0.0228 are less.
  for (const cost of [0.05, 0.1, 12.3, 0.06, 0.07, 0.0228, 0.0000015, 123.4567]) {
    test(`${cost}: of steps`, () => {
      assert.equal(steps(`cost>=${cost.toFixed(7)}`, cost), "1.3 1.6");
      assert.equal(steps(`cost<=${cost.toFixed(7)}`, cost), "1.3 1.6");
      assert.equal(steps(`cost>${cost.toFixed(7)}`, cost), "");
      assert.equal(steps(`cost<${cost.toFixed(7)}`, cost), "");
    });

    test(`${cost}: of a message, in one step and in two`, () => {
      const third = Number((cost / 3).toFixed(7));
      for (const all of [costing(cost, 0), costing(third, cost - third)]) {
        const holds = (sign) => passing(`role:assistant cost${sign}${cost.toFixed(7)}`, all);
        assert.match(holds(">="), /^1( |$)/);
        assert.match(holds("<="), /^1( |$)/);
        assert.doesNotMatch(holds(">"), /^1( |$)/);
        assert.doesNotMatch(holds("<"), /^1( |$)/);
      }
    });
  }
});

describe("JSON as it is shown", () => {
  const values = [
    null,
    5,
    "",
    'quote " and \n line',
    "half \ud800 pair, whole 😀",
    [],
    {},
    [1, [2, {}], "x"],
    { a: { b: [], c: {} }, "key \n": "v", 5: true, __proto__x: null },
    { long: "x".repeat(3000), more: ["😀".repeat(50)] },
  ];
  test("is that of JSON.stringify, as far as it is asked for", () => {
    for (const value of values) {
      const whole = JSON.stringify(value, null, 2);
      for (const limit of [0, 1, 2, 3, 7, 20, 50, 1000, whole.length, whole.length + 10]) {
        assert.equal(prettyHead(value, limit), whole.slice(0, limit), `${whole} at ${limit}`);
      }
      const lines = whole.split("\n").length;
      assert.deepEqual(prettySize(value), { length: whole.length, lines }, whole);
    }
  });

  test("costs what is shown of it, not what there is", () => {
    const value = { output: Buffer.alloc(50_000_000, "line of text\n").toString("latin1") };
    const whole = workOf(() => JSON.stringify(value, null, 2));
    const head = () => workOf(() => assert.equal(prettyHead(value, 20_000).length, 20_000));
    // The least of several: the garbage of other tests is collected meanwhile.
    const part = Math.min(...Array.from({ length: 5 }, head));
    assert.ok(part < whole / 4, `${part} ms of ${whole} ms`);
  });

  test("nests as deep as the file does", () => {
    let value = 1;
    for (let i = 0; i < 16_000; i++) value = [value];
    assert.ok(prettySize(value).length > 16_000);
    assert.equal(prettyHead(value, 9), "[\n  [\n   ");
  });
});

describe("damage in one sentence", () => {
  const problem = (message, offset, rule = "json", path = "") => ({
    severity: "error",
    rule,
    path,
    message,
    offset,
  });
  test("names the worst, with its byte, and counts the rest", () => {
    const cut = problem("the file is cut off: message 12 is not whole and is left out", 34_567);
    assert.equal(
      damageOf([cut], 12, 34_567),
      "The end of the file is missing: 12 messages were read, and what would have followed byte 34,567 is lost.",
    );
    assert.equal(
      damageOf([problem("expected a value; the line is skipped", 1234), cut], 1, 34_567),
      "The end of the file is missing: 1 message was read, and what would have followed byte 34,567 is lost; 1 other place is damaged too.",
    );
  });

  test("tells a record that is cut in the middle from the end of the file", () => {
    const record = problem("the text is cut off; the record is skipped", 500);
    const last = damageOf([record], 2, 500);
    assert.match(last, /^The end of the file is missing/);
    const inside = damageOf([record], 2, 9000);
    assert.match(inside, /^A line could not be read .* byte 500: 2/);
  });

  test("speaks of one byte and of several", () => {
    const prefix = (bytes) => problem(`${bytes} bytes before the JSON`, 0, "prefix");
    const says = (bytes) => damageOf([prefix(bytes)], 1, 0);
    assert.match(says(1), /begins with 1 byte of other text, which was skipped/);
    assert.match(says(21), /begins with 21 bytes of other text, which were skipped/);
  });

  test("says nothing of broken rules and of whole files", () => {
    assert.equal(damageOf([], 3, 100), undefined);
    const broken = problem("`messageID` is missing", 5, "BR-01", "/messages/0/parts/0");
    assert.equal(damageOf([broken], 3, 100), undefined);
    const tooMany = problem("more than 10000 problems; the others are not listed", 127, "schema");
    assert.equal(damageOf([tooMany], 3, 100), undefined);
  });
});

test("a first line loses the marks of markdown, and nothing else", () => {
  for (const [source, line] of [
    ["# Title", "Title"],
    ["---\n> - **bold** words", "bold words"],
    ["-5 degrees", "-5 degrees"],
    ["#42 is open", "#42 is open"],
    ["\n\n* one", "one"],
    ["***", ""],
  ]) {
    assert.equal(firstLine(source), line, source);
  }
});

describe("the end of an address", () => {
  test("is read as it was written", () => {
    for (const link of [
      { place: { message: 12, part: 3 }, regex: false, caseSensitive: false },
      { place: { message: 0, part: -1 }, query: "a b&c=d#e+f%", regex: true, caseSensitive: true },
      { query: "</script><img src=x onerror=alert(1)>", regex: false, caseSensitive: false },
    ]) {
      assert.deepEqual(readLink(linkHash(link)), link);
    }
    assert.equal(linkHash({ place: { message: 12, part: 3 } }), "#m=12&p=3");
  });

  test("may be an id", () => {
    for (const [hash, id] of [
      ["#prt_01", "prt_01"],
      ["#id=prt_01", "prt_01"],
      ["#id=a%26b", "a&b"],
      ["#a%20b", "a b"],
      ["#%E0%A4%A", "%E0%A4%A"],
      ["", undefined],
      ["#", undefined],
      ["#m=x", undefined],
    ]) {
      assert.equal(readLink(hash).id, id, hash);
    }
  });

  test("says what is no number in it", () => {
    for (const [hash, says] of [
      ["#m=abc", /m=abc is not the number of a message/],
      ["#m=", /m= is not the number of a message/],
      ["#m=-1&p=2", /m=-1 is not the number of a message/],
      ["#m=1&p=1e3", /p=1e3 is not the number of a part/],
      ["#p=3", /part 3 of no message/],
      [`#m=${"9".repeat(500)}`, /m=9{80} is not the number/],
    ]) {
      assert.match(readLink(hash).mistake, says, hash);
    }
    for (const hash of ["", "#", "#m=3", "#m=3&p=0", "#q=m", "#prt_1"]) {
      assert.equal(readLink(hash).mistake, undefined, hash);
    }
  });
});
