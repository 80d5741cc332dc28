import { count } from "../../ui/format";
import { Icon } from "../../ui/icons";
import type { LoopView } from "./model";

/** Says of a row that it is part of a loop; the row at which it was seen has the verdict's words. */
export function LoopMark({ loop, row }: { loop: LoopView; row: number }) {
  const { action, message, rows } = loop;
  const at = rows.indexOf(row);
  const isLast = at === rows.length - 1;
  return (
    <li class={`row-loop loop-${action}`} title={isLast ? undefined : message}>
      <span class="loop-badge">
        <Icon name="retry" />
        {loopName(loop)}
      </span>{" "}
      <span>
        {isLast ? message : `${count(at + 1)} of ${count(rows.length)}`}
        {!isLast && <span class="hidden">. {message}</span>}
      </span>
    </li>
  );
}

/** `loop: exact_repeat ×3` */
export function loopName({ kind, repeats }: LoopView): string {
  return `loop: ${kind} ×${count(repeats)}`;
}
