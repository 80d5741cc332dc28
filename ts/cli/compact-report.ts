// What `compact` shows of a plan.
import type {
  CompactionConfig,
  CompactionPlan,
  ContextCheck,
  Estimate,
  ModelLimits,
  PlanItem,
  PrunePlan,
  Transcript,
  WithParts,
} from "apex-parts";
import { SessionCompaction } from "apex-parts";
import type { Paint } from "./colour.ts";
import { oneLine, painter } from "./colour.ts";
import type { Values } from "./options.ts";
import { unruled } from "./output.ts";
import type { WrittenSession } from "./sessions.ts";
import { count as grouped, plural } from "./units.ts";

/** Messages: the transcript itself, which reads only what is needed, if it holds no other. */
export type History = Transcript | WithParts[];

/** What the command is about. */
export interface Task {
  transcript: Transcript;
  session: WrittenSession;
  /** The name of the file in messages. */
  name: string;
  values: Values;
  model: ModelLimits;
  config: CompactionConfig;
  /** The summary, if there is one. */
  text: string | undefined;
  now: number;
}

/** Everything that is known before something is done. */
export interface Findings {
  check: ContextCheck;
  /** The messages that `plan` is for. */
  history: History;
  plan: CompactionPlan;
  /** The tokens of a request for which `check` found these. */
  seen(check: ContextCheck): number;
  prune?: PrunePlan;
  /** The next request once outputs are cleared. */
  pruned?: { tokens: number; headroom: number; overflow: boolean };
}

/** The command with what is known. */
export type Examined = Task & { findings: Findings };

/** How many of a list are shown at its beginning and its end; what is between them is counted. */
const [FIRST, LAST] = [4, 3];
/** How many characters of a string are shown. */
const SHOWN = 60;

const count = (n: number) => grouped(Math.round(n));
const tokens = (n: number) => plural(Math.round(n), "token");

function beginning(text: string): string {
  const points = [...oneLine(text.slice(0, 4 * SHOWN)).trim()];
  return points.length > SHOWN ? `${points.slice(0, SHOWN - 1).join("")}…` : points.join("");
}

/** The lines of a list; `line` makes one of an entry. */
function folded<T>(list: readonly T[], line: (entry: T) => string): string[] {
  const hidden = list.length - FIRST - LAST;
  if (hidden < 2) return list.map(line);
  return [
    ...list.slice(0, FIRST).map(line),
    `    … ${count(hidden)} more …`,
    ...list.slice(-LAST).map(line),
  ];
}

/** A few words by which a message is recognised: its first words, and its calls. */
function gist(message: WithParts | undefined): string {
  const parts = Array.isArray(message?.parts) ? message.parts : [];
  const calls = parts
    .filter((part) => part?.type === "tool")
    .map(({ tool }) => oneLine(String(tool)));
  const texts = parts.map((part) => (part?.type === "text" ? part.text : undefined));
  const text = texts.find((one) => typeof one === "string" && one.trim() !== "") ?? "";
  const named = calls.length > 3 ? `${calls.slice(0, 3).join(", ")}, …` : calls.join(", ");
  return [named === "" ? "" : `[${named}]`, beginning(text)].filter(Boolean).join(" ");
}

/** A function that gives the message of the view for an entry of the plan; both are in one order. */
function finder(history: History): (id: string) => WithParts | undefined {
  const view = SessionCompaction.filterCompacted(history);
  const places = new Map<string | undefined, number>();
  let next = 0;
  return (id) => {
    // Only what is looked for is read, and what is hidden before it.
    for (; next < view.length && !places.has(id); next++) places.set(view[next]?.info?.id, next);
    const place = places.get(id);
    return place === undefined ? undefined : view[place];
  };
}

// ── Sections ────────────────────────────────────────────────────────────────────────────────────

const SOURCES: Record<Estimate["source"], (used: Estimate) => string> = {
  reported: () => "as the provider reported",
  mixed: ({ base, added, factor }) =>
    `${count(base)} reported by the provider, ${count(added)} counted since (×${factor.toFixed(2)})`,
  counted: () => "counted, as no answer reports it: without the system prompt and the tools",
};

function contextLines(all: Examined, paint: Paint): string[] {
  const { model, config, session, transcript, findings, values } = all;
  const { context, input, output } = model.limit;
  const { used, usable, headroom, overflow } = findings.check;
  const limits = [
    `context ${count(context)}`,
    ...(input === undefined ? [] : [`input ${count(input)}`]),
    output === undefined ? "output 32,000 (assumed: --output N)" : `output ${count(output)}`,
  ].join(", ");
  const { threshold } = config;
  const from = threshold === undefined ? "" : `, overflows at ${count(threshold)}`;
  const left = overflow
    ? paint("bad", `overflow: ${count(-headroom)} too many`)
    : paint("good", `fits: ${count(headroom)} left`);
  const media = used.media > 0 ? `, files ${count(used.media)}` : "";
  const title = session.title ? ` ${oneLine(String(session.title))}` : "";
  const refused = values.overflow ? ["The provider refused the last request (--overflow)."] : [];
  return [
    `${transcript.format} ${oneLine(session.id ?? "")}${title}`.trim(),
    `${limits}: ${count(usable)} usable${from}`,
    `next request: ${tokens(used.tokens)} (${SOURCES[used.source](used)}${media})`,
    left,
    ...refused,
  ];
}

/** When a change has paid with a prompt cache. */
function cacheLine({ prefix, rewritten, breakEven }: CompactionPlan["cache"]): string {
  const pays =
    breakEven === null
      ? "never pays"
      : `pays off after ${plural(breakEven, "further request")} (at once if the cache is cold)`;
  return `  prompt cache: ${count(prefix)} stay, ${count(rewritten)} are written again; ${pays}`;
}

function pruneLines(
  { findings: { prune, pruned }, config }: Examined,
  toolOf: ReadonlyMap<string, string>,
  paint: Paint,
): string[] {
  if (!prune) return [];
  if (!pruned) {
    const { protect = 40_000, minimum = 20_000 } = config;
    const why = `none beyond the newest ${count(protect)} tokens and the last two turns that save more than ${count(minimum)}`;
    return ["", `prune: no outputs to clear: ${why} (--protect N, --minimum N)`];
  }
  const { items, saved, cache } = prune;
  const head = `prune: ${plural(items.length, "output")} to clear, which saves ${tokens(saved)}`;
  const rows = folded(items, ({ partID = "", tokens: each }) => {
    const tool = toolOf.get(partID) ?? "";
    return `    ${oneLine(partID)}  ${count(each).padStart(7)}  ${oneLine(tool)}`;
  });
  const after = pruned.overflow
    ? paint("bad", `still an overflow: ${count(-pruned.headroom)} too many`)
    : paint("good", `fits: ${count(pruned.headroom)} left`);
  return [
    "",
    head,
    ...rows,
    cacheLine(cache),
    `  next request then: about ${tokens(pruned.tokens)}`,
    `  ${after}`,
  ];
}

/** The tools of these calls. */
function toolsOf(messages: readonly WithParts[], partIDs: readonly string[]): Map<string, string> {
  const wanted = new Set(partIDs);
  const tools = new Map<string, string>();
  if (wanted.size === 0) return tools;
  for (const { parts } of messages) {
    for (const part of Array.isArray(parts) ? parts : []) {
      if (part?.type === "tool" && wanted.has(part.id)) tools.set(part.id, String(part.tool));
    }
  }
  return tools;
}

/** What becomes of a message, in words for one and for several. */
interface Fate {
  colour: "good" | "warning" | "bad";
  one: string;
  several: string;
}

const FATES: Record<PlanItem["action"], Fate> = {
  keep: { colour: "good", one: "stays", several: "stay" },
  summarise: { colour: "warning", one: "is summarised", several: "are summarised" },
  drop: { colour: "bad", one: "is dropped", several: "are dropped" },
  // Only outputs are cleared, and they are listed by pruneLines.
  clear: { colour: "bad", one: "is cleared", several: "are cleared" },
};

/** Messages of which the same becomes, for the same reason. */
interface Group {
  action: PlanItem["action"];
  why: string;
  items: PlanItem[];
}

/** The messages by what becomes of them and why, in the order in which that comes first. */
function groupsOf(items: readonly PlanItem[]): Group[] {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const { action, why } = item;
    const group = groups.get(`${action} ${why}`) ?? { action, why, items: [] };
    groups.set(`${action} ${why}`, group);
    group.items.push(item);
  }
  return [...groups.values()];
}

function groupLines(
  { action, why, items }: Group,
  find: (id: string) => WithParts | undefined,
  paint: Paint,
): string[] {
  const sum = items.reduce((all, { tokens: each }) => all + each, 0);
  const { colour, one, several } = FATES[action];
  const head = `${plural(items.length, "message")} ${items.length === 1 ? one : several}`;
  const rows = folded(items, ({ messageID, tokens: each }) => {
    const message = find(messageID);
    const role = oneLine(String(message?.info?.role ?? ""));
    return `    ${oneLine(messageID)}  ${role.padEnd(9)}  ${count(each).padStart(7)}  ${gist(message)}`.trimEnd();
  });
  return [`  ${paint(colour, head)}, ${tokens(sum)}: ${why}`, ...rows];
}

function pinnedLines(pinned: CompactionPlan["pinned"]): string[] {
  if (pinned.length === 0) return [];
  const head = `  the user's own words are added to the summary: ${plural(pinned.length, "message")}`;
  const row = ({ messageID, text }: CompactionPlan["pinned"][number]) =>
    `    ${oneLine(messageID)}  ${count(text.length)} characters  ${beginning(text)}`;
  return [head, ...folded(pinned, row)];
}

function planLines({ findings: { plan, history } }: Examined, paint: Paint): string[] {
  const { items, pinned, tokens: size, fits, cache, previousSummary, problems } = plan;
  const find = finder(history);
  const whether = fits ? paint("good", "fits") : paint("bad", "does not fit");
  const previous =
    previousSummary === undefined
      ? []
      : [`  the summary before this one is merged: ${beginning(previousSummary)}`];
  const faults = problems.map((problem) => {
    const { severity, rule, path } = problem;
    const colour = severity === "error" ? "bad" : "warning";
    return `${paint(colour, severity)} ${rule}${path && ` at ${path}`}: ${unruled(problem)}`;
  });
  return [
    "",
    `compaction: ${count(size.before)} tokens now, about ${count(size.after)} afterwards: ${whether}`,
    ...groupsOf(items).flatMap((group) => groupLines(group, find, paint)),
    ...previous,
    ...pinnedLines(pinned),
    cacheLine(cache),
    ...(faults.length > 0 ? ["", ...faults] : []),
  ];
}

/** The lines that show what would be done. */
export function reportOf(all: Examined): string[] {
  const paint = painter(process.stdout);
  const { history, prune } = all.findings;
  // Where something is to be cleared, the history is an array already.
  const tools = toolsOf(Array.isArray(history) ? history : [], prune?.partIDs ?? []);
  return [...contextLines(all, paint), ...pruneLines(all, tools, paint), ...planLines(all, paint)];
}
