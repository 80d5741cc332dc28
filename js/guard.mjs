// Stands between the glue and the module's exports, for the cases in which a call does not come
// back as it should.
//
// A JavaScript exception that passes through WebAssembly (a stack overflow in a getter, say) leaves
// the module's own stack where it was: after a thousand of them nothing would work. So after a call
// that failed, the stack and the table of handles are put back before the next outermost one.

/** The names of errors, by the class that a call belongs to. */
const ERRORS = {
  deltaassembler: "DeltaContractError",
  doomloopdetector: "PartValidationError",
  reactrecorder: "StepStateError",
  transcript: "TranscriptError",
};

const FREED = "this object was freed (or is none of ours): it cannot be used any more";
const BUSY = "this object is busy: a logger or a getter called it while it was at work";

/** The errors of functions that are nobody's method, where they are not `PartValidationError`. */
const OF_STREAMS = ["readDeltas", "streamFormat"];

/** An error about an argument that is too large for the module, as the call throws its errors. */
function tooLarge(bridge, name, why) {
  const owner = ERRORS[name.split("_", 1)[0]];
  const isDelta = owner === "DeltaContractError" || OF_STREAMS.includes(name);
  const message = `limit: ${why}`;
  if (isDelta) return bridge.newError("DeltaContractError", message, { rule: "limit" });
  if (owner === "TranscriptError") return bridge.newError(owner, message, { offset: 0 });
  const problems = [{ severity: "error", rule: "limit", path: "", message: why }];
  return bridge.newError("PartValidationError", message, { problems });
}

/** The module's exports, guarded. `bridge` is src/wasm/bridge.js; `methods` are called on objects. */
export function guard(exports, bridge, methods) {
  const stack = exports.__stack_pointer;
  const base = stack.value;
  let depth = 0;
  let dirty = false;
  /** The objects at work, the outermost first; 0 for a function that is nobody's method. */
  const working = [];
  /** What was freed by a getter or a logger, while it was perhaps at work. */
  const freed = [];

  // At the next call, not at once: where a stack has overflowed there is no room to call anything.
  function recover() {
    stack.value = base;
    bridge.release(1);
    dirty = false;
  }

  function refused(name, words) {
    return bridge.newError(ERRORS[name.split("_", 1)[0]] ?? "TranscriptError", words, {});
  }

  function begin(object, name) {
    if (!object) throw refused(name, FREED);
    if (dirty && depth === 0) recover();
    for (let i = 0; i < depth; i++) if (working[i] === object) throw refused(name, BUSY);
    working[depth++] = object;
  }

  function end() {
    if (--depth === 0) while (freed.length > 0) freed.pop()();
  }

  /**
   * The error that a call ends with after all, where a text was too long for it. `before` is what was
   * noted of the call around it.
   */
  function refusal(name, before) {
    const why = bridge.takeRefused();
    if (before !== "") bridge.refuse(before);
    return why === "" ? undefined : tooLarge(bridge, name, why);
  }

  // One shape for every call: arguments that are not there are passed as undefined, which is what
  // the module gets for them anyway.
  function wrapped(called, name) {
    let call;
    call = called;
    return (a, b, c, d, e, f, g, h) => {
      if (dirty && depth === 0) recover();
      const before = depth === 0 ? "" : bridge.takeRefused();
      working[depth++] = 0;
      let result;
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

  // Whether the object can be used is judged before the call: where the module itself refuses one, a slot of
  // the 1,024 is lost that it has for arguments.
  function method(called, name) {
    let call;
    call = called;
    return (object, b, c, d, e) => {
      begin(object, name);
      const before = depth === 1 ? "" : bridge.takeRefused();
      let result;
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

  /** For calls that are guarded by hand (js/fast-path.mjs): what stands before, behind and in a catch. */
  const own = {
    begin,
    end,
    failed() {
      dirty = true;
    },
  };

  // Node 20 ends the process where V8 has inlined a function of the module into these wrappers and
  // has to take it back while it is at work. It inlines what is constant or what a place always
  // calls: so `call` above is assigned, and each place is shown two functions at once, often enough
  // to be noted.
  for (const wrap of [wrapped, method]) {
    const two = [wrap(() => 0, ""), wrap(() => 1, "")];
    for (let i = 0; i < 200; i++) two[i & 1](1);
  }

  const guarded = {};
  for (const [name, value] of Object.entries(exports)) {
    // What begins with underscores is the glue's own; freeing twice does nothing.
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
