// The fast path of DeltaAssembler and DoomLoopDetector, for calls that come by the hundred thousand: writes
// the text into a buffer in the module's memory and passes only numbers. Conversion only, no rules:
// anything but the plainest input is left to the methods of the classes. It must equal them, proven by
// tests/package/deltas.test.mjs and loops.test.mjs.

const RUN = Symbol("run");
const CALL = Symbol("call");
const CLOCK = Symbol("clock");
const NAME = "deltaassembler";

const lengthOf = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  "length",
).get;

/** Texts up to this length are written character by character: a call of TextEncoder takes some 40 ns. */
const SHORT = 12;
/** The kinds of delta, numbered as in src/wasm/api/assembler_fast_path.rs. */
const TEXT = 1;
const THINKING = 2;
const ARGUMENTS = 3;

/** The methods that only this file uses. */
const INTERNAL = [
  "fastPathBuffer",
  "fastPush",
  "fastPushBytes",
  "fastFailure",
  "fastAfter",
  "fastNeedsClock",
];

/**
 * Replaces `push`, `pushBytes` and `text` with versions that try the fast path first; returns the guarded
 * exports of the module.
 */
export function withFastPath({ DeltaAssembler, DoomLoopDetector }, exports, { guarded, own }) {
  const { prototype } = DeltaAssembler;
  const { push, pushBytes, fastFailure, fastAfter, fastNeedsClock } = prototype;
  const { fastPathBuffer } = DeltaAssembler;
  const { deltaassembler_fastPush: fastPush, deltaassembler_fastPushBytes: fastPushBytes } =
    exports;
  for (const name of INTERNAL) {
    delete prototype[name];
    delete DeltaAssembler[name];
  }
  const { text: slowText } = DoomLoopDetector.prototype;
  const { doomloopdetector_fastText: fastText } = exports;
  delete DoomLoopDetector.prototype.fastText;
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
    if (size === 0) [address, size, reserved] = fastPathBuffer();
    memory = new Uint8Array(exports.memory.buffer);
    texts = memory.subarray(address + reserved, address + size);
  }

  /**
   * Writes a text as UTF-8, character by character; returns the offset after it, or -1 if it does not fit
   * or has a lone surrogate.
   */
  function write(text, from, end) {
    const { length } = text;
    if (length * 3 > end - from) return -1;
    let to = from;
    for (let i = 0; i < length; i++) {
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
  function put(text) {
    const from = address + reserved;
    if (text.length <= SHORT) {
      const end = write(text, from, address + size);
      return end < 0 ? -1 : end - from;
    }
    if (text.length * 3 > texts.length || !text.isWellFormed?.()) return -1;
    return encoder.encodeInto(text, texts).written;
  }

  const NOT_TAKEN = 0;
  const TAKEN = 1;
  const THROWS = 2;

  /**
   * Passes on a plain delta: text, reasoning or arguments of the same run and call as the one before it.
   * Getters may run here, but none between the writing and the call.
   */
  function take(assembler, pointer, delta) {
    let shape;
    let seq;
    let text;
    let timestamp;
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
      }
    } catch {
      return NOT_TAKEN;
    }
    if (shape === 0 || typeof text !== "string" || typeof timestamp !== "string") return NOT_TAKEN;
    if (!Number.isSafeInteger(seq) || seq < 0) return NOT_TAKEN;
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
      own.failed();
      throw error;
    }
  }

  prototype.push = function (delta) {
    if (typeof this[RUN] === "string") {
      const pointer = this.__DeltaAssembler_ptr;
      own.begin(pointer, NAME);
      let taken;
      try {
        taken = take(this, pointer, delta);
      } finally {
        own.end();
      }
      if (taken === TAKEN) return;
      if (taken === THROWS) throw fastFailure.call(this);
    }
    push.call(this, delta);
    // The next deltas are compared with this run and call. (Also after a collected violation: the rules
    // check the next delta in any case.)
    let run;
    let call;
    try {
      run = delta.runId;
      call = delta.payload.toolCallId;
    } catch {
      run = undefined;
    }
    const isCurrent = typeof run === "string" && fastAfter.call(this, run, call);
    this[RUN] = isCurrent ? run : undefined;
    this[CALL] = typeof call === "string" ? call : undefined;
  };

  /** Passes on a chunk. Its length is read with the getter of the class: a property of the object may lie. */
  function takeBytes(assembler, chunk) {
    if (!ArrayBuffer.isView(chunk) || !(chunk instanceof Uint8Array)) return NOT_TAKEN;
    const length = lengthOf.call(chunk);
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

  prototype.pushBytes = function (chunk) {
    this[CLOCK] ??= fastNeedsClock.call(this);
    const taken = takeBytes(this, chunk);
    if (taken === NOT_TAKEN) pushBytes.call(this, chunk);
    else if (taken === THROWS) throw fastFailure.call(this);
  };

  DoomLoopDetector.prototype.text = function (chunk, channel) {
    if (typeof chunk !== "string") return slowText.call(this, chunk, channel);
    const pointer = this.__DoomLoopDetector_ptr;
    own.begin(pointer, "doomloopdetector");
    let stepCount;
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
  return guarded;
}
