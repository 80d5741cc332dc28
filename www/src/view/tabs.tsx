interface TabsProps<N extends string> {
  label: string;
  tabs: [N, string][];
  chosen: N;
  onChoose: (name: N) => void;
}

/** A tab list: one stop for the Tab key, the arrows move inside. */
export function Tabs<N extends string>({ label, tabs, chosen, onChoose }: TabsProps<N>) {
  const move = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const at = tabs.findIndex(([name]) => name === chosen);
    const next = (at + by + tabs.length) % tabs.length;
    const [name] = tabs[next] ?? [];
    if (!name) return;
    onChoose(name);
    event.currentTarget.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(([name, title]) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`inspector-tab-${name}`}
          aria-controls="inspector-panel"
          aria-selected={name === chosen}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
