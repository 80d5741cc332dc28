/** Reading a file from one end to the other, and what is held of a transcript that is not held. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { longSession } from "../transcripts.mjs";
import { load } from "../typescript.mjs";

const { ForwardReader, readForward } = await load("core/worker/forward_reader.ts");
const { FileBytes, HEAD } = await load("core/worker/file_bytes.ts");
const { OpenTranscript } = await load("core/worker/open_transcript.ts");
const { Transcript } = await import("../../../pkg/node.mjs");
const MB = 1 << 20;

const bytes = Uint8Array.from({ length: 9 * MB + 7 }, (_, i) => (i * 31 + (i >> 8) * 7) & 255);
const same = (a, b) => Buffer.compare(a, b) === 0;

/** A file whose stream is one of bytes, or of chunks only, as not every browser has the first. */
function file(content, isOfBytes = true) {
  return {
    size: content.length,
    slice: (start, end) => file(content.subarray(start, end), isOfBytes),
    arrayBuffer: async () => content.slice().buffer,
    stream() {
      let at = 0;
      const pull = (controller) => {
        const piece = content.slice(at, at + 300_001);
        at += piece.length;
        if (piece.length > 0) controller.enqueue(piece);
        else {
          controller.close();
          controller.byobRequest?.respond(0);
        }
      };
      return new ReadableStream(isOfBytes ? { type: "bytes", pull } : { pull });
    },
  };
}

describe("a file is read forward", () => {
  for (const isOfBytes of [true, false]) {
    const how = isOfBytes ? "into the same memory" : "in chunks";

    test(`whole, ${how}`, async () => {
      for (const content of [bytes, bytes.subarray(0, 1), bytes.subarray(0, 0)]) {
        let at = 0;
        for await (const piece of readForward(file(content, isOfBytes))) {
          assert.ok(same(piece, content.subarray(at, at + piece.length)));
          at += piece.length;
        }
        assert.equal(at, content.length);
      }
    });

    test(`in ranges, ${how}`, async () => {
      const reading = new ForwardReader(file(bytes, isOfBytes), 1000);
      for (let at = 1000, i = 0; at < bytes.length; i++) {
        const end = at + 1 + ((i * 377_777) % (2 * MB));
        const found = await reading.read(at, end);
        assert.ok(same(found, bytes.subarray(at, end)), `${at} to ${end}`);
        if (i % 3 > 0) reading.giveBack(found.buffer);
        at = end + (i % 2) * 100;
      }
      assert.equal((await reading.read(bytes.length + 100, bytes.length + 200)).length, 0);
      reading.stop();
    });
  }

  test("and begun anew where ranges do not follow each other", async () => {
    globalThis.FileReaderSync = class {
      readAsArrayBuffer() {
        throw new Error("It was to be read ahead.");
      }
    };
    const made = new FileBytes(file(bytes));
    made.note(bytes.subarray(0, 300_000));
    made.note(bytes.subarray(300_000, MB));
    assert.ok(same(made.read(HEAD - 9, HEAD), bytes.subarray(HEAD - 9, HEAD)));
    assert.throws(() => made.read(HEAD - 9, HEAD + 1), /ahead/);
    for (const [start, end] of [
      [5 * MB, 6 * MB],
      [6 * MB + 1, 8 * MB],
      [0, 2 * MB],
      [8 * MB, 9 * MB],
    ]) {
      const letGo = await made.ahead(start, end);
      assert.ok(same(made.read(start, end), bytes.subarray(start, end)), `${start} to ${end}`);
      letGo();
      letGo();
      assert.throws(() => made.read(end - 1000, end), /ahead/);
    }
    delete globalThis.FileReaderSync;
  });
});

test("what is made lighter has all its columns when they are asked for", () => {
  const session = longSession(300);
  const json = typeof session === "string" ? session : JSON.stringify(session);
  const held = new OpenTranscript(Transcript.open(new TextEncoder().encode(json)));
  const before = structuredClone(held.layout);
  assert.equal(held.whole(), held.layout);
  held.lighten();
  assert.equal(held.layout.starts.length, 0);
  assert.deepEqual(held.layout.sizes, before.sizes);
  assert.deepEqual(held.whole(), before);
  held.free();
});
