/** What a search finds as columns: filtered, joined and listed; and what it says of its time. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { drop, launch, settled, visit } from "./browser.mjs";
import { serve } from "./server.mjs";
import { longSession } from "./transcripts.mjs";
import { load } from "./typescript.mjs";

const { RowFilter } = await load("core/model/filter.ts");
const { RowMap } = await load("core/model/row_map.ts");
const { Matching } = await load("core/worker/matches.ts");
const { listing } = await load("features/search/worker/listing.ts");

/** Numbers that are always the same. */
function dice(seed) {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Messages of 0 to 4 parts of one to three strings, each of a few letters. */
function texts(roll) {
  const string = () => Array.from({ length: roll(6) }, () => "abc"[roll(3)]).join("");
  const strings = () => Object.fromEntries(["/x", "/y", "/z"].map((name) => [name, string()]));
  return Array.from({ length: 30 }, () => Array.from({ length: roll(5) }, strings));
}

/** Every place of a letter, in order. */
function places(messages, letter) {
  const found = [];
  messages.forEach((parts, message) => {
    parts.forEach((strings, part) => {
      for (const [field, text] of Object.entries(strings)) {
        for (let at = text.indexOf(letter); at >= 0; at = text.indexOf(letter, at + 1)) {
          found.push({ message, part, field, start: at, end: at + 1 });
        }
      }
    });
  });
  return found;
}

/** A transcript that can do no more than be searched. */
const searched = (messages) => ({
  searchColumns(letter, { limit, from, to }) {
    const all = places(messages, letter).filter(({ message: m }) => m >= from && m < to);
    const taken = all.slice(0, limit);
    // Each list numbers its fields by itself.
    const fieldNames = [...new Set(taken.map(({ field }) => field))].reverse();
    const column = (of) => Uint32Array.from(taken, of);
    return {
      messages: column(({ message }) => message),
      parts: column(({ part }) => part),
      starts: column(({ start }) => start),
      ends: column(({ end }) => end),
      fields: column(({ field }) => fieldNames.indexOf(field)),
      fieldNames,
      capped: all.length > limit,
    };
  },
});

/** A search in all messages, or in those up to each of some ends, one range after another. */
function matchesOf(messages, map, terms, filter, ends = [messages.length]) {
  const matching = new Matching(searched(messages), map, terms, filter);
  let from = 0;
  for (const to of ends) {
    if (!matching.look(from, to)) break;
    from = to;
  }
  return matching.matches();
}

const mapOf = (messages) => {
  const first = [0];
  for (const parts of messages) first.push(first.at(-1) + parts.length);
  return new RowMap(Uint32Array.from(first));
};

const shown = ({ rows, starts, ends, fields, names }) =>
  Array.from(rows, (row, i) => `${row} ${names[fields[i]]} ${starts[i]} ${ends[i]}`);

describe("hits in columns", () => {
  const asked = (letters) => letters.map((text) => ({ text, regex: false, caseSensitive: true }));

  test("are those of the rows that have every text and pass the filters", () => {
    let compared = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const roll = dice(seed);
      const messages = texts(roll);
      const map = mapOf(messages);
      const layout = { roles: Uint8Array.from(messages, () => 1 + roll(2)) };
      for (const letters of [["a"], ["a", "b"], ["c", "b", "a"], ["a", "z"]]) {
        for (const filters of [[], [{ name: "role", values: ["user"], negated: false }]]) {
          const filter = new RowFilter(layout, map, filters, true);
          const lists = letters.map((letter) =>
            places(messages, letter).filter(({ message, part }) => filter.passes(message, part)),
          );
          const rowOf = ({ message, part }) => map.row(message, part);
          const sets = lists.map((list) => new Set(list.map(rowOf)));
          const expected = lists
            .flat()
            .filter((hit) => sets.every((set) => set.has(rowOf(hit))))
            .map((hit) => `${rowOf(hit)} ${hit.field} ${hit.start} ${hit.end}`);
          const found = matchesOf(messages, map, asked(letters), filter);
          assert.deepEqual(shown(found).sort(), expected.sort(), `${seed} ${letters}`);
          assert.deepEqual(
            [...found.rows],
            [...found.rows].sort((a, b) => a - b),
          );
          assert.equal(found.capped, false);
          compared += expected.length;
        }
      }
    }
    assert.ok(compared > 5000, `${compared}`);
  });

  test("of ranges, one after another, are those of the whole", () => {
    let compared = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const roll = dice(seed);
      const messages = texts(roll);
      const map = mapOf(messages);
      const layout = { roles: Uint8Array.from(messages, () => 1 + roll(2)) };
      const filters = roll(2) ? [{ name: "role", values: ["user"], negated: false }] : [];
      const filter = new RowFilter(layout, map, filters, true);
      const cuts = Array.from({ length: roll(6) }, () => roll(messages.length + 1));
      const ends = [...cuts.sort((a, b) => a - b), messages.length];
      for (const letters of [["a"], ["b", "a"], ["z"], ["a", "b", "c"]]) {
        const whole = matchesOf(messages, map, asked(letters), filter);
        const pieces = matchesOf(messages, map, asked(letters), filter, ends);
        // The fields of one row may stand in another order, which is that of their names.
        assert.deepEqual(shown(pieces).sort(), shown(whole).sort(), `${seed} ${letters} ${ends}`);
        assert.deepEqual([...pieces.rows], [...whole.rows]);
        assert.equal(pieces.capped, false);
        compared += whole.rows.length;
      }
    }
    assert.ok(compared > 1000, `${compared}`);
  });

  test("of ranges are capped at as many, and where there are just as many they are not", () => {
    for (const [counts, capped] of [
      [[60_000, 40_000, 0], false],
      [[60_000, 40_000, 1], true],
      [[100_000], false],
    ]) {
      const messages = counts.map((count) => [{ "/x": "a".repeat(count) }]);
      const map = mapOf(messages);
      const filter = new RowFilter({}, map, [], true);
      const ends = messages.map((_, i) => i + 1);
      const found = matchesOf(messages, map, asked(["a"]), filter, ends);
      assert.deepEqual([found.rows.length, found.capped], [100_000, capped], `${counts}`);
    }
  });

  test("are looked for as long as one of the texts may have more", () => {
    const messages = [[{ "/x": "a".repeat(100_001) }], [{ "/x": "ab" }], [{ "/x": "b" }]];
    const map = mapOf(messages);
    const matching = new Matching(
      searched(messages),
      map,
      asked(["a", "b"]),
      new RowFilter({}, map, [], true),
    );
    assert.deepEqual(
      [0, 1, 2].map((from) => matching.look(from, from + 1)),
      [true, true, true],
    );
    assert.equal(matching.matches().capped, true);
    const one = new Matching(
      searched(messages),
      map,
      asked(["a"]),
      new RowFilter({}, map, [], true),
    );
    assert.equal(one.look(0, 1), false);
  });

  test("are capped at 100,000", () => {
    const messages = [[{ "/x": "a".repeat(100_001) }], [{ "/x": "a" }]];
    const map = mapOf(messages);
    const filter = new RowFilter({}, map, [], true);
    const found = matchesOf(messages, map, asked(["a"]), filter);
    assert.equal(found.rows.length, 100_000);
    assert.equal(found.capped, true);
  });

  test("of messages that are not in sight yet are left out", () => {
    const messages = [[{ "/x": "aa" }], [{ "/x": "a" }]];
    const map = mapOf(messages.slice(0, 1));
    const filter = new RowFilter({}, map, [], true);
    const found = matchesOf(messages, map, asked(["a"]), filter);
    assert.deepEqual(shown(found), ["1 /x 0 1", "1 /x 1 2"]);
  });
});

test("the list of hits has a line for each, and one above the first of each message", () => {
  // Three messages: rows 0 to 2, 3, and 4 to 5.
  const map = mapOf([[{}, {}], [], [{}]]);
  const list = listing(Uint32Array.of(1, 1, 2, 4, 5, 5), map);
  assert.deepEqual([...list.distinct], [1, 2, 4, 5]);
  assert.deepEqual([...list.lines], [-1, 0, 1, 2, -3, 3, 4, 5]);
  assert.deepEqual([...list.messages], [0, 2]);
  assert.deepEqual([...list.counts], [3, 3]);
  const none = listing(new Uint32Array(), map);
  assert.deepEqual([none.lines.length, none.messages.length], [0, 0]);
});

describe("the page", () => {
  let browser;
  let server;
  before(async () => {
    // The server first: were a browser being launched when it fails, nobody would close it.
    server = await serve();
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  test("says by User Timing what the last search took, and only of the last", () =>
    visit(browser, { address: server.url }, async (page) => {
      await drop(page, "long.json", longSession(300));
      await page.getByRole("heading", { name: "A long one", level: 1 }).waitFor();
      await settled(page);
      const measures = () =>
        page.evaluate(() =>
          performance
            .getEntriesByName("search")
            .map(({ entryType, startTime, duration }) => ({ entryType, startTime, duration })),
        );
      assert.deepEqual(await measures(), []);
      await page.keyboard.press("/");
      let last = 0;
      for (const [query, count] of [
        ["answer", "300 matches"],
        ["no such word", "no matches"],
        ["role:user", "300 matches"],
        ["question 29", "11 matches"],
        ["answer 299", "1 match"],
      ]) {
        await page.getByRole("search").getByRole("textbox").fill(query);
        await page.waitForFunction(
          (before) => performance.getEntriesByName("search")[0]?.startTime > before,
          last,
        );
        await page.locator(".search-count", { hasText: count }).waitFor();
        const all = await measures();
        assert.equal(all.length, 1, "only the last one is there");
        const [{ entryType, startTime, duration }] = all;
        assert.equal(entryType, "measure");
        assert.ok(duration > 0 && duration < 30_000, `${duration} ms`);
        last = startTime;
      }
    }));
});
