// The four panels: deltas, message, changes and problems of a step.
import { counted, find, made } from "./elements.mjs";
import { ruleLink } from "./rule.mjs";

/** Longer lists and texts are cut, and say so: a page with a million rows helps nobody. */
const MOST_ROWS = 400;
const MOST_CHARACTERS = 20_000;
const MOST_IN_A_ROW = 600;

const cut = (text, most) => (text.length > most ? `${text.slice(0, most)} …` : text);
const json = (value, indent) => JSON.stringify(value, null, indent) ?? String(value);
const quiet = (text) => made("p", "quiet", text);

/** What scrolls is reached with the keyboard. */
export function start() {
  for (const id of ["deltas", "message", "changes", "problems"]) find(id).tabIndex = 0;
}

/** The group of kinds that share a colour. */
const toneOf = (kind) => (kind.startsWith("tool") ? "tool" : kind);

function deltaRow(delta, number, isNew) {
  const { kind, payload } = delta;
  const isText = kind === "text" || kind === "thinking";
  const words = json(isText ? payload.textDelta : payload);
  return made(
    "li",
    isNew ? "row new" : "row",
    made("span", "number", String(number)),
    made("span", `kind tone-${toneOf(kind)}`, kind),
    made("code", "", cut(words, MOST_IN_A_ROW)),
  );
}

/** The deltas that have come; those of this step are marked. */
export function showDeltas({ deltas, before, now }) {
  find("deltas-count").textContent = deltas.length > 0 ? `${now} of ${deltas.length}` : "";
  const first = Math.max(0, now - MOST_ROWS);
  const list = made("ol", "rows");
  for (let index = first; index < now; index++) {
    list.append(deltaRow(deltas[index], index + 1, index >= before));
  }
  const place = find("deltas");
  place.replaceChildren(
    ...(first > 0 ? [quiet(`${counted(first, "earlier delta")} not shown`)] : []),
    now > 0 ? list : quiet("None yet."),
  );
  place.scrollTop = place.scrollHeight;
}

/** The part's own words, and what stands beside its kind. */
function wordsOfPart({ kind, payload }) {
  if (kind === "text" || kind === "thinking") return { words: payload.text };
  if (kind === "tool_call") {
    const { toolCallId, toolName, rawArgsText } = payload;
    return {
      title: toolName,
      id: toolCallId,
      words: rawArgsText ?? json(payload.arguments, 2),
      isCode: true,
    };
  }
  if (kind === "tool_result") {
    const { toolCallId, content } = payload;
    const isText = typeof content === "string";
    return { id: toolCallId, words: isText ? content : json(content, 2), isCode: true };
  }
  return { words: json(payload, 2), isCode: true };
}

function partCard(part, index, isChanged) {
  const { title, id, words, isCode } = wordsOfPart(part);
  const head = made("div", "part-head", made("span", `kind tone-${toneOf(part.kind)}`, part.kind));
  if (title) head.append(made("strong", "", title));
  if (id) head.append(made("span", "quiet", id));
  head.append(made("span", "number", String(index)));
  return made(
    "li",
    isChanged ? "part new" : "part",
    head,
    made(isCode ? "pre" : "p", "words", cut(words, MOST_CHARACTERS)),
  );
}

/** Usage, finish reason, model and the error: what a message has besides its parts. */
function facts(meta) {
  const { usage, finishReason, modelId, error } = meta;
  const list = made("dl", "facts");
  const add = (name, value) => {
    if (value) list.append(made("div", "", made("dt", "", name), made("dd", "", value)));
  };
  add("model", modelId);
  add("finish reason", finishReason);
  if (usage) add("tokens", `${usage.inputTokens} in, ${usage.outputTokens} out`);
  if (usage?.cost !== undefined) add("cost", `$${usage.cost}`);
  if (error) add("error", error.message ?? error.errorCode);
  return list;
}

/** The message so far: its parts as they grow, and the whole of it as JSON. */
export function showMessage({ message, status, changes }) {
  find("message-count").textContent = status ?? "";
  const place = find("message");
  // A message that has begun has a time.
  if (!message || message.timestamp === "") {
    place.replaceChildren(quiet("No message has begun."));
    return;
  }
  const changed = new Set(changes.map(({ part }) => part));
  const parts = made("ol", "parts");
  for (const [index, part] of message.parts.slice(0, MOST_ROWS).entries()) {
    parts.append(partCard(part, index, changed.has(index)));
  }
  const left = message.parts.length - MOST_ROWS;
  const isOpen = place.querySelector("details")?.open ?? false;
  const whole = made("details", "", made("summary", "", "The message as JSON"));
  const text = () => made("pre", "words", cut(json(message, 2), MOST_CHARACTERS));
  // Made when it is looked at: it can be long.
  whole.addEventListener("toggle", () => {
    if (whole.open && whole.children.length === 1) whole.append(text());
  });
  if (isOpen) whole.append(text());
  whole.open = isOpen;
  place.replaceChildren(
    parts,
    ...(left > 0 ? [quiet(`${counted(left, "more part")} not shown`)] : []),
    facts(message.meta ?? {}),
    whole,
  );
}

function changeWords(change) {
  if (change.op === "append") return json(change.text);
  if (change.op === "status") return change.status;
  return json(change.value);
}

/** What `takeChanges()` gave for this step. */
export function showChanges(changes) {
  find("changes-count").textContent = changes.length > 0 ? String(changes.length) : "";
  const list = made("ul", "rows");
  for (const change of changes.slice(0, MOST_ROWS)) {
    const where = change.part === undefined ? "" : `part ${change.part}`;
    list.append(
      made(
        "li",
        "row",
        made("span", "kind", change.op),
        made("span", "number", change.field ? `${where} ${change.field}` : where),
        made("code", "", cut(changeWords(change), MOST_IN_A_ROW)),
      ),
    );
  }
  const left = changes.length - MOST_ROWS;
  find("changes").replaceChildren(
    changes.length > 0 ? list : quiet("This step changes nothing."),
    ...(left > 0 ? [quiet(`${counted(left, "more change")} not shown`)] : []),
  );
}

function problemRow({ severity, rule, path, offset, message }, select) {
  const head = made("div", "part-head", made("span", `kind tone-${severity}`, severity));
  head.append(ruleLink(rule));
  if (path) head.append(made("code", "quiet", path));
  if (offset === undefined) head.append(made("span", "quiet", "at the end"));
  else {
    const place = made("button", "link", `byte ${offset}`);
    place.type = "button";
    place.title = "Show it in the stream";
    place.addEventListener("click", () => select(offset));
    head.append(place);
  }
  return made("li", "part", head, made("p", "words", cut(message, MOST_IN_A_ROW)));
}

/** What `problems()` tells so far; `select` shows the place in the stream. */
export function showProblems(problems, select) {
  const count = find("problems-count");
  count.textContent = problems.length > 0 ? String(problems.length) : "";
  count.classList.toggle("bad", problems.length > 0);
  const list = made("ol", "parts");
  for (const problem of problems.slice(0, MOST_ROWS)) list.append(problemRow(problem, select));
  const left = problems.length - MOST_ROWS;
  find("problems").replaceChildren(
    problems.length > 0 ? list : quiet("None so far."),
    ...(left > 0 ? [quiet(`${counted(left, "more problem")} not shown`)] : []),
  );
}
