/** What the features' views take of the page. */
import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import { BlockContext } from "../../ui/blocks";
import type { OpenDocument } from "../store/document";
import type { Page, PageState } from "./context";

export const ViewerContext = createContext<Page | undefined>(undefined);
const OpenDocumentContext = createContext<OpenDocument | undefined>(undefined);

/** The transcript that is open in what is inside of it. */
export function OpenDocumentProvider(props: {
  doc: OpenDocument | undefined;
  children: ComponentChildren;
}) {
  return (
    <OpenDocumentContext.Provider value={props.doc}>
      <BlockContext.Provider value={props.doc}>{props.children}</BlockContext.Provider>
    </OpenDocumentContext.Provider>
  );
}

export function useViewer(): Page {
  const viewer = useContext(ViewerContext);
  if (!viewer) throw new Error("useViewer outside of the viewer");
  return viewer;
}

/** The open transcript; for components that are only drawn when there is one. */
export function useOpenDocument(): OpenDocument {
  const doc = useContext(OpenDocumentContext);
  if (!doc) throw new Error("useOpenDocument without a transcript");
  return doc;
}

/** The page's state; a component is drawn again when a field that it takes is another value. */
export function usePage(): Readonly<PageState> {
  return useViewer().store.state;
}

/** What ties a dialog to the page's state. */
export function useDialog(name: NonNullable<PageState["dialog"]>) {
  const { store } = useViewer();
  const shown = store.state.dialog === name;
  const close = () => {
    if (store.get().dialog === name) store.set({ dialog: undefined });
  };
  return { name, shown, close };
}
