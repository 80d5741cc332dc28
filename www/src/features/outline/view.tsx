import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { endedBadly, FLAG_ERROR, FLAG_SUMMARY, ROLE_USER } from "../../core/model/layout";
import type { LoopView } from "../../core/model/loops";
import { PART_CODE, type PART_TYPES } from "../../core/model/parts";
import { useOpenDocument, usePage, useViewer } from "../../core/page/hooks";
import { Slot } from "../../core/page/slot";
import type { OpenDocument } from "../../core/store/document";
import { count } from "../../ui/format";
import { Icon, type IconName } from "../../ui/icons";
import { useRoving } from "../../ui/list/roving";
import { useVirtual } from "../../ui/list/virtual";
import { TOUCH, useMedia } from "../../ui/media";

const HEIGHT = 30;
const TOUCHED = 44;

/** The messages by turn, with marks for errors, compactions and subtasks. */
export function Outline({ switcher }: { switcher: ComponentChildren }) {
  const viewer = useViewer();
  const doc = useOpenDocument();
  const { current, selected } = usePage();
  const scroller = useRef<HTMLDivElement>(null);
  const line = useMedia(TOUCH) ? TOUCHED : HEIGHT;
  const { messages } = doc.map;
  const { items, height, virtualizer } = useVirtual(scroller, {
    count: messages,
    guess: () => new Float32Array(messages).fill(line),
    basis: line,
    overscan: 10,
    paddingEnd: 16,
  });
  const first = items[0]?.index;
  const last = items.at(-1)?.index;
  useEffect(() => {
    if (first !== undefined && last !== undefined) doc.outline.want(first, last);
  });
  const here = selected >= 0 ? doc.map.messageAt(selected) : current;
  const { stop, ...roving } = useRoving(scroller, {
    ...{ items, virtualizer, count: messages, start: here },
  });
  useEffect(() => virtualizer.scrollToIndex(here, { align: "auto" }), [virtualizer, here]);
  return (
    <nav class="pane pane-outline" aria-label="Outline">
      <div class="pane-title">
        <h2>Outline</h2>
        {switcher}
      </div>
      <div class="scroller" ref={scroller}>
        <ol class="spacer" style={{ height: `${height}px` }} {...roving}>
          {items.map(({ index, start }) => (
            <li
              key={index}
              class="outline-item"
              style={{ transform: `translateY(${start}px)` }}
              aria-posinset={index + 1}
              aria-setsize={doc.map.messages}
            >
              <Entry
                doc={doc}
                message={index}
                current={index === here}
                isStop={index === stop}
                onClick={() => {
                  viewer.store.set({ pane: "transcript" });
                  viewer.select(doc.map.header(index), { reveal: true });
                }}
              />
            </li>
          ))}
        </ol>
      </div>
    </nav>
  );
}

function Entry(props: {
  doc: OpenDocument;
  message: number;
  current: boolean;
  isStop: boolean;
  onClick: () => void;
}) {
  const { doc, message } = props;
  const entry = doc.outline.get(message);
  const user = doc.facts.layout.roles[message] === ROLE_USER;
  const marks = marksOf(doc, message);
  return (
    <button
      type="button"
      class={`outline-entry ${user ? "outline-turn" : "outline-step"}`}
      aria-current={props.current ? "true" : undefined}
      data-roving={message}
      tabIndex={props.isStop ? 0 : -1}
      onClick={props.onClick}
    >
      <span class="outline-number">{message}</span>
      <span class={`outline-text ${entry?.tools ? "outline-tools" : ""}`}>
        <span class="hidden">{user ? "User: " : ""}</span>
        {entry?.title ?? "\u00a0"}
      </span>
      <Slot name="entry" message={message} />
      {marks.map(([icon, name, title, times = 1]) => (
        <span key={name} class={`mark mark-${name}`} title={title}>
          <Icon name={icon} />
          {times > 1 && <span aria-hidden="true">×{count(times)}</span>}
          <span class="hidden">{title}</span>
        </span>
      ))}
    </button>
  );
}

/** A sign, what it is for, its words, and how often it holds. */
type Mark = [icon: IconName, name: string, title: string, times?: number];

function marksOf(doc: OpenDocument, message: number): Mark[] {
  const { layout } = doc.facts;
  const flags = layout.flags[message] ?? 0;
  const first = layout.firstPart[message] ?? 0;
  const end = layout.firstPart[message + 1] ?? first;
  const types = layout.types.subarray(first, end);
  const has = (type: (typeof PART_TYPES)[number]) => types.includes(PART_CODE[type]);
  const failed = layout.statuses.subarray(first, end).filter(endedBadly).length;
  const marks: Mark[] = [];
  if ((flags & FLAG_ERROR) !== 0) marks.push(["warning", "error", "has an error"]);
  else if (failed > 0) {
    marks.push(["warning", "error", failed === 1 ? "a call failed" : `${failed} calls failed`]);
  }
  const loop = doc.loopMessages.get(message);
  if (loop) {
    const own = callsIn(doc, loop, message);
    const part = own > 1 ? `${count(own)} calls are part of a loop` : "is part of a loop";
    marks.push(["retry", "loop", `${part}: ${loop.message}`, own]);
  }
  if ((flags & FLAG_SUMMARY) !== 0 || has("compaction")) {
    marks.push(["fold", "compaction", "compaction"]);
  }
  if (has("subtask") || doc.startsTask(first, end)) marks.push(["branch", "subtask", "subtask"]);
  return marks;
}

/** How many calls of a loop a message has. */
function callsIn({ map }: OpenDocument, { rows }: LoopView, message: number): number {
  const first = map.header(message);
  const last = first + map.parts(message);
  return rows.filter((row) => row > first && row <= last).length;
}
