import { OpenDocumentProvider, useOpenDocument, usePage } from "../core/page/hooks";
import { AT_THE_END, LiveStatus, Transcript } from "../features/page";
import { cost, one } from "../ui/format";
import { drawn, Notice } from "./layout";

/** What `<apex-transcript>` shows: one line of facts, and the transcript. */
export function ElementView() {
  const { doc, progress } = usePage();
  return (
    <OpenDocumentProvider doc={doc}>
      <div class="element">
        {doc && <Head />}
        <Notice says />
        <div class="pane pane-transcript" part="transcript">
          {doc ? (
            <>
              <Transcript />
              {drawn(AT_THE_END)}
            </>
          ) : (
            !progress && <p class="empty">Nothing yet.</p>
          )}
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
      <h2>{facts.title}</h2>
      <LiveStatus doc={doc} />
      <span class="quiet">{one(facts.steps, "step")}</span>
      {facts.cost > 0 && <span class="quiet">{cost(facts.cost)}</span>}
    </header>
  );
}
