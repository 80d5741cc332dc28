import type { SheetTab } from "../core/page/context";
import { useOpenDocument, usePage, useViewer } from "../core/page/hooks";
import { PaneOf } from "../core/page/slot";
import { brief } from "../ui/format";
import { Icon } from "../ui/icons";
import { useNativeDialog } from "../ui/native_dialog";
import { Tabs } from "../ui/tabs";
import { Facts } from "./facts";
import { FileLine } from "./header";

/**
 * Where there is room for one pane only: the facts of the run, the selected part and the problems, in a
 * sheet that comes up from the bottom.
 */
export function Sheet() {
  const viewer = useViewer();
  const { sheet } = usePage();
  const close = () => viewer.panels.closeSheet();
  const dialog = useNativeDialog(sheet ?? false, close);
  return (
    <dialog {...dialog} class="sheet" aria-label="Details">
      {sheet !== undefined && <Content sheet={sheet} close={close} />}
    </dialog>
  );
}

function Content({ sheet, close }: { sheet: SheetTab; close: () => void }) {
  const viewer = useViewer();
  const { errors, warnings } = useOpenDocument().facts;
  const problems = errors + warnings;
  const tabs: { name: SheetTab; title: string; off: boolean }[] = [
    { name: "run", title: "Run", off: false },
    { name: "part", title: "Part", off: false },
    {
      name: "problems",
      title: problems > 0 ? `File problems ${brief(problems)}` : "File problems",
      off: false,
    },
  ];
  return (
    <>
      <header class="sheet-head">
        <Tabs
          name="sheet"
          label="Details"
          tabs={tabs}
          chosen={sheet}
          onChoose={(name) => viewer.panels.showSheet(name)}
        />
        <button type="button" class="button-plain" aria-label="Close details" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div
        class="sheet-body"
        role="tabpanel"
        id="sheet-panel"
        aria-labelledby={`sheet-tab-${sheet}`}
      >
        <Panel sheet={sheet} />
      </div>
    </>
  );
}

function Panel({ sheet }: { sheet: SheetTab }) {
  const viewer = useViewer();
  const doc = useOpenDocument();
  const { facts } = doc;
  const { beside, compact } = usePage();
  if (sheet === "problems") return <PaneOf name="problems" />;
  if (sheet === "part") return <PaneOf name="inspector" />;
  return (
    <section class="sheet-run" aria-label="The run">
      <h2>{doc.title}</h2>
      <FileLine facts={facts} />
      <Facts doc={doc} />
      {!beside && (
        <button
          type="button"
          class="button"
          aria-pressed={compact}
          onClick={() => {
            viewer.panels.toggleCompact();
            viewer.panels.closeSheet();
          }}
        >
          <Icon name="compact" />
          Compact view
        </button>
      )}
    </section>
  );
}
