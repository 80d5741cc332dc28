import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * What opens and closes a native modal dialog: attributes of its element. The browser closes it for Escape, and a click
 * on its backdrop does too. `shown` is what it shows: another value opens one that the browser has just closed.
 */
export function useNativeDialog(shown: string | false, close: () => void) {
  const ref = useRef<HTMLDialogElement>(null);
  const isDrawn = useRef(false);
  // At once, not after the next frame: until the dialog closes, the focus has not gone back to where it was.
  useLayoutEffect(() => {
    isDrawn.current = shown !== false;
    if (shown === false) ref.current?.close();
    else if (!ref.current?.open) ref.current?.showModal();
  }, [shown]);
  // The event comes late: by then the dialog may have been asked for again. Only the browser's own
  // closing leaves one shut that is drawn as open.
  const onClose = () => {
    if (isDrawn.current && !ref.current?.open) close();
  };
  const onClick = (event: MouseEvent) => {
    if (event.target === ref.current) close();
  };
  return { ref, onClose, onClick };
}
