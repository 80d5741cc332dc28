// Where the built-in tools do something else than OpenCode did, on purpose: by case the facts that differ
// (facts, files, asks) and the sentence of the specification that decides.

export const DIFFERENCES = {};
