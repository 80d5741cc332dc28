import { useEffect, useState } from "preact/hooks";
import { useViewer } from "../core/page/hooks";
import { formatTitle } from "../ui/agents";

/** What can be read, as the module's registry of formats has it. */
export function Formats() {
  const viewer = useViewer();
  const [names, setNames] = useState<string[]>([]);
  useEffect(() => {
    let current = true;
    viewer.formats().then(
      (all) => current && setNames(all),
      // The module did not load: what could not be opened says so.
      () => {},
    );
    return () => {
      current = false;
    };
  }, [viewer]);
  if (names.length === 0) return null;
  return (
    <section class="formats">
      <h3 id="formats-title">What can be read</h3>
      <ul aria-labelledby="formats-title">
        {names.map((name) => (
          <li key={name} class="chip">
            {formatTitle(name)}
          </li>
        ))}
      </ul>
    </section>
  );
}
