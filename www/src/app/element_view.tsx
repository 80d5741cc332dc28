import { OpenDocumentProvider, useOpenDocument, usePage } from "../core/page/hooks";
import { PaneOf, Slot } from "../core/page/slot";
import { cost, one } from "../ui/format";
import { Notice } from "./layout";

/** What `<apex-transcript>` shows: one line of facts, and the transcript. */
export function ElementView() {
  const { doc, progress } = usePage();
  return (
    <OpenDocumentProvider doc={doc}>
      <div class="element">
        {doc && <Head />}
        <Notice says />
        <div class="pane pane-transcript" part="transcript">
          {doc ? <PaneOf name="main" /> : !progress && <p class="empty">Nothing yet.</p>}
        </div>
      </div>
    </OpenDocumentProvider>
  );
}

function Head() {
  const doc = useOpenDocument();
  const { facts } = doc;
  return (
    <header class="element-head" part="head">
      <h2>{doc.title}</h2>
      <Slot name="status" doc={doc} />
      <span class="quiet">{one(facts.steps, "step")}</span>
      {facts.cost > 0 && <span class="quiet">{cost(facts.cost)}</span>}
    </header>
  );
}
