import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icons";

/** A part that is drawn as one line: an icon and a sentence. */
export function Line({ icon, children }: { icon: IconName; children: ComponentChildren }) {
  return (
    <div class="line-part">
      <Icon name={icon} />
      <span>{children}</span>
    </div>
  );
}
