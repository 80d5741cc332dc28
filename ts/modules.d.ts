// Files beside the module's glue that the build gives these names: src/wasm/errors.js and src/wasm/shared.js.

declare module "apex-parts:errors" {
  /** An error of this package: its name, a message, and `details`. */
  export function newError(name: string, message: string, details: object): Error;
  /** Whether it is an error of one of the classes of this package: what `isApexPartsError` asks, without a module. */
  export function isOurError(error: unknown): boolean;
}

declare module "apex-parts:shared" {
  /** Passes a line to the logger of the program, and ignores its exceptions. */
  export function log(level: "warn" | "error", message: string, details?: unknown): void;
}
