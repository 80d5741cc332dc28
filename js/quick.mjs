// The quick lane of DeltaAssembler and DoomLoopDetector: what comes by the hundred thousand goes into
// the module's memory at once, and one call with nothing but numbers follows. Conversion only, no
// rule lives here: whatever is not of the plainest shape goes the long way.

const RUN = Symbol("run");
const CALL = Symbol("call");
const CLOCK = Symbol("clock");
const NAME = "deltaassembler";

const lengthOf = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  "length",
).get;

/** Texts up to this length are written character by character: the encoder takes some 40 ns a text. */
const SHORT = 12;
/** The first bytes of the room are for the timestamp. */
const TIME = 256;

const QUICK = ["quickRoom", "quickPush", "quickBytes", "quickFailure", "quickAfter", "quickClock"];

/**
 * Puts the quick lane in front of `push`, `pushBytes` and `text`; gives back the module's guarded
 * exports.
 */
export function quicken({ DeltaAssembler, DoomLoopDetector }, exports, { guarded, own }) {
  const { prototype } = DeltaAssembler;
  const { push, pushBytes, quickFailure, quickAfter, quickClock } = prototype;
  const { quickRoom } = DeltaAssembler;
  const { deltaassembler_quickPush: quickPush, deltaassembler_quickBytes: quickBytes } = exports;
  // They are not part of the API.
  for (const name of QUICK) {
    delete prototype[name];
    delete DeltaAssembler[name];
  }
  const { text: slowText } = DoomLoopDetector.prototype;
  const { doomloopdetector_quickText: quickText } = exports;
  delete DoomLoopDetector.prototype.quickText;
  const encoder = new TextEncoder();
  let at = 0;
  let size = 0;
  let memory = new Uint8Array(0);
  // Where texts go; the timestamp stands before them.
  let room = memory;
  // The timestamp that stands in the room: deltas of the same moment share it.
  let time = "";
  let timeLength = 0;

  function look() {
    if (size === 0) [at, size] = quickRoom();
    memory = new Uint8Array(exports.memory.buffer);
    room = memory.subarray(at + TIME, at + size);
  }

  /**
   * Writes a text as UTF-8, character by character; gives the place behind it, or -1 where it does
   * not fit or has an unpaired surrogate.
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

  /** Writes a text into the room; gives how many bytes it has, or -1 as `write` does. */
  function put(text) {
    const from = at + TIME;
    if (text.length <= SHORT) {
      const end = write(text, from, at + size);
      return end < 0 ? -1 : end - from;
    }
    if (text.length * 3 > room.length || !text.isWellFormed?.()) return -1;
    return encoder.encodeInto(text, room).written;
  }

  const NOT_TAKEN = 0;
  const TAKEN = 1;
  const THROWS = 2;

  /**
   * Takes a delta of the plainest shape: text, a thought or arguments, of the run and the call of
   * the one before it. Getters may run here, but none between the writing and the call.
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
        // Neither is there where both are missing.
        if (typeof toolCallId !== "string" || toolCallId !== assembler[CALL]) return NOT_TAKEN;
        text = payload.argsTextDelta;
        shape = 3;
      } else {
        shape = kind === "text" ? 1 : kind === "thinking" ? 2 : 0;
        text = payload.textDelta;
      }
    } catch {
      return NOT_TAKEN;
    }
    if (shape === 0 || typeof text !== "string" || typeof timestamp !== "string") return NOT_TAKEN;
    if (!Number.isSafeInteger(seq) || seq < 0) return NOT_TAKEN;
    // Memory that has grown is another buffer, and the old one has no bytes.
    if (memory.length === 0) look();
    if (timestamp !== time) {
      time = "";
      const end = write(timestamp, at, at + TIME);
      if (end < 0) return NOT_TAKEN;
      time = timestamp;
      timeLength = end - at;
    }
    const length = put(text);
    if (length < 0) return NOT_TAKEN;
    try {
      return quickPush(pointer, shape, seq, timeLength, length) === 0 ? TAKEN : THROWS;
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
      if (taken === THROWS) throw quickFailure.call(this);
    }
    push.call(this, delta);
    // What was taken is compared with from now on. (A breach that was collected changes nothing:
    // the next delta is judged by the rules all the same.)
    let run;
    let call;
    try {
      run = delta.runId;
      call = delta.payload.toolCallId;
    } catch {
      run = undefined;
    }
    const goesOn = typeof run === "string" && quickAfter.call(this, run, call);
    this[RUN] = goesOn ? run : undefined;
    this[CALL] = typeof call === "string" ? call : undefined;
  };

  /** Takes a chunk; how much was its length is asked of the array itself: it may lie as an object. */
  function takeBytes(assembler, chunk) {
    if (!ArrayBuffer.isView(chunk) || !(chunk instanceof Uint8Array)) return NOT_TAKEN;
    const length = lengthOf.call(chunk);
    if (memory.length === 0) look();
    // Bytes that were moved away look like none.
    if (length === 0 || length > size - TIME) return NOT_TAKEN;
    const pointer = assembler.__DeltaAssembler_ptr;
    own.begin(pointer, NAME);
    try {
      // Asked for before the writing: somebody may have put a clock of their own in its place.
      const now = assembler[CLOCK] === false ? 0 : Date.now();
      memory.set(chunk, at + TIME);
      return quickBytes(pointer, length, now) === 0 ? TAKEN : THROWS;
    } catch (error) {
      own.failed();
      throw error;
    } finally {
      own.end();
    }
  }

  prototype.pushBytes = function (chunk) {
    this[CLOCK] ??= quickClock.call(this);
    const taken = takeBytes(this, chunk);
    if (taken === NOT_TAKEN) pushBytes.call(this, chunk);
    else if (taken === THROWS) throw quickFailure.call(this);
  };

  DoomLoopDetector.prototype.text = function (chunk, channel) {
    if (typeof chunk !== "string") return slowText.call(this, chunk, channel);
    const pointer = this.__DoomLoopDetector_ptr;
    own.begin(pointer, "doomloopdetector");
    let stepCount;
    try {
      if (memory.length === 0) look();
      const length = put(chunk);
      if (length >= 0) stepCount = quickText(pointer, length, channel === "reasoning" ? 1 : 0);
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
