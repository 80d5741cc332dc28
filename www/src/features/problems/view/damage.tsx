import { useState } from "preact/hooks";
import { usePage, useViewer } from "../../../core/page/hooks";

/** Says of a damaged file, in one sentence, what could be read of it. */
export function Damage() {
  const viewer = useViewer();
  const { doc } = usePage();
  const [dismissed, dismiss] = useState<number>();
  const damage = doc?.facts.damage;
  if (!doc || !damage || dismissed === doc.id) return null;
  return (
    <section class="notice damage" aria-label="Damage">
      <p>{damage}</p>
      <button type="button" onClick={() => viewer.panels.showProblems()}>
        See problems
      </button>
      <button type="button" onClick={() => dismiss(doc.id)}>
        Dismiss
      </button>
    </section>
  );
}
