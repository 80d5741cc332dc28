// TextEncoder and TextDecoder for the glue (injected by scripts/build.mjs): jest's jsdom environment lacks
// both, and there they come from Node.

/** What has both classes. */
type Encoders = Pick<typeof globalThis, "TextDecoder" | "TextEncoder">;

function encoders(): Encoders {
  if (
    typeof globalThis.TextDecoder === "function" &&
    typeof globalThis.TextEncoder === "function"
  ) {
    return globalThis;
  }
  // A cast: Node's own classes are those of the web.
  const util = globalThis.process?.getBuiltinModule?.("node:util") as Encoders | undefined;
  if (util) return util;
  throw new Error(
    "apex-parts: this environment has no TextEncoder and TextDecoder: set both on globalThis before the import (in jest with a file of `setupFiles`), or use Node 20.16, 22.3 or later, which have them",
  );
}

const own: Encoders = /* @__PURE__ */ encoders();
export const TextDecoder: Encoders["TextDecoder"] = own.TextDecoder;
export const TextEncoder: Encoders["TextEncoder"] = own.TextEncoder;
