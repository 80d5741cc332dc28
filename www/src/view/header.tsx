import type { ComponentChildren } from "preact";
import type { LoopView, Overview } from "../model/types";
import { useStore } from "../state/store";
import { brief, bytes, cost, count, date, duration, one } from "../text/format";
import { useGrown, useViewer, useViewerState } from "./context";
import { Icon, type IconName } from "./icons";
import { LiveStatus } from "./live";
import { loopName } from "./loop";
import { ReplayButton } from "./scrub";
import { SearchButton } from "./search";

export function Header() {
  const viewer = useViewer();
  const doc = useViewerState((state) => state.doc);
  const problemsOpen = useViewerState((state) => state.problemsOpen);
  const beside = useStore(viewer.compare.store, (state) => state.beside);
  useViewerState((state) => state.loops);
  useGrown();
  return (
    <header class="header">
      <div class="header-title">
        <h1>{doc?.facts.title ?? "apex-parts viewer"}</h1>
        {doc && <p>{beside ? `beside ${beside.docs[1].facts.title}` : fileLine(doc.facts)}</p>}
      </div>
      {doc && !beside && <Facts facts={doc.facts} loops={doc.loops ?? []} />}
      <div class="header-actions">
        {doc && (
          <button
            type="button"
            class={`problem-count ${tone(doc.facts)}`}
            aria-expanded={problemsOpen}
            aria-controls="problems"
            onClick={() => viewer.toggleProblems()}
          >
            <Icon name="warning" />
            {one(doc.facts.errors + doc.facts.warnings, "problem")}
          </button>
        )}
        {doc && !beside && <ReplayButton doc={doc} />}
        {doc && !beside && <SearchButton />}
        <Action name="Open" icon="open" onClick={() => viewer.store.set({ dialog: "open" })} />
        {doc && (
          <>
            <Action
              name="Compare…"
              icon="beside"
              brief
              onClick={() => viewer.store.set({ dialog: "beside" })}
            />
            <Action
              name="Export"
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

/** A button with an icon and, where there is room, its name beside it. */
/** `brief`: of the less used ones a wide screen shows the icon only. */
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

function Facts({ facts, loops }: { facts: Overview; loops: LoopView[] }) {
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
      <Fact name="Steps">{count(facts.steps)}</Fact>
      {loops.length > 0 && (
        <Fact name="Loops" title={loops.slice(0, 20).map(loopTitle).join("\n")}>
          <span class={loops.some(isBad) ? "tone-bad" : "tone-busy"}>{count(loops.length)}</span>
        </Fact>
      )}
    </dl>
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

const isBad = (loop: LoopView) => loop.action === "interrupt";
const loopTitle = (loop: LoopView) => `${loopName(loop)}. ${loop.message}`;

function fileLine(facts: Overview): string {
  return [
    facts.name,
    facts.format,
    one(facts.layout.roles.length, "message"),
    bytes(facts.bytes),
  ].join(" · ");
}

function tone(facts: Overview): string {
  if (facts.errors > 0) return "tone-bad";
  return facts.warnings > 0 ? "tone-busy" : "tone-quiet";
}
