// What scripts and tests need, and how they get it: what is to be installed, and what is to be built.
import { build, compile } from "./build.mjs";
import { setup } from "./setup.mjs";

/** What can be needed: what belongs to it. */
const NEEDS = {
  /** Rust, and its target. */
  rust: [],
  /** The npm packages that the project itself uses. */
  npm: [],
  /** The package in pkg/, without the viewer. */
  package: ["rust", "npm", "bindgen"],
  /** The modules as they are published. (For one test file a changed module is compiled in seconds.) */
  optimised: ["package"],
  /** The viewer in pkg/ and www/dist. */
  viewer: ["package"],
  /** Chromium and its driver. */
  browser: ["npm"],
  /** wasm-pack and its test runner. */
  "wasm-pack": ["rust"],
  /** A Redis server. Without one its tests say what they leave out. */
  redis: [],
  bindgen: [],
};

/** What is built, not installed. */
const BUILT = ["package", "optimised", "viewer"];

/** These needs with all that belongs to them. */
export function whole(needs) {
  const all = new Set();
  const add = (need) => {
    if (!Object.hasOwn(NEEDS, need)) {
      throw new Error(
        `nothing is needed as "${need}"; there are: ${Object.keys(NEEDS).join(", ")}`,
      );
    }
    all.add(need);
    NEEDS[need].forEach(add);
  };
  needs.forEach(add);
  return [...all];
}

/**
 * Installs and builds what is needed, and no more.
 *
 * @param {string[]} needs names of `NEEDS`
 * @param {{ quick?: boolean }} [options] whether a module that has changed may be another than the published one
 */
export async function provide(needs, { quick = false } = {}) {
  const all = whole(needs);
  const isQuick = quick && !all.includes("optimised");
  const isBuilt = all.includes("package");
  await setup({
    needs: all.filter((need) => !BUILT.includes(need)),
    meanwhile: isBuilt ? () => compile(isQuick) : undefined,
  });
  if (isBuilt) await build({ viewer: all.includes("viewer"), quick: isQuick });
}
