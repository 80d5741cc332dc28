// What the log over Redis shares with `apex-parts/store`, without the module: a file of its own in the package.
export * from "./errors.ts";
export * from "./follow.ts";
