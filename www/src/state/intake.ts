import type { Viewer } from "./viewer";

/** Files come by drop or paste anywhere on the page. `onDrag` tells when one hovers over it. */
export function listenToIntake(viewer: Viewer, onDrag: (over: boolean) => void): void {
  let depth = 0;
  const carriesFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  window.addEventListener("dragenter", (event) => {
    if (carriesFile(event) && ++depth === 1) onDrag(true);
  });
  window.addEventListener("dragleave", (event) => {
    if (carriesFile(event) && --depth <= 0) {
      depth = 0;
      onDrag(false);
    }
  });
  window.addEventListener("dragover", (event) => {
    if (carriesFile(event)) event.preventDefault();
  });
  window.addEventListener("drop", (event) => {
    depth = 0;
    onDrag(false);
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void viewer.open({ kind: "file", file });
  });
  document.addEventListener("paste", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("input, textarea")) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (file) void viewer.open({ kind: "file", file });
    else if (text.trim()) openText(viewer, text);
  });
}

export function openText(viewer: Viewer, text: string): void {
  void viewer.open({ kind: "text", text, name: "Pasted text" });
}
