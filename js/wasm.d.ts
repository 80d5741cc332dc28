/**
 * What a bundler makes of the module's file: mostly its URL. `init()` takes it, whatever it is.
 */
declare const source: import("./index.js").InitSource;
export default source;
