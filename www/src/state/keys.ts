import type { Viewer } from "./viewer";

/** The keys, with the words that the help shows. */
export const KEYS: { keys: string[]; does: string; run?: (viewer: Viewer) => unknown }[] = [
  { keys: ["j"], does: "next part", run: (viewer) => viewer.move("part", 1) },
  { keys: ["k"], does: "previous part", run: (viewer) => viewer.move("part", -1) },
  { keys: ["J"], does: "next turn", run: (viewer) => viewer.move("turn", 1) },
  { keys: ["K"], does: "previous turn", run: (viewer) => viewer.move("turn", -1) },
  {
    keys: ["n"],
    does: "next problem, error or loop; next difference beside another file",
    run: (viewer) => viewer.move("mark", 1),
  },
  {
    keys: ["p"],
    does: "previous problem, error or loop, or difference",
    run: (viewer) => viewer.move("mark", -1),
  },
  { keys: ["]"], does: "next compaction", run: (viewer) => viewer.move("compaction", 1) },
  { keys: ["["], does: "previous compaction", run: (viewer) => viewer.move("compaction", -1) },
  { keys: ["/"], does: "search", run: (viewer) => viewer.search.show() },
  {
    keys: ["y"],
    does: "copy the link of the selected part",
    run: (viewer) => void viewer.links.copy(),
  },
  {
    keys: ["Enter"],
    does: "fold or unfold the selected part",
    run: (viewer) => viewer.compare.fold() || viewer.toggleFold(viewer.store.get().selected),
  },
  {
    keys: ["r"],
    does: "raw JSON of the selected part",
    run: (viewer) => viewer.compare.raw() || viewer.toggleRaw(),
  },
  { keys: ["0"], does: "fit the timeline", run: (viewer) => viewer.timeline.fit() },
  {
    keys: ["?"],
    does: "this help",
    run: (viewer) => viewer.store.set({ dialog: "help" }),
  },
  { keys: ["Esc"], does: "close the search, or this help" },
];

/** Keys that are pressed in the document, or in the root of an element in somebody's page. */
export function listenToKeys(viewer: Viewer, within: Document | ShadowRoot = document): void {
  const byKey = new Map(KEYS.flatMap(({ keys, run }) => keys.map((key) => [key, run] as const)));
  within.addEventListener("keydown", (given) => {
    const event = given as KeyboardEvent;
    if (event.defaultPrevented || isCommand(event)) return;
    if (viewer.store.get().dialog || isOwnUse(event)) return;
    const run = byKey.get(event.key);
    if (!run) return;
    event.preventDefault();
    run(viewer);
  });
}

/** Keys of the browser. With AltGr some keyboards write `[`, and tell of Ctrl and Alt. */
function isCommand(event: KeyboardEvent): boolean {
  const isWritten = event.getModifierState("AltGraph");
  return event.metaKey || ((event.ctrlKey || event.altKey) && !isWritten);
}

/** Typing into a field, or Enter on a control, belongs to the element. */
function isOwnUse(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("input, textarea, select, [contenteditable]")) return true;
  return event.key === "Enter" && !!target?.closest("a, button, summary, [role=tab]");
}
