// The modules of the package: which features of the crate each has, and how it is compiled.

/** The arguments for cargo that leave out every other feature. */
const only = (feature) => ["--no-default-features", "--features", feature];

/**
 * How far the optimiser, which sees the whole module, puts functions into their callers (those marked #[inline]
 * up to `marked`), and unrolls short loops.
 */
const inlining = ({ all, marked, unrolled }) => [
  ...["-C", `llvm-args=-inline-threshold=${all} -inlinehint-threshold=${marked}`],
  ...["-C", `llvm-args=-unroll-threshold=${unrolled} -unroll-partial-threshold=0`],
];

// Within 5 % of the speed with 225 and 325, the compiler's own, and a fifteenth smaller: the few functions whose
// calls would cost time are marked #[inline(always)].
const FAST = inlining({ all: 45, marked: 50, unrolled: 120 });

// Of the built-in tools, a fiftieth smaller; they wait for files and processes.
const TOOLS = inlining({ all: 30, marked: 50, unrolled: 120 });

// Another twentieth smaller, and some calls slower by a twentieth.
const SMALL = [
  ...inlining({ all: 10, marked: 50, unrolled: 0 }),
  ...["-C", "no-vectorize-loops", "-C", "no-vectorize-slp", "-C", "llvm-args=-disable-lsr"],
];

/** The names of what is made of a module. */
const named = (module) => ({
  fast: [],
  ...module,
  wasm: `apex_parts_${module.prefix.replace(".", "_")}bg.wasm`,
  types: module.prefix === "" ? "index" : module.name,
});

/**
 * The modules of the package that have entries: one crate, built with different features. `entry` is its import path, `prefix`
 * begins the names of its files, `features` are the arguments for cargo, `flags` those for the compiler, `fast` are the
 * folders of the crates that are compiled for speed (the others for size).
 */
export const MODULES = [
  {
    name: "core",
    entry: "./core",
    prefix: "core.",
    features: only("parts"),
    flags: SMALL,
  },
  {
    name: "full",
    entry: ".",
    prefix: "",
    features: [],
    flags: FAST,
    // What opens a file: a tenth of the time, for a fiftieth of the bytes.
    fast: ["json", "model", "agents", "transcript"],
  },
  {
    name: "tools",
    entry: "./tools",
    prefix: "tools.",
    features: only("builtins,mcp,skills"),
    flags: TOOLS,
  },
].map(named);

/**
 * What an agent needs while it runs, as the full module has it and as fast: parts, states, the validator, streams, loops,
 * the recorder, the registry of tools. It has no entry: in Node the names of the full one come from it.
 */
const AGENT = named({
  name: "agent",
  prefix: "agent.",
  // Tokens of files, for the validator.
  features: only("parts,providers,tools,apex-parts-compaction/tokens"),
  flags: FAST,
  fast: ["json", "loops"],
});

/** Every module that is built. */
export const EVERY_MODULE = [...MODULES, AGENT];

/** The modules from which the names of the full one come in Node: each from the first that has it. */
export const NODE_MODULES = ["agent", "tools", "full"].map((name) =>
  EVERY_MODULE.find((module) => module.name === name),
);
