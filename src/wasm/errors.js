// The errors of the API: a class each, which tells its errors from every copy of the package.

const tagOf = Object.prototype.toString;
const ordinary = Function.prototype[Symbol.hasInstance];

/** The name of an error if it has the shape of this package's errors, also of another instance; otherwise "". */
function errorName(error) {
  try {
    const ours = tagOf.call(error) === "[object Error]" && typeof error.message === "string";
    const { name, details } = error;
    return ours && typeof details === "object" && details !== null && typeof name === "string"
      ? name
      : "";
  } catch {
    return "";
  }
}

/** The class of the errors of this name. `instanceof` asks for name and shape: modules do not share classes. */
function classOf(name) {
  const made = class extends Error {
    constructor(message, details) {
      // A value of another type may throw when it becomes a text.
      super(typeof message === "string" ? message : "");
      // Its own, as of errors that were cloned or sent: a reader needs no prototype.
      Object.defineProperty(this, "name", { value: name, writable: true, configurable: true });
      this.details = typeof details === "object" && details !== null ? details : {};
    }
  };
  Object.defineProperty(made, Symbol.hasInstance, {
    value(error) {
      // A class that a program derives has its own instances.
      return this === made ? errorName(error) === name : ordinary.call(this, error);
    },
  });
  Object.defineProperty(made, "name", { value: name });
  // Before the constructor has run, for the first line of `stack`.
  Object.defineProperty(made.prototype, "name", { value: name, writable: true });
  return made;
}

export const PartValidationError = /* @__PURE__ */ classOf("PartValidationError");
export const InvalidStateTransition = /* @__PURE__ */ classOf("InvalidStateTransition");
export const MissingRequiredField = /* @__PURE__ */ classOf("MissingRequiredField");
export const ReasoningStateError = /* @__PURE__ */ classOf("ReasoningStateError");
export const StepStateError = /* @__PURE__ */ classOf("StepStateError");
export const DoomLoopDetected = /* @__PURE__ */ classOf("DoomLoopDetected");
export const DeltaContractError = /* @__PURE__ */ classOf("DeltaContractError");
export const TranscriptError = /* @__PURE__ */ classOf("TranscriptError");
export const CompactionError = /* @__PURE__ */ classOf("CompactionError");
export const ToolDefinitionError = /* @__PURE__ */ classOf("ToolDefinitionError");
export const PermissionDenied = /* @__PURE__ */ classOf("PermissionDenied");
export const PermissionRejected = /* @__PURE__ */ classOf("PermissionRejected");
export const PermissionCorrected = /* @__PURE__ */ classOf("PermissionCorrected");

const CLASSES = {
  PartValidationError,
  InvalidStateTransition,
  MissingRequiredField,
  ReasoningStateError,
  StepStateError,
  DoomLoopDetected,
  DeltaContractError,
  TranscriptError,
  CompactionError,
  ToolDefinitionError,
  PermissionDenied,
  PermissionRejected,
  PermissionCorrected,
};

/** An error of this name, which is one of the classes. */
export const newError = (name, message, details) => new CLASSES[name](message, details);

/** The classes of ts/, by their names; each has a field that tells its errors from those of other libraries. */
const OTHERS = { McpCallError: "metadata", RunStoreError: "code", Expected: "expected" };

/** Whether an error is of one of the classes of this package. */
export const isOurError = (error) => {
  const name = errorName(error);
  return Object.hasOwn(CLASSES, name) || (Object.hasOwn(OTHERS, name) && OTHERS[name] in error);
};
