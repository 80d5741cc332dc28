import type { ComponentChildren } from "preact";
import type { LoopView, Overview } from "../model/types";
import { brief, bytes, cost, count, date, duration, one } from "../text/format";
import { useViewer, useViewerState } from "./context";
import { Icon } from "./icons";
import { loopName } from "./loop";

export function Header() {
  const viewer = useViewer();
  const doc = useViewerState((state) => state.doc);
  const problemsOpen = useViewerState((state) => state.problemsOpen);
  useViewerState((state) => state.loops);
  return (
    <header class="header">
      <div class="header-title">
        <h1>{doc?.facts.title ?? "apex-parts viewer"}</h1>
        {doc && <p>{fileLine(doc.facts)}</p>}
      </div>
      {doc && <Facts facts={doc.facts} loops={doc.loops ?? []} />}
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
        <button type="button" class="button" onClick={() => viewer.store.set({ dialog: "open" })}>
          <Icon name="open" />
          Open
        </button>
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
      {facts.model && <Fact name="Model">{facts.model}</Fact>}
      <Fact name="Status">
        <span class={`status tone-${status.tone}`}>{status.word}</span>
      </Fact>
      {span !== undefined && (
        <Fact name="Duration" title={start === undefined ? "" : `Started ${date(start)}`}>
          {duration(span)}
        </Fact>
      )}
      <Fact name="Cost">{cost(facts.cost)}</Fact>
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

function Fact(props: { name: string; title?: string; children: ComponentChildren }) {
  return (
    <div class="fact" title={props.title}>
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
