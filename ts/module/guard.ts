// Wraps the module's exports for the glue, so that a call that fails does not damage the module.
//
// A JavaScript exception that passes through WebAssembly (a stack overflow in a getter, say) does not
// unwind the module's own stack: after a thousand of them nothing would work. So after a call that
// failed, the stack and the table of handles are reset before the next outermost call.

import { newError } from "apex-parts:errors";

/** The types of errors that are thrown here. */
type ErrorType =
  | "DeltaContractError"
  | "PartValidationError"
  | "StepStateError"
  | "TranscriptError";

/** The error of each class. */
const ERRORS: Record<string, ErrorType> = {
  deltaassembler: "DeltaContractError",
  doomloopdetector: "PartValidationError",
  reactrecorder: "StepStateError",
  sqlitefile: "TranscriptError",
  sqlitewalk: "TranscriptError",
  transcript: "TranscriptError",
};

const FREED =
  "this object was freed (or is not an object of this package): it cannot be used any more";
const BUSY = "this object is busy: a logger or a getter called it while it was running";

/** The functions that throw `DeltaContractError`; others throw `PartValidationError`. */
const OF_STREAMS = ["looksLike", "readDeltas", "streamFormat"];

/** An error of a declared type, with the details that the type requires. */
function typedError(type: ErrorType, rule: string, why: string) {
  const message = `${why} (${rule})`;
  const problems = [{ severity: "error", rule, path: "", message }];
  const details: Record<ErrorType, object> = {
    DeltaContractError: { rule },
    PartValidationError: { problems },
    StepStateError: {},
    TranscriptError: { offset: 0, rule },
  };
  return newError(type, message, details[type]);
}

/** The error of the class that an export belongs to. */
const errorOf = (name: string): ErrorType | undefined => ERRORS[name.replace(/_.*$/s, "")];

function tooLarge(name: string, why: string) {
  const owner = errorOf(name);
  const isDelta = owner === "DeltaContractError" || OF_STREAMS.includes(name);
  const other = owner === "TranscriptError" ? owner : "PartValidationError";
  return typedError(isDelta ? "DeltaContractError" : other, "limit", why);
}

/** What the glue asks of an export: whatever it passes on is a number or a value of JavaScript. */
type Call = (...given: unknown[]) => unknown;
/** The exports of an instance: functions, and what the glue itself uses. */
type Exports = Record<string, Call>;

/** The functions of src/wasm/bridge.js that are used here. */
interface Bridge {
  release(to: number): void;
  takeRefused(): string;
  refuse(why: string): void;
}

/** For calls that are guarded by hand (ts/module/fast-path.ts): before, after, and in a catch. */
export interface Guarding {
  begin(object: number, name: string): void;
  end(): void;
  failed(): void;
}

/** The exports, wrapped, and what guards other calls. */
export interface Guarded {
  guarded: Exports;
  own: Guarding;
}

/** The module's exports, wrapped. `bridge` is src/wasm/bridge.js; `methods` are the exports called on objects. */
export function guard(exports: Exports, bridge: Bridge, methods: string[]): Guarded {
  // A cast: the stack pointer is a global, and all others are what each is used as.
  const stack = exports.__stack_pointer as unknown as { value: number };
  const base = stack.value;
  let depth = 0;
  let dirty = false;
  /** The objects of the calls in progress, the outermost first; 0 for a function. */
  const working: number[] = [];
  /** The objects that a getter or a logger freed during a call: they are freed after it. */
  const freed: (() => void)[] = [];

  // At the next call, not at once: after a stack overflow there is no stack to call anything.
  function recover() {
    stack.value = base;
    bridge.release(1);
    dirty = false;
  }

  function refused(name: string, words: string) {
    const type = errorOf(name) ?? "TranscriptError";
    return typedError(type, "schema", words);
  }

  function begin(object: number, name: string) {
    if (!object) throw refused(name, FREED);
    if (dirty && depth === 0) recover();
    for (let i = 0; i < depth; i++) if (working[i] === object) throw refused(name, BUSY);
    working[depth++] = object;
  }

  function end() {
    if (--depth === 0) while (freed.length > 0) freed.pop()?.();
  }

  /**
   * The error of a call for which a text was too long; undefined if none was. `before` is the reason that
   * was recorded for the enclosing call.
   */
  function refusal(name: string, before: string) {
    const why = bridge.takeRefused();
    if (before !== "") bridge.refuse(before);
    return why === "" ? undefined : tooLarge(name, why);
  }

  // A fixed number of parameters: missing arguments are passed as undefined, as the module gets them
  // anyway.
  function wrapped(called: Call, name: string): Call {
    let call: Call;
    call = called;
    return (a, b, c, d, e, f, g, h) => {
      if (dirty && depth === 0) recover();
      const before = depth === 0 ? "" : bridge.takeRefused();
      working[depth++] = 0;
      let result: unknown;
      try {
        result = call(a, b, c, d, e, f, g, h);
      } catch (error) {
        dirty = true;
        throw refusal(name, before) ?? error;
      } finally {
        end();
      }
      const refused = refusal(name, before);
      if (refused) throw refused;
      return result;
    };
  }

  // Checks that the object is usable before the call: if the module itself refuses one, it loses one of its
  // 1,024 slots for arguments.
  function method(called: Call, name: string): Call {
    let call: Call;
    call = called;
    return (object, b, c, d, e) => {
      begin(object as number, name); // A method is called on a pointer.
      const before = depth === 1 ? "" : bridge.takeRefused();
      let result: unknown;
      try {
        result = call(object, b, c, d, e);
      } catch (error) {
        dirty = true;
        throw refusal(name, before) ?? error;
      } finally {
        end();
      }
      const refused = refusal(name, before);
      if (refused) throw refused;
      return result;
    };
  }

  const own: Guarding = {
    begin,
    end,
    failed() {
      dirty = true;
    },
  };

  // Node 20 crashes if V8 has inlined a function of the module into these wrappers and deoptimises it
  // during the call. It inlines constants and call sites that always call one function: so `call` above
  // is a variable, and each call site sees two functions first, often enough to be recorded.
  for (const wrap of [wrapped, method]) {
    const two = [wrap(() => 0, ""), wrap(() => 1, "")];
    for (let i = 0; i < 200; i++) two[i & 1]?.(1);
  }

  const guarded: Exports = {};
  for (const [name, value] of Object.entries(exports)) {
    // Names with leading underscores are internal to the glue; freeing twice does nothing.
    if (/^__wbg_\w+_free$/.test(name)) {
      guarded[name] = (pointer, flag) => {
        if (pointer === 0) return;
        if (depth > 0) freed.push(() => value(pointer, flag));
        else value(pointer, flag);
      };
    } else {
      const isOwn = typeof value !== "function" || name.startsWith("__");
      const wrap = methods.includes(name) ? method : wrapped;
      guarded[name] = isOwn ? value : wrap(value, name);
    }
  }
  return { guarded, own };
}
