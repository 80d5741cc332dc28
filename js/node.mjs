// The ESM entry for Node: the CommonJS one under ESM names, so that a process has one instance.
import parts from "./node.cjs";

export default parts.default;
/* @exports */
