// Stands between the glue and the module's exports, for the cases in which a call does not come
// back as it should.
//
// A JavaScript exception that passes through WebAssembly (a stack overflow in a getter, say) leaves
// the module's own stack where it was: after a thousand of them nothing would work. So after a call
// that failed, the stack and the table of handles are put back before the next outermost one.

/** The names of errors, by the class that a call belongs to. */
const ERRORS = {
  deltaassembler: "DeltaContractError",
  transcript: "TranscriptError",
};

/** What wasm-bindgen says of an object, in words for the user. */
const MEANS = {
  "null pointer passed to rust":
    "this object was freed (or is none of ours): it cannot be used any more",
  "recursive use of an object detected which would lead to unsafe aliasing in rust":
    "this object is busy: a logger or a getter called it while it was at work",
};

/** The module's exports, guarded. `bridge` is src/wasm/bridge.js. */
export function guard(exports, bridge) {
  const stack = exports.__stack_pointer;
  const base = stack.value;
  let depth = 0;
  let dirty = false;

  // At the next call, not at once: where a stack has overflowed there is no room to call anything.
  function recover() {
    stack.value = base;
    bridge.release(1);
    dirty = false;
  }

  function explained(error, name) {
    const words = MEANS[error?.message];
    if (words === undefined) return error;
    return bridge.newError(ERRORS[name.split("_", 1)[0]] ?? "TranscriptError", words, {});
  }

  function wrapped(call, name) {
    // One shape for every call: arguments that are not there are passed as undefined, which is what
    // the module gets for them anyway.
    return (a, b, c, d, e, f, g, h) => {
      if (dirty && depth === 0) recover();
      depth++;
      try {
        return call(a, b, c, d, e, f, g, h);
      } catch (error) {
        dirty = true;
        throw explained(error, name);
      } finally {
        depth--;
      }
    };
  }

  // The hot calls have wrappers of their own: engines optimise one that always calls the same.
  const quickPush = exports.deltaassembler_quickPush;
  const quickBytes = exports.deltaassembler_quickBytes;
  const hot = {
    deltaassembler_quickPush(at, shape, seq, time, text) {
      if (dirty && depth === 0) recover();
      depth++;
      try {
        return quickPush(at, shape, seq, time, text);
      } catch (error) {
        dirty = true;
        throw explained(error, "deltaassembler_");
      } finally {
        depth--;
      }
    },
    deltaassembler_quickBytes(at, length, now) {
      if (dirty && depth === 0) recover();
      depth++;
      try {
        return quickBytes(at, length, now);
      } catch (error) {
        dirty = true;
        throw explained(error, "deltaassembler_");
      } finally {
        depth--;
      }
    },
  };

  const guarded = {};
  for (const [name, value] of Object.entries(exports)) {
    // What begins with underscores is the glue's own; freeing twice does nothing.
    if (/^__wbg_\w+_free$/.test(name)) {
      guarded[name] = (pointer, flag) => {
        if (pointer !== 0) value(pointer, flag);
      };
    } else {
      const own = typeof value !== "function" || name.startsWith("__");
      guarded[name] = own ? value : (hot[name] ?? wrapped(value, name));
    }
  }
  return guarded;
}
