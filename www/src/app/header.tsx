import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { LiveStatus } from "../features/live/view";
import type { LoopView } from "../features/loops/model";
import { loopName } from "../features/loops/view";
import { ReplayButton } from "../features/replay/view/bar";
import { SearchButton } from "../features/search/view/bar";
import { failuresIn } from "../features/transcript/model/layout";
import type { Overview } from "../features/transcript/model/overview";
import { brief, bytes, cost, count, date, duration, one } from "../ui/format";
import { Icon, type IconName } from "../ui/icons";
import { NARROW, useMedia } from "../ui/media";
import { usePage, useViewer } from "./hooks";

export function Header() {
  const viewer = useViewer();
  const { doc, problemsOpen, compact } = usePage();
  // There they are in the sheet.
  const isNarrow = useMedia(NARROW);
  const comparison = viewer.compare.store.state.comparison;
  return (
    <header class="header">
      <div class="header-title">
        <h1>{doc?.facts.title ?? "apex-parts viewer"}</h1>
        {doc &&
          (comparison ? (
            <p>beside {comparison.docs[1].facts.title}</p>
          ) : (
            <FileLine facts={doc.facts} />
          ))}
      </div>
      {doc && !comparison && !isNarrow && <Facts facts={doc.facts} loops={doc.loops} />}
      <div class="header-actions">
        {doc && (
          <button
            type="button"
            class={`problem-count ${tone(doc.facts)}`}
            aria-expanded={problemsOpen}
            aria-controls="problems"
            onClick={() => viewer.panels.toggleProblems()}
          >
            <Icon name="warning" />
            {one(doc.facts.errors + doc.facts.warnings, "problem")}
          </button>
        )}
        {doc && !comparison && <ReplayButton doc={doc} />}
        {doc && !comparison && <SearchButton />}
        <Action name="Open" icon="open" onClick={() => viewer.store.set({ dialog: "open" })} />
        {doc && (
          <>
            {!comparison && (
              <button
                type="button"
                class="button button-icon button-compact"
                aria-label="Compact view"
                aria-pressed={compact}
                title="Compact view (d)"
                onClick={() => viewer.panels.toggleCompact()}
              >
                <Icon name="compact" />
              </button>
            )}
            <Action
              name="Compare…"
              icon="second"
              brief
              onClick={() => viewer.store.set({ dialog: "second" })}
            />
            <Action
              name="Share…"
              icon="export"
              brief
              onClick={() => viewer.store.set({ dialog: "export" })}
            />
          </>
        )}
        <button
          type="button"
          class="button button-icon"
          aria-label="Help and keys"
          title="Help and keys (?)"
          onClick={() => viewer.store.set({ dialog: "help" })}
        >
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}

/**
 * A button with an icon and, where there is room, its name beside it. `brief`: only the icon, also on a wide
 * screen, for less used ones.
 */
function Action(props: { name: string; icon: IconName; brief?: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      class={`button button-action ${props.brief ? "button-brief" : ""}`}
      aria-label={props.name}
      title={props.name}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
      <span class="button-name">{props.name}</span>
    </button>
  );
}

export function Facts({ facts, loops }: { facts: Overview; loops: LoopView[] | undefined }) {
  const { tokens, status, start, end } = facts;
  const all =
    tokens.input + tokens.output + tokens.reasoning + tokens.cacheRead + tokens.cacheWrite;
  const span = start !== undefined && end !== undefined ? end - start : undefined;
  const titles = [
    `${count(tokens.input)} in`,
    `${count(tokens.output)} out`,
    `${count(tokens.reasoning)} reasoning`,
    `${count(tokens.cacheRead)} from cache`,
    `${count(tokens.cacheWrite)} to cache`,
  ];
  return (
    <dl class="facts">
      {facts.model && (
        <Fact name="Model" class="fact-model" plain>
          {facts.model}
        </Fact>
      )}
      <Fact name="Status" plain>
        <LiveStatus status={status} />
      </Fact>
      {span !== undefined && (
        <Fact name="Duration" plain title={start === undefined ? "" : `Started ${date(start)}`}>
          {duration(span)}
        </Fact>
      )}
      <Fact name="Cost" plain>
        {cost(facts.cost)}
      </Fact>
      <Fact name="Tokens" title={titles.join(" · ")}>
        {brief(all)}
      </Fact>
      <Fact name="Steps" class="fact-steps">
        {count(facts.steps)}
      </Fact>
      <Fact name="Problems" class="fact-badge fact-problems">
        <ProblemBadge facts={facts} />
      </Fact>
      <Fact name="Failed" class="fact-badge fact-failed">
        <FailedBadge facts={facts} />
      </Fact>
      {loops && (
        <Fact name="Loops" class="fact-badge" title={loops.slice(0, 20).map(loopTitle).join("\n")}>
          <span class={toneOf(loops)}>
            <Icon name="retry" />
            {count(loops.length)}
          </span>
        </Fact>
      )}
    </dl>
  );
}

/** How many calls failed; a press goes to the next one, as `n` does. */
function FailedBadge({ facts: { layout } }: { facts: Overview }) {
  const viewer = useViewer();
  const failed = useMemo(() => failuresIn(layout), [layout]);
  if (failed === 0) return <span class="tone-quiet">0</span>;
  return (
    <button
      type="button"
      class="tone-bad"
      aria-label={`${count(failed)} failed: go to the next`}
      title={`${count(failed)} failed calls and messages: go to the next (n)`}
      onClick={() => viewer.move("mark", 1)}
    >
      <Icon name="close" />
      {brief(failed)}
    </button>
  );
}

/** Their number, where there is no room for the button that says it in words. */
function ProblemBadge({ facts }: { facts: Overview }) {
  const viewer = useViewer();
  const problems = facts.errors + facts.warnings;
  return (
    <button
      type="button"
      class={tone(facts)}
      aria-label={one(problems, "problem")}
      title={one(problems, "problem")}
      onClick={() => viewer.panels.showProblems()}
    >
      <Icon name="warning" />
      {brief(problems)}
    </button>
  );
}

function Fact(props: {
  name: string;
  title?: string;
  class?: string;
  /** Its value says what it is; the name can go where room is short. */
  plain?: boolean;
  children: ComponentChildren;
}) {
  return (
    <div class={`fact ${props.plain ? "fact-plain" : ""} ${props.class ?? ""}`} title={props.title}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

function toneOf(loops: LoopView[]): string {
  return loops.length > 0 ? "tone-busy" : "tone-quiet";
}
const loopTitle = (loop: LoopView) => `${loopName(loop)}. ${loop.message}`;

/** The name is isolated (`bdi`): it may have characters that reverse the text after them. */
export function FileLine({ facts }: { facts: Overview }) {
  const { name, format, layout } = facts;
  const more = [format, one(layout.roles.length, "message"), bytes(facts.bytes)];
  return (
    <p>
      <bdi>{name}</bdi>
      {` · ${more.join(" · ")}`}
    </p>
  );
}

/** Red says that something ended badly; a file with problems may be of a run that went well. */
function tone({ errors, warnings }: Overview): string {
  return errors + warnings > 0 ? "tone-busy" : "tone-quiet";
}
