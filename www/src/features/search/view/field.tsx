import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { PART_TYPES } from "../../../core/model/parts";
import { useOpenDocument, useViewer } from "../../../core/page/hooks";
import { Icon } from "../../../ui/icons";
import { type Completion, completionsAt } from "../model/completion";

const LIST = "search-completions";
const idOf = (at: number) => `${LIST}-${at}`;

/** The field of the search; keys and values of filters complete in a list under it. */
export function SearchField() {
  const { search } = useViewer();
  const { text, focus, mistake } = search.store.state;
  const { toolNames, agentNames } = useOpenDocument().facts.layout;
  const field = useRef<HTMLInputElement>(null);
  /** Where the caret is while the list is open; undefined while it is not. */
  const [caret, setCaret] = useState<number>();
  const [chosen, setChosen] = useState(-1);
  const [put, setPut] = useState<number>();
  const found = useMemo(() => {
    if (caret === undefined) return undefined;
    return completionsAt(text, caret, { tool: toolNames, agent: agentNames, type: PART_TYPES });
  }, [text, caret, toolNames, agentNames]);
  // At once: the next key is typed into it.
  useLayoutEffect(() => {
    if (focus) field.current?.select();
  }, [focus]);
  useLayoutEffect(() => {
    if (put !== undefined) field.current?.setSelectionRange(put, put);
  }, [put, text]);
  const show = (at: number | undefined) => {
    setCaret(at);
    setChosen(-1);
  };
  const take = ({ text: taken, isWhole }: Completion) => {
    if (!found) return;
    const next = text.slice(0, found.from) + taken + text.slice(found.to).replace(/^ /, "");
    const at = found.from + taken.length;
    search.change({ text: next });
    setPut(at);
    show(isWhole ? undefined : at);
    field.current?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    setPut(undefined);
    if (!found) return;
    const { length } = found.list;
    const taken = found.list[event.key === "Tab" ? Math.max(chosen, 0) : chosen];
    const isTaken = event.key === "Enter" || (event.key === "Tab" && !event.shiftKey);
    if (event.key === "ArrowDown") setChosen((chosen + 1) % length);
    else if (event.key === "ArrowUp") setChosen(chosen <= 0 ? length - 1 : chosen - 1);
    else if (event.key === "Escape") show(undefined);
    else if (isTaken && taken) take(taken);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="search-box">
      <label class="search-field">
        <Icon name="search" />
        <span class="hidden">Search in the transcript</span>
        <input
          ref={field}
          type="text"
          inputMode="search"
          placeholder="Search words, or tool:bash status:failed"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-invalid={mistake !== undefined}
          aria-describedby="search-count"
          aria-autocomplete="list"
          aria-controls={found ? LIST : undefined}
          aria-activedescendant={found && chosen >= 0 ? idOf(chosen) : undefined}
          value={text}
          onInput={({ currentTarget }) => {
            setPut(undefined);
            show(currentTarget.selectionStart ?? undefined);
            search.change({ text: currentTarget.value });
          }}
          onKeyDown={onKey}
          onBlur={() => show(undefined)}
        />
      </label>
      {found && (
        <div class="completions" id={LIST} role="listbox" aria-label="Filters">
          {found.list.map((each, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
            <div
              key={each.text}
              id={idOf(at)}
              class="completion"
              role="option"
              aria-selected={at === chosen}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(each)}
            >
              <code>{each.label}</code>
              {each.about && <span class="quiet">{each.about}</span>}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
