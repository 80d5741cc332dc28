import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useViewer } from "../../../core/page/hooks";
import type { OpenDocument } from "../../../core/store/document";
import { Summary } from "./summary";

/** The summary above the rows of the transcript, which leave `onHeight` pixels of room for it. */
export function SummaryCard(props: {
  doc: OpenDocument;
  /** What separates the coordinates of the list from those of its element. */
  shift: number;
  onHeight: (height: number) => void;
}) {
  const { doc, shift, onHeight } = props;
  const { summary, facts } = doc;
  const card = useRef<HTMLDivElement>(null);
  // A replay shows what was known then, and this is what came of all.
  const isReplaying = useViewer().replay.store.state.open;
  const isSummedUp = summary?.asked !== undefined && !facts.reading;
  const shown = isSummedUp && !isReplaying;
  const tell = useRef(onHeight);
  useLayoutEffect(() => {
    tell.current = onHeight;
  });
  useEffect(() => {
    const element = card.current;
    if (!shown || !element) return;
    let height = 0;
    const observer = new ResizeObserver(() => {
      const now = Math.ceil(element.getBoundingClientRect().height);
      if (now === height) return;
      height = now;
      tell.current(now);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      tell.current(0);
    };
  }, [shown]);
  if (!shown) return null;
  return (
    <div class="summary-card" ref={card} style={{ transform: `translateY(${-shift}px)` }}>
      <Summary doc={doc} summary={summary} />
    </div>
  );
}
