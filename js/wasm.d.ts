/**
 * The module's file as a bundler imports it, usually its URL: the argument for `init()`.
 */
declare const source: import("./index.js").InitSource;
export default source;
