/** The timeline's model: places, lanes, pixels and lines, without a browser. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { workOf } from "../../work.mjs";
import { load } from "../typescript.mjs";

let model;
before(async () => {
  model = await load(
    "core/model/parts.ts",
    "features/timeline/model/axis.ts",
    "features/timeline/model/bins.ts",
    "features/timeline/model/lanes.ts",
    "features/timeline/model/lines.ts",
    "features/timeline/model/ranks.ts",
    "features/timeline/model/ticks.ts",
    "features/timeline/model/timeline.ts",
    "features/timeline/store.ts",
    "core/model/row_map.ts",
    "ui/store.ts",
  );
});

const START = 1_795_293_000_000;
const SECOND = 1000;
const STATUSES = { none: 0, pending: 1, running: 2, completed: 3, error: 4, failed: 5 };
const ROLES = { user: 1, assistant: 2 };

/**
 * A layout of messages `{ role, agent, session, created, completed, flags, parts }` with parts
 * `{ type, status, start, end, cost, tokens, tool }`; times in seconds after the start.
 */
function layoutOf(messages) {
  const parts = messages.flatMap((message) => message.parts ?? []);
  const time = (seconds) => (seconds === undefined ? Number.NaN : START + seconds * SECOND);
  const names = (list) => [...new Set(list.filter(Boolean))];
  const agentNames = names(messages.map((message) => message.agent));
  const toolNames = names(parts.map((part) => part.tool));
  let first = 0;
  const firstPart = [0, ...messages.map((message) => (first += message.parts?.length ?? 0))];
  return {
    firstPart: Uint32Array.from(firstPart),
    types: Uint8Array.from(parts, ({ type }) => model.PART_TYPES.indexOf(type)),
    statuses: Uint8Array.from(parts, ({ status }) => STATUSES[status ?? "none"]),
    sizes: new Uint32Array(parts.length),
    starts: Float64Array.from(parts, ({ start }) => time(start)),
    ends: Float64Array.from(parts, ({ end }) => time(end)),
    costs: Float32Array.from(parts, ({ cost }) => cost ?? 0),
    tokens: Uint32Array.from(parts, ({ tokens }) => tokens ?? 0),
    tools: Uint16Array.from(parts, ({ tool }) => toolNames.indexOf(tool) + 1),
    roles: Uint8Array.from(messages, ({ role }) => ROLES[role ?? "assistant"]),
    flags: Uint8Array.from(messages, ({ flags }) => flags ?? 0),
    created: Float64Array.from(messages, ({ created }) => time(created)),
    completed: Float64Array.from(messages, ({ completed }) => time(completed)),
    agents: Uint16Array.from(messages, ({ agent }) => agentNames.indexOf(agent) + 1),
    sessions: Uint32Array.from(messages, ({ session }) => session ?? 0),
    toolNames,
    agentNames,
  };
}

function timelineOf(messages, faulty = [], tracks = []) {
  const layout = layoutOf(messages);
  const making = model.timelineOf(layout, new model.RowMap(layout.firstPart), faulty, tracks);
  for (;;) {
    const step = making.next();
    if (step.done) return step.value;
  }
}

const call = (start, end, more = {}) => ({
  type: "tool",
  tool: "bash",
  status: "completed",
  start,
  end,
  ...more,
});

/** Steps of ten seconds each: one call in each. */
const steps = (count, from = 0, more = {}) =>
  Array.from({ length: count }, (_, i) => ({
    agent: "build",
    created: from + i * 10,
    completed: from + i * 10 + 10,
    parts: [call(from + i * 10 + 2, from + i * 10 + 8)],
    ...more,
  }));

const whole = (timeline) => ({ from: 0, to: timeline.axis.length });

describe("the axis", () => {
  test("is time where there are times", () => {
    const { axis, from, to } = timelineOf(steps(10));
    assert.equal(axis.kind, "time");
    assert.equal(axis.length, 100 * SECOND);
    assert.deepEqual([...from.slice(0, 2)], [2 * SECOND, 12 * SECOND]);
    assert.deepEqual([...to.slice(0, 2)], [8 * SECOND, 18 * SECOND]);
    assert.equal(axis.value(12 * SECOND), START + 12 * SECOND);
  });

  test("cuts a night of waiting, and goes there and back", () => {
    const night = 8 * 3600;
    const user = { role: "user", agent: "build", created: night, parts: [{ type: "text" }] };
    const { axis, messageFrom } = timelineOf([...steps(10), user, ...steps(10, night)]);
    assert.equal(axis.breaks.length, 1);
    const [cut] = axis.breaks;
    assert.equal(cut.to - cut.from, (night - 100) * SECOND);
    assert.ok(axis.breakWidth < axis.length * 0.02, `${axis.breakWidth} of ${axis.length}`);
    assert.ok(axis.length < 210 * SECOND);
    assert.equal(messageFrom[11], cut.at + axis.breakWidth);
    for (const seconds of [0, 5, 100, 4000, night, night + 37]) {
      const moment = START + seconds * SECOND;
      assert.ok(Math.abs(axis.value(axis.at(moment)) - moment) < 1, `${seconds} s`);
    }
    // In either direction, for the last break is remembered.
    assert.equal(axis.value(axis.at(START)), START);
  });

  test("leaves short waits as they are, and cuts many long ones together", () => {
    const chat = (wait) => Array.from({ length: 20 }, (_, i) => steps(1, i * (10 + wait))).flat();
    assert.equal(timelineOf(chat(5)).axis.breaks.length, 0);
    const { axis } = timelineOf(chat(600));
    assert.equal(axis.breaks.length, 19);
    const cut = axis.breakWidth * 19;
    assert.ok(cut <= axis.length * 0.26, `${cut} of ${axis.length}`);
  });

  test("cuts the night, not the work, where there are moments only", () => {
    const moments = (from) =>
      Array.from({ length: 20 }, (_, i) => ({ agent: "build", created: from + i * 40 }));
    assert.equal(timelineOf(moments(0)).axis.breaks.length, 0);
    const { axis } = timelineOf([...moments(0), ...moments(8 * 3600)]);
    assert.equal(axis.breaks.length, 1);
    assert.equal(axis.breaks[0].from, START + 760 * SECOND);
  });

  test("is rows where there are no times, or all are one", () => {
    const bare = [
      { role: "user", parts: [{ type: "text" }] },
      { parts: [{ type: "text" }, call()] },
    ];
    const { axis, from, to, messageFrom, messageTo } = timelineOf(bare);
    assert.equal(axis.kind, "rows");
    assert.equal(axis.length, 5);
    assert.deepEqual([...messageFrom], [0, 2]);
    assert.deepEqual([...messageTo], [2, 5]);
    assert.deepEqual([...from], [1, 3, 4]);
    assert.deepEqual([...to], [2, 4, 5]);
    assert.equal(timelineOf([{ created: 1 }, { created: 1 }]).axis.kind, "rows");
  });

  test("takes times that are none for unknown", () => {
    const { axis } = timelineOf([
      ...steps(3),
      { agent: "build", created: Number.POSITIVE_INFINITY, completed: -1e12, parts: [call(-1e13)] },
    ]);
    assert.equal(axis.length, 30 * SECOND);
  });

  test("gives what has no time of its own a place in its message", () => {
    const parts = [
      { type: "step-start" },
      { type: "text", start: 1, end: 2 },
      { type: "patch" },
      call(3, 5),
      { type: "step-finish", tokens: 5 },
    ];
    const known = timelineOf([{ created: 0, completed: 6, parts }, ...steps(1, 10)]);
    assert.deepEqual(
      [...known.from.slice(0, 5)],
      [0, 1, 2, 3, 6].map((s) => s * SECOND),
    );
    const spread = timelineOf([{ created: 0, completed: 6, parts: [{ type: "text" }, call()] }]);
    assert.deepEqual([...spread.from], [0, 3000]);
    assert.deepEqual([...spread.to], [3000, 6000]);
  });

  test("lets a call that still runs go on to the end", () => {
    const { to, axis } = timelineOf([
      { created: 0, parts: [call(1, undefined, { status: "running" })] },
      ...steps(2, 10),
    ]);
    assert.equal(to[0], axis.length);
  });
});

describe("lanes", () => {
  test("one an agent; a user's message belongs to the agent that answers", () => {
    const { lanes, laneOf, calls } = timelineOf([
      { role: "user", created: 0 },
      ...steps(2, 1),
      { role: "user", agent: "build", created: 30 },
      ...steps(1, 31, { agent: "plan" }),
    ]);
    assert.deepEqual(lanes, ["build", "plan"]);
    assert.deepEqual([...laneOf], [0, 0, 0, 1, 1]);
    assert.deepEqual([...calls], [2, 1]);
  });

  test("a session each where agents have no names", () => {
    const nameless = { agent: undefined };
    assert.deepEqual(timelineOf(steps(2, 0, nameless)).lanes, ["agent"]);
    const two = [...steps(1, 0, nameless), ...steps(1, 20, { ...nameless, session: 1 })];
    assert.deepEqual(timelineOf(two).lanes, ["session 1", "session 2"]);
  });

  test("never more than eight: the least busy share the last", () => {
    const crowd = Array.from({ length: 30 }, (_, i) =>
      steps(i === 29 || i < 6 ? 3 : 1, i * 40, { agent: `agent ${i}` }),
    ).flat();
    const { lanes, laneOf } = timelineOf(crowd);
    const own = [0, 1, 2, 3, 4, 5, 29].map((i) => `agent ${i}`);
    assert.deepEqual(lanes, [...own, "23 others"]);
    assert.equal(laneOf.at(-1), 6);
    assert.equal(laneOf[18], 7);
  });
});

describe("sessions of tasks, which have no rows", () => {
  const track = (agent, row, start, end, rank) => ({
    agent,
    row,
    calls: 1,
    starts: Float64Array.of(START + start * SECOND),
    ends: Float64Array.of(end === undefined ? Number.NaN : START + end * SECOND),
    ranks: Uint8Array.of(rank),
    failed: rank === model.RANK_ERROR ? 1 : 0,
  });

  test("have lanes of their agents, and lead to the call that started them", () => {
    const { RANK_COMPLETED, RANK_ERROR, RANK_RUNNING } = model;
    const timeline = timelineOf(
      steps(10),
      [],
      [
        track("general", 1, 3, 7, RANK_ERROR),
        track("build", -1, 20, 40, RANK_COMPLETED),
        track("general", 3, 90, undefined, RANK_RUNNING),
      ],
    );
    assert.deepEqual(timeline.lanes, ["build", "general"]);
    assert.deepEqual([...timeline.calls], [11, 2]);
    assert.deepEqual([...timeline.failed], [0, 1]);
    const { ranks } = model.bin(timeline, whole(timeline), 100);
    assert.deepEqual([...ranks.slice(102, 108)], [0, 7, 7, 7, 7, 0]);
    assert.equal(ranks[30], RANK_COMPLETED);
    assert.equal(ranks[199], RANK_RUNNING);
    assert.equal(timeline.hit(1, 5 * SECOND, 1), 1);
    assert.equal(timeline.hit(1, 95 * SECOND, 1), 3);
    assert.equal(timeline.hit(1, 50 * SECOND, 1), -1);
  });

  test("share the last lane where there is no room for more", () => {
    const many = Array.from({ length: 20 }, (_, i) => track(`agent ${i}`, -1, i, i + 1, 4));
    assert.equal(timelineOf(steps(10), [], many).lanes.length, 8);
  });
});

describe("pixels", () => {
  test("show the worst that stands in them", () => {
    const timeline = timelineOf([
      ...steps(9),
      {
        agent: "build",
        created: 90,
        completed: 100,
        parts: [
          call(92, 98),
          call(94, 94.1, { status: "error" }),
          { type: "reasoning", start: 92, end: 99 },
        ],
      },
    ]);
    const { ranks } = model.bin(timeline, whole(timeline), 100);
    assert.equal(ranks[1], model.RANK_SPAN);
    assert.deepEqual([...new Set(ranks.slice(2, 8))], [model.RANK_COMPLETED]);
    assert.equal(ranks[8], model.RANK_SPAN);
    assert.equal(ranks[94], model.RANK_ERROR);
    assert.equal(ranks[95], model.RANK_COMPLETED);
    assert.equal(ranks[98], model.RANK_REASONING);
    assert.equal(ranks.indexOf(model.RANK_ERROR), ranks.lastIndexOf(model.RANK_ERROR));
    const { ranks: near } = model.bin(timeline, { from: 90_000, to: 100_000 }, 1000);
    assert.equal(near.filter((rank) => rank === model.RANK_ERROR).length, 10);
  });

  test("what the validator found an error in is an error", () => {
    const { ranks } = timelineOf(steps(3), [3]);
    assert.deepEqual([...ranks], [model.RANK_COMPLETED, model.RANK_ERROR, model.RANK_COMPLETED]);
  });

  test("mark users, compactions, subtasks and messages that failed", () => {
    const timeline = timelineOf([
      { role: "user", created: 0, parts: [{ type: "text" }] },
      ...steps(4, 0, { flags: 0 }),
      { agent: "build", created: 50, completed: 60, parts: [call(50, 60, { tool: "task" })] },
      { role: "user", created: 70, parts: [{ type: "compaction" }] },
      { agent: "compaction", created: 71, completed: 90, flags: 2 },
      { agent: "build", created: 90, completed: 100, flags: 1 },
    ]);
    assert.equal(timeline.compactions, 1);
    const { ranks, marks } = model.bin(timeline, whole(timeline), 100);
    assert.equal(marks[0], model.MARK_USER);
    assert.equal(marks[50], model.MARK_SUBTASK);
    assert.equal(marks[100 + 70], model.MARK_USER | model.MARK_COMPACTION);
    assert.equal(marks[100 + 71], model.MARK_COMPACTION);
    assert.equal(ranks[99], model.RANK_ERROR);
    const { marks: merged, lanes } = model.bin(timeline, whole(timeline), 100, true);
    assert.equal(lanes, 1);
    assert.equal(merged[71], model.MARK_COMPACTION);
  });

  test("cost each part the same, however wide it is", () => {
    const time = (completed) => {
      const parts = Array.from({ length: 100_000 }, () => call(0, completed));
      const timeline = timelineOf([{ agent: "build", created: 0, completed: 1000, parts }]);
      let ranks;
      const work = workOf(() => {
        ({ ranks } = model.bin(timeline, whole(timeline), 10_000));
      });
      return { ranks, work };
    };
    const narrow = time(1).work;
    // Every part spans everything: painted pixel by pixel this would be 10⁹ steps.
    const wide = Array.from({ length: 3 }, () => time(1000));
    for (const { ranks } of wide) {
      assert.ok(ranks.every((rank) => rank === model.RANK_COMPLETED));
    }
    const work = Math.min(...wide.map((once) => once.work));
    assert.ok(work < 20 * narrow + 400, `${work} ms; parts of ten pixels: ${narrow} ms`);
  });

  test("of rows that a search has found", () => {
    const timeline = timelineOf(steps(10));
    const rows = Uint32Array.from([1, 3, 3, 99]);
    const found = model.binRows(timeline, rows, whole(timeline), 100);
    assert.deepEqual(
      [...found.keys()].filter((x) => found[x]),
      [2, 12],
    );
  });
});

describe("what is under the pointer", () => {
  const messages = [
    { role: "user", created: 0, agent: "build", parts: [{ type: "text" }] },
    {
      agent: "build",
      created: 10,
      completed: 40,
      parts: [
        call(12, 38),
        call(20, 21, { status: "error" }),
        { type: "text", start: 39, end: 40 },
      ],
    },
    ...steps(1, 50, { agent: "plan" }),
  ];
  test("is the bar that shows there, in that lane, or near by", () => {
    const timeline = timelineOf(messages);
    const at = (lane, seconds, slack = 0) => timeline.hit(lane, seconds * SECOND, slack * SECOND);
    assert.equal(at(0, 0), 0);
    assert.equal(at(0, 11), 2);
    assert.equal(at(0, 15), 3);
    assert.equal(at(0, 20.5), 4);
    assert.equal(at(0, 39.5), 5);
    assert.equal(at(0, 22, 0.5), 3);
    assert.equal(at(0, 22, 2), 4);
    assert.equal(at(0, 45), -1);
    assert.equal(at(0, 55), -1);
    assert.equal(at(1, 55), 7);
  });

  test("loops lie in the lane of their last part", () => {
    const timeline = timelineOf(messages);
    const [span, ...none] = timeline.loops([
      { kind: "exact_repeat", action: "interrupt", repeats: 2, message: "", rows: [3, 4] },
      { kind: "chant", action: "warning", repeats: 2, message: "", rows: [] },
      { kind: "chant", action: "warning", repeats: 2, message: "", rows: [4000] },
    ]);
    assert.deepEqual([span.lane, span.from, span.to], [0, 12_000, 38_000]);
    assert.equal(span.calls.length, 2);
    assert.equal(span.calls[0], span.from);
    assert.deepEqual(none, []);
  });
});

describe("lines", () => {
  const finish = (at, tokens, cost, session = 0) => ({
    agent: "build",
    session,
    created: at,
    completed: at + 5,
    parts: [
      { type: "text", start: at, end: at + 1 },
      { type: "step-finish", tokens, cost },
    ],
  });

  test("context of the main session, and all that was spent", () => {
    const { context, cost } = model.linesOf(
      timelineOf([
        finish(0, 100, 0.5),
        finish(10, 200, 0.25),
        finish(4, 9, 1, 1),
        finish(20, 50, 0),
      ]),
    );
    assert.deepEqual([...context.values], [100, 200, 50]);
    assert.deepEqual([...context.at], [5000, 15_000, 25_000]);
    assert.deepEqual([...cost.at], [5000, 9000, 15_000, 25_000]);
    assert.deepEqual([...cost.values], [0.5, 1.5, 1.75, 1.75]);
    assert.equal(model.valueAt(context, 4999), undefined);
    assert.equal(model.valueAt(context, 5000), 100);
    assert.equal(model.valueAt(context, 16_000), 200);
    assert.equal(model.valueAt(cost, 1e9), 1.75);
  });

  test("are empty where nothing was spent", () => {
    const { context, cost } = model.linesOf(timelineOf(steps(3)));
    assert.equal(context.at.length + cost.at.length, 0);
  });

  test("are thinned to their extremes", () => {
    const count = 50_000;
    const at = Float64Array.from({ length: count }, (_, i) => i);
    const values = Float64Array.from(at, (i) => Math.sin(i / 50));
    values[31_234] = 9;
    values[31_235] = -9;
    const [places, thinned] = model.thin({ at, values }, { from: 0, to: count });
    assert.ok(places.length <= 2000, `${places.length}`);
    assert.ok(thinned.includes(9) && thinned.includes(-9));
    assert.deepEqual([places[0], places.at(-1)], [0, count - 1]);
    assert.ok(places.every((place, i) => i === 0 || place > places[i - 1]));
    // Near by nothing is left out, and the value that comes in from the left is there.
    assert.deepEqual(
      model.thin({ at, values }, { from: 100.5, to: 103.5 })[0],
      [100, 101, 102, 103, 104],
    );
    const [ends, held] = model.pointsOf({ at, values }, { from: 0, to: count + 500 });
    assert.deepEqual([ends.at(-1), held.at(-1)], [count + 500, values[count - 1]]);
  });
});

describe("labels", () => {
  const labels = ({ axis, map }, range, width = 900) =>
    model.ticksOf(axis, map, range, width).map(({ label }) => label);

  test("are times since the beginning, with room between them", () => {
    const timeline = timelineOf(steps(10));
    assert.deepEqual(labels(timeline, whole(timeline)), [
      "0 s",
      "10 s",
      "20 s",
      "30 s",
      "40 s",
      "50 s",
      "1 min",
      "1 min 10 s",
      "1 min 20 s",
      "1 min 30 s",
      "1 min 40 s",
    ]);
    assert.equal(labels(timeline, { from: 2000, to: 2900 })[0], "2.0 s");
  });

  test("say how long a wait was that is cut out", () => {
    const timeline = timelineOf([...steps(10), ...steps(10, 3 * 3600)]);
    assert.ok(labels(timeline, whole(timeline)).includes("2 h 58 min later"));
  });

  test("are messages where there are no times", () => {
    const bare = Array.from({ length: 100 }, () => ({ parts: [{ type: "text" }] }));
    const timeline = timelineOf(bare);
    const found = labels(timeline, whole(timeline));
    assert.equal(found[0], "message 0");
    assert.ok(found.length > 3 && found.length <= 11, found.join());
  });

  test("stay few, whatever the range", () => {
    const timeline = timelineOf([...steps(2), ...steps(2, 1e9), ...steps(2, 1e10)]);
    for (const width of [1, 10, 900, 5000]) {
      for (const range of [whole(timeline), { from: 0, to: 1e-9 }, { from: 5, to: 25 }]) {
        assert.ok(labels(timeline, range, width).length <= width / 40 + 2);
      }
    }
  });
});

describe("what is in sight", () => {
  /** A page with one transcript, as far as the timeline knows of it. */
  async function pageWith(messages) {
    const docOf = (shown) => {
      const layout = layoutOf(shown);
      return {
        facts: { layout, problems: [], compactions: [] },
        map: new model.RowMap(layout.firstPart),
        client: { call: async () => [] },
      };
    };
    const viewer = { store: new model.Store({ doc: undefined, selected: -1 }) };
    const state = new model.TimelineState(viewer);
    const doc = docOf(messages);
    viewer.store.set({ doc });
    await settle(state);
    const grow = (more) => {
      Object.assign(doc, docOf(more));
      viewer.store.set({ doc });
    };
    return { viewer, state, grow };
  }

  const range = (state) => state.store.get().range;
  const lengthOf = (state) => state.store.get().timeline?.axis.length;
  const settle = (state, length = 1) => {
    const { promise, done } = deferred();
    const check = () => lengthOf(state) >= length && done();
    const stop = state.store.watch(check);
    check();
    return promise.then(stop);
  };
  const deferred = () => {
    let done;
    const promise = new Promise((resolve) => {
      done = resolve;
    });
    return { promise, done };
  };

  test("is all at first, never more, and never less than can be told apart", async () => {
    const { state } = await pageWith(steps(10));
    assert.deepEqual(range(state), { from: 0, to: 100_000 });
    state.zoom(2);
    assert.deepEqual(range(state), { from: 0, to: 100_000 });
    state.zoom(0.5, 80_000);
    assert.deepEqual(range(state), { from: 40_000, to: 90_000 });
    state.move(1);
    assert.deepEqual(range(state), { from: 50_000, to: 100_000 });
    state.move(-9);
    assert.deepEqual(range(state), { from: 0, to: 50_000 });
    for (let i = 0; i < 40; i++) state.zoom(0.5);
    assert.ok(Math.abs(range(state).to - range(state).from - 20) < 1e-6);
    state.fit();
    assert.deepEqual(range(state), { from: 0, to: 100_000 });
  });

  test("stays all, at the end, or where it was while the transcript grows", async () => {
    const { state, grow } = await pageWith(steps(10));
    grow(steps(12));
    await settle(state, 120_000);
    assert.deepEqual(range(state), { from: 0, to: 120_000 });
    state.show(100_000, 120_000);
    grow(steps(15));
    await settle(state, 150_000);
    assert.deepEqual(range(state), { from: 130_000, to: 150_000 });
    state.show(10_000, 30_000);
    grow(steps(20));
    await settle(state, 200_000);
    assert.deepEqual(range(state), { from: 10_000, to: 30_000 });
  });

  test("is laid out at most every quarter of a second, with what came last", async () => {
    const { state, grow } = await pageWith(steps(10));
    let made = 0;
    let before = state.store.get().timeline;
    const stop = state.store.watch(() => {
      const { timeline } = state.store.get();
      if (timeline !== before) made++;
      before = timeline;
    });
    const began = performance.now();
    for (let count = 11; count <= 40; count++) grow(steps(count));
    assert.equal(made, 0);
    await settle(state, 400_000);
    stop();
    assert.equal(made, 1);
    assert.ok(performance.now() - began > 200);
  });

  test("follows the selection, and knows what is under the pointer", async () => {
    const { viewer, state } = await pageWith(steps(10));
    state.show(0, 20_000);
    viewer.store.set({ selected: 3 });
    assert.deepEqual(range(state), { from: 0, to: 20_000 });
    viewer.store.set({ selected: 15 });
    const { from, to } = range(state);
    assert.ok(from <= 72_000 && to >= 78_000, `${from} to ${to}`);
    state.point(75_000, 0, 10);
    assert.equal(state.store.get().hover.row, 15);
    state.point(75_000, -1, 10);
    assert.equal(state.store.get().hover.row, -1);
  });

  test("keeps the rows that a search has found until there is another transcript", async () => {
    const { viewer, state } = await pageWith(steps(3));
    state.setTicks(Uint32Array.of(1, 2));
    assert.deepEqual([...state.store.get().ticks], [1, 2]);
    viewer.store.set({ doc: undefined });
    assert.equal(state.store.get().ticks.length, 0);
    assert.equal(state.store.get().timeline, undefined);
  });
});

test("half a million parts are laid out in short stretches", () => {
  const layout = layoutOf(
    Array.from({ length: 5000 }, (_, i) => ({
      agent: "build",
      created: i * 10,
      completed: i * 10 + 9,
      parts: Array.from({ length: 100 }, (_, n) => call(i * 10 + n * 0.05, i * 10 + n * 0.05 + 1)),
    })),
  );
  const making = model.timelineOf(layout, new model.RowMap(layout.firstPart), []);
  let stretches = 0;
  while (!making.next().done) stretches++;
  assert.ok(stretches > 40, `${stretches} stretches`);
});
