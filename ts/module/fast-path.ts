// The fast path of DeltaAssembler and DoomLoopDetector, for calls that come by the hundred thousand: writes
// the text into a buffer in the module's memory and passes only numbers. Conversion only, no rules:
// anything but the plainest input is left to the methods of the classes. It must equal them, proven by
// tests/package/deltas.test.mjs and loops.test.mjs.

import type { DeltaAssembler, DoomLoopDetector, MessageDelta } from "apex-parts:glue";
import type { Guarded, Guarding } from "./guard.ts";

const RUN: unique symbol = Symbol("run");
const CALL: unique symbol = Symbol("call");
const CLOCK: unique symbol = Symbol("clock");
const NAME = "deltaassembler";

// A cast: every typed array has it.
const lengthOf = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  "length",
)?.get as (this: Uint8Array) => number;

/** An assembler with what this file notes on it, and the methods that only this file uses. */
interface FastAssembler extends DeltaAssembler {
  /** The run and the call of the delta before. */
  [RUN]?: string | undefined;
  [CALL]?: string | undefined;
  /** Whether chunks need the time. */
  [CLOCK]?: boolean;
  __DeltaAssembler_ptr: number;
  fastFailure?(): Error;
  fastAfter?(run: string, call: unknown): boolean;
  fastNeedsClock?(): boolean;
}

interface FastDetector extends DoomLoopDetector {
  __DoomLoopDetector_ptr: number;
  fastText?(): unknown;
}

/** The classes that a program has of a module; `fastPathBuffer` says where in its memory the buffer is. */
interface Classes {
  fastPathBuffer(): number[];
  DeltaAssembler?: { prototype: FastAssembler };
  DoomLoopDetector?: { prototype: FastDetector };
}

/** The exports of the instance that are called here. */
interface FastExports {
  memory: WebAssembly.Memory;
  deltaassembler_fastPush(
    pointer: number,
    shape: number,
    seq: number,
    timeLength: number,
    length: number,
  ): number;
  deltaassembler_fastPushBytes(pointer: number, length: number, now: number): number;
  doomloopdetector_fastText(pointer: number, length: number, channel: number): number;
}

/** What a delta may be, before anything is checked; reading a field may run foreign code. */
interface AnyDelta {
  runId: unknown;
  kind: unknown;
  payload: {
    toolCallId?: unknown;
    argsTextDelta?: unknown;
    textDelta?: unknown;
    block?: unknown;
    provider?: unknown;
  };
  seq: unknown;
  timestamp: unknown;
}

/** Texts up to this length are written character by character: a call of TextEncoder takes some 70 ns. */
const SHORT = 32;
/** The kinds of delta, numbered as in src/wasm/api/assembler_fast_path.rs. */
const TEXT = 1;
const THINKING = 2;
const ARGUMENTS = 3;

/** The methods that only this file uses. */
const INTERNAL = ["fastPush", "fastPushBytes", "fastFailure", "fastAfter", "fastNeedsClock"];

/** Connects the fast path with an instance; returns the guarded exports of the module. */
type Connect = (exports: FastExports, guarded: Guarded) => Guarded["guarded"];

/**
 * Replaces `push`, `pushBytes` and `text` of these classes with versions that try the fast path first. This happens when
 * the glue is loaded, before a program can replace them too; the instance may come later.
 */
export function addFastPath({
  fastPathBuffer,
  DeltaAssembler,
  DoomLoopDetector,
}: Classes): Connect {
  let exports: FastExports;
  let fastPush: FastExports["deltaassembler_fastPush"];
  let fastPushBytes: FastExports["deltaassembler_fastPushBytes"];
  let fastText: FastExports["doomloopdetector_fastText"];
  /** Undefined until there is an instance: the slow path makes one, or says why there is none. */
  let own: Guarding | undefined;
  const encoder = new TextEncoder();
  // The buffer: its address, its length, and the number of bytes reserved for the timestamp.
  let address = 0;
  let size = 0;
  let reserved = 0;
  let memory = new Uint8Array(0);
  // The part of the buffer for texts, after the timestamp.
  let texts = memory;
  // The timestamp in the buffer, which deltas of the same moment share.
  let time = "";
  let timeLength = 0;

  /** Finds the buffer, anew after the memory has grown. */
  function locateBuffer() {
    // A cast: it has three numbers.
    if (size === 0) [address, size, reserved] = fastPathBuffer() as [number, number, number];
    memory = new Uint8Array(exports.memory.buffer);
    texts = memory.subarray(address + reserved, address + size);
  }

  /**
   * Writes a text as UTF-8, character by character; returns the offset after it, or -1 if it does not fit
   * or has a lone surrogate.
   */
  function write(text: string, from: number, end: number) {
    const { length } = text;
    if (length * 3 > end - from) return -1;
    const bytes = memory;
    let to = from;
    let i = 0;
    // Nearly all of it is ASCII.
    for (; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit >= 0x80) break;
      bytes[to++] = unit;
    }
    for (; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x80) {
        memory[to++] = unit;
      } else if (unit < 0x800) {
        memory[to++] = 0xc0 | (unit >> 6);
        memory[to++] = 0x80 | (unit & 0x3f);
      } else if (unit < 0xd800 || unit > 0xdfff) {
        memory[to++] = 0xe0 | (unit >> 12);
        memory[to++] = 0x80 | ((unit >> 6) & 0x3f);
        memory[to++] = 0x80 | (unit & 0x3f);
      } else {
        const low = text.charCodeAt(++i);
        if (unit > 0xdbff || (low & 0xfc00) !== 0xdc00) return -1;
        const code = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
        memory[to++] = 0xf0 | (code >> 18);
        memory[to++] = 0x80 | ((code >> 12) & 0x3f);
        memory[to++] = 0x80 | ((code >> 6) & 0x3f);
        memory[to++] = 0x80 | (code & 0x3f);
      }
    }
    return to;
  }

  /** Writes a text into the buffer; returns its length in bytes, or -1 as `write` does. */
  function put(text: string) {
    const from = address + reserved;
    if (text.length <= SHORT) {
      const end = write(text, from, address + size);
      return end < 0 ? -1 : end - from;
    }
    if (text.length * 3 > texts.length) return -1;
    const { written } = encoder.encodeInto(text, texts);
    // As many bytes as characters: all of it is ASCII.
    return written === text.length || text.isWellFormed?.() ? written : -1;
  }

  const NOT_TAKEN = 0;
  const TAKEN = 1;
  const THROWS = 2;

  /**
   * Passes on a plain delta: text, reasoning or arguments of the same run and call as the one before it.
   * Getters may run here, but none between the writing and the call.
   */
  function take(guarding: Guarding, pointer: number, assembler: FastAssembler, delta: AnyDelta) {
    let shape: number;
    let seq: unknown;
    let text: unknown;
    let timestamp: unknown;
    try {
      if (delta.runId !== assembler[RUN]) return NOT_TAKEN;
      const { kind, payload } = delta;
      ({ seq, timestamp } = delta);
      if (Array.isArray(payload)) return NOT_TAKEN;
      if (kind === "tool_call_args") {
        const { toolCallId } = payload;
        // Both may be missing: that is not the same call.
        if (typeof toolCallId !== "string" || toolCallId !== assembler[CALL]) return NOT_TAKEN;
        text = payload.argsTextDelta;
        shape = ARGUMENTS;
      } else {
        shape = kind === "text" ? TEXT : kind === "thinking" ? THINKING : 0;
        text = payload.textDelta;
        if (payload.block !== undefined || payload.provider !== undefined) return NOT_TAKEN;
      }
    } catch {
      return NOT_TAKEN;
    }
    if (shape === 0 || typeof text !== "string" || typeof timestamp !== "string") return NOT_TAKEN;
    if (typeof seq !== "number" || !Number.isSafeInteger(seq) || seq < 0) return NOT_TAKEN;
    // After the memory has grown, the old array is empty.
    if (memory.length === 0) locateBuffer();
    if (timestamp !== time) {
      time = "";
      const end = write(timestamp, address, address + reserved);
      if (end < 0) return NOT_TAKEN;
      time = timestamp;
      timeLength = end - address;
    }
    const length = put(text);
    if (length < 0) return NOT_TAKEN;
    try {
      return fastPush(pointer, shape, seq, timeLength, length) === 0 ? TAKEN : THROWS;
    } catch (error) {
      guarding.failed();
      throw error;
    }
  }

  /** Passes on a chunk. Its length is read with the getter of the class: a property of the object may lie. */
  function takeBytes(assembler: FastAssembler, chunk: unknown) {
    if (!ArrayBuffer.isView(chunk) || !(chunk instanceof Uint8Array)) return NOT_TAKEN;
    const length = lengthOf.call(chunk);
    if (own === undefined) return NOT_TAKEN;
    if (memory.length === 0) locateBuffer();
    // An array whose buffer was transferred has the length 0.
    if (length === 0 || length > size - reserved) return NOT_TAKEN;
    const pointer = assembler.__DeltaAssembler_ptr;
    own.begin(pointer, NAME);
    try {
      // Before the writing: a replaced clock may run foreign code.
      const now = assembler[CLOCK] === false ? 0 : Date.now();
      memory.set(chunk, address + reserved);
      return fastPushBytes(pointer, length, now) === 0 ? TAKEN : THROWS;
    } catch (error) {
      own.failed();
      throw error;
    } finally {
      own.end();
    }
  }

  function addToAssembler(prototype: FastAssembler) {
    const { push, pushBytes } = prototype;
    // A cast: the module has them all until they are deleted here.
    const { fastFailure, fastAfter, fastNeedsClock } = prototype as Required<FastAssembler>;
    for (const name of INTERNAL) Reflect.deleteProperty(prototype, name);

    prototype.push = function (this: FastAssembler, delta: MessageDelta) {
      if (own && typeof this[RUN] === "string") {
        const pointer = this.__DeltaAssembler_ptr;
        own.begin(pointer, NAME);
        let taken: number;
        try {
          taken = take(own, pointer, this, delta as AnyDelta); // Nothing of it is checked yet.
        } finally {
          own.end();
        }
        if (taken === TAKEN) return;
        if (taken === THROWS) throw fastFailure.call(this);
      }
      push.call(this, delta);
      // The next deltas are compared with this run and call. (Also after a collected violation: the rules
      // check the next delta in any case.)
      let run: unknown;
      let call: unknown;
      try {
        const read = delta as AnyDelta; // as above
        run = read.runId;
        call = read.payload.toolCallId;
      } catch {
        run = undefined;
      }
      this[RUN] = typeof run === "string" && fastAfter.call(this, run, call) ? run : undefined;
      this[CALL] = typeof call === "string" ? call : undefined;
    };

    prototype.pushBytes = function (this: FastAssembler, chunk: Uint8Array) {
      this[CLOCK] ??= fastNeedsClock.call(this);
      const taken = takeBytes(this, chunk);
      if (taken === NOT_TAKEN) pushBytes.call(this, chunk);
      else if (taken === THROWS) throw fastFailure.call(this);
    };
  }

  function addToDetector(prototype: FastDetector) {
    const { text: slowText } = prototype;
    delete prototype.fastText;
    prototype.text = function (this: FastDetector, chunk, channel) {
      if (own === undefined || typeof chunk !== "string")
        return slowText.call(this, chunk, channel);
      const pointer = this.__DoomLoopDetector_ptr;
      own.begin(pointer, "doomloopdetector");
      let stepCount: number | undefined;
      try {
        if (memory.length === 0) locateBuffer();
        const length = put(chunk);
        if (length >= 0) stepCount = fastText(pointer, length, channel === "reasoning" ? 1 : 0);
      } catch (error) {
        own.failed();
        throw error;
      } finally {
        own.end();
      }
      if (stepCount === undefined) return slowText.call(this, chunk, channel);
      if (stepCount < 0) return this.detect();
      return { isDetected: false, stepCount, suggestedAction: "continue" };
    };
  }

  if (DeltaAssembler) addToAssembler(DeltaAssembler.prototype);
  if (DoomLoopDetector) addToDetector(DoomLoopDetector.prototype);

  return (instance, { guarded, own: guarding }) => {
    exports = instance;
    fastPush = instance.deltaassembler_fastPush;
    fastPushBytes = instance.deltaassembler_fastPushBytes;
    fastText = instance.doomloopdetector_fastText;
    own = guarding;
    return guarded;
  };
}
