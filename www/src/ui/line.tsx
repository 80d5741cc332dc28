import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icons";

/** A part that says all it has to say in one line. */
export function Line({ icon, children }: { icon: IconName; children: ComponentChildren }) {
  return (
    <div class="line-part">
      <Icon name={icon} />
      <span>{children}</span>
    </div>
  );
}
