// What a program writes into a session beside the conversation: instructions, descriptions of tools, lists of skills. Such
// texts are its makers'; a recording has their beginning, their length and their end.

/** What a text of the conversation and one beside it may have, in characters. */
const LONGEST = { talk: 400, beside: 48 };
/** The elements of a list beside the conversation. */
const MOST = 3;

function shortened(text, longest) {
  if (text.length <= longest) return text;
  return `${text.slice(0, 32)} … ${text.length} characters … ${text.slice(-8)}`;
}

function without(value, isTalk) {
  if (typeof value === "string") return shortened(value, isTalk ? LONGEST.talk : LONGEST.beside);
  if (Array.isArray(value)) {
    return (isTalk ? value : value.slice(0, MOST)).map((item) => without(item, isTalk));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, without(item, isTalk)]),
  );
}

/** A file of JSON, or of a record a line, without them. */
export function withoutForeign(text, isTalk) {
  const shorten = (json) => {
    const record = JSON.parse(json);
    return JSON.stringify(without(record, isTalk(record)));
  };
  const lines = text.split("\n");
  try {
    return lines.map((line) => (line === "" ? "" : shorten(line))).join("\n");
  } catch {
    return `${shorten(text)}\n`;
  }
}
