import type { ComponentChildren } from "preact";
import { Icon } from "./icons";
import { useNativeDialog } from "./native_dialog";

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
  const dialog = useNativeDialog(shown && name, close);
  return (
    <dialog {...dialog} class="dialog" aria-labelledby={`dialog-${name}`}>
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
