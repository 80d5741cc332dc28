/** What the viewer makes of compactions: folds over what they hid, facts, and the line of the context. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compactedSession } from "../transcripts.mjs";
import { load } from "../typescript.mjs";

const viewer = await load(
  "features/timeline/model/lines.ts",
  "features/timeline/model/timeline.ts",
  "core/model/compactions.ts",
  "core/model/row_map.ts",
  "core/model/shown_rows.ts",
  "core/store/compactions.ts",
  "core/worker/compactions.ts",
  "core/worker/open_transcript.ts",
);
const { toolView } = await load("features/cards/worker/tools/tool_view.ts");
const { Transcript } = await import("../../../pkg/node.mjs");

/** What the worker tells the page of a session, and its rows. */
function told(json) {
  const transcript = Transcript.open(new TextEncoder().encode(json));
  const open = new viewer.OpenTranscript(transcript);
  const { layout } = open;
  const facts = { layout, ...viewer.compactionFacts(open) };
  open.free();
  return { facts, map: new viewer.RowMap(layout.firstPart) };
}

function contextOf(json) {
  const { facts, map } = told(json);
  const making = viewer.timelineOf(facts.layout, map, []);
  let made = making.next();
  while (!made.done) made = making.next();
  const { at, values } = viewer.linesOf(made.value, facts).context;
  return { timeline: made.value, at: [...at], values: [...values], facts };
}

describe("a compaction", () => {
  const { facts, map } = told(compactedSession());
  const [first, second, ...others] = viewer.compactionViews(facts.compactions, facts.layout, map);

  test("says what it hid, what stayed, and the tokens before and after", () => {
    const { hidden, calls, kept, before, after } = first;
    assert.deepEqual([hidden, calls, kept, before, after], [4, 2, 2, 17_000, 5000]);
    assert.deepEqual([first.from, first.to], [0, 4]);
  });

  test("hides what stayed of the one before it, and that one's summary", () => {
    const { from, to, hidden, calls, kept, before, after } = second;
    assert.deepEqual([from, to, hidden, calls, kept], [4, 10, 6, 1, 0]);
    assert.deepEqual([before, after], [5000, 900]);
  });

  test("that came to nothing hides nothing", () => {
    assert.deepEqual(others, []);
  });

  test("has ranges that follow each other, whatever the file says", () => {
    const spans = [
      { message: 10, summary: 11, from: 0, to: 9 },
      { message: 12, summary: 13, tail: 4, from: 4, to: 4 },
      { message: 14, summary: 99, from: 4, to: 99 },
    ];
    const views = viewer.compactionViews(spans, facts.layout, map);
    const ranges = views.map(({ from, to }) => [from, to]);
    assert.deepEqual(ranges, [
      [0, 9],
      [9, 9],
      [9, 15],
    ]);
  });
});

describe("the rows that are in the list", () => {
  test("are all where nothing is folded", () => {
    const shown = new viewer.ShownRows(7, []);
    assert.deepEqual([shown.count, shown.row(5), shown.item(5)], [7, 5, 5]);
    assert.equal(shown.foldedAt(5), undefined);
  });

  test("are counted without what is folded away, and back", () => {
    const folded = [
      [1, 4],
      [5, 6],
      [9, 12],
    ];
    const shown = new viewer.ShownRows(14, folded);
    const rows = [0, 4, 6, 7, 8, 12, 13];
    assert.equal(shown.count, rows.length);
    for (const [item, row] of rows.entries()) {
      assert.equal(shown.row(item), row, `item ${item}`);
      assert.equal(shown.item(row), item, `row ${row}`);
      assert.equal(shown.foldedAt(row), undefined);
    }
    // What is folded away is where the row is that stands for it.
    for (const [row, item] of [
      [1, 0],
      [3, 0],
      [5, 1],
      [11, 4],
    ]) {
      assert.equal(shown.item(row), item, `row ${row}`);
      assert.ok(shown.foldedAt(row));
    }
    // Of values of all rows, those that are left.
    const all = Float32Array.from({ length: 14 }, (_, row) => row);
    assert.deepEqual([...shown.pick(all)], rows);
    assert.deepEqual([...new viewer.ShownRows(14, [[13, 14]]).pick(all)], [...all].slice(0, 13));
    assert.equal(new viewer.ShownRows(14, []).pick(all), all);
  });
});

describe("the fold over what was hidden", () => {
  const folds = () => {
    const { facts, map } = told(compactedSession());
    const compactions = new viewer.Compactions(
      () => ({ facts, map }),
      (row) => row,
    );
    return { compactions, map, all: compactions.all };
  };

  test("begins unfolded; folded, one row stands for all", () => {
    const { compactions, map, all } = folds();
    const [first, second] = all;
    assert.equal(compactions.shown.count, map.rows);
    compactions.close(first, true);
    const gone = map.header(4) - 1;
    assert.equal(compactions.shown.count, map.rows - gone);
    assert.equal(compactions.foldAt(0), first);
    assert.equal(compactions.foldAt(map.header(4)), second);
    assert.equal(compactions.foldAt(map.row(4, 0)), undefined);
    assert.deepEqual([compactions.shown.row(0), compactions.shown.row(1)], [0, map.header(4)]);
  });

  test("folded one after the other, each keeps its row", () => {
    const { compactions, map, all } = folds();
    for (const each of all) compactions.close(each, true);
    const rows = [0, 1, 2].map((item) => compactions.shown.row(item));
    assert.deepEqual(rows, [0, map.header(4), map.header(10)]);
  });

  test("opens for a row inside of it, and no other does", () => {
    const { compactions, map, all } = folds();
    for (const each of all) compactions.close(each, true);
    compactions.open(map.row(3, 0));
    assert.deepEqual(
      all.map((each) => compactions.isClosed(each)),
      [false, true],
    );
    compactions.open(map.header(12));
    assert.ok(compactions.isClosed(all[1]));
  });

  test("is of every message that was hidden, and of none that stays", () => {
    const { compactions, all } = folds();
    const hiding = Array.from({ length: 15 }, (_, i) => all.indexOf(compactions.hiding(i)));
    assert.deepEqual(hiding, [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1]);
  });
});

describe("the line of the context", () => {
  test("falls where a summary is there, and leaves out the requests for summaries", () => {
    const { timeline, at, values } = contextOf(compactedSession());
    assert.deepEqual(values, [9000, 16_000, 17_000, 5000, 5000, 900, 900]);
    assert.equal(at[3], timeline.messageTo[7]);
    assert.equal(at[5], timeline.messageTo[11]);
    assert.ok(at.every((place, i) => i === 0 || place >= at[i - 1]));
  });

  test("falls to what is counted where no step came after", () => {
    const { values, facts } = contextOf(compactedSession(12));
    assert.ok(facts.contextNow > 0 && facts.contextNow < 900, `${facts.contextNow}`);
    assert.deepEqual(values, [9000, 16_000, 17_000, 5000, 5000, facts.contextNow]);
  });
});

describe("a cleared output", () => {
  const state = { status: "completed", input: {}, output: "two buckets" };
  const time = { start: 1, end: 2, compacted: 3 };

  test("is there in full, with when it was cleared and what the model sees", () => {
    const view = toolView({ tool: "bash", state: { ...state, time } }, "[gone]");
    assert.deepEqual(view.cleared, { time: 3, placeholder: "[gone]" });
    assert.equal(view.output.head, "two buckets");
  });

  test("is one of a completed call, cleared at a time", () => {
    for (const other of [
      { ...state, time: { start: 1, end: 2 } },
      { ...state, time: { ...time, compacted: "3" } },
      { status: "error", input: {}, error: "no", time },
      { status: "running", input: {}, time },
    ]) {
      assert.equal(toolView({ tool: "bash", state: other }, "[gone]").cleared, undefined);
    }
  });
});

test("the rows of messages and of parts that are looked for come in the order of the transcript", () => {
  // Two parts, none, three.
  const map = new viewer.RowMap(Uint32Array.of(0, 2, 2, 5));
  const all = () => true;
  assert.deepEqual(map.rowsWhere(all, all), [0, 1, 2, 3, 4, 5, 6, 7]);
  const found = map.rowsWhere(
    (message) => message === 1,
    (part) => part === 1 || part === 4,
  );
  assert.deepEqual(found, [2, 3, 7]);
  for (const part of [1, 4]) assert.ok(found.some((row) => map.partIndex(row) === part));
  assert.deepEqual(new viewer.RowMap(new Uint32Array(0)).rowsWhere(all, all), []);
});
