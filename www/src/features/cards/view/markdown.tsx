import { useEffect, useState } from "preact/hooks";
import type { Prose } from "../../../core/model/parts";
import { useOpenDocument } from "../../../core/page/hooks";
import { one } from "../../../ui/format";
import { Html } from "../../../ui/html";

/** What one press of "Show more" adds to a long text. */
const STEP = 500_000;
const RENDERED = 32_768;

/** Text as markdown; of a very long one the head, and more of it on demand. */
export function Markdown({ view, index }: { view: Prose; index: number }) {
  const doc = useOpenDocument();
  const key = `${index} text`;
  const limit = doc.expandedBlocks.get(key) ?? 0;
  const [more, setMore] = useState<{ html: string; limit: number }>();
  const shown = Math.max(more?.limit ?? 0, RENDERED);
  useEffect(() => {
    if (limit <= shown) return;
    let current = true;
    void doc.client.call("markdown", index, limit).then(({ html }) => {
      if (current) setMore({ html, limit });
    });
    return () => {
      current = false;
    };
  }, [doc, index, limit, shown]);
  const show = () => doc.expandedBlocks.set(key, (more?.limit ?? 0) + STEP);
  return (
    <>
      <div data-field="text">
        <Html html={more?.html ?? view.html} />
      </div>
      {view.text.length > shown && (
        <div class="code-more">
          <button type="button" onClick={show}>
            Show more of {one(view.text.lines, "line")}
          </button>
        </div>
      )}
    </>
  );
}
