import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { OpenDocument } from "../features/transcript/store/document";
import { useStore } from "../ui/store";
import type { PageState, Viewer } from "./store";

export const ViewerContext = createContext<Viewer | undefined>(undefined);
export const OpenDocumentContext = createContext<OpenDocument | undefined>(undefined);

export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext);
  if (!viewer) throw new Error("useViewer outside of the viewer");
  return viewer;
}

/** The open transcript; for components that are only drawn when there is one. */
export function useOpenDocument(): OpenDocument {
  const doc = useContext(OpenDocumentContext);
  if (!doc) throw new Error("useDoc without a transcript");
  return doc;
}

export function useViewerState<V>(select: (state: PageState) => V): V {
  return useStore(useViewer().store, select);
}

/** Draws again whenever the open transcript is another than it was: it goes on, or is replayed. */
export function useGrown(): number {
  return useViewerState((state) => state.grown);
}
