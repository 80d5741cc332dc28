// What `compact` shows of a plan.
import { SessionCompaction } from "apex-parts";
import { oneLine, painter } from "./colour.ts";
import { unruled } from "./output.ts";
import { plural } from "./units.ts";

/** How many of a list are shown at its beginning and its end; what is between them is counted. */
const [FIRST, LAST] = [4, 3];
/** How much of a text is shown. */
const SHOWN = 60;

const count = (n) => Math.round(n).toLocaleString("en");
const tokens = (n) => plural(Math.round(n), "token");

function beginning(text) {
  const points = [...oneLine(text.slice(0, 4 * SHOWN)).trim()];
  return points.length > SHOWN ? `${points.slice(0, SHOWN - 1).join("")}…` : points.join("");
}

/** The lines of a list; `line` makes one of an entry and its place. */
function folded(list, line) {
  const hidden = list.length - FIRST - LAST;
  if (hidden < 2) return list.map(line);
  const lastFrom = list.length - LAST;
  return [
    ...list.slice(0, FIRST).map(line),
    `    … ${count(hidden)} more …`,
    ...list.slice(lastFrom).map((entry, at) => line(entry, lastFrom + at)),
  ];
}

/** What shows which message it is: the words of a text, the calls of an answer. */
function gist(message) {
  const parts = Array.isArray(message?.parts) ? message.parts : [];
  const calls = parts
    .filter((part) => part?.type === "tool")
    .map(({ tool }) => oneLine(String(tool)));
  const isText = (part) => part?.type === "text" && typeof part.text === "string";
  const text = parts.find((part) => isText(part) && part.text.trim() !== "")?.text ?? "";
  const named = calls.length > 3 ? `${calls.slice(0, 3).join(", ")}, …` : calls.join(", ");
  return [named === "" ? "" : `[${named}]`, beginning(text)].filter(Boolean).join(" ");
}

/** A function that gives the message of the view for an entry of the plan, which are in one order. */
function finder(history) {
  const view = SessionCompaction.filterCompacted(history);
  const places = new Map();
  let next = 0;
  return (id) => {
    // Only what is looked for is read, and what is hidden before it.
    for (; next < view.length && !places.has(id); next++) places.set(view[next].info?.id, next);
    const place = places.get(id);
    return place === undefined ? undefined : view[place];
  };
}

// ── Sections ────────────────────────────────────────────────────────────────────────────────────

const SOURCES = {
  reported: () => "as the provider reported",
  mixed: ({ base, added, factor }) =>
    `${count(base)} reported by the provider, ${count(added)} counted since (×${factor.toFixed(2)})`,
  counted: () => "counted, as no answer reports it: without the system prompt and the tools",
};

function contextLines({ model, config, session, transcript, found, values }, paint) {
  const { context, input, output } = model.limit;
  const { used, usable, headroom, overflow } = found.check;
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
function cacheLine({ prefix, rewritten, breakEven }) {
  const pays =
    breakEven === null
      ? "never pays"
      : `pays after ${plural(breakEven, "further request")} (at once if the cache is cold)`;
  return `  prompt cache: ${count(prefix)} stay, ${count(rewritten)} are written again; ${pays}`;
}

function pruneLines({ found: { prune, pruned }, config }, toolOf, paint) {
  if (!prune) return [];
  if (prune.partIDs.length === 0) {
    const { protect = 40_000, minimum = 20_000 } = config;
    const why = `none beyond the newest ${count(protect)} tokens and the last two turns that save more than ${count(minimum)}`;
    return ["", `prune: no outputs to clear: ${why} (--protect N, --minimum N)`];
  }
  const { items, saved, cache } = prune;
  const head = `prune: ${plural(items.length, "output")} to clear, which saves ${tokens(saved)}`;
  const rows = folded(items, ({ partID, tokens: each }) => {
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
    `  next request then: some ${tokens(pruned.tokens)}`,
    `  ${after}`,
  ];
}

/** The tools of these calls. */
function toolsOf(messages, partIDs) {
  const wanted = new Set(partIDs);
  const found = new Map();
  if (wanted.size === 0) return found;
  for (const { parts } of messages) {
    for (const part of Array.isArray(parts) ? parts : []) {
      if (wanted.has(part?.id)) found.set(part.id, String(part.tool));
    }
  }
  return found;
}

const COLOURS = { keep: "good", summarise: "warning", drop: "bad" };
const VERBS = { keep: ["stays", "stay"], summarise: ["is", "are"], drop: ["is", "are"] };
const ENDS = { keep: "", summarise: " summarised", drop: " dropped" };

/** The messages by what becomes of them and why, in the order in which that comes first. */
function groupsOf(items) {
  const groups = new Map();
  for (const item of items) {
    const key = `${item.action} ${item.why}`;
    if (!groups.has(key)) groups.set(key, { action: item.action, why: item.why, items: [] });
    groups.get(key).items.push(item);
  }
  return [...groups.values()];
}

function groupLines({ action, why, items }, find, paint) {
  const sum = items.reduce((all, { tokens: each }) => all + each, 0);
  const verb = VERBS[action][items.length === 1 ? 0 : 1];
  const head = `${plural(items.length, "message")} ${verb}${ENDS[action]}`;
  const rows = folded(items, ({ messageID, tokens: each }) => {
    const message = find(messageID);
    const role = oneLine(String(message?.info?.role ?? ""));
    return `    ${oneLine(messageID)}  ${role.padEnd(9)}  ${count(each).padStart(7)}  ${gist(message)}`.trimEnd();
  });
  return [`  ${paint(COLOURS[action], head)}, ${tokens(sum)}: ${why}`, ...rows];
}

function pinnedLines(pinned) {
  if (pinned.length === 0) return [];
  const head = `  the user's own words go with the summary: ${plural(pinned.length, "message")}`;
  const row = ({ messageID, text }) =>
    `    ${oneLine(messageID)}  ${count(text.length)} characters  ${beginning(text)}`;
  return [head, ...folded(pinned, row)];
}

function planLines({ found: { plan, history } }, paint) {
  const { items, pinned, tokens: size, fits, cache, previousSummary, problems } = plan;
  const find = finder(history);
  const whether = fits ? paint("good", "fits") : paint("bad", "does not fit");
  const previous =
    previousSummary === undefined
      ? []
      : [`  the summary before this one is merged: ${beginning(previousSummary)}`];
  const told = problems.map((problem) => {
    const { severity, rule, path } = problem;
    const colour = severity === "error" ? "bad" : "warning";
    return `${paint(colour, severity)} ${rule}${path && ` at ${path}`}: ${unruled(problem)}`;
  });
  return [
    "",
    `compaction: ${count(size.before)} tokens now, some ${count(size.after)} afterwards: ${whether}`,
    ...groupsOf(items).flatMap((group) => groupLines(group, find, paint)),
    ...previous,
    ...pinnedLines(pinned),
    cacheLine(cache),
    ...(told.length > 0 ? ["", ...told] : []),
  ];
}

/** The lines that show what would be done. */
export function reportOf(all) {
  const paint = painter(process.stdout);
  const { history, prune } = all.found;
  // Where something is to be cleared, the history is an array already.
  const tools = prune?.partIDs.length > 0 ? toolsOf(history, prune.partIDs) : new Map();
  return [...contextLines(all, paint), ...pruneLines(all, tools, paint), ...planLines(all, paint)];
}
