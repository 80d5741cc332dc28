import { useViewer } from "../../../core/page/hooks";
import { Icon } from "../../../ui/icons";

/** At the edge of the selected row, or below it: opens the inspector with it. */
export function InspectButton() {
  const viewer = useViewer();
  if (!viewer.hasPage) return null;
  return (
    <button
      type="button"
      class="row-inspect"
      aria-label="Inspect"
      title="Inspect (i)"
      onClick={() => viewer.panels.inspect()}
    >
      <Icon name="inspect" />
      <span class="row-inspect-word">Inspect</span>
    </button>
  );
}
