/** The virtual list against plain models: heights and places, the window that the library knows of. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { load } from "../typescript.mjs";

const { Gradual, Heights, ScrollPlane, VirtualRows } = await load(
  "ui/list/gradual.ts",
  "ui/list/heights.ts",
  "ui/list/scroll_plane.ts",
  "ui/list/virtual_rows.ts",
);

/** Numbers below a limit, the same at every run. */
function dice(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** What `Heights` is to say, the plain way. */
class Plain {
  constructor(heights) {
    this.heights = [...heights];
  }
  get total() {
    return this.top(this.heights.length);
  }
  top(row) {
    return this.heights.slice(0, Math.max(0, row)).reduce((sum, height) => sum + height, 0);
  }
  at(place) {
    let end = 0;
    for (const [row, height] of this.heights.entries()) {
      end += height;
      if (place < end) return row;
    }
    return this.heights.length - 1;
  }
}

describe("heights", () => {
  for (const count of [0, 1, 2, 511, 512, 513, 1024, 3000]) {
    test(`of ${count} rows`, () => {
      const roll = dice(count + 1);
      const guesses = Float32Array.from({ length: count }, () => 20 + roll(200));
      const plain = new Plain(guesses);
      const heights = new Heights(guesses);
      for (let step = 0; step < 300; step++) {
        if (count > 0) {
          const row = roll(count);
          const height = roll(10) === 0 ? 0 : roll(5000);
          heights.set(row, height);
          plain.heights[row] = height;
        }
        if (step % 10 !== 0) continue;
        assert.equal(heights.total, plain.total);
        for (const row of [0, roll(count + 1), roll(count + 1), count - 1, count, count + 5]) {
          assert.equal(heights.top(row), plain.top(row), `top of row ${row}`);
        }
        for (const place of [-1, 0, roll(plain.total + 1), plain.total - 1, plain.total + 9]) {
          assert.equal(heights.at(place), plain.at(place), `row at ${place}`);
        }
      }
      heights.set(-1, 7);
      heights.set(count, 7);
      assert.equal(heights.total, plain.total, "a row that is not there has no height");
    });
  }

  test("a row begins where it is found", () => {
    const roll = dice(9);
    const heights = new Heights(Float32Array.from({ length: 2000 }, () => 1 + roll(90)));
    for (let row = 0; row < 2000; row++) {
      assert.equal(heights.at(heights.top(row)), row);
      assert.equal(heights.at(heights.top(row + 1) - 1), row);
    }
  });
});

const VIEW = 900;
const OVERSCAN = 6;

/** A scroller that is no element, with rows as high as `real` says, once they are drawn. */
class Page {
  frames = [];
  listeners = new Set();
  observed = [];
  drawings = 0;
  wanted = true;
  top = 0;
  spacer = 0;
  ownerDocument = { defaultView: this };
  performance = performance;
  clientHeight = VIEW;
  clientWidth = 700;
  style = {};
  elements = new Map();
  /** The heights that were measured. */
  known = new Map();

  constructor(options, real, cap) {
    this.options = options;
    this.real = real;
    this.rows = new VirtualRows(
      () => this.plane,
      () => {
        this.wanted = true;
      },
    );
    this.rows.update(options);
    const moved = () => {
      this.wanted = true;
    };
    this.plane = new ScrollPlane(this, moved, cap);
    this.unmount = this.rows.mount();
    this.settle();
  }

  /** The parts of a window, a document and an element that are asked for. */
  requestAnimationFrame = (run) => this.frames.push(run);
  cancelAnimationFrame = (id) => {
    this.frames[id - 1] = undefined;
  };
  setTimeout = () => 0;
  clearTimeout = () => {};
  addEventListener(type, listener) {
    if (type === "scroll") this.listeners.add(listener);
  }
  removeEventListener(_type, listener) {
    this.listeners.delete(listener);
  }
  get scrollHeight() {
    return Math.max(this.spacer, VIEW);
  }
  get scrollTop() {
    return this.top;
  }
  set scrollTop(top) {
    const next = Math.min(Math.max(0, top), this.scrollHeight - VIEW);
    if (next === this.top) return;
    this.top = next;
    this.moved = true;
  }

  /** Draws, as the component does, until nothing is asked for any more. */
  settle() {
    for (let round = 0; round < 60; round++) {
      if (this.moved) {
        this.moved = false;
        for (const listener of [...this.listeners]) listener();
      }
      if (this.wanted) this.draw();
      this.measure();
      const frames = this.frames.splice(0);
      for (const run of frames) run?.();
      if (!this.moved && !this.wanted && frames.length === 0) return;
    }
    assert.fail("the list does not come to rest");
  }

  draw() {
    this.wanted = false;
    this.drawings++;
    this.rows.update(this.options);
    this.spacer = this.plane.spacer(this.rows.total);
    this.scrollTop = Math.min(this.top, this.scrollHeight - VIEW);
    this.items = this.rows.items;
    const keyOf = this.options.keyOf ?? ((row) => row);
    const here = new Map(this.items.map(({ index }) => [keyOf(index), index]));
    for (const [key, element] of this.elements) {
      if (here.has(key)) continue;
      element.isConnected = false;
      this.elements.delete(key);
    }
    for (const [key, index] of here) {
      const old = this.elements.get(key);
      if (old) old.index = index;
      else {
        const real = () => this.real[key];
        const element = {
          index,
          isConnected: true,
          getAttribute: () => String(element.index),
          get offsetHeight() {
            return real();
          },
        };
        this.elements.set(key, element);
        this.rows.measureElement(element);
      }
    }
    this.rows.drawn();
  }

  /** What the browser does once rows have been laid out. */
  measure() {
    for (const key of this.elements.keys()) this.known.set(key, this.real[key]);
    const entries = [...this.elements.values()].map((target) => ({
      target,
      borderBoxSize: [{ blockSize: target.offsetHeight, inlineSize: 700 }],
    }));
    for (const observer of this.observed) observer.deliver(entries);
  }

  ResizeObserver = (() => {
    const page = this;
    return class {
      targets = new Set();
      constructor(callback) {
        this.callback = callback;
        page.observed.push(this);
      }
      observe(target) {
        this.targets.add(target);
      }
      unobserve(target) {
        this.targets.delete(target);
      }
      disconnect() {
        this.targets.clear();
      }
      deliver(entries) {
        const mine = entries.filter(({ target }) => this.targets.has(target));
        if (mine.length > 0) this.callback(mine);
      }
    };
  })();

  /** The reader scrolls. */
  scroll(top) {
    this.plane.scrollTo({ top });
    this.settle();
  }

  /** The first row in view, and how far its top is above that of the view. */
  here() {
    const row = this.rows.at(this.plane.scrollTop);
    return { row, above: this.plane.scrollTop - this.rows.top(row) };
  }

  /** The list as it is, against the plain one. */
  check() {
    const { count, keyOf = (row) => row } = this.options;
    const plain = new Plain(
      this.guesses.map((guess, row) => this.known.get(keyOf(row)) ?? guess).slice(0, count),
    );
    assert.equal(this.rows.total, plain.total + 160);
    const top = this.plane.scrollTop;
    const first = plain.at(top);
    let last = first;
    while (last < count - 1 && plain.top(last + 1) < top + VIEW) last++;
    assert.deepEqual(this.rows.range, { startIndex: first, endIndex: last });
    const from = Math.max(0, first - OVERSCAN);
    const to = Math.min(count - 1, last + OVERSCAN);
    const wanted = [];
    for (let row = from; row <= to; row++) {
      wanted.push({ index: row, start: plain.top(row), size: plain.heights[row] });
    }
    assert.deepEqual(this.items, wanted);
  }
}

/** A page with a list, and what is known of its rows. */
function open(count, roll, cap) {
  const real = Array.from({ length: 20_000 }, () => 24 + roll(400));
  const guesses = Array.from({ length: 20_000 }, () => 30 + roll(300));
  const options = (rows, more = {}) => ({
    count: rows,
    guess: () => Float32Array.from(guesses.slice(0, rows)),
    basis: {},
    paddingEnd: 160,
    margin: 12,
    ...more,
  });
  const page = new Page(options(count), real, cap);
  page.guesses = guesses;
  page.to = (rows, more) => {
    page.options = options(rows, more);
    page.wanted = true;
    page.settle();
  };
  return page;
}

describe("rows", () => {
  const { ResizeObserver } = globalThis;
  beforeEach(() => {
    globalThis.ResizeObserver = class {
      observe() {}
      disconnect() {}
    };
  });
  afterEach(() => {
    globalThis.ResizeObserver = ResizeObserver;
  });

  for (const count of [1, 40, 1024, 1025, 6000]) {
    test(`scrolled through, ${count} of them`, () => {
      const roll = dice(count);
      const page = open(count, roll);
      page.check();
      for (let step = 0; step < 120; step++) {
        const far = step % 7 === 0;
        const top = page.plane.scrollTop;
        page.scroll(far ? roll(page.rows.total) : Math.max(0, top + roll(3000) - 1500));
        page.check();
      }
    });
  }

  test("of one height, where one place looks like another", () => {
    const page = open(6000, () => 70);
    for (const top of [200_000, 400_000, 300_000, 301_000, 100_000]) {
      page.scroll(top);
      page.check();
    }
  });

  test("any row can be scrolled to, and stays where it is when those above are measured", () => {
    const roll = dice(3);
    const page = open(6000, roll);
    for (let step = 0; step < 80; step++) {
      const row = step % 20 === 0 ? [0, 5999][(step / 20) % 2] : roll(6000);
      page.rows.scrollToIndex(row, { align: "start" });
      page.settle();
      page.check();
      const most = page.rows.total - VIEW;
      const wanted = Math.max(0, Math.min(page.rows.top(row) - 12, most));
      assert.ok(Math.abs(page.plane.scrollTop - wanted) <= 1, `row ${row} is where it should be`);
    }
  });

  test("on a plane that is lower than they are together", () => {
    const roll = dice(11);
    const page = open(6000, roll, 100_000);
    assert.ok(page.rows.total > 1_000_000);
    for (let step = 0; step < 120; step++) {
      const row = roll(6000);
      if (step % 5 === 0) page.rows.scrollToIndex(row, { align: "start" });
      else page.plane.scrollTo({ top: page.plane.scrollTop + roll(2000) - 1000 });
      page.settle();
      page.check();
      assert.ok(page.spacer <= 100_000);
      if (step % 5 !== 0) continue;
      const wanted = Math.min(Math.max(0, page.rows.top(row) - 12), page.rows.total - VIEW);
      assert.ok(Math.abs(page.plane.scrollTop - wanted) <= 1, `row ${row} is where it should be`);
    }
  });

  test("a row in view is not scrolled to, one near its edge only so far as needed", () => {
    const page = open(6000, dice(4));
    page.scroll(400_000);
    const { startIndex, endIndex } = page.rows.range;
    const before = page.plane.scrollTop;
    page.rows.scrollToIndex(Math.floor((startIndex + endIndex) / 2), { align: "auto" });
    page.settle();
    assert.equal(page.plane.scrollTop, before);
    page.rows.scrollToIndex(endIndex + 2, { align: "auto" });
    page.settle();
    const end = page.rows.top(endIndex + 3);
    assert.ok(Math.abs(page.plane.scrollTop + VIEW - 12 - end) <= 1);
    page.check();
  });

  test("what comes above the view is measured without a jump", () => {
    const page = open(6000, dice(5));
    page.scroll(700_000);
    for (let step = 0; step < 300; step++) {
      const before = page.here();
      page.plane.scrollTo({ top: page.plane.scrollTop - 120 });
      page.settle();
      const after = page.here();
      const distance =
        page.rows.top(before.row) + before.above - (page.rows.top(after.row) + after.above);
      assert.ok(Math.abs(distance - 120) <= 1, `step ${step}: moved by ${distance}`);
    }
    page.check();
  });

  test("grows and shrinks, and remembers what was measured", () => {
    const roll = dice(6);
    const page = open(300, roll);
    for (let step = 0; step < 60; step++) {
      page.scroll(roll(page.rows.total));
      page.check();
      page.to(1 + roll(step % 2 === 0 ? 400 : 9000));
      page.check();
    }
    page.to(0);
    assert.deepEqual(page.items, []);
    assert.equal(page.rows.at(0), -1);
    assert.equal(page.rows.total, 160);
  });

  test("rows keep their heights when others come in above them", () => {
    const roll = dice(7);
    const page = open(3000, roll);
    page.scroll(200_000);
    page.check();
    const before = page.here();
    // Fifty rows with keys of their own in front of row 100.
    const keyOf = (row) => (row < 100 ? row : row < 150 ? 5000 + row : row - 50);
    page.to(3050, { keyOf });
    page.check();
    page.rows.scrollToIndex(before.row + 50, { align: "start" });
    page.settle();
    page.check();
    assert.equal(keyOf(page.here().row + 1), before.row);
  });

  test("the library is never told of more rows than there are in its window", () => {
    const page = open(20_000, dice(8));
    const { library } = page.rows;
    for (const row of [0, 700, 19_999, 10_000, 10_500, 3]) {
      page.rows.scrollToIndex(row, { align: "start" });
      page.settle();
      assert.equal(library.options.count, 1024);
      assert.equal(library.measurementsCache.length, 1024);
    }
  });
});

describe("a plane", () => {
  const HIGH = 1_000_000;
  const LOW = 50_000;

  /** An element of which the content is `LOW` high, and a list of `HIGH` on it. */
  function planeOf() {
    const listeners = [];
    let top = 0;
    let writes = 0;
    const element = {
      clientHeight: VIEW,
      clientWidth: 700,
      scrollHeight: LOW,
      addEventListener: (_type, listener) => listeners.push(listener),
      get scrollTop() {
        return top;
      },
      set scrollTop(next) {
        writes++;
        top = Math.min(Math.max(0, next), LOW - VIEW);
      },
    };
    const plane = new ScrollPlane(element, () => {}, LOW);
    assert.equal(plane.spacer(HIGH), LOW);
    /** The reader does, in the element's own pixels. */
    const scroll = (next) => {
      top = Math.min(Math.max(0, next), LOW - VIEW);
      for (const listener of listeners) listener();
      return plane.scrollTop;
    };
    return { plane, element, scroll, writes: () => writes };
  }

  test("goes pixel by pixel, and is seldom moved for it", () => {
    const { plane, element, scroll, writes } = planeOf();
    let position = 0;
    const steps = HIGH / 100;
    for (let step = 0; step < steps; step++) {
      const next = Math.min(position + 120, HIGH - VIEW);
      assert.ok(Math.abs(scroll(element.scrollTop + (next - position)) - next) < 0.01);
      position = next;
    }
    assert.equal(position, HIGH - VIEW);
    assert.equal(element.scrollTop, LOW - VIEW, "the end of one is that of the other");
    const down = writes();
    assert.ok(down < steps / 10, `${down} times in ${steps} steps`);
    for (let step = 0; step < steps; step++) {
      const next = Math.max(position - 120, 0);
      assert.ok(Math.abs(scroll(element.scrollTop - (position - next)) - next) < 0.01);
      position = next;
    }
    assert.equal(position, 0);
    assert.equal(element.scrollTop, 0, "and so is the beginning");
    assert.ok(writes() - down < steps / 10);
    assert.equal(plane.scrollHeight, HIGH);
  });

  test("is not moved near the ends of the list", () => {
    const { element, scroll, writes, plane } = planeOf();
    for (let top = 0; top < 4000; top += 50) assert.equal(scroll(top), top);
    for (let top = 4000; top >= 0; top -= 50) assert.equal(scroll(top), top);
    assert.equal(writes(), 0);
    plane.scrollTo({ top: HIGH });
    assert.equal(plane.scrollTop, HIGH - VIEW);
    const before = writes();
    for (let step = 0; step < 40; step++) scroll(element.scrollTop - 50);
    for (let step = 0; step < 40; step++) scroll(element.scrollTop + 50);
    assert.equal(writes(), before);
    assert.equal(plane.scrollTop, HIGH - VIEW);
  });

  test("comes to every place that it is sent to", () => {
    const roll = dice(12);
    const { plane, element, scroll } = planeOf();
    for (let step = 0; step < 2000; step++) {
      const top = roll(5) === 0 ? roll(3000) : roll(HIGH - VIEW);
      plane.scrollTo({ top });
      // The element tells of it later.
      assert.ok(Math.abs(scroll(element.scrollTop) - top) < 0.01);
      const by = roll(400) - 200;
      const next = Math.min(Math.max(0, top + by), HIGH - VIEW);
      assert.ok(Math.abs(scroll(element.scrollTop + by) - next) < 0.01, `${by} from ${top}`);
    }
  });

  test("goes in proportion where the scroll bar is dragged", () => {
    const { scroll } = planeOf();
    for (const share of [0.5, 0.1, 1, 0.7, 0]) {
      const position = scroll(share * (LOW - VIEW));
      assert.ok(Math.abs(position - share * (HIGH - VIEW)) < 0.01);
    }
  });
});

describe("rows that come all at once", () => {
  const { requestAnimationFrame, cancelAnimationFrame } = globalThis;
  let frames;
  let drawings;
  let gradual;
  beforeEach(() => {
    frames = new Map();
    drawings = 0;
    let next = 1;
    globalThis.requestAnimationFrame = (run) => {
      frames.set(next, run);
      return next++;
    };
    globalThis.cancelAnimationFrame = (id) => frames.delete(id);
    gradual = new Gradual(() => drawings++);
  });
  afterEach(() => Object.assign(globalThis, { requestAnimationFrame, cancelAnimationFrame }));

  const rows = (from, count, weight) =>
    Array.from({ length: count }, (_, i) => ({ key: from + i, weight }));
  const take = (...lists) => [...gradual.take(lists.flat())];
  const pass = () => {
    const now = [...frames.values()];
    frames.clear();
    for (const run of now) run();
    return now.length;
  };

  test("are drawn in several frames, the first ones first", () => {
    const all = rows(0, 8, 4);
    assert.deepEqual(take(all), [0, 1, 2]);
    assert.deepEqual(take(all), [0, 1, 2], "the same frame draws no more of them");
    assert.equal(pass(), 1);
    assert.equal(drawings, 1);
    assert.deepEqual(take(all), [0, 1, 2, 3, 4, 5]);
    pass();
    assert.deepEqual(take(all), [0, 1, 2, 3, 4, 5, 6, 7]);
    pass();
    assert.equal(drawings, 2, "nothing waits any more");
    assert.equal(pass(), 0);
  });

  test("one that is more than a frame's work is drawn by itself", () => {
    const all = [...rows(0, 1, 40), ...rows(1, 3, 1)];
    assert.deepEqual(take(all), [0]);
    pass();
    assert.deepEqual(take(all), [0, 1, 2, 3]);
  });

  test("a small one does not wait for a large one, nor costs what is drawn already", () => {
    assert.deepEqual(take(rows(0, 3, 4)), [0, 1, 2]);
    pass();
    assert.deepEqual(
      take(rows(0, 3, 4), rows(3, 1, 8), rows(4, 1, 30), rows(5, 1, 4)),
      [0, 1, 2, 3, 5],
    );
    pass();
    assert.deepEqual(take(rows(3, 3, 30)), [3, 4, 5]);
    pass();
    // Out of view, and come back: drawn anew.
    assert.deepEqual(take(rows(0, 4, 10)), [0, 3]);
  });

  test("nothing is drawn once the list is gone", () => {
    take(rows(0, 8, 5));
    gradual.stop();
    assert.equal(pass(), 0);
    assert.equal(drawings, 0);
  });
});
