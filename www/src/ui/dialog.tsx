import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useViewer, useViewerState } from "../app/hooks";
import type { PageState } from "../app/store";
import { Icon } from "./icons";

interface DialogProps {
  name: NonNullable<PageState["dialog"]>;
  title: string;
  children: ComponentChildren;
}

/** A native modal dialog, bound to the page's state. */
export function Dialog({ name, title, children }: DialogProps) {
  const viewer = useViewer();
  const shown = useViewerState((state) => state.dialog === name);
  const element = useRef<HTMLDialogElement>(null);
  const isDrawn = useRef(false);
  useEffect(() => {
    isDrawn.current = shown;
    if (shown) element.current?.showModal();
    else element.current?.close();
  }, [shown]);
  const close = () => {
    if (viewer.store.get().dialog === name) viewer.store.set({ dialog: undefined });
  };
  // The event comes late: by then the dialog may have been asked for again. Only the browser's own
  // closing leaves one shut that is drawn as open.
  const onClose = () => {
    if (isDrawn.current && !element.current?.open) close();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on the backdrop; Escape closes it by itself
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby={`dialog-${name}`}
      onClose={onClose}
      onClick={(event) => event.target === element.current && close()}
    >
      {shown && (
        <div class="dialog-body">
          <header>
            <h2 id={`dialog-${name}`}>{title}</h2>
            <button type="button" class="button button-icon" aria-label="Close" onClick={close}>
              <Icon name="close" />
            </button>
          </header>
          {children}
        </div>
      )}
    </dialog>
  );
}
