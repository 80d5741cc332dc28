import { useDialog } from "../core/page/hooks";
import { Dialog } from "../ui/dialog";
import { KEYS } from "./keys";

export function HelpDialog() {
  return (
    <Dialog {...useDialog("help")} title="Keys">
      <dl class="keys">
        {KEYS.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{NAMES[key] ?? key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">
        A transcript opens by dropping or pasting it anywhere on the page. It is read here in the
        browser and sent nowhere.
      </p>
    </Dialog>
  );
}

const NAMES: Record<string, string> = { " ": "Space", Escape: "Esc" };
