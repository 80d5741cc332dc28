import type { Page } from "../core/page/context";
import type { Key } from "../core/page/keys";
import { FEATURES } from "../features/page";

const HELP = "help";

const OF_FEATURES: Key[] = FEATURES.all.flatMap(({ keys = [] }) => keys);

/** The keys, with the words that the help shows. */
export const KEYS: Key[] = [
  { keys: ["j"], does: "next part", run: (viewer) => viewer.move("part", 1) },
  { keys: ["k"], does: "previous part", run: (viewer) => viewer.move("part", -1) },
  { keys: ["J"], does: "next turn", run: (viewer) => viewer.move("turn", 1) },
  { keys: ["K"], does: "previous turn", run: (viewer) => viewer.move("turn", -1) },
  {
    keys: ["n"],
    does: "next problem, failure or loop; next difference beside another file",
    run: (viewer) => viewer.move("mark", 1),
  },
  {
    keys: ["p"],
    does: "previous problem, failure or loop, or difference",
    run: (viewer) => viewer.move("mark", -1),
  },
  { keys: ["]"], does: "next compaction", run: (viewer) => viewer.move("compaction", 1) },
  { keys: ["["], does: "previous compaction", run: (viewer) => viewer.move("compaction", -1) },
  { keys: ["/"], does: "search; in a list of runs, in all of them" },
  {
    keys: ["y"],
    does: "copy the link of the selected part",
    run: (viewer) => void viewer.links.copy(),
  },
  {
    keys: ["Enter"],
    does: "fold or unfold the selected part; of a compaction, what it hid; of a loop, its repeats",
    run: (viewer) => viewer.folding.toggleSelected(),
  },
  {
    keys: ["e"],
    does: "unfold all parts",
    run: (viewer) => viewer.folding.foldAll(false),
  },
  {
    keys: ["E"],
    does: "fold all parts",
    run: (viewer) => viewer.folding.foldAll(true),
  },
  {
    keys: ["d"],
    does: "compact view: one line a part",
    when: (viewer) => viewer.store.get().beside === undefined,
    run: (viewer) => viewer.panels.toggleCompact(),
  },
  {
    keys: ["i"],
    does: "open or close the inspector of the selected part",
    when: (viewer) => viewer.hasPage,
    run: (viewer) => viewer.panels.toggleInspector(),
  },
  {
    keys: ["r"],
    does: "raw JSON of the selected part",
    run: (viewer) => viewer.toggleRaw(),
  },
  ...OF_FEATURES.filter(({ does }) => does),
  {
    keys: ["?"],
    does: "this help",
    run: (viewer) =>
      viewer.store.set({ dialog: viewer.store.get().dialog === HELP ? undefined : HELP }),
  },
  {
    keys: ["Escape"],
    does: "close the search, the inspector, or this help",
    when: (viewer) => viewer.panels.isInspecting,
    run: (viewer) => viewer.panels.closeInspector(),
  },
];

/** Keys that are pressed in the document, or in the root of an element in somebody's page. */
export function listenToKeys(viewer: Page, within: Document | ShadowRoot = document): void {
  // A feature comes before what the key does otherwise.
  const all = [...OF_FEATURES.filter(({ does }) => !does), ...KEYS];
  within.addEventListener("keydown", (given) => {
    const event = given as KeyboardEvent;
    if (event.defaultPrevented || isCommand(event)) return;
    const { dialog } = viewer.store.get();
    const key = nameOf(event);
    // A dialog has its own keys; the one that opened the help closes it.
    if (dialog && !(dialog === HELP && event.key === "?")) return;
    if (isOwnUse(event)) return;
    const entry = all.find(
      ({ keys, run, when }) => keys.includes(key) && run && when?.(viewer) !== false,
    );
    if (!entry) return;
    event.preventDefault();
    entry.run?.(viewer, key);
  });
}

/** Of the arrows, those with Shift are keys of the page. */
function nameOf({ key, shiftKey }: KeyboardEvent): string {
  const arrow = { ArrowRight: "→", ArrowLeft: "←" }[key];
  return shiftKey && arrow ? `Shift ${arrow}` : key;
}

/** Keys of the browser. With AltGr some keyboards write `[`, and report Ctrl and Alt. */
function isCommand(event: KeyboardEvent): boolean {
  const isWritten = event.getModifierState("AltGraph");
  return event.metaKey || ((event.ctrlKey || event.altKey) && !isWritten);
}

/** Typing into a field, or Enter on a control, belongs to the element. Into a slider nobody types. */
function isOwnUse(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("input:not([type=range]), textarea, select, [contenteditable]")) return true;
  return (
    (event.key === "Enter" || event.key === " ") &&
    !!target?.closest("a, button, summary, [role=tab]")
  );
}
