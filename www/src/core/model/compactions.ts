import { FLAG_SUMMARY, type Layout } from "./layout";
import { PART_CODE } from "./parts";
import type { RowMap } from "./row_map";

/** A compaction that ended well, by the numbers of its messages, as the module tells it. */
export interface CompactionSpan {
  message: number;
  summary: number;
  /** The first message that stayed verbatim; absent where none did. */
  tail?: number;
  /** The messages that it hid and that nothing hid before; `to` is not one of them. */
  from: number;
  to: number;
}

/** What the page says of a compaction. */
export interface CompactionView extends CompactionSpan {
  /** Messages that it hid, calls among them, and messages that stayed verbatim. */
  hidden: number;
  calls: number;
  kept: number;
  /** When the summary was there, else when the compaction began; `undefined` where nobody knows. */
  time?: number;
  /** Tokens of the last step before it and of the first step after it, where such steps tell them. */
  before?: number;
  after?: number;
}

/**
 * What the layout tells of each compaction. Their ranges follow each other: one that says that it hides
 * what another hid already has the rest.
 */
export function compactionViews(
  spans: readonly CompactionSpan[],
  layout: Layout,
  map: RowMap,
): CompactionView[] {
  const views: CompactionView[] = [];
  let hiddenTo = 0;
  for (const [i, span] of spans.entries()) {
    const from = Math.max(span.from, hiddenTo);
    const to = Math.max(from, Math.min(span.to, map.messages));
    hiddenTo = to;
    const session = layout.sessions[span.message] ?? 0;
    const steps = (first: number, end: number, direction: 1 | -1) =>
      stepTokens(layout, map, { first, end, direction, session });
    const time = [layout.completed[span.summary], layout.created[span.message]].find(
      (each) => each !== undefined && each > 0,
    );
    const before = steps((spans[i - 1]?.summary ?? -1) + 1, span.message, -1);
    const after = steps(span.summary + 1, spans[i + 1]?.message ?? map.messages, 1);
    views.push({
      ...{ ...span, from, to, hidden: to - from, calls: callsIn(layout, from, to) },
      kept: span.tail === undefined ? 0 : Math.max(0, span.message - span.tail),
      ...(time === undefined ? {} : { time }),
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    });
  }
  return views;
}

function callsIn({ firstPart, types }: Layout, from: number, to: number): number {
  let calls = 0;
  for (let part = firstPart[from] ?? 0; part < (firstPart[to] ?? 0); part++) {
    if (types[part] === PART_CODE.tool) calls++;
  }
  return calls;
}

interface Stretch {
  first: number;
  end: number;
  direction: 1 | -1;
  session: number;
}

/** The tokens of the first step, in a direction, of a session in a stretch of messages. */
function stepTokens(layout: Layout, map: RowMap, stretch: Stretch): number | undefined {
  const { first, end, direction, session } = stretch;
  const count = end - first;
  for (let i = 0; i < count; i++) {
    const message = direction === 1 ? first + i : end - 1 - i;
    const isSummary = ((layout.flags[message] ?? 0) & FLAG_SUMMARY) !== 0;
    if (isSummary || layout.sessions[message] !== session) continue;
    const parts = map.parts(message);
    for (let n = 0; n < parts; n++) {
      const part = (map.firstPart[message] ?? 0) + (direction === 1 ? n : parts - 1 - n);
      const tokens = layout.tokens[part] ?? 0;
      if (layout.types[part] === PART_CODE["step-finish"] && tokens > 0) return tokens;
    }
  }
  return undefined;
}
