/** Going over a transcript in batches: every message once, its bytes read ahead, nothing kept. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load } from "../typescript.mjs";

const { inBatches } = await load("core/worker/batches.ts");
const { FileBytes } = await load("core/worker/file_bytes.ts");
const MB = 1 << 20;

/** Numbers that are always the same. */
function dice(seed) {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** A transcript of messages of these sizes, each of one part, which is so much of it. */
function transcript(sizes, share = 1) {
  const starts = [0];
  for (const size of sizes) starts.push(starts.at(-1) + size + 1);
  return {
    layout: {
      firstPart: Uint32Array.from({ length: sizes.length + 1 }, (_, i) => i),
      sizes: Uint32Array.from(sizes, (size) => size * share),
    },
    transcript: {
      byteRange: (from, to) => ({ start: starts[from], end: starts[to] - 1 }),
    },
    starts,
  };
}

/** A file that notes what was read ahead of it, and what of that is still kept. */
function noted() {
  const file = { asked: [], kept: new Set(), most: 0, longest: 0, under: 0 };
  file.ahead = async (start, end) => {
    const piece = { start, end };
    file.asked.push(piece);
    file.longest = Math.max(file.longest, end - start);
    file.under++;
    await new Promise((resolve) => setTimeout(resolve, 1));
    file.under--;
    file.kept.add(piece);
    file.most = Math.max(file.most, file.kept.size + file.under);
    return () => file.kept.delete(piece);
  };
  file.has = (start, end) => [...file.kept].some((p) => p.start <= start && end <= p.end);
  return file;
}

const later = () => new Promise((resolve) => setTimeout(resolve, 20));
const always = () => true;

describe("batches", () => {
  test("cover all messages, in order, and the bytes of each are there", async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const roll = dice(seed);
      const sizes = Array.from({ length: roll(400) }, () => 1 + roll(roll(5) ? 1000 : 3 * MB));
      // Messages may be more than their parts.
      const made = transcript(sizes, seed % 3 ? 1 : 0.01);
      for (const file of [undefined, noted()]) {
        let at = 0;
        const isOver = await inBatches({ ...made, file }, sizes.length, always, (from, to) => {
          assert.equal(from, at);
          assert.ok(to > from);
          if (file) assert.ok(file.has(made.starts[from], made.starts[to] - 1), `${from} to ${to}`);
          at = to;
          return true;
        });
        assert.equal(isOver, true);
        assert.equal(at, sizes.length);
        await later();
        assert.equal(file?.kept.size ?? 0, 0, "nothing is kept");
        if (!file) continue;
        assert.ok(file.most <= 5, `${file.most} at once`);
        assert.ok(file.longest <= 20 * MB, `${file.longest / MB} MB at once`);
      }
    }
  });

  test("a message that is too long is not read ahead", async () => {
    const made = transcript([1000, 100 * MB, 1000]);
    const file = noted();
    const seen = [];
    await inBatches({ ...made, file }, 3, always, (from, to) => seen.push([from, to]) > 0);
    assert.equal(seen.at(-1)[1], 3);
    assert.ok(file.longest < MB, `${file.longest}`);
  });

  test("end when no more is wanted, and release what was read ahead", async () => {
    const made = transcript(Array(100).fill(2 * MB));
    for (const [isWanted, look, expected] of [
      [always, () => false, true],
      [() => false, always, false],
    ]) {
      const file = noted();
      assert.equal(await inBatches({ ...made, file }, 100, isWanted, look), expected);
      await later();
      assert.equal(file.kept.size, 0);
      assert.ok(file.asked.length <= 5);
    }
  });

  test("let other calls be answered, and end soon when something newer comes", async () => {
    const made = transcript(Array(4000).fill(20_000));
    let wanted = true;
    let answered = 0;
    // Something newer comes when others have been answered a few times.
    const timer = setInterval(() => {
      wanted = ++answered < 5;
    }, 1);
    let last = 0;
    const isOver = await inBatches(
      made,
      4000,
      () => wanted,
      (from, to) => {
        // Half a millisecond a message: two seconds in all.
        const end = performance.now() + (to - from) / 2;
        while (performance.now() < end);
        last = to;
        return true;
      },
    );
    clearInterval(timer);
    assert.equal(isOver, false);
    assert.equal(answered, 5, `it looked no further than that: ${last} messages`);
    assert.ok(last < 4000, `${last} messages were looked at`);
  });
});

describe("bytes of a file", () => {
  const file = (length, fails = false) => {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8) * 7) & 255);
    return {
      bytes,
      slice: (start, end) => {
        const slice = bytes.slice(start, end);
        slice.arrayBuffer = async () => {
          if (fails) throw new Error("gone");
          return slice.buffer;
        };
        return slice;
      },
    };
  };
  /** With a reader that reads at once, which counts its readings. */
  async function reading(run) {
    const readings = [];
    globalThis.FileReaderSync = class {
      readAsArrayBuffer(bytes) {
        readings.push(bytes.length);
        return bytes.slice().buffer;
      }
    };
    try {
      await run(readings);
    } finally {
      delete globalThis.FileReaderSync;
    }
  }
  const same = (a, b) => Buffer.compare(a, b) === 0;

  test("that were read ahead are found until they are let go of", () =>
    reading(async (readings) => {
      const made = file(100_000);
      const bytes = new FileBytes(made);
      const letGo = await bytes.ahead(1000, 50_000);
      const other = await bytes.ahead(50_000, 90_000);
      for (const [start, end] of [
        [1000, 50_000],
        [2000, 2001],
        [49_999, 50_000],
        [50_000, 90_000],
      ]) {
        assert.ok(same(bytes.read(start, end), made.bytes.subarray(start, end)));
      }
      assert.deepEqual(readings, []);
      for (const [start, end] of [
        [999, 1500],
        [49_000, 51_000],
        [95_000, 96_000],
      ]) {
        assert.ok(same(bytes.read(start, end), made.bytes.subarray(start, end)));
      }
      assert.equal(readings.length, 3);
      letGo();
      assert.ok(same(bytes.read(2000, 3000), made.bytes.subarray(2000, 3000)));
      assert.equal(readings.length, 4);
      assert.ok(same(bytes.read(60_000, 70_000), made.bytes.subarray(60_000, 70_000)));
      other();
      bytes.read(60_000, 70_000);
      assert.equal(readings.length, 5);
    }));

  test("that cannot be read ahead are read when they are asked for", () =>
    reading(async (readings) => {
      const made = file(1000, true);
      const bytes = new FileBytes(made);
      const letGo = await bytes.ahead(0, 1000);
      assert.ok(same(bytes.read(10, 20), made.bytes.subarray(10, 20)));
      assert.deepEqual(readings, [10]);
      letGo();
    }));
});
