import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icons";

interface DialogProps {
  /** Names its elements. */
  name: string;
  shown: boolean;
  close: () => void;
  title: string;
  children: ComponentChildren;
}

/** A native modal dialog. */
export function Dialog({ name, title, shown, close, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const isDrawn = useRef(false);
  // At once, not after the next frame: until the dialog closes, the focus has not gone back to where it was.
  useLayoutEffect(() => {
    isDrawn.current = shown;
    if (shown) element.current?.showModal();
    else element.current?.close();
  }, [shown]);
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
