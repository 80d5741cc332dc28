import { useLayoutEffect, useRef } from "preact/hooks";
import { MOST_FILES } from "../../../../../ts/cli/transcript-files.ts";
import { FILTER_HEADS } from "../../../core/model/query";
import { useViewer } from "../../../core/page/hooks";
import { count, one } from "../../../ui/format";
import { Icon } from "../../../ui/icons";

/** The field above the list: what it says is looked for in names, and in the contents of all files. */
export function RunSearchField() {
  const { runs } = useViewer();
  const { query, focus, mistake } = runs.store.state;
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (focus) field.current?.select();
  }, [focus]);
  return (
    <label class="runs-search">
      <span class="hidden">Search the runs</span>
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        placeholder="Names and contents, or tool:bash"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-invalid={mistake !== undefined}
        value={query}
        onInput={(event) => runs.search(event.currentTarget.value)}
      />
    </label>
  );
}

/** How many runs there are, how many of them are listed, and what is still being done. */
export function Count({ found, of }: { found: number; of: number }) {
  const { runs } = useViewer();
  const { runs: all, more, total, read, hits, searching } = runs.store.state;
  const sum = [...hits.values()].reduce((all, each) => all + each.count, 0);
  const isMore = [...hits.values()].some(({ capped }) => capped);
  return (
    <p class="quiet" role="status">
      {found < of ? `${count(found)} of ` : ""}
      {one(of, "run")}
      {more && `, the first ${count(MOST_FILES)} of ${total === undefined ? "more" : count(total)}`}
      {hits.size > 0 &&
        `, ${isMore ? `${count(sum)}+ hits` : one(sum, "hit")} in ${count(hits.size)}`}
      {searching && ` · ${count(searching.searched)} of ${count(searching.sought)} searched`}
      {read < all.length && ` · ${count(read)} read`}
    </p>
  );
}

/** What is wrong with the query. */
export function QueryNote() {
  const { runs } = useViewer();
  const { mistake, unknown } = runs.store.state;
  if (!mistake && !unknown) return null;
  return mistake ? (
    <p class="runs-note" role="status">
      {mistake}
    </p>
  ) : (
    <p class="runs-note" role="status">
      Unknown filter <code>{unknown}:</code>; known are <code>{FILTER_HEADS.join(" ")}</code>.{" "}
      <span class="quiet">It is searched for as it stands.</span>
    </p>
  );
}
