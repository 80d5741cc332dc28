interface TabsProps<N extends string> {
  /** Names its elements. */
  name?: string;
  label: string;
  /** A tab that is `off` has nothing to show; it stays so that the others keep their places. */
  tabs: { name: N; title: string; off: boolean }[];
  chosen: N;
  onChoose: (name: N) => void;
}

/** A tab list: one stop for the Tab key, the arrows move inside. */
export function Tabs<N extends string>({
  name: of = "inspector",
  label,
  tabs,
  chosen,
  onChoose,
}: TabsProps<N>) {
  const move = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const on = tabs.filter(({ off }) => !off);
    const at = on.findIndex(({ name }) => name === chosen);
    const next = on[(at + by + on.length) % on.length];
    if (!next) return;
    onChoose(next.name);
    event.currentTarget.querySelectorAll("button")[tabs.indexOf(next)]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ name, title, off }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${of}-tab-${name}`}
          aria-controls={`${of}-panel`}
          aria-selected={name === chosen}
          aria-disabled={off}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => off || onChoose(name)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
