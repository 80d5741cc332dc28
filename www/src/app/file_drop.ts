import { canBeTranscript } from "../../../ts/cli/transcript-files.ts";
import type { Page } from "../core/page/context";
import type { Source } from "../core/rpc";
import { FEATURES } from "../features/page";

/** Where what is dropped or pasted goes: beside what is open, or in its place. */
export type DropPlace = "second" | "instead";

/** What a file that hovers over the page would do. */
export interface HoveringFile {
  place: DropPlace;
  /** It depends on where it is dropped. */
  chosen: boolean;
  /** It has another with it. */
  two: boolean;
}

/** The share of the page's height, from its top, where a dropped file opens beside the first. */
const BESIDE = 2 / 3;

/** Files come by drop or paste anywhere on the page. `onDrag` is called with what one that hovers would do. */
export function listenToFileDrop(
  viewer: Page,
  onDrag: (hovering: HoveringFile | undefined) => void,
): void {
  let depth = 0;
  const carriesFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  window.addEventListener("dragenter", (event) => {
    if (!carriesFile(event)) return;
    // As for dragover: it comes in place of that where what is under the pointer has changed, and a drop may follow.
    event.preventDefault();
    if (++depth === 1) onDrag(hovering(viewer, event));
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
    onDrag(hovering(viewer, event));
  });
  window.addEventListener("drop", (event) => {
    depth = 0;
    onDrag(undefined);
    const { files = [], items = [] } = event.dataTransfer ?? {};
    const [file, second] = files;
    if (!file) return;
    event.preventDefault();
    // They can be asked for now only.
    const entries = Array.from(items, (item) => item.webkitGetAsEntry()).filter((entry) => !!entry);
    const folder = entries.find(({ isDirectory }) => isDirectory);
    if (folder) {
      const name = entries.length > 1 ? DROPPED : folder.name;
      for (const each of FEATURES.all) each.takeFolder?.(viewer, entries, name);
      return;
    }
    if (files.length > 2) return takeMany(viewer, Array.from(files));
    if (second) void openTwo(viewer, file, second);
    else take(viewer, { kind: "file", file }, hovering(viewer, event).place);
  });
  document.addEventListener("paste", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("input, textarea")) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const place = fixedPlace(viewer) ?? "second";
    if (file) take(viewer, { kind: "file", file }, place);
    else if (text.trim()) take(viewer, pasted(text), place);
  });
}

/** Of many files those that can be transcripts are a list of runs; all of them where none is by its name. */
export function takeMany(viewer: Page, files: readonly File[]): void {
  const [file, second] = files;
  if (file && !second) {
    take(viewer, { kind: "file", file }, "instead");
    return;
  }
  const fitting = files.filter(({ name }) => canBeTranscript(name));
  const all = fitting.length > 0 ? fitting : files;
  const folder = files[0]?.webkitRelativePath.split("/", 1)[0];
  for (const each of FEATURES.all) each.takeFiles?.(viewer, all, folder || DROPPED);
}

const DROPPED = "Dropped files";

export function openBeside(viewer: Page, source: Source): void {
  for (const each of FEATURES.all) each.openBeside?.(viewer, source);
}

function take(viewer: Page, source: Source, place: DropPlace): void {
  if (place === "second") openBeside(viewer, source);
  else void viewer.open(source, { alone: true });
}

async function openTwo(viewer: Page, file: File, second: File): Promise<void> {
  const isOpen = await viewer.open({ kind: "file", file }, { alone: true });
  if (isOpen) openBeside(viewer, { kind: "file", file: second });
}

function hovering(viewer: Page, event: DragEvent): HoveringFile {
  const items = Array.from(event.dataTransfer?.items ?? []);
  const two = items.filter(({ kind }) => kind === "file").length > 1;
  const fixed = two ? "instead" : fixedPlace(viewer);
  if (fixed) return { place: fixed, chosen: false, two };
  const isAbove = event.clientY < window.innerHeight * BESIDE;
  return { place: isAbove ? "second" : "instead", chosen: true, two };
}

/** The place where there is no choice: a dialog asks for a file, or nothing is open. */
function fixedPlace(viewer: Page): DropPlace | undefined {
  const { dialog, doc } = viewer.store.get();
  if (dialog === "second") return "second";
  return dialog === "open" || doc === undefined ? "instead" : undefined;
}

export function pasted(text: string): Source {
  return { kind: "text", text, name: "Pasted text" };
}
