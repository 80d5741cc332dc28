import type { MessageRow } from "../../../core/model/rows";
import { agentName } from "../../../ui/agents";
import { FailureBox } from "../../../ui/failure";
import { clock, cost, count, date, duration, isClock } from "../../../ui/format";
import { Icon } from "../../../ui/icons";

const TITLES = { user: "User", assistant: "Assistant" } as const;

/** The first row of a message: who wrote it, when, with what, and what it came to. */
export function MessageHeader({ row }: { row: MessageRow }) {
  const { role, created, completed } = row;
  const took = created !== undefined && completed !== undefined ? completed - created : undefined;
  return (
    <>
      <header class={`message-head role-${role}`}>
        <span class="role-icon">
          <Icon name={role === "user" ? "person" : "spark"} />
        </span>
        <h2>{role === "other" ? row.roleName : TITLES[role]}</h2>
        {row.summary && <span class="chip chip-compaction">compaction summary</span>}
        {row.agent && <span class="quiet">{agentName(row.agent)}</span>}
        {role === "assistant" && row.model && <span class="quiet">{row.model}</span>}
        <span class="message-facts">
          {row.cost !== undefined && row.cost > 0 && <span>{cost(row.cost)}</span>}
          {took !== undefined && took !== 0 && <span>{duration(took)}</span>}
          {created !== undefined && isClock(created) && (
            <time dateTime={iso(created)} title={date(created)}>
              {clock(created)}
            </time>
          )}
          <span class="message-number">#{row.message}</span>
        </span>
      </header>
      {row.error && <FailureBox failure={row.error} />}
    </>
  );
}

const timeOf = (ms: number | undefined) => (ms !== undefined && isClock(ms) ? date(ms) : undefined);

/** The same in full, for the inspector. */
export function MessageFacts({ row }: { row: MessageRow }) {
  const { tokens, created, completed } = row;
  const facts: [string, string | undefined][] = [
    ["Role", row.roleName],
    ["Agent", row.agent && agentName(row.agent)],
    ["Model", row.model],
    ["Created", timeOf(created)],
    ["Completed", timeOf(completed)],
    ["Finish", row.finish],
    ["Cost", row.cost === undefined ? undefined : cost(row.cost)],
    ["Tokens in", tokens && count(tokens.input)],
    ["Tokens out", tokens && count(tokens.output)],
    ["Reasoning", tokens && count(tokens.reasoning)],
    ["From cache", tokens && count(tokens.cacheRead)],
    ["To cache", tokens && count(tokens.cacheWrite)],
  ];
  return (
    <>
      <dl class="fact-list">
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {row.error && <FailureBox failure={row.error} />}
    </>
  );
}

function iso(ms: number): string | undefined {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined;
}
