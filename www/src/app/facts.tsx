import type { ComponentChildren } from "preact";
import { Slot } from "../core/page/slot";
import type { OpenDocument } from "../core/store/document";
import { brief, cost, count, date, duration, modelWords } from "../ui/format";
import { Trouble } from "./trouble";

/** What is known of the run in numbers. What its file does not tell is a dash, and never a 0. */
export function Facts({ doc }: { doc: OpenDocument }) {
  const { facts, summary } = doc;
  const { tokens, start, end, steps } = facts;
  const all =
    tokens.input + tokens.output + tokens.reasoning + tokens.cacheRead + tokens.cacheWrite;
  const span = start !== undefined && end !== undefined ? end - start : 0;
  const busy = summary?.time?.busy;
  // Until it is summed up, the one that answered first.
  const models = summary?.models ?? [facts.model];
  const kinds = [
    `${count(tokens.input)} in`,
    `${count(tokens.output)} out`,
    `${count(tokens.reasoning)} reasoning`,
    `${count(tokens.cacheRead)} from cache`,
    `${count(tokens.cacheWrite)} to cache`,
  ];
  const times = [
    ...(start === undefined ? [] : [`Started ${date(start)}`]),
    ...(busy === undefined ? [] : [`${duration(busy)} busy`]),
  ];
  return (
    <dl class="facts">
      <Fact name="Model" class="fact-model" plain title={models.join(", ")}>
        {modelWords(models) || undefined}
      </Fact>
      <Fact name="Status" plain title={(doc.ended && summary?.ended?.reason) ?? ""}>
        <Slot name="status" doc={doc} />
      </Fact>
      <Fact name="Duration" plain title={times.join(" · ")}>
        {span === 0 ? undefined : duration(span)}
      </Fact>
      <Fact name="Cost" plain title="">
        {facts.cost > 0 ? cost(facts.cost) : undefined}
      </Fact>
      <Fact name="Tokens" title={kinds.join(" · ")}>
        {all > 0 ? brief(all) : undefined}
      </Fact>
      <Fact name="Steps" class="fact-steps" title="">
        {steps > 0 ? count(steps) : undefined}
      </Fact>
      <Fact name="Trouble" class="fact-trouble" title="" plain>
        <Trouble doc={doc} />
      </Fact>
    </dl>
  );
}

function Fact(props: {
  name: string;
  title: string;
  class?: string;
  /** Its value says what it is; the name can go where room is short. */
  plain?: boolean;
  children: ComponentChildren;
}) {
  const { children } = props;
  const isKnown = children !== undefined;
  return (
    <div
      class={`fact ${props.plain ? "fact-plain" : ""} ${props.class ?? ""}`}
      title={isKnown ? props.title : "not known"}
    >
      <dt>{props.name}</dt>
      <dd>{isKnown ? children : "—"}</dd>
    </div>
  );
}
