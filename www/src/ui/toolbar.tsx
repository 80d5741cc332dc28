import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface ToolbarProps {
  label: string;
  class: string;
  children: ComponentChildren;
}

const BY: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Buttons that belong together: one stop for the Tab key, the arrows move inside. */
export function Toolbar({ label, class: name, children }: ToolbarProps) {
  const element = useRef<HTMLDivElement>(null);
  const at = useRef(0);
  useLayoutEffect(() => {
    const buttons = element.current?.querySelectorAll("button") ?? [];
    const stop = Math.min(at.current, buttons.length - 1);
    for (const [i, button] of buttons.entries()) button.tabIndex = i === stop ? 0 : -1;
  });
  const move = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const by = BY[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const here = buttons.indexOf(event.target as HTMLButtonElement);
    const next = buttons[(here + by + buttons.length) % buttons.length];
    if (here < 0 || !next) return;
    event.preventDefault();
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    at.current = buttons.indexOf(next);
    next.focus();
  };
  return (
    <div ref={element} class={name} role="toolbar" aria-label={label} onKeyDown={move}>
      {children}
    </div>
  );
}
