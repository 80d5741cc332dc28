// TextEncoder and TextDecoder for the glue (injected by scripts/build.mjs): jest's jsdom environment lacks
// both, and there they come from Node.

function encoders() {
  if (
    typeof globalThis.TextDecoder === "function" &&
    typeof globalThis.TextEncoder === "function"
  ) {
    return globalThis;
  }
  const util = globalThis.process?.getBuiltinModule?.("node:util");
  if (util) return util;
  throw new Error(
    "apex-parts: this environment has no TextEncoder and TextDecoder: set both on globalThis before the import (in jest with a file of `setupFiles`), or use Node 20.16, 22.3 or later, which has them at hand",
  );
}

export const { TextDecoder, TextEncoder } = encoders();
