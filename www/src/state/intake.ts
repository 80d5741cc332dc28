import type { Source } from "../worker/protocol";
import type { Viewer } from "./viewer";

/** Where a file that hovers over the page would go. */
export type DropPlace = "open" | "beside";

/** Files come by drop or paste anywhere on the page. `onDrag` tells over which half one hovers. */
export function listenToIntake(
  viewer: Viewer,
  onDrag: (place: DropPlace | undefined) => void,
): void {
  let depth = 0;
  const carriesFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  window.addEventListener("dragenter", (event) => {
    if (carriesFile(event) && ++depth === 1) onDrag(placeOf(viewer, event));
  });
  window.addEventListener("dragleave", (event) => {
    if (carriesFile(event) && --depth <= 0) {
      depth = 0;
      onDrag(undefined);
    }
  });
  window.addEventListener("dragover", (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    onDrag(placeOf(viewer, event));
  });
  window.addEventListener("drop", (event) => {
    depth = 0;
    onDrag(undefined);
    const [file, second] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    if (second) void openTwo(viewer, file, second);
    else if (placeOf(viewer, event) === "beside") void viewer.compare.open({ kind: "file", file });
    else void viewer.open({ kind: "file", file });
  });
  document.addEventListener("paste", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("input, textarea")) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (file) void viewer.open({ kind: "file", file });
    else if (text.trim()) void viewer.open(pasted(text));
  });
}

async function openTwo(viewer: Viewer, file: File, second: File): Promise<void> {
  const isOpen = await viewer.open({ kind: "file", file });
  if (isOpen) await viewer.compare.open({ kind: "file", file: second });
}

/** With a transcript open, the right half of the page is for one beside it. */
function placeOf(viewer: Viewer, event: DragEvent): DropPlace {
  const isRight = event.clientX > window.innerWidth / 2;
  return isRight && viewer.store.get().doc ? "beside" : "open";
}

export function pasted(text: string): Source {
  return { kind: "text", text, name: "Pasted text" };
}
